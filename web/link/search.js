// Asks the server for the events that match what heads alone don't tell, a slice at a time, and again for what is new.
import { json, sessionPath } from './http.js';

/** Milliseconds after the last key until a search begins, and between looks at what came meanwhile. */
const pause = 250;

/** One search in one session, until it is stopped. */
export class Search {
  #timeline;
  #path;
  #query;
  #failed;
  #timer = 0;
  #isRunning = false;
  #offset = 0;
  #abort = new AbortController();

  /**
   * @param {import('../model/timeline.js').Timeline} timeline
   * @param {string} session
   * @param {string} query the conditions, as the query of an address
   * @param {(error: Error) => void} failed
   */
  constructor(timeline, session, query, failed) {
    this.#timeline = timeline;
    this.#query = query;
    this.#path = sessionPath(session, `/matches?limit=100000&${query}`);
    this.#failed = failed;
    this.resume();
  }

  stop() {
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  /** Looks on soon, if there is something to look at. */
  resume() {
    if (this.#isRunning || this.#timer !== 0 || this.#timeline.searched >= this.#timeline.end) return;
    this.#timer = setTimeout(() => this.#run(), pause);
  }

  async #run() {
    this.#timer = 0;
    this.#isRunning = true;
    try {
      while (!this.#abort.signal.aborted && this.#timeline.searched < this.#timeline.end) await this.#slice();
      this.#isRunning = false;
    } catch (error) {
      this.#isRunning = false;
      if (!this.#abort.signal.aborted) this.#failed(error);
    }
  }

  async #slice() {
    const from = this.#timeline.searched;
    const { signal } = this.#abort;
    const { seqs, next, offset, committed } = await json(`${this.#path}&from=${from}&offset=${this.#offset}`, { signal });
    if (signal.aborted) return;
    this.#offset = offset;
    this.#timeline.matched(this.#query, seqs, next ?? committed);
  }
}
