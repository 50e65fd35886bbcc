// The events of one session as rows. Seqs are cut into pages, each of which is loaded or not; a row is found
// through the pages' row counts, so a million events cost a few thousand page records plus what was looked at.
import { Arrangement } from './arrangement.js';
import { compile } from './filter.js';
import { Pages, pageSize } from './pages.js';
import { Seqs } from './seqs.js';

/** Pages fetched at once where nobody is waiting for one of them. */
const run = 8;
/** A session of so many pages is loaded as a whole; of a longer one, what is looked at. */
const small = 512;
/** With so many events to search, what matches last is soon not the last. */
const far = 10_000;

/** Events: `rows` (what is in the list has changed), `wanted` (something should be loaded). */
export class Timeline extends EventTarget {
  end = 0;
  /** Stores, and types of actions, seen so far. */
  stores = new Set();
  types = new Set();
  known = false;
  /** @type {import('./filter.js').Filter|null} */
  filtered = null;
  /** Whether its text is still being typed. */
  isTyped = false;
  /** The server has searched everything below this. */
  searched = 0;
  #dims = false;
  #found = new Seqs();
  /** What is here of them. */
  events = new Pages();
  #pages = this.events.list;
  #rows = new Arrangement(this.#pages);
  #stale = false;
  #again = false;
  #wanted = [];

  /**
   * The server has everything below `next` and sends what follows: what lies between is to be loaded.
   * @param {number} next
   */
  committed(next) {
    for (let index = Math.floor(this.end / pageSize); next > this.end && index * pageSize < next; index += 1) {
      const page = this.events.page(index);
      page.needed = Math.min(page.end, next);
      page.complete = false;
    }
    this.end = Math.max(this.end, next);
    // Most often it is the tail that is looked at first; its last page may be short.
    if (!this.known) this.#wanted = this.#pages.slice(-2);
    this.known = true;
    this.#changed();
    this.#want();
  }

  /**
   * One more event, live.
   * @param {import('./head.js').Head} head
   */
  append(head) {
    if (head.seq < this.end) return;
    for (let index = Math.floor(this.end / pageSize); index * pageSize <= head.seq; index += 1) {
      const page = this.events.page(index);
      if (page.start >= this.end) page.complete = true;
    }
    const index = Math.floor(head.seq / pageSize);
    const page = this.#pages[index];
    // A long recording that is only followed doesn't grow in memory.
    if (page.heads.length === 0) this.events.evict(index - 2, small, this.#rows.view);
    page.heads.push(head);
    this.events.outdate(index, page.heads.length === 1 ? index - 1 : index);
    this.end = head.seq + 1;
    this.#see(head);
    this.#changed();
    if (this.filters) this.#want();
  }

  /**
   * A page's heads below `until` have come.
   * @param {import('./pages.js').Page} page
   * @param {import('./head.js').Head[]} heads in order
   * @param {number} until
   */
  loaded(page, heads, until) {
    const later = page.heads.filter((head) => head.seq >= until);
    page.heads = heads.concat(later);
    page.complete = until >= page.needed;
    page.loading = false;
    heads.forEach((head) => this.#see(head));
    const index = page.start / pageSize;
    this.events.outdate(index - 1, index, index + 1);
    this.#changed();
  }

  /**
   * Shows only what the filter text lets through, or dims the others.
   * @param {string} text
   * @param {boolean} [isTyped] whether another text may follow in a moment
   */
  filter(text, isTyped = false) {
    this.isTyped = isTyped;
    this.#become(compile(text));
  }

  /** Whether what doesn't match stays in its place. */
  get dims() { return this.#dims; }
  set dims(value) {
    this.#dims = value;
    this.#anew();
  }

  /** Whether repeats fold. */
  get groups() { return this.#rows.groups; }
  set groups(value) {
    this.#rows.groups = value;
    this.#rows.collapseAll();
    this.#anew();
  }

  /**
   * Unfolds the run that an event is in, or folds it.
   * @param {number} seq
   * @param {boolean} open
   * @returns {boolean} whether there was one
   */
  expand(seq, open) {
    const row = this.at(this.rowOf(seq));
    const changed = row && covers(row, seq) ? this.#rows.expand(row, open) : null;
    if (changed === null) return false;
    for (let index = Math.floor(changed.from / pageSize); index * pageSize <= changed.to; index += 1) this.events.outdate(index);
    this.#changed();
    return true;
  }

  /**
   * The server has looked at everything below `until`.
   * @param {string} query of the filter
   * @param {number[]} seqs that match
   * @param {number} until
   */
  matched(query, seqs, until) {
    if (query !== this.filtered?.query) return;
    this.#found.add(seqs);
    const from = this.searched;
    this.searched = until;
    if (this.found !== this.#found) return this.#anew();
    for (let index = Math.floor(from / pageSize); index * pageSize < until; index += 1) this.events.outdate(index);
    this.#changed();
    this.#want();
  }

  /**
   * The server can't search for this.
   * @param {string} query of the filter
   * @param {import('./filter.js').Filter} rest what is left of it
   */
  refuse(query, rest) {
    if (query === this.filtered?.query) this.#become(rest);
  }

  /** Whether all that is here has been searched, and stands in its row. */
  get complete() {
    return this.known && this.progress === this.end && this.#current.isDone;
  }

  /** How many events have been searched. */
  get progress() {
    return this.filters ? Math.min(this.searched, this.end) : this.end;
  }

  /** The seqs that match what the rows show, as far as they are known; null without a filter. */
  get found() { return this.#rows.found; }

  /** The number of events that match. */
  get matching() { return this.#found.size; }

  /** The number of rows. */
  get count() { return this.#current.count; }

  /** @param {number} row @returns {import('./arrangement.js').Row|null} */
  at(row) { return this.#current.at(row); }

  /** The row of an event, or of the next one that is shown; the row count if there is none. @param {number} seq @returns {number} */
  rowOf(seq) { return this.#current.rowOf(seq); }

  /** Whether an event stands in a row of the list. @param {number} seq */
  shows(seq) {
    const row = this.at(this.rowOf(seq));
    return row !== null && covers(row, seq);
  }

  /** The head of an event that is here, shown or not; inside a gap, the gap's. @param {number} seq */
  head(seq) { return this.events.head(seq); }

  /** The event before one, shown or not; null if it isn't here. @param {number} seq */
  before(seq) { return this.events.before(seq); }

  /** Whether the filter lets an event through. @param {import('./head.js').Head|null} head */
  matches(head) {
    return head === null || this.found === null || this.found.has(head.seq);
  }

  /** The nearest match after an event, or before it; null if none is known. @param {number} seq @param {1|-1} direction */
  nextMatch(seq, direction) {
    return this.#found.at(direction > 0 ? this.#found.place(seq + 1) : this.#found.place(seq) - 1);
  }

  /**
   * Tells which rows are in view, so that their pages come first.
   * @param {number} first
   * @param {number} last
   * @param {number|null} [selected] an event that is to be here too
   */
  view(first, last, selected = null) {
    const { hides } = this.#rows;
    // Of two neighbours that match, the pages may be far from each other.
    const isPassing = this.end - this.progress > far && first > 0 && last === this.count - 1;
    const rows = hides ? Array.from({ length: isPassing ? 1 : last - first + 1 }, (_, place) => last - place) : [last, first];
    const pages = rows.map((row) => this.at(row)).filter((row) => row !== null).map((row) => Math.floor(row.seq / pageSize));
    if (selected !== null) pages.push(Math.floor(selected / pageSize));
    if (!hides && pages.length > 0) pages.push(pages[0] + 1, Math.min(...pages) - 1);
    this.#rows.view = pages;
    this.#wanted = pages.map((index) => this.#pages[index]).filter((page) => page !== undefined && !page.complete);
    if (this.#wanted.length > 0) this.#want();
  }

  /** Whether a filter is at work. */
  get filters() { return Boolean(this.filtered?.query); }

  /**
   * The pages to load next, adjacent and in order: one that is in view, or a run of the newest.
   * @returns {import('./pages.js').Page[]}
   */
  nextToLoad() {
    const isOpen = (page) => !page.complete && !page.loading;
    const wanted = this.#wanted.filter(isOpen);
    if (wanted.length > 0) return wanted.length === 2 && wanted[1].start === wanted[0].end ? wanted : [wanted[0]];
    if (this.#pages.length > small) return [];
    const last = this.#pages.findLastIndex(isOpen);
    let first = last;
    while (first > 0 && last - first < run - 1 && isOpen(this.#pages[first - 1])) first -= 1;
    return this.#pages.slice(Math.max(0, first), last + 1);
  }

  #see(head) {
    this.stores.add(head.store);
    if (head.hasAction && this.types.size < 1000) this.types.add(head.label);
  }

  #become(filtered) {
    const isSame = (filtered?.query ?? '') === (this.filtered?.query ?? '');
    this.filtered = filtered;
    if (!isSame) {
      this.#found = new Seqs();
      this.searched = 0;
      // The rows stay until the server has told something about those that follow.
      if (!this.filters || !this.known) return this.#anew();
    }
    this.#changed();
    this.#want();
  }

  /** The filter, or the way that rows are made, is another. */
  #anew() {
    this.#rows.found = this.filters ? this.#found : null;
    this.#rows.hides = this.filters && !this.#dims;
    for (const page of this.#pages) page.outdated = true;
    this.#changed();
    this.#want();
  }

  /** The rows as they are now. */
  get #current() {
    if (!this.#stale) return this.#rows;
    this.#stale = false;
    this.#rows.update(this.end);
    if (this.#rows.isDone || this.#again) return this.#rows;
    this.#again = true;
    // In a task of its own, so that input comes between.
    setTimeout(() => {
      this.#again = false;
      this.#changed();
    });
    return this.#rows;
  }

  #changed() {
    this.#stale = true;
    this.dispatchEvent(new Event('rows'));
  }

  #want() {
    this.dispatchEvent(new Event('wanted'));
  }
}

/** Whether a row stands for an event. @param {import('./arrangement.js').Row} row @param {number} seq */
export function covers(row, seq) {
  return row.from <= seq && seq <= row.seq;
}
