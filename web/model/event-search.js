// A search for events of a session, which continues at later ones.
import { parse } from '../json/parse.js';
import { request, sessionPath } from '../link/http.js';

/** A search for events from the first one on. */
export class EventSearch {
  #session;
  #query;
  #wants;
  #first;
  #found = [];
  /** Events below are searched. */
  next = 0;

  /**
   * @param {string} session
   * @param {Record<string, string>} query
   * @param {(line: any) => boolean} wants
   * @param {boolean} first whether the first match is enough
   */
  constructor(session, query, wants, first) {
    this.#session = session;
    this.#query = query;
    this.#wants = wants;
    this.#first = first;
  }

  /** Searches no event below one. @param {number} next */
  skip(next) {
    this.next = Math.max(this.next, next);
  }

  /** The matches up to an event. @param {number} seq @param {AbortSignal} signal @returns {Promise<any[]>} */
  async upTo(seq, signal) {
    while (this.next <= seq && !(this.#first && this.#found.length > 0)) {
      const from = this.next;
      const query = new URLSearchParams({ ...this.#query, from: String(from) });
      const response = await request(sessionPath(this.#session, `/events?${query}`), { signal });
      const lines = (await response.text()).split('\n').filter((line) => line !== '').map(parse);
      const next = Number(response.headers.get('StateTape-Next'));
      // Another tab of this event may have searched meanwhile.
      if (this.next !== from) continue;
      this.#found.push(...lines.filter(this.#wants));
      if (!(next > from)) break;
      this.next = next;
    }
    return this.#found.filter((line) => line.seq <= seq);
  }
}
