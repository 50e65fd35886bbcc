// Playing recorded states and actions into the running app, and start states for its next runs.
import { json, Problem, request, sessionPath } from '../link/http.js';
import { obstacle, targetOf } from './target.js';

const startStates = '/api/v1/start-states';
const applying = ['Applying', 'Applied'];
const dispatching = ['Dispatching', 'Dispatched'];

/**
 * How the last deed went. `seq` is the event that it caused, `notes` what the app's answer adds.
 * `path` is where in the state the app's error is.
 * @typedef {{status: 'waiting'|'done'|'failed', title: string, notes: string[], seq?: number, session?: string,
 *   path?: string}} Outcome
 */

/** Events: `outcome`, `launchStates`. */
export class AppControl extends EventTarget {
  /** @type {Outcome|null} */
  outcome = null;
  /** @type {{id: string, app: string, device?: string, labels?: Record<string, string>, session?: string, seq?: number, mode: string, once: boolean}[]} */
  launchStates = [];

  #page;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    super();
    this.#page = page;
  }

  /** Why nothing can be played into this session's app, or an empty string. */
  get whyNoSession() { return obstacle(this.#page, this.#page.summary); }

  /** The run that is played into, and why nothing can be. */
  get target() { return targetOf(this.#page.summary, this.#page.sessions); }
  get whyNoTarget() { return obstacle(this.#page, this.target); }

  /** Forgets the last outcome. */
  clear() {
    this.#show(null);
  }

  /**
   * Plays the state after an event.
   * @param {string} session
   * @param {number} seq
   * @param {string} store
   */
  applyState(session, seq, store) {
    return this.#push(session, { seq, store }, applying, `state #${seq}`);
  }

  /**
   * Plays a state that is at hand: edited, or of another session. Its numbers go as they are written.
   * @param {string} session that it is played into
   * @param {string} store
   * @param {unknown} state
   * @param {string} what it is
   */
  applyValue(session, store, state, what) {
    return this.#push(session, { store, state }, applying, what);
  }

  /**
   * Dispatches an action, recorded or written.
   * @param {string} session
   * @param {string} store
   * @param {{type: string, payload?: unknown}} action
   * @returns {Promise<Outcome>}
   */
  dispatch(session, store, action) {
    return this.#push(session, { action, store }, dispatching, action.type);
  }

  /**
   * Tells of a push made elsewhere that it has failed.
   * @param {Problem} problem
   */
  fail(problem) {
    this.#show(refused(problem));
  }

  async #push(session, content, [doing, done], what) {
    return this.#run(`${doing} ${what}…`, async () => {
      const body = JSON.stringify(content);
      const { seq, filled = [], ignored = [] } = await json(sessionPath(session, '/push'), { method: 'POST', body });
      const notes = [];
      if (filled.length > 0) notes.push(`Missing keys, filled from the initial state: ${filled.join(', ')}`);
      if (ignored.length > 0) notes.push(`Unknown keys, ignored: ${ignored.join(', ')}`);
      return { title: `${done} ${what}`, notes, seq, session };
    });
  }

  /** Reads the start states. */
  async refresh() {
    this.launchStates = (await json(startStates)).startStates ?? [];
    this.dispatchEvent(new Event('launchStates'));
  }

  /**
   * New runs of the session's app begin with the state after `seq`: those on its device, if it names one.
   * @param {any} summary the session's
   * @param {number} seq
   * @param {{everyone?: boolean, latest?: boolean}} [options] `everyone`: on all devices; `latest`: always where the
   *   device left off
   */
  async setLaunchState(summary, seq, { everyone = false, latest = false } = {}) {
    await this.#run('Setting the launch state…', async () => {
      const start = { app: summary.app.id, ...(latest ? { mode: 'latest' } : { session: summary.session, seq, mode: 'state' }) };
      if (summary.device?.id && !everyone) start.device = summary.device.id;
      await json(startStates, { method: 'PUT', body: JSON.stringify(start) });
      await this.refresh();
      const place = latest ? `resume the last state of ${everyone ? 'each' : 'this'} device` : `start at #${seq}`;
      return { title: `Launches ${place}`, notes: [`For ${describe(start, summary)}.`] };
    });
  }

  /** @param {string} id a start state's */
  async clearLaunchState(id) {
    await this.#run('Clearing the launch state…', async () => {
      await request(`${startStates}?id=${encodeURIComponent(id)}`, { method: 'DELETE' });
      await this.refresh();
      return { title: 'Launch state cleared', notes: [] };
    });
  }

  /**
   * The start state that new runs like a session would get: the narrowest that matches; runs labelled `ci` get none.
   * @param {any} summary
   */
  launchStateOf({ app, device, labels = {} }) {
    if (Object.hasOwn(labels, 'ci')) return undefined;
    const fits = this.launchStates.filter((start) => start.app === app.id && (!start.device || start.device === device?.id)
      && Object.entries(start.labels ?? {}).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value));
    const weight = (start) => (start.device ? 1000 : 0) + Object.keys(start.labels ?? {}).length;
    return fits.sort((a, b) => weight(b) - weight(a))[0];
  }

  async #run(title, work) {
    this.#show({ status: 'waiting', title, notes: [] });
    try {
      this.#show({ status: 'done', ...await work() });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#show(refused(error));
    }
    return this.outcome;
  }

  #show(outcome) {
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
  return `${app} on ${start.device ? summary.device?.nickname ?? summary.device?.name ?? 'this device' : 'all devices'}`;
}

function refused(problem) {
  const notes = [];
  if (problem.message) notes.push(problem.message);
  const titles = {
    0: 'Can’t reach the server',
    401: 'Log in again',
    403: 'View only: log in with a control token',
    409: 'The app is not connected',
    413: 'Too large for the app',
    504: 'The app didn’t answer',
  };
  const title = titles[problem.status]
    ?? (problem.status === 422 ? 'The app refused this' : problem.title ?? 'The request failed');
  const isDecoding = problem.code === 'decode';
  return {
    status: 'failed',
    title: isDecoding ? 'The app couldn’t decode this' : problem.code ? `${title}: ${problem.code}` : title,
    notes: notes.filter((note) => note !== title),
    path: problem.path,
  };
}
