// The events of one session as rows. Seqs are cut into pages, each of which is loaded or not; a row is found
// through the pages' row counts, so a million events cost a thousand page records plus what was looked at.
import { compile } from './filter.js';

/** Seqs in a page. */
export const pageSize = 256;
/** Pages fetched at once where nobody is waiting for one of them. */
const run = 8;

/** The seqs `start` up to `end`; `complete` when every head below the timeline's end is here. */
class Page {
  heads = [];
  shown = this.heads;
  complete = false;
  loading = false;

  constructor(index) {
    this.start = index * pageSize;
    this.end = this.start + pageSize;
    /** Below this nothing comes live: it is to be loaded. */
    this.needed = this.start;
  }
}

/** Events: `rows` (what is in the list has changed), `wanted` (pages should be loaded). */
export class Timeline extends EventTarget {
  end = 0;
  /** Stores seen so far. */
  stores = new Set();
  known = false;
  #pages = [];
  #firstRows = [0];
  #stale = false;
  #filter = null;
  #wanted = [];

  /**
   * The server has everything below `next` and sends what follows: what lies between is to be loaded.
   * @param {number} next
   */
  committed(next) {
    for (let index = Math.floor(this.end / pageSize); next > this.end && index * pageSize < next; index += 1) {
      const page = this.#page(index);
      page.needed = Math.min(page.end, next);
      page.complete = false;
    }
    this.end = Math.max(this.end, next);
    // Most often it is the tail that is looked at first.
    if (!this.known) this.#wanted = this.#pages.slice(-1);
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
      const page = this.#page(index);
      if (page.start >= this.end) page.complete = true;
    }
    const page = this.#page(Math.floor(head.seq / pageSize));
    page.heads.push(head);
    if (this.#filter?.(head)) page.shown.push(head);
    this.end = head.seq + 1;
    this.stores.add(head.store);
    this.#changed();
  }

  /**
   * A page's heads below `until` have come.
   * @param {Page} page
   * @param {import('./head.js').Head[]} heads in order
   * @param {number} until
   */
  loaded(page, heads, until) {
    const later = page.heads.filter((head) => head.seq >= until);
    page.heads = heads.concat(later);
    page.complete = until >= page.needed;
    page.loading = false;
    for (const head of heads) this.stores.add(head.store);
    this.#select(page);
    this.#changed();
  }

  /**
   * Shows only what the filter text lets through.
   * @param {string} text
   */
  filter(text) {
    this.#filter = compile(text);
    this.#pages.forEach((page) => this.#select(page));
    this.#changed();
  }

  /** Whether a filter is set. */
  get filtered() {
    return this.#filter !== null;
  }

  get complete() {
    return this.known && this.#pages.every((page) => page.complete);
  }

  /** The number of rows. */
  get count() {
    this.#index();
    return this.#firstRows.at(-1);
  }

  /**
   * The event at a row; `head` is null while it is being loaded.
   * @param {number} row
   * @returns {{seq: number, head: import('./head.js').Head|null} | null}
   */
  at(row) {
    if (row < 0 || row >= this.count) return null;
    const index = lastAtMost(this.#firstRows, row);
    const page = this.#pages[index];
    const offset = row - this.#firstRows[index];
    if (this.#filter !== null || page.complete) return { seq: page.shown[offset].seq, head: page.shown[offset] };
    return { seq: page.start + offset, head: find(page.heads, page.start + offset) };
  }

  /**
   * The row of an event, or of the next one that is shown; the row count if there is none.
   * @param {number} seq
   * @returns {number}
   */
  rowOf(seq) {
    const count = this.count;
    const index = Math.min(Math.floor(Math.max(0, seq) / pageSize), this.#pages.length - 1);
    if (index < 0) return 0;
    const page = this.#pages[index];
    const first = this.#firstRows[index];
    if (this.#filter === null && !page.complete) return Math.min(first + seq - page.start, count);
    return Math.min(first + lowerBound(page.shown, seq), count);
  }

  /**
   * The head of an event that is here, shown or not; inside a gap, the gap's.
   * @param {number} seq
   * @returns {import('./head.js').Head|null}
   */
  head(seq) {
    for (let index = Math.floor(seq / pageSize); index < this.#pages.length; index += 1) {
      const { heads, complete } = this.#pages[index];
      const head = heads[lowerBound(heads, seq)];
      if (head !== undefined) return head.seq - head.count < seq ? head : null;
      if (!complete) return null;
    }
    return null;
  }

  /**
   * The event before one, shown or not; null if it isn't here.
   * @param {number} seq
   * @returns {import('./head.js').Head|null}
   */
  before(seq) {
    for (let index = Math.floor(seq / pageSize); index >= 0; index -= 1) {
      const page = this.#pages[index];
      const place = lowerBound(page.heads, seq);
      if (place > 0) return page.heads[place - 1];
      if (!page.complete && seq > page.start) return null;
    }
    return null;
  }

  /**
   * Tells which rows are in view, so that their pages come first.
   * @param {number} first
   * @param {number} last
   */
  view(first, last) {
    this.#wanted = [];
    for (const row of [last, first]) {
      const place = this.at(row);
      if (place !== null && place.head === null) this.#wanted.push(this.#pages[Math.floor(place.seq / pageSize)]);
    }
    if (this.#wanted.length > 0) this.#want();
  }

  /**
   * The pages to load next, adjacent and in order: one that is in view, or a run of the newest.
   * @returns {Page[]}
   */
  nextToLoad() {
    const open = (page) => !page.complete && !page.loading;
    const wanted = this.#wanted.find(open);
    if (wanted) return [wanted];
    const last = this.#pages.findLastIndex(open);
    let first = last;
    while (first > 0 && last - first < run - 1 && open(this.#pages[first - 1])) first -= 1;
    return this.#pages.slice(Math.max(0, first), last + 1);
  }

  #page(index) {
    while (this.#pages.length <= index) {
      const page = new Page(this.#pages.length);
      this.#select(page);
      this.#pages.push(page);
    }
    return this.#pages[index];
  }

  #select(page) {
    page.shown = this.#filter === null ? page.heads : page.heads.filter(this.#filter);
  }

  #index() {
    if (!this.#stale) return;
    this.#stale = false;
    let row = 0;
    this.#firstRows = [0];
    for (const page of this.#pages) {
      const whole = this.#filter !== null || page.complete;
      row += whole ? page.shown.length : Math.min(page.end, this.end) - page.start;
      this.#firstRows.push(row);
    }
  }

  #changed() {
    this.#stale = true;
    this.dispatchEvent(new Event('rows'));
  }

  #want() {
    this.dispatchEvent(new Event('wanted'));
  }
}

/** The first place in sorted heads whose seq is at least `seq`. */
function lowerBound(heads, seq) {
  let low = 0;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (heads[middle].seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function find(heads, seq) {
  const head = heads[lowerBound(heads, seq)];
  return head?.seq === seq ? head : null;
}

/** The last index whose value is at most `value`, in a sorted array that ends with the total. */
function lastAtMost(values, value) {
  let low = 0;
  let high = values.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}
