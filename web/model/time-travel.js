// Time travel: applies the state after each selected event to the running app. One push runs at a time;
// the event that is selected at its end is the next.
import { Problem, request, sessionPath } from '../link/http.js';

/** Events after which a store has no state. */
const stateless = ['gap', 'end', 'detach'];
/** The server's codes for an unknown state. */
const unknown = ['state-skipped', 'broken', 'store-absent'];

/** Events: `change`. */
export class TimeTravel extends EventTarget {
  on = false;
  /** Why it has stopped, or an empty string. */
  error = '';
  #page;
  #session = null;
  #running = false;
  #applied = null;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    super();
    this.#page = page;
    for (const name of ['place', 'rows', 'session', 'connection']) page.addEventListener(name, () => this.#update());
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    this.error = '';
    this.#applied = null;
    this.#session = this.#page.summary?.session;
    this.#changed();
    this.#update();
  }

  /** Whether this event only records an applied state. @param {import('./head.js').Head} head */
  passes(head) {
    return this.on && head.mark === 'push';
  }

  #update() {
    const { appControl: { whyNoSession }, summary, selected } = this.#page;
    if (!this.on) return;
    if (summary?.session !== this.#session) return this.#stop('');
    if (whyNoSession) return this.#stop(whyNoSession);
    if (this.#running || selected === null || this.passes(selected)) return;
    if (stateless.includes(selected.event) || selected.mark === 'skipped') return;
    const applied = `${summary.session} ${selected.seq}`;
    if (applied !== this.#applied) this.#apply(summary.session, selected, applied);
  }

  async #apply(session, { seq, store }, applied) {
    this.#running = true;
    this.#applied = applied;
    try {
      const answer = await request(sessionPath(session, '/push'), { method: 'POST', body: JSON.stringify({ seq, store }) });
      await answer.text();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // After some events the state is unknown: the app keeps the previous one.
      if (!unknown.includes(error.code)) {
        this.#page.appControl.fail(error);
        this.#stop(error.message);
      }
    } finally {
      this.#running = false;
    }
    this.#update();
  }

  #stop(reason) {
    this.on = false;
    this.error = reason;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
