// Asks the server for the events that match the filter, a slice at a time, and again for what is new.
import { isUsable, queryOf } from './filter.js';
import { request, sessionPath } from '../link/http.js';

/** Milliseconds after a key in which the next one may come. */
const typing = 100;
/** Milliseconds between looks at what came meanwhile. */
const pause = 250;

/** One search in one session, until it is stopped. */
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
   * @param {string} query the conditions, as the query of an address
   * @param {boolean} isTyped whether another query may follow in a moment
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

  /** Looks on soon, if there is something to look at. @param {number} [wait] milliseconds */
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
 * The filter without the terms that were refused.
 * @param {import('./filter.js').Filter} filter
 * @param {string} message the server's, which begins with the condition's name
 * @returns {import('./filter.js').Filter}
 */
function without({ terms }, message) {
  const name = /^“(.+?)”/.exec(message)?.[1];
  const term = terms.find(({ condition }) => condition === name);
  const query = term ? queryOf(terms.filter(isUsable).filter(({ condition }) => condition !== name)) : '';
  return { query, terms, error: { term: term ?? terms[0], message: message.replace(/^.*?: /s, '') } };
}
