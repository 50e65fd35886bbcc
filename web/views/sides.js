// The events of two sessions in rows: one list, two columns.
import { href } from '../model/address.js';
import { Previews } from '../model/previews.js';
import { h, linkTo, set, setText } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { VirtualList } from '../ui/list.js';
import { drawValues } from './row-values.js';

const rowHeight = matchMedia('(pointer: coarse)').matches ? 36 : 26;

const signs = {
  difference: ['≠', 'first difference'], left: ['‹', 'only on the left'], right: ['›', 'only on the right'], both: ['', ''],
};

export class Sides {
  #page;
  #comparison;
  #previews;
  #list;
  #row = 0;
  #side = 0;
  element = h('div', { class: 'sides', role: 'grid', tabindex: 0, 'aria-label': 'Events of both sessions', 'aria-colcount': 3 });

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('../model/session-comparison.js').SessionComparison} comparison
   */
  constructor(page, comparison) {
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

  /** Draws the rows and scrolls to the first difference. Call this after adding the element to the page. */
  begin() {
    const { rows, differenceRow } = this.#comparison;
    set(this.element, 'aria-rowcount', rows.length);
    this.#row = differenceRow ?? 0;
    this.#list.refresh(rows.length);
    if (differenceRow !== null) this.#list.reveal(differenceRow, 'center');
  }

  #make() {
    const side = (index) => {
      const link = h('a', { tabindex: -1 }, ...['seq', 'label', 'payload', 'summary'].map((name) => h('span', { class: name })));
      const cell = h('div', { role: 'gridcell', 'aria-colindex': index * 2 + 1 }, link);
      linkTo(link, () => this.#open(Number(cell.parentElement.dataset.row), index));
      return cell;
    };
    return h('div', { class: 'pair', role: 'row' }, side(0), h('span', { class: 'sign', role: 'gridcell', 'aria-colindex': 2 }), side(1));
  }

  #bind(element, index) {
    const row = this.#comparison.rows[index];
    const kind = row.is || (row.b === null ? 'left' : row.a === null ? 'right' : 'both');
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
      const link = cell.firstElementChild;
      link.hidden = head === null;
      set(cell, 'aria-label', head === null ? 'no event' : null);
      if (head === null) return;
      const summary = [this.#comparison.a, this.#comparison.b][side];
      set(link, 'href', href({ session: summary.session, event: head.seq }));
      set(link, 'title', `Open #${head.seq} in its session`);
      const [seq, label, payload, changes] = link.children;
      setText(seq, count(head.seq));
      setText(label, head.label);
      if (!drawValues(this.#previews[side], [head], payload, changes)) setText(changes, head.summary);
    });
  }

  #open(row, side) {
    const { rows, a, b } = this.#comparison;
    const head = [rows[row].a, rows[row].b][side];
    if (head === null) return;
    const { session } = [a, b][side];
    const isOpen = session === this.#page.place.session;
    this.#page.go({ session, event: head.seq, view: '', other: null });
    if (isOpen) this.#page.reveal(head.seq);
  }

  #drawn() {
    const id = `pair-${this.#row}-${this.#side}`;
    const rows = this.#comparison.rows.slice(this.#list.first, this.#list.last + 1).reverse();
    this.#previews.forEach((previews, side) => previews.want(rows.map(({ a, b }) => [a, b][side]).filter(Boolean)));
    set(this.element, 'aria-activedescendant', document.getElementById(id) ? id : null);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.#comparison.rows.length - 1;
    const { fitting } = this.#list;
    const row = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: fitting - 1, PageUp: 1 - fitting, Home: -Infinity, End: Infinity }[event.key];
    const side = { ArrowLeft: 0, ArrowRight: 1 }[event.key];
    if (event.key === 'Enter') this.#open(this.#row, this.#side);
    else if (row !== undefined) this.#row = Math.max(0, Math.min(last, this.#row + row));
    else if (side !== undefined) this.#side = side;
    else return;
    event.preventDefault();
    this.#list.refresh();
    this.#list.reveal(this.#row);
  }
}
