// The rows of a timeline: the events that pass the filter, with repeats grouped.
import { lastAtMost, lowerBound, pageSize } from './pages.js';
import { continues, minRepeats, lengthOf, runsOf, together } from './rows.js';

/** Milliseconds per frame for arranging pages. */
const slice = 6;

/**
 * `seq` and `head` are of the last event (`head` is null until it is loaded), `from` is the first seq. A grouped row
 * has `n` repeats; `run` is the length of an expanded group, at its first row. `heads` are the events of one
 * dispatch to several stores.
 * @typedef {{seq: number, from: number, head: import('./head.js').Head|null, n: number, run: number,
 *   heads: import('./head.js').Head[]|null}} Row
 */

export class Arrangement {
  /** Whether repeats are grouped. */
  groups = true;
  /** Matches; null without a filter. @type {import('./seqs.js').Seqs|null} */
  found = null;
  /** Whether other events are hidden. */
  hides = false;
  /** Pages to arrange first. @type {number[]} */
  view = [];
  /** Whether all pages are arranged. */
  isDone = true;
  #pages;
  #firstRows = [0];
  #expanded = [];
  #drawn = new Map();

  /** @param {import('./pages.js').Page[]} pages the timeline's */
  constructor(pages) {
    this.#pages = pages;
  }

  get count() {
    return this.#firstRows.at(-1);
  }

  /** @param {number} row @returns {Row|null} */
  at(row) {
    if (row < 0 || row >= this.count) return null;
    const index = lastAtMost(this.#firstRows, row);
    const page = this.#pages[index];
    const offset = row - this.#firstRows[index];
    if (this.#isArranged(page)) return this.#rowsOf(index)[offset] ?? null;
    const seq = this.hides ? this.found.at(this.found.before(index) + offset) : page.start + offset;
    return { seq, from: seq, head: page.head(seq), n: 1, run: 1, heads: null };
  }

  /** The row of an event, or of the next visible one. @param {number} seq @returns {number} */
  rowOf(seq) {
    const index = Math.min(Math.floor(Math.max(0, seq) / pageSize), this.#pages.length - 1);
    if (index < 0) return 0;
    const page = this.#pages[index];
    const first = this.#firstRows[index] ?? this.count;
    if (!this.#isArranged(page)) {
      return Math.min(first + (this.hides ? this.found.place(seq) - this.found.before(index) : seq - page.start), this.count);
    }
    if (page.owner !== null && seq <= page.shown[page.lead.end - 1].seq) return this.#firstRows[page.owner + 1] - 1;
    return Math.min(first + lowerBound(this.#rowsOf(index), seq), this.count);
  }

  /**
   * Expands or collapses a group.
   * @param {Row} row
   * @param {boolean} open
   * @returns {{from: number, to: number}|null} the group's seqs; null if nothing changes
   */
  expand(row, open) {
    if (open && row.n === 1) return null;
    if (open) this.#expanded.push({ from: row.from, to: row.seq });
    const run = this.#expanded.find(({ from, to }) => row.from <= to && from <= row.seq) ?? null;
    if (!open && run !== null) this.#expanded.splice(this.#expanded.indexOf(run), 1);
    return run;
  }

  collapseAll() {
    this.#expanded = [];
  }

  /** Counts the rows of each page, for one time slice. @param {number} end after the last seq */
  update(end) {
    this.#drawn.clear();
    const until = performance.now() + slice;
    this.isDone = true;
    for (const index of this.view) if (this.#pages[index]?.outdated) this.#arrange(index);
    for (let index = this.#pages.length - 1; index >= 0 && this.isDone; index -= 1) {
      if (!this.#pages[index].outdated) continue;
      this.#arrange(index);
      this.isDone = index % 8 !== 0 || performance.now() < until;
    }
    for (const page of this.#pages) page.owner = page.span = null;
    let row = 0;
    this.#firstRows = [0];
    for (const [index, page] of this.#pages.entries()) {
      if (this.#isArranged(page)) {
        if (page.runs > 1) row += (page.owner === null ? this.#rowsIn(page, page.lead) : 0) + page.inner;
        if (page.runs > 1 || (page.runs === 1 && page.owner === null)) row += this.#lastRows(index);
      } else if (this.hides) row += this.found.before(index + 1) - this.found.before(index);
      else row += Math.max(0, Math.min(page.end, end) - page.start);
      this.#firstRows.push(row);
    }
  }

  /** Matches are not grouped with other events. */
  get #apart() {
    return this.hides || this.found === null ? null : this.#passes;
  }

  #passes = ({ seq }) => this.found.has(seq);

  /** Whether the groups of a page are known, and not only its visible seqs. */
  #isArranged(page) {
    return !page.outdated && page.complete;
  }

  /** Finds the visible heads of a page, and its groups. */
  #arrange(index) {
    const page = this.#pages[index];
    page.outdated = false;
    if (!page.complete) return;
    const heads = this.#wholeDispatches(index);
    page.shown = this.hides ? heads.filter(this.#passes) : heads;
    const runs = runsOf(page.shown, this.#apart);
    page.runs = runs.length;
    page.lead = runs[0] ?? null;
    page.tail = runs.at(-1) ?? null;
    page.inner = 0;
    for (let place = 1; place < runs.length - 1; place += 1) page.inner += this.#rowsIn(page, runs[place]);
  }

  /** A page's heads. All events of one dispatch belong to the page of the last one. */
  #wholeDispatches(index) {
    const [before, page, after] = [this.#pages[index - 1], this.#pages[index], this.#pages[index + 1]];
    let { heads } = page;
    if (heads.length === 0) return heads;
    const [first, last] = [heads[0], heads.at(-1)];
    if (before?.complete && before.heads.length > 0 && together(before.heads.at(-1), first)) {
      heads = before.heads.filter(({ dispatch }) => dispatch === first.dispatch).concat(heads);
    }
    if (after?.complete && together(last, after.heads[0])) heads = heads.filter(({ dispatch }) => dispatch !== last.dispatch);
    return heads;
  }

  #isGrouped(n, from, to) {
    return this.groups && n >= minRepeats && !this.#expanded.some((run) => run.from <= to && from <= run.to);
  }

  #rowsIn(page, run) {
    return run.n > 1 && this.#isGrouped(run.n, ...bounds(page, run)) ? 1 : run.n;
  }

  /** The rows of a page's last run, which may continue on the next pages. */
  #lastRows(index) {
    const page = this.#pages[index];
    const rows = this.#rowsIn(page, page.tail);
    const [from] = bounds(page, page.tail);
    // An expanded run is not joined.
    if (!this.#isGrouped(minRepeats, ...bounds(page, page.tail))) return rows;
    let [last, run, end, n] = [page, page.tail, index, page.tail.n];
    for (let next = this.#pages[end + 1]; next?.runs > 0 && this.#isArranged(next); next = this.#pages[end + 1]) {
      if (!continues(last.shown, run, next.shown, next.lead, this.#apart)) break;
      if (!this.#isGrouped(minRepeats, ...bounds(next, next.lead))) break;
      [last, run, end, n] = [next, next.lead, end + 1, n + next.lead.n];
    }
    const head = last.shown[run.end - 1];
    if (end === index || !this.#isGrouped(n, from, head.seq)) return rows;
    page.span = { n, head };
    for (let next = index + 1; next <= end; next += 1) this.#pages[next].owner = index;
    return 1;
  }

  /** The rows of a visible page. @returns {Row[]} */
  #rowsOf(index) {
    const known = this.#drawn.get(index);
    if (known) return known;
    const page = this.#pages[index];
    const rows = [];
    const runs = runsOf(page.shown, this.#apart);
    for (const [place, run] of runs.entries()) {
      if (place > 0 || page.owner === null) this.#addRows(rows, page, run, place === runs.length - 1 ? page.span : null);
    }
    this.#drawn.set(index, rows);
    return rows;
  }

  #addRows(rows, page, run, span) {
    const { shown } = page;
    const row = (at, head, more) => ({
      seq: head.seq, from: shown[at].seq - shown[at].count + 1, head, n: 1, run: 1, heads: null, ...more,
    });
    const length = lengthOf(run);
    const item = (at) => (length > 1 ? shown.slice(at, at + length) : null);
    const grouped = { n: run.n, heads: item(run.end - length) };
    if (span !== null) return rows.push(row(run.at, span.head, { ...grouped, n: span.n }));
    if (this.#rowsIn(page, run) < run.n) return rows.push(row(run.at, shown[run.end - 1], grouped));
    const isOpen = this.groups && run.n >= minRepeats;
    for (let at = run.at; at < run.end; at += length) {
      rows.push(row(at, shown[at + length - 1], { run: isOpen && at === run.at ? run.n : 1, heads: item(at) }));
    }
  }
}

/** The first and last seq of a run. */
function bounds(page, run) {
  return [page.shown[run.at].seq, page.shown[run.end - 1].seq];
}
