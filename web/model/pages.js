// The pages of a timeline, and binary search.

export const pageSize = 256;

/** The seqs from `start` to before `end`; `complete` when all stored heads are loaded. */
export class Page {
  heads = [];
  complete = false;
  loading = false;
  // Depends on filter and groups: the visible heads, the number of runs, the first and last run, and the rows
  // between them.
  outdated = true;
  shown = [];
  runs = 0;
  lead = null;
  tail = null;
  inner = 0;
  /** The page whose last row includes this one's first run; the row of the last run across the next pages. */
  owner = null;
  span = null;

  constructor(index) {
    this.start = index * pageSize;
    this.end = this.start + pageSize;
    /** Seqs below this must be loaded; later ones arrive live. */
    this.needed = this.start;
  }

  /** The head of exactly this event, if loaded. */
  head(seq) {
    const head = this.heads[lowerBound(this.heads, seq)];
    return head?.seq === seq ? head : null;
  }
}

export class Pages {
  /** @type {Page[]} */
  list = [];

  /** The page at an index; creates missing ones. */
  page(index) {
    while (this.list.length <= index) this.list.push(new Page(this.list.length));
    return this.list[index];
  }

  /** Marks pages to arrange again. @param {...number} indices */
  outdate(...indices) {
    for (const index of indices) if (this.list[index]) this.list[index].outdated = true;
  }

  /**
   * The head of a loaded event, visible or not; inside a gap, the gap's.
   * @param {number} seq
   * @returns {import('./head.js').Head|null}
   */
  head(seq) {
    for (let index = Math.floor(seq / pageSize); index < this.list.length; index += 1) {
      const { heads, complete } = this.list[index];
      const head = heads[lowerBound(heads, seq)];
      if (head !== undefined) return head.seq - head.count < seq ? head : null;
      if (!complete) return null;
    }
    return null;
  }

  /**
   * The previous event, visible or not; null if it isn't loaded.
   * @param {number} seq
   * @returns {import('./head.js').Head|null}
   */
  before(seq) {
    for (let index = Math.floor(seq / pageSize); index >= 0; index -= 1) {
      const page = this.list[index];
      const place = lowerBound(page.heads, seq);
      if (place > 0) return page.heads[place - 1];
      if (!page.complete && seq > page.start) return null;
    }
    return null;
  }

  /**
   * Unloads the oldest pages before one, until `kept` are loaded.
   * @param {number} before
   * @param {number} kept
   * @param {number[]} spared
   */
  evict(before, kept, spared) {
    const here = this.list.filter((page) => page.complete && page.heads.length > 0);
    for (const page of here.slice(0, Math.max(0, here.length - kept))) {
      const index = page.start / pageSize;
      if (index >= before || spared.includes(index)) continue;
      page.heads = page.shown = [];
      page.needed = page.end;
      page.complete = false;
    }
  }
}

/** The first index in a sorted list with at least this seq. @param {{seq: number}[]} list @param {number} seq */
export function lowerBound(list, seq) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last index with a value of at most `value`, in a sorted array that ends with the total. */
export function lastAtMost(values, value) {
  let low = 0;
  let high = values.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}
