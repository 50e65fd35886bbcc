// Applies states, dispatches actions in the running app, and sets its launch state.
import { json, Problem, request, sessionPath } from '../link/http.js';
import { obstacle, targetOf } from './target.js';

const startStates = '/api/v1/start-states';
const applying = ['Applying', 'Applied'];
const dispatching = ['Dispatching', 'Dispatched'];
/** Titles of failures, by code: the same status has others. */
const reasons = new Map([
  ['decode', 'The app couldn’t decode this'],
  ['broken', 'This state is unknown'],
  ['state-skipped', 'This state is unknown'],
  ['replaying', 'The app is replaying'],
]);

/**
 * The outcome of the last command. `seq` is the event that it caused, `notes` are details of the app's answer.
 * `path` is the place of the app's error in the state. `launchState` is the id of the launch state that was set.
 * @typedef {{status: 'waiting'|'done'|'failed', title: string, notes: string[], seq?: number, session?: string,
 *   path?: string, launchState?: string}} Outcome
 */

/** Events: `outcome`, `launchStates`. */
export class AppControl extends EventTarget {
  /** @type {Outcome|null} */
  outcome = null;
  /** @type {{id: string, app: string, device?: string, labels?: Record<string, string>, session?: string, seq?: number, mode: string, once: boolean}[]} */
  launchStates = [];

  #page;
  /** Requests for the launch states, and the last one that was answered. */
  #asked = 0;
  #taken = 0;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    super();
    this.#page = page;
  }

  /** Why this session's app can't be controlled, or an empty string. */
  get whyNoSession() { return obstacle(this.#page, this.#page.summary); }

  /** The session that receives states and actions, and why it can't. */
  get target() { return targetOf(this.#page.summary, this.#page.sessions); }
  get whyNoTarget() { return obstacle(this.#page, this.target); }

  /** Clears the last outcome. */
  clear() {
    this.#show(null);
  }

  /**
   * Applies the state after an event.
   * @param {string} session
   * @param {number} seq
   * @param {string} store
   */
  applyState(session, seq, store) {
    return this.#push(session, { seq, store }, applying, `state #${seq}`);
  }

  /**
   * Applies an edited state or one of another session, with exact numbers. The app refuses it if a part does not fit.
   * @param {string} session that receives it
   * @param {string} store
   * @param {unknown} state
   * @param {string} what its name in the outcome
   */
  applyValue(session, store, state, what) {
    return this.#push(session, { store, state, exact: true }, applying, what);
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
   * Applies the states before an event in the running app, and dispatches the event's action there.
   * @param {string} session that receives them
   * @param {string} source session of the event
   * @param {number} seq
   */
  debug(session, source, seq) {
    return this.#run(`Debugging #${seq}…`, async () => {
      const { replayIn } = await import('./loop.js');
      const loop = await replayIn(this.#page, session, { session: source, from: seq, to: seq, keep: true });
      if (loop.status === 'done') return { title: `Ran #${seq} from the state before it`, notes: ['Its effects did not start.'] };
      return { status: 'failed', title: `Can’t debug #${seq}`, notes: [loop.error?.message ?? 'The app disconnected.'], path: loop.error?.path };
    });
  }

  /**
   * Shows the failure of a push that was made elsewhere.
   * @param {Problem} problem
   */
  fail(problem) {
    this.#show(refused(problem));
  }

  async #push(session, content, [doing, done], what) {
    return this.#run(`${doing} ${what}…`, async () => {
      const body = JSON.stringify(content);
      const answer = await json(sessionPath(session, '/push'), { method: 'POST', body });
      const { seq } = answer;
      const { adjustments } = await import('./adjustments.js');
      const notes = adjustments(answer).map(([name, places]) => `${name}: ${places.join('; ')}`);
      return { title: `${done} ${what}`, notes, seq, session };
    });
  }

  /** Reads the launch states. The outcome of one that is gone goes too. */
  async refresh() {
    const asked = this.#asked += 1;
    const { startStates: all = [] } = await json(startStates);
    if (asked < this.#taken) return;
    this.#taken = asked;
    this.launchStates = all;
    const { launchState } = this.outcome ?? {};
    if (launchState !== undefined && !this.launchStates.some(({ id }) => id === launchState)) this.clear();
    this.dispatchEvent(new Event('launchStates'));
  }

  /**
   * Launches of the session's app start with the state after `seq`: on its device, if it has one.
   * @param {any} summary the session's
   * @param {number} seq
   * @param {{everyone?: boolean, latest?: boolean, replay?: boolean}} [options] `everyone`: on all devices; `latest`:
   *   with the last state of the device; `replay`: the next launch replays the actions up to `seq`
   */
  async setLaunchState(summary, seq, { everyone = false, latest = false, replay = false } = {}) {
    await this.#run('Setting the launch state…', async () => {
      const start = { app: summary.app.id, ...(latest ? { mode: 'latest' } : { session: summary.session, seq, mode: replay ? 'replay' : 'state' }), ...(replay ? { once: true } : {}) };
      if (summary.device?.id && !everyone) start.device = summary.device.id;
      const old = this.launchStates.find(({ app, device, labels = {} }) => app === start.app && device === start.device && Object.keys(labels).length === 0);
      const { id: launchState } = await json(startStates, { method: 'PUT', body: JSON.stringify(start) });
      await this.refresh();
      const place = latest ? `resume the last state of ${everyone ? 'each' : 'this'} device` : `start at #${seq}`;
      const notes = [`For ${describe(start, summary)}.`, ...old ? [`Replaced the one set at ${old.session ? `#${old.seq}${old.session === summary.session ? '' : ' of another session'}` : 'the last state'}.`] : []];
      return { title: replay ? `The next launch replays up to #${seq}` : `Launches ${place}`, notes, launchState };
    });
  }

  /** @param {string} id of a launch state */
  async clearLaunchState(id) {
    await this.#run('Clearing the launch state…', async () => {
      await request(`${startStates}?id=${encodeURIComponent(id)}`, { method: 'DELETE' });
      await this.refresh();
      return { title: 'Launch state cleared', notes: [] };
    });
  }

  /**
   * The launch state for a session's app and device: the narrowest that matches; none with the label `ci`.
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
 * The app and devices of a launch state.
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
  return {
    status: 'failed',
    title: reasons.get(problem.code) ?? title,
    notes: notes.filter((note) => note !== title),
    path: problem.path,
  };
}
