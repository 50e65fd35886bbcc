// The events of two sessions in rows: one list, two columns. One event of each side is chosen, to be compared.
import { href } from '../model/address.js';
import { Previews } from '../model/previews.js';
import { h, set, setText } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { VirtualList } from '../ui/list.js';
import { drawValues } from './row-values.js';

const rowHeight = matchMedia('(pointer: coarse)').matches ? 36 : 26;

const signs = {
  difference: ['≠', 'first difference'], different: ['≠', 'differs'], left: ['‹', 'only on the left'], right: ['›', 'only on the right'], both: ['', ''],
};

export class Sides {
  #page;
  #comparison;
  #previews;
  #list;
  #differences;
  #signal;
  #isComparing = false;
  #chosen;
  /** The row of the chosen event of each side, or null. @type {(number|null)[]} */
  #pair = [null, null];
  #row = 0;
  #side = 0;
  element = h('div', { class: 'sides', role: 'grid', tabindex: 0, 'aria-label': 'Events of both sessions', 'aria-colcount': 3 });

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('../model/session-comparison.js').SessionComparison} comparison
   * @param {import('../model/pair-difference.js').PairDifferences} differences
   * @param {AbortSignal} signal
   * @param {(pair: (import('../model/head.js').Head|null)[], alone: string) => void} chosen called with another pair
   */
  constructor(page, comparison, differences, signal, chosen) {
    this.#differences = differences;
    this.#signal = signal;
    this.#chosen = chosen;
    this.#page = page;
    this.#comparison = comparison;
    this.#list = new VirtualList(this.element, {
      rowHeight, make: () => this.#make(), bind: (element, row) => this.#bind(element, row), drawn: () => this.#drawn(),
    });
    this.#previews = [comparison.a, comparison.b].map(({ session, version }) => new Previews(session, version));
    for (const previews of this.#previews) previews.addEventListener('change', () => this.#list.refresh());
    this.element.style.setProperty('--row', `${rowHeight}px`);
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Draws the rows and goes to one. Call this after adding the element to the page. @param {number|null} row */
  begin(row) {
    const { rows } = this.#comparison;
    set(this.element, 'aria-rowcount', rows.length);
    this.#list.refresh(rows.length);
    if (row !== null) this.go(row);
  }

  get row() { return this.#row; }

  /** Chooses the events of a row and shows it in the middle. @param {number} row */
  go(row) {
    this.#choose(row, this.#side);
    this.#list.reveal(row, 'center');
  }

  refresh() {
    this.#list.refresh();
  }

  /** Chooses both events of a row, or only that of one side. A missing one is the last before it. */
  #choose(row, side, isAlone = false) {
    const { rows } = this.#comparison;
    const last = (side) => {
      let at = row;
      while (at >= 0 && rows[at][side] === null) at -= 1;
      return at < 0 ? null : at;
    };
    this.#row = row;
    this.#side = side;
    if (!isAlone) this.#pair = [last('a'), last('b')];
    else if (rows[row]['ab'[side]] !== null) this.#pair[side] = row;
    this.#list.refresh();
    const missing = isAlone || rows[row] === undefined ? '' : rows[row].a === null ? 'left' : rows[row].b === null ? 'right' : '';
    this.#chosen(this.#pair.map((at, side) => (at === null ? null : rows[at]['ab'[side]])), missing && `None on the ${missing}: compared with the event before it there.`);
  }

  #make() {
    const side = (index) => {
      const link = h('a', { tabindex: -1 }, ...['seq', 'label', 'payload', 'summary'].map((name) => h('span', { class: name })));
      const cell = h('div', { role: 'gridcell', 'aria-colindex': index * 2 + 1 }, link);
      const row = () => Number(cell.parentElement.dataset.row);
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        this.#choose(row(), index, event.shiftKey);
        this.element.focus();
      });
      link.addEventListener('dblclick', () => this.#open(row(), index));
      return cell;
    };
    return h('div', { class: 'pair', role: 'row' }, side(0), h('span', { class: 'sign', role: 'gridcell', 'aria-colindex': 2 }), side(1));
  }

  #bind(element, index) {
    const row = this.#comparison.rows[index];
    const kind = row.is || (row.b === null ? 'left' : row.a === null ? 'right' : this.#differences.known(row) ? 'different' : 'both');
    element.dataset.row = index;
    element.className = `pair is-${kind}`;
    set(element, 'aria-rowindex', index + 1);
    const [sign, text] = signs[kind];
    setText(element.children[1], sign);
    set(element.children[1], 'aria-label', text || null);
    [row.a, row.b].forEach((head, side) => {
      const cell = element.children[side * 2];
      cell.id = `pair-${index}-${side}`;
      cell.className = index === this.#row && side === this.#side ? 'is-at' : '';
      cell.classList.toggle('is-chosen', this.#pair[side] === index);
      set(cell, 'aria-selected', this.#pair[side] === index ? 'true' : null);
      const link = cell.firstElementChild;
      link.hidden = head === null;
      set(cell, 'aria-label', head === null ? 'no event' : null);
      if (head === null) return;
      const summary = [this.#comparison.a, this.#comparison.b][side];
      set(link, 'href', href({ session: summary.session, event: head.seq }));
      set(link, 'title', 'Double-click to open it in its session; Shift-click to compare it with another event');
      const [seq, label, payload, changes] = link.children;
      setText(seq, count(head.seq));
      setText(label, head.label);
      if (!drawValues(this.#previews[side], [head], payload, changes)) setText(changes, head.summary);
    });
  }

  #open(row, side) {
    const { rows, a, b } = this.#comparison;
    const head = [rows[row].a, rows[row].b][side];
    if (head !== null) openEvent(this.#page, [a, b][side].session, head.seq);
  }

  /** Marks the visible rows that differ, as the steps to the next difference find them. */
  async #compare() {
    if (this.#isComparing) return;
    this.#isComparing = true;
    const unknown = ({ a, b }) => a !== null && b !== null && this.#differences.known({ a, b }) === undefined;
    try {
      for (let row; !this.#signal.aborted && (row = this.#comparison.rows.slice(this.#list.first, this.#list.last + 1).find(unknown));) {
        if (await this.#differences.differs(row, this.#signal)) this.#list.refresh();
      }
    } catch {
      // These rows stay unmarked until they are drawn again.
    }
    this.#isComparing = false;
  }

  #drawn() {
    const id = `pair-${this.#row}-${this.#side}`;
    const rows = this.#comparison.rows.slice(this.#list.first, this.#list.last + 1).reverse();
    this.#previews.forEach((previews, side) => previews.want(rows.map(({ a, b }) => [a, b][side]).filter(Boolean)));
    this.#compare();
    set(this.element, 'aria-activedescendant', document.getElementById(id) ? id : null);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.#comparison.rows.length - 1;
    const { fitting } = this.#list;
    const row = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: fitting - 1, PageUp: 1 - fitting, Home: -Infinity, End: Infinity }[event.key];
    const side = { ArrowLeft: 0, ArrowRight: 1 }[event.key];
    if (event.key === 'Enter') this.#open(this.#row, this.#side);
    else if (row !== undefined) this.#choose(Math.max(0, Math.min(last, this.#row + row)), this.#side, event.shiftKey);
    else if (side !== undefined) this.#side = side;
    else return;
    event.preventDefault();
    this.#list.refresh();
    this.#list.reveal(this.#row);
  }
}

/**
 * Opens an event in its session.
 * @param {import('../model/page.js').Page} page
 * @param {string} session
 * @param {number} seq
 */
export function openEvent(page, session, seq) {
  const isOpen = session === page.place.session;
  page.go({ session, event: seq, view: '', other: null });
  if (isOpen) page.reveal(seq);
}
