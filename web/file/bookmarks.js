// The bookmarks of a tape in a file. The worker has them while the page is open; the page stores them in the
// browser (opened.js).
import { refuse } from './problem.js';
import { utf8Length } from '../json/value.js';

const most = 1000;
const longestText = 2000;
const longestName = 200;

export class TapeBookmarks {
  /** The stored value. @type {{next: number, changes: number, all: import('../model/bookmarks.js').Bookmark[]}} */
  kept = { next: 1, changes: 0, all: [] };

  /** Their members in a summary. */
  get figures() {
    return { count: this.kept.all.length, changes: this.kept.changes };
  }

  /** Adds stored bookmarks, without invalid ones. @param {any} kept */
  take(kept) {
    const isOne = (one) => Number.isSafeInteger(one?.n) && Number.isSafeInteger(one.seq) && typeof one.text === 'string';
    if (Array.isArray(kept?.all)) this.#change(kept.all.filter(isOne));
  }

  /** @param {string} body `{"seq":120,"text":"bug here","author":"…"}` @param {import('./tape.js').FileTape} tape */
  mark(body, tape) {
    const given = parsed(body);
    if (!Number.isSafeInteger(given.seq) || !tape.holds(given.seq)) refuse(404, 'event-absent', `“seq” must be an event of the session, below ${tape.next}.`);
    const text = typed(given, 'text', longestText) ?? refuse(422, 'bad-body', '“text” must be a string that is not empty.');
    const author = typed(given, 'author', longestName);
    if (this.kept.all.length >= most) refuse(409, 'too-many', `A session can have at most ${most} bookmarks.`);
    const bookmark = { n: this.kept.next, seq: given.seq, text, ...author && { author }, made: new Date().toISOString() };
    this.#change([...this.kept.all, bookmark]);
    return bookmark;
  }

  /** @param {string} n */
  unmark(n) {
    const all = this.kept.all.filter((one) => String(one.n) !== n);
    if (all.length === this.kept.all.length) refuse(404, 'bookmark-absent', 'This bookmark doesn\'t exist.');
    this.#change(all);
  }

  #change(all) {
    const next = Math.max(this.kept.next, ...all.map(({ n }) => n + 1));
    this.kept = { next, changes: this.kept.changes + 1, all };
  }
}

function parsed(body) {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return refuse(422, 'bad-body', 'The body must be a JSON object.');
  }
}

/** A trimmed text; null if it is empty. */
function typed(given, name, longest) {
  const text = given[name] ?? '';
  if (typeof text !== 'string' || utf8Length(text.trim()) > longest) refuse(422, 'bad-body', `“${name}” must be a string of at most ${longest} bytes.`);
  return text.trim() || null;
}
