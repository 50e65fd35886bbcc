// Asks the server for matches of the filter, in slices, and again for new events.
import { isUsable, queryOf } from './filter.js';
import { request, sessionPath } from '../link/http.js';

/** Pause in typing before a search (ms). */
const typing = 100;
/** Time between searches of new events (ms). */
const pause = 250;

/** A search in one session. */
export class Search {
  #timeline;
  #path;
  #query;
  #failed;
  #timer = 0;
  #isRunning = false;
  #abort = new AbortController();

  /**
   * @param {import('./timeline.js').Timeline} timeline
   * @param {string} session
   * @param {string} query the conditions, as a query string
   * @param {boolean} isTyped whether another query may follow soon
   * @param {(error: Error) => void} failed
   */
  constructor(timeline, session, query, isTyped, failed) {
    this.#timeline = timeline;
    this.#query = query;
    this.#path = sessionPath(session, `/matches?limit=100000&${query}`);
    this.#failed = failed;
    this.resume(isTyped ? typing : 0);
  }

  stop() {
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  /** Continues soon, if there are new events. @param {number} [wait] milliseconds */
  resume(wait = pause) {
    if (this.#isRunning || this.#timer !== 0 || this.#timeline.searched >= this.#timeline.end) return;
    if (wait === 0) this.#run();
    else this.#timer = setTimeout(() => this.#run(), wait);
  }

  async #run() {
    this.#timer = 0;
    this.#isRunning = true;
    try {
      while (!this.#abort.signal.aborted && this.#timeline.searched < this.#timeline.end) await this.#slice();
      this.#isRunning = false;
    } catch (error) {
      this.#isRunning = false;
      if (this.#abort.signal.aborted) return;
      if (error.status === 400) this.#timeline.refuse(this.#query, without(this.#timeline.filtered, error.message));
      else this.#failed(error);
    }
  }

  async #slice() {
    const { signal } = this.#abort;
    const answer = await request(`${this.#path}&from=${this.#timeline.searched}`, { signal });
    const { seqs, next, committed } = JSON.parse(await answer.text());
    if (!signal.aborted) this.#timeline.matched(this.#query, seqs, next ?? committed);
  }
}

/**
 * The filter without the refused terms.
 * @param {import('./filter.js').Filter} filter
 * @param {string} message the server's, which starts with the condition's name
 * @returns {import('./filter.js').Filter}
 */
function without({ terms }, message) {
  const name = /^“(.+?)”/.exec(message)?.[1];
  const term = terms.find(({ condition }) => condition === name);
  const query = term ? queryOf(terms.filter(isUsable).filter(({ condition }) => condition !== name)) : '';
  return { query, terms, error: { term: term ?? terms[0], message: message.replace(/^.*?: /s, '') } };
}
