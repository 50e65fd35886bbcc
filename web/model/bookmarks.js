// The bookmarks of the open session.
import { json, Problem, sessionPath } from '../link/http.js';

/**
 * The first bookmark of each event, by seq; `all` has all of them, in order.
 * @typedef {{n: number, seq: number, text: string, author?: string, made?: string}} Bookmark
 * @augments {Map<number, Bookmark>}
 */
export class Bookmarks extends Map {
  /** @type {Bookmark[]} */
  all = [];
  #shown = '';

  /**
   * Reads them again if the summary says that they have changed.
   * @param {any} summary the open session's, or null
   * @returns {Promise<boolean>} whether they have changed
   */
  async read(summary) {
    const { session = '', bookmarks = { count: 0, changes: 0 } } = summary ?? {};
    const wanted = `${session} ${bookmarks.changes}`;
    if (wanted === this.#shown) return false;
    this.#shown = wanted;
    let all = [];
    try {
      if (bookmarks.count > 0) all = (await json(sessionPath(session, '/bookmarks'))).bookmarks ?? [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // The next summary retries.
      if (this.#shown === wanted) this.#shown = '';
      return false;
    }
    if (this.#shown !== wanted) return false;
    this.all = all.sort((a, b) => a.seq - b.seq || a.n - b.n);
    this.clear();
    for (const bookmark of all.toReversed()) this.set(bookmark.seq, bookmark);
    return true;
  }
}
