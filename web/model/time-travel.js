// Time travel: the running app shows the state after each selected event, and queues its own actions. The tape gets one
// event at the end. One request runs at a time; the event that is selected at its end is the next.
import { Problem, request, json, sessionPath } from '../link/http.js';
import { adjustments } from './adjustments.js';

/** The app unlocks itself after a minute: its lock is renewed this often (ms). */
const renewal = 20_000;
/** The server's codes for an unknown state. The app keeps the one that it shows. */
const unknown = ['broken', 'event-absent'];

/** Events: `change`. */
export class TimeTravel extends EventTarget {
  on = false;
  /** Why it has stopped, or an empty string. */
  error = '';
  /** The event whose state the app shows. @type {number|null} */
  shown = null;
  /** What differs in the app, or why it does not show the selected event. */
  note = '';
  /** How many of the app's own actions wait. */
  queued = 0;
  #page;
  /** The session whose events are shown, and the one whose app shows them. */
  #source = null;
  #target = null;
  #wasLocked = false;
  /** The summary at the start, which may be from an earlier lock. */
  #first = null;
  #running = null;
  #applied = null;
  #leaving = false;
  #timer = 0;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    super();
    this.#page = page;
    for (const name of ['place', 'rows', 'session', 'connection']) page.addEventListener(name, () => this.#update());
    page.sessions.addEventListener('change', () => this.#update());
    addEventListener('pagehide', () => this.#abandon());
  }

  start() {
    const { summary, appControl: { target } } = this.#page;
    Object.assign(this, { on: true, error: '', note: '', shown: null, queued: 0 });
    this.#source = summary.session;
    this.#target = target.session;
    this.#first = target;
    this.#applied = null;
    this.#wasLocked = this.#leaving = false;
    this.#timer = setInterval(() => this.#send({ locked: true }).catch(() => {}), renewal);
    this.#changed();
    this.#update();
  }

  /**
   * Ends it.
   * @param {{keep?: boolean, queue?: 'replay'|'discard'}} [choice] `keep` the shown state; what to do with queued actions
   */
  async leave({ keep = false, queue = 'replay' } = {}) {
    if (!this.on || this.#leaving) return;
    this.#leaving = true;
    await this.#running;
    if (!this.on) return;
    try {
      await this.#send({ locked: false, queue, keep });
      this.#stop('');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#leaving = false;
      this.note = error.message;
      this.#changed();
    }
  }

  #update() {
    const { appControl: { target, whyNoTarget }, summary, selected } = this.#page;
    if (!this.on || this.#leaving) return;
    // The app is back at its own state by itself: it has lost the server, or the server has lost it.
    if (whyNoTarget && summary?.session === this.#source) return this.#stop(whyNoTarget);
    if (summary?.session !== this.#source) return this.leave();
    if (target.session !== this.#target) return this.#stop('The app runs in another session now.');
    if (this.#wasLocked && target.locked === false) return this.#stop('The app’s actions run again, on its latest state.');
    this.#wasLocked ||= target !== this.#first && target.locked === true;
    const { queued = 0 } = target;
    if (queued !== this.queued) {
      this.queued = queued;
      this.#changed();
    }
    if (this.#running || selected === null || selected.seq === this.#applied) return;
    this.#applied = selected.seq;
    this.#running = this.#show(selected.seq);
  }

  async #show(seq) {
    try {
      const body = this.#source === this.#target ? { seq } : { seq, session: this.#source };
      const answer = await json(sessionPath(this.#target, '/travel'), { method: 'POST', body: JSON.stringify(body) });
      this.shown = seq;
      this.note = adjustments(answer).map(([name, places]) => `${name}: ${places.join('; ')}`).join(' · ');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!unknown.includes(error.code)) return await this.#fail(error);
      this.note = error.message;
    } finally {
      this.#running = null;
    }
    this.#changed();
    this.#update();
  }

  /** The app could not show a state: it continues with its own. */
  async #fail(error) {
    this.#page.appControl.fail(error);
    await this.#send({ locked: false, queue: 'replay' }).catch(() => {});
    this.#stop(error.message);
  }

  /** The page closes. */
  #abandon() {
    if (!this.on) return;
    this.#send({ locked: false, queue: 'replay' }, true).catch(() => {});
    this.#stop('');
  }

  #send(order, keepalive = false) {
    return request(sessionPath(this.#target, '/control'), { method: 'POST', body: JSON.stringify(order), keepalive });
  }

  #stop(reason) {
    clearInterval(this.#timer);
    Object.assign(this, { on: false, error: reason, shown: null, note: '' });
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
