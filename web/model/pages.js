// The seqs of a timeline in pages, and how places are found in what is sorted.

/** Seqs in a page. */
export const pageSize = 256;

/** The seqs `start` up to `end`; `complete` when every head below the timeline's end is here. */
export class Page {
  heads = [];
  complete = false;
  loading = false;
  // As the filter and the folding want it: the heads that are shown, how many runs they make, the first of these, the
  // last, and the rows of those between.
  outdated = true;
  shown = [];
  runs = 0;
  lead = null;
  tail = null;
  inner = 0;
  /** The page whose last row takes this one's first run; the row that its own last run makes with pages after it. */
  owner = null;
  span = null;

  constructor(index) {
    this.start = index * pageSize;
    this.end = this.start + pageSize;
    /** Below this nothing comes live: it is to be loaded. */
    this.needed = this.start;
  }

  /** The head of exactly this event, if it is here. */
  head(seq) {
    const head = this.heads[lowerBound(this.heads, seq)];
    return head?.seq === seq ? head : null;
  }
}

/** All pages of a timeline, as far as it goes. */
export class Pages {
  /** @type {Page[]} */
  list = [];

  /** The page of an index; those before it come into being. */
  page(index) {
    while (this.list.length <= index) this.list.push(new Page(this.list.length));
    return this.list[index];
  }

  /** Their rows are to be made anew. @param {...number} indices */
  outdate(...indices) {
    for (const index of indices) if (this.list[index]) this.list[index].outdated = true;
  }

  /**
   * The head of an event that is here, shown or not; inside a gap, the gap's.
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
   * The event before one, shown or not; null if it isn't here.
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
   * Lets go of the oldest pages before one, until `kept` are here.
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

/**
 * The first place in a sorted list whose seq is at least `seq`.
 * @param {{seq: number}[]} list
 * @param {number} seq
 */
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

/** The last index whose value is at most `value`, in a sorted array that ends with the total. */
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
