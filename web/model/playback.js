// Playing recorded states and actions into the running app, and start states for its next runs.
import { json, Problem, request, sessionPath } from '../link/http.js';

const startStates = '/api/v1/start-states';

/**
 * How the last deed went. `seq` is the event that it caused, `notes` what the app's answer adds.
 * `path` is where in the state the app's error is.
 * @typedef {{status: 'waiting'|'done'|'failed', title: string, notes: string[], seq?: number, path?: string}} Outcome
 */

/** Events: `outcome`, `starts`. */
export class Playback extends EventTarget {
  /** @type {Outcome|null} */
  outcome = null;
  /** @type {{id: string, app: string, device?: string, session: string, seq: number}[]} */
  starts = [];

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
   * Plays a state that was edited; its numbers go as they are written.
   * @param {string} session
   * @param {number} seq of the event after which it was
   * @param {string} store
   * @param {unknown} state
   */
  playEdited(session, seq, store, state) {
    return this.#push(session, { store, state }, `Edited state of #${seq}`);
  }

  /**
   * Dispatches a recorded action once more.
   * @param {string} session
   * @param {any} line the event line
   */
  dispatch(session, line) {
    return this.#push(session, { action: line.action, store: line.store ?? 'main' }, `Action ${line.action.type}`);
  }

  /**
   * Plays the state after an event; only a failure is told, and thrown.
   * @param {string} session
   * @param {number} seq
   * @param {string} store
   */
  async follow(session, seq, store) {
    try {
      await request(sessionPath(session, '/push'), { method: 'POST', body: JSON.stringify({ seq, store }) });
    } catch (error) {
      if (error instanceof Problem) this.#tell(refused(error));
      throw error;
    }
  }

  async #push(session, content, what) {
    await this.#deed(`${what}: waiting for the app`, async () => {
      const body = JSON.stringify(content);
      const { seq, filled = [], ignored = [] } = await json(sessionPath(session, '/push'), { method: 'POST', body });
      const notes = [];
      if (filled.length > 0) notes.push(`Filled from the app’s own initial state: ${filled.join(', ')}`);
      if (ignored.length > 0) notes.push(`Not known to the app, left out: ${ignored.join(', ')}`);
      return { title: `${what} is in the app, as`, notes, seq };
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
   */
  async startHere(summary, seq) {
    await this.#deed('Setting the start state', async () => {
      const start = { app: summary.app.id, session: summary.session, seq, mode: 'state' };
      if (summary.device?.id) start.device = summary.device.id;
      await json(startStates, { method: 'PUT', body: JSON.stringify(start) });
      await this.refresh();
      return { title: `New runs start at #${seq}`, notes: [`They are ${describe(start, summary)}.`] };
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
   * The start state that new runs like a session would get: the narrowest that matches.
   * @param {any} summary
   */
  startOf(summary) {
    const fits = this.starts.filter((start) =>
      start.app === summary?.app?.id && (!start.device || start.device === summary.device?.id));
    return fits.find((start) => start.device) ?? fits[0];
  }

  async #deed(title, work) {
    this.#tell({ status: 'waiting', title, notes: [] });
    try {
      this.#tell({ status: 'done', ...await work() });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#tell(refused(error));
    }
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
  return start.device ? `runs of ${app} on ${summary.device?.name ?? 'this device'}` : `all runs of ${app}`;
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
