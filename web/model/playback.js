// Playing recorded states and actions into the running app, and start states for its next runs.
import { json, Problem, request, sessionPath } from '../link/http.js';
import { obstacle, targetOf } from './target.js';

const startStates = '/api/v1/start-states';

/**
 * How the last deed went. `seq` is the event that it caused, `notes` what the app's answer adds.
 * `path` is where in the state the app's error is.
 * @typedef {{status: 'waiting'|'done'|'failed', title: string, notes: string[], seq?: number, session?: string,
 *   path?: string}} Outcome
 */

/** Events: `outcome`, `starts`. */
export class Playback extends EventTarget {
  /** @type {Outcome|null} */
  outcome = null;
  /** @type {{id: string, app: string, device?: string, labels?: Record<string, string>, session?: string, seq?: number, mode: string, once: boolean}[]} */
  starts = [];

  #page;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    super();
    this.#page = page;
  }

  /** Why nothing can be played into this session's app, or an empty string. */
  get unplayable() { return obstacle(this.#page, this.#page.summary); }

  /** The run that is played into, and why nothing can be. */
  get target() { return targetOf(this.#page.summary, this.#page.sessions); }
  get unpushable() { return obstacle(this.#page, this.target); }

  /** Forgets the last outcome. */
  clear() {
    this.#tell(null);
  }

  /**
   * Plays the state after an event.
   * @param {string} session
   * @param {number} seq
   * @param {string} store
   */
  playState(session, seq, store) {
    return this.#push(session, { seq, store }, `State of #${seq}`);
  }

  /**
   * Plays a state that is at hand: edited, or of another session. Its numbers go as they are written.
   * @param {string} session that it is played into
   * @param {string} store
   * @param {unknown} state
   * @param {string} what it is
   */
  playWhole(session, store, state, what) {
    return this.#push(session, { store, state }, what);
  }

  /**
   * Dispatches an action, recorded or written.
   * @param {string} session
   * @param {string} store
   * @param {{type: string, payload?: unknown}} action
   * @returns {Promise<Outcome>}
   */
  dispatch(session, store, action) {
    return this.#push(session, { action, store }, `Action ${action.type}`);
  }

  /**
   * Tells of a push made elsewhere that it has failed.
   * @param {Problem} problem
   */
  fail(problem) {
    this.#tell(refused(problem));
  }

  async #push(session, content, what) {
    return this.#deed(`${what}: waiting for the app`, async () => {
      const body = JSON.stringify(content);
      const { seq, filled = [], ignored = [] } = await json(sessionPath(session, '/push'), { method: 'POST', body });
      const notes = [];
      if (filled.length > 0) notes.push(`Filled from the app’s own initial state: ${filled.join(', ')}`);
      if (ignored.length > 0) notes.push(`Not known to the app, left out: ${ignored.join(', ')}`);
      return { title: `${what} is in the app, as`, notes, seq, session };
    });
  }

  /** Reads the start states. */
  async refresh() {
    this.starts = (await json(startStates)).startStates ?? [];
    this.dispatchEvent(new Event('starts'));
  }

  /**
   * New runs of the session's app begin with the state after `seq`: those on its device, if it names one.
   * @param {any} summary the session's
   * @param {number} seq
   * @param {{everyone?: boolean, latest?: boolean}} [options] `everyone`: on all devices; `latest`: always where the
   *   device left off
   */
  async startHere(summary, seq, { everyone = false, latest = false } = {}) {
    await this.#deed('Setting the start state', async () => {
      const start = { app: summary.app.id, ...(latest ? { mode: 'latest' } : { session: summary.session, seq, mode: 'state' }) };
      if (summary.device?.id && !everyone) start.device = summary.device.id;
      await json(startStates, { method: 'PUT', body: JSON.stringify(start) });
      await this.refresh();
      const where = latest ? `where ${everyone ? 'each device' : 'this device'} left off` : `at #${seq}`;
      return { title: `New runs start ${where}`, notes: [`They are ${describe(start, summary)}.`] };
    });
  }

  /** @param {string} id a start state's */
  async removeStart(id) {
    await this.#deed('Removing the start state', async () => {
      await request(`${startStates}?id=${encodeURIComponent(id)}`, { method: 'DELETE' });
      await this.refresh();
      return { title: 'New runs start as the app says', notes: [] };
    });
  }

  /**
   * The start state that new runs like a session would get: the narrowest that matches; runs labelled `ci` get none.
   * @param {any} summary
   */
  startOf({ app, device, labels = {} }) {
    if (Object.hasOwn(labels, 'ci')) return undefined;
    const fits = this.starts.filter((start) => start.app === app.id && (!start.device || start.device === device?.id)
      && Object.entries(start.labels ?? {}).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value));
    const weight = (start) => (start.device ? 1000 : 0) + Object.keys(start.labels ?? {}).length;
    return fits.sort((a, b) => weight(b) - weight(a))[0];
  }

  async #deed(title, work) {
    this.#tell({ status: 'waiting', title, notes: [] });
    try {
      this.#tell({ status: 'done', ...await work() });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#tell(refused(error));
    }
    return this.outcome;
  }

  #tell(outcome) {
    this.outcome = outcome;
    this.dispatchEvent(new Event('outcome'));
  }
}

/**
 * Whom a start state is for.
 * @param {{device?: string}} start
 * @param {any} summary of a session that it matches
 * @returns {string}
 */
export function describe(start, summary) {
  const app = summary.app.name ?? summary.app.id;
  return start.device ? `runs of ${app} on ${summary.device?.nickname ?? summary.device?.name ?? 'this device'}` : `all runs of ${app}`;
}

function refused(problem) {
  const notes = [];
  if (problem.message) notes.push(problem.message);
  const titles = {
    0: 'The server can’t be reached',
    401: 'Please log in again',
    403: 'This token may only look',
    409: 'The app is not connected',
    413: 'Too big for the app',
    504: 'The app did not answer',
  };
  const title = titles[problem.status]
    ?? (problem.status === 422 ? 'The app refused it' : problem.title ?? 'That did not work');
  return {
    status: 'failed',
    title: problem.code ? `${title}: ${problem.code}` : title,
    notes: notes.filter((note) => note !== title),
    path: problem.path,
  };
}
