// The events of one session as rows. Seqs are divided into pages; a row is found through the pages' row counts.
// A million events take a few thousand pages, plus loaded heads.
import { Arrangement } from './arrangement.js';
import { compile } from './filter.js';
import { Pages, pageSize } from './pages.js';
import { Seqs } from './seqs.js';

/** Pages per request in the background. */
const run = 8;
/** Sessions of more pages are loaded only where they are viewed. */
const small = 512;
/** With more events left to search, the last match changes soon. */
const far = 10_000;

/** Events: `rows` (they have changed), `wanted` (something should be loaded). */
export class Timeline extends EventTarget {
  end = 0;
  /** Of the loaded events. */
  stores = new Set();
  types = new Set();
  known = false;
  /** @type {import('./filter.js').Filter|null} */
  filtered = null;
  /** Whether the filter is still being typed. */
  isTyped = false;
  /** The server has searched everything below this. */
  searched = 0;
  #dims = false;
  #found = new Seqs();
  events = new Pages();
  #pages = this.events.list;
  #rows = new Arrangement(this.#pages);
  #stale = false;
  #again = false;
  #wanted = [];
  /** Shows a part of the rows: see `windowOf`. */
  window = null;

  /**
   * The server has stored all events below `next` and sends later ones: those between must be loaded.
   * @param {number} next
   */
  committed(next) {
    for (let index = Math.floor(this.end / pageSize); next > this.end && index * pageSize < next; index += 1) {
      const page = this.events.page(index);
      page.needed = Math.min(page.end, next);
      page.complete = false;
    }
    this.end = Math.max(this.end, next);
    // Most sessions open at their end, whose last page may be short.
    if (!this.known) this.#wanted = this.#pages.slice(-2);
    this.known = true;
    this.#changed();
    this.#want();
  }

  /** Adds a live event. @param {import('./head.js').Head} head */
  append(head) {
    if (head.seq < this.end) return;
    for (let index = Math.floor(this.end / pageSize); index * pageSize <= head.seq; index += 1) {
      const page = this.events.page(index);
      if (page.start >= this.end) page.complete = true;
    }
    const index = Math.floor(head.seq / pageSize);
    const page = this.#pages[index];
    // Memory stays constant while a long recording is followed.
    if (page.heads.length === 0) this.events.evict(index - 2, small, this.#rows.view);
    page.heads.push(head);
    this.events.outdate(index, page.heads.length === 1 ? index - 1 : index);
    this.end = head.seq + 1;
    this.#see(head);
    this.#changed();
    if (this.filters) this.#want();
  }

  /**
   * Adds a page's heads below `until`.
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
   * Hides or dims the events that don't match.
   * @param {string} text
   * @param {boolean} [isTyped] whether another text may follow soon
   */
  filter(text, isTyped = false) {
    this.isTyped = isTyped;
    this.#become(compile(text));
  }

  /** Whether other events are dimmed, not hidden. */
  get dims() { return this.#dims; }
  set dims(value) {
    this.#dims = value;
    this.#anew();
  }

  /** Whether repeats are grouped. */
  get groups() { return this.#rows.groups; }
  set groups(value) {
    this.#rows.groups = value;
    this.#rows.collapseAll();
    this.#anew();
  }

  /**
   * Expands or collapses the group of an event.
   * @param {number} seq
   * @param {boolean} open
   * @returns {boolean} whether it has one
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
   * The server has searched all events below `until`.
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
   * The server refuses a part of the filter.
   * @param {string} query of the filter
   * @param {import('./filter.js').Filter} rest without that part
   */
  refuse(query, rest) {
    if (query === this.filtered?.query) this.#become(rest);
  }

  /** Whether all events are searched and arranged. */
  get complete() {
    return this.known && this.progress === this.end && this.#current.isDone;
  }

  /** The number of searched events. */
  get progress() {
    return this.filters ? Math.min(this.searched, this.end) : this.end;
  }

  /** The known matches of the filter that the rows show; null without a filter. */
  get found() { return this.#rows.found; }

  /** The number of events that match. */
  get matching() { return this.#found.size; }

  get count() { return this.#shown.count; }

  /** @param {number} row @returns {import('./arrangement.js').Row|null} */
  at(row) { return this.#shown.at(row); }

  /** The row of an event, or of the next visible one; else the row count. @param {number} seq @returns {number} */
  rowOf(seq) { return this.#shown.rowOf(seq); }

  /** Whether an event is visible. @param {number} seq */
  shows(seq) {
    const row = this.at(this.rowOf(seq));
    return row !== null && covers(row, seq);
  }

  /** See `Pages.head`. @param {number} seq */
  head(seq) { return this.events.head(seq); }

  /** See `Pages.before`. @param {number} seq */
  before(seq) { return this.events.before(seq); }

  /** Whether an event passes the filter. @param {import('./head.js').Head|null} head */
  matches(head) { return head === null || this.found === null || this.found.has(head.seq); }

  /** The next or previous known match, or null. @param {number} seq @param {1|-1} direction */
  nextMatch(seq, direction) {
    return this.#found.at(direction > 0 ? this.#found.place(seq + 1) : this.#found.place(seq) - 1);
  }

  /**
   * Sets the visible rows: their pages are loaded first.
   * @param {number} first
   * @param {number} last
   * @param {number|null} [selected] its page is loaded too
   */
  view(first, last, selected = null) {
    const { hides } = this.#rows;
    // The pages of two adjacent matches may be far apart.
    const isPassing = this.end - this.progress > far && first > 0 && last === this.count - 1;
    const rows = hides ? Array.from({ length: isPassing ? 1 : last - first + 1 }, (_, place) => last - place) : [last, first];
    const pages = rows.map((row) => this.at(row)).filter((row) => row !== null).map((row) => Math.floor(row.seq / pageSize));
    if (selected !== null) pages.push(Math.floor(selected / pageSize));
    if (!hides && pages.length > 0) pages.push(pages[0] + 1, Math.min(...pages) - 1);
    this.#rows.view = pages;
    this.#wanted = pages.map((index) => this.#pages[index]).filter((page) => page !== undefined && !page.complete);
    if (this.#wanted.length > 0) this.#want();
  }

  get filters() { return Boolean(this.filtered?.query); }

  /**
   * The pages to load next, adjacent and in order: visible ones, else the newest.
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
      // The old rows stay until the server's first answer.
      if (!this.filters || !this.known) return this.#anew();
    }
    this.#changed();
    this.#want();
  }

  #anew() {
    this.#rows.found = this.filters ? this.#found : null;
    this.#rows.hides = this.filters && !this.#dims;
    for (const page of this.#pages) page.outdated = true;
    this.#changed();
    this.#want();
  }

  get #shown() { return this.window?.(this.#current) ?? this.#current; }

  /** The up-to-date rows. */
  get #current() {
    if (!this.#stale) return this.#rows;
    this.#stale = false;
    this.#rows.update(this.end);
    if (this.#rows.isDone || this.#again) return this.#rows;
    this.#again = true;
    // In a new task, so that input is handled first.
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

/** Whether a row includes an event. @param {import('./arrangement.js').Row} row @param {number} seq */
export function covers(row, seq) {
  return row.from <= seq && seq <= row.seq;
}
