// A value as a tree: only visible rows are elements, and long arrays are divided into ranges.
import { kindOf } from '../json/parse.js';
import { countOf } from '../json/value.js';
import { below, tokens } from '../json/pointer.js';
import { dateOf } from '../model/dates.js';
import { h, set, setText } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { VirtualList } from '../ui/list.js';
import { marked } from './highlight.js';
import { summary } from './value-summary.js';

export const rowHeight = 22;
/** Elements in a range, and characters in a line of an expanded string. */
const range = 100;
const [longString, lineLength] = [60, 96];

/**
 * `id` is the path, or starts with `#` for a range or a line of a string.
 * @typedef {{id: string, path: string, name: string, value: unknown, depth: number, expandable?: boolean, open?: boolean,
 *   type?: import('../model/type-table.js').Type|null, range?: boolean, text?: string, touched?: Set<string>, of?: number, at?: number}} Row
 */

/** Expanded rows and the scroll position stay when another value is shown. */
export class Tree {
  /** The search text, in lower case. */
  query = '';
  #root;
  #title;
  #open;
  #value;
  #known = false;
  /** @type {Row[]} */
  #rows = [];
  #selected;
  #changed = new Map();
  #swift = null;
  #type = null;
  #keys = new WeakMap();
  #name;
  #list;
  #on;

  /**
   * @param {string} name of the element ids
   * @param {{root?: string, title?: string, selected?: () => void, edit?: () => void, drawn?: () => void}} [options]
   *   `root` is the path of the value; `selected`, `edit` and `drawn` are callbacks
   */
  constructor(name, { root = '', title = 'state', ...on } = {}) {
    this.#name = name;
    this.#root = this.#selected = root;
    this.#title = title;
    this.#on = on;
    this.#open = new Set([root]);
    this.element = h('div', { class: 'tree', role: 'tree', tabindex: 0, 'aria-label': root === '' ? 'State' : `Pinned: ${title}`, id: name });
    this.#list = new VirtualList(this.element, { rowHeight, make, bind: (element, row) => this.#bind(element, row), drawn: () => this.#drawn() });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('click', (event) => this.#click(event));
    this.element.addEventListener('dblclick', (event) => event.target.closest('.node:not(.expandable)') && on.edit?.());
  }

  /**
   * Shows a value.
   * @param {unknown} value
   * @param {string[]} changed pointers that the event touched
   * @param {typeof import('./swift-values.js')|null} [swift] shows it as Swift
   * @param {import('../model/type-table.js').Type|null} [type]
   */
  show(value, changed, swift = null, type = null) {
    this.#value = value;
    this.#swift = swift;
    this.#type = type;
    this.#known = true;
    this.#changed = new Map();
    for (const pointer of changed) this.#mark(pointer);
    this.#render();
    this.#list.draw();
  }

  /** The number of rows. */
  get count() {
    return this.#rows.length;
  }

  /** The selected row. @returns {Row|undefined} */
  get row() {
    return this.#rows.find((row) => row.id === this.#selected);
  }

  /**
   * The element of a visible row.
   * @param {string} id the row's
   * @returns {HTMLElement|null}
   */
  elementOf(id) {
    return document.getElementById(`${this.#name}-${this.#rows.findIndex((row) => row.id === id)}`);
  }

  /** Redraws all rows. */
  redraw() {
    this.#list.refresh();
  }

  /**
   * Selects a path, or its nearest existing parent, and scrolls to it.
   * @param {string} path
   */
  reveal(path) {
    let value = this.#value;
    let reached = this.#root;
    for (const token of tokens(path.slice(this.#root.length))) {
      const keys = this.#keysOf(value);
      const place = keys ? keys.indexOf(token) : Array.isArray(value) && Object.hasOwn(value, token) ? Number(token) : -1;
      if (place < 0) break;
      this.#open.add(reached);
      if (countOf(value) > range) this.#open.add(`#${place - place % range}${reached}`);
      reached = below(reached, token);
      value = value[token];
    }
    this.#selected = reached;
    this.#render();
    this.#list.reveal(this.#rows.findIndex((row) => row.id === reached), 'center');
    this.#on.selected?.();
  }

  /** Expands the changed values and scrolls to the first one. */
  expandChanges() {
    const collapsed = () => this.#rows.filter((row) => row.touched?.size > 0 && row.expandable && !row.open);
    for (let rows = collapsed(); rows.length > 0; rows = collapsed()) {
      for (const row of rows) this.#open.add(row.id);
      this.#render();
    }
    const first = this.#rows.findIndex((row) => row.touched?.size === 0);
    if (first >= 0) this.#list.reveal(first, 'center');
  }

  #mark(pointer) {
    let path = '';
    for (const token of tokens(pointer)) {
      const children = this.#changed.get(path) ?? this.#changed.set(path, new Set()).get(path);
      path = below(path, token);
      children.add(path);
    }
    if (!this.#changed.has(path)) this.#changed.set(path, new Set());
  }

  /** An object's keys, cached: states share unchanged objects. */
  #keysOf(value) {
    if (kindOf(value) !== 'object') return null;
    const keys = this.#keys.get(value) ?? Object.keys(value);
    this.#keys.set(value, keys);
    return keys;
  }

  #render() {
    this.#rows = [];
    this.#walk({ id: this.#root, path: this.#root, name: this.#title, value: this.#value, type: this.#type, depth: 0 });
    if (!this.row) this.#selected = this.#root;
    this.#list.refresh(this.#rows.length);
  }

  #walk(row) {
    const kind = kindOf(row.value);
    const keys = this.#keysOf(row.value);
    const size = keys?.length ?? countOf(row.value);
    row.expandable = size > 0 || (kind === 'string' && row.value.length > longString);
    row.open = row.expandable && this.#open.has(row.id);
    row.touched = this.#changed.get(row.id);
    this.#rows.push(row);
    if (!row.open) return;
    if (kind === 'string') return this.#lines(row);
    if (size <= range) return this.#children(row, keys, 0, size, row.depth + 1);
    const touched = this.#touchedRanges(row, keys);
    for (let from = 0; from < size; from += range) this.#range(row, keys, from, Math.min(size, from + range), touched);
  }

  #children(parent, keys, from, to, depth) {
    for (let index = from; index < to; index += 1) {
      const name = keys === null ? String(index) : keys[index];
      const path = below(parent.path, name);
      this.#walk({ id: path, path, name, value: parent.value[name], type: this.#swift?.inside(parent.type, parent.value, name), depth, of: to - from, at: index - from + 1 });
    }
  }

  #touchedRanges({ path }, keys) {
    const names = [...this.#changed.get(path) ?? []].map((child) => tokens(child).at(-1));
    const places = keys === null || names.length === 0 ? null : new Map(keys.map((key, place) => [key, place]));
    return new Set(names.map((name) => Math.floor((places === null ? Number(name) : places.get(name)) / range)));
  }

  #range(parent, keys, from, to, touched) {
    const { path, value, depth } = parent;
    // Pointers are empty or start with a slash: no pointer equals this id.
    const id = `#${from}${path}`;
    const open = this.#open.has(id);
    const name = `${count(from)} – ${count(to - 1)}`;
    const row = { id, path, name, value, depth: depth + 1, expandable: true, open, range: true };
    this.#rows.push({ ...row, touched: touched.has(from / range) ? new Set([id]) : undefined });
    if (open) this.#children(parent, keys, from, to, depth + 2);
  }

  #lines(row) {
    let line = 0;
    for (const part of row.value.split('\n')) {
      for (let from = 0; from === 0 || from < part.length; from += lineLength, line += 1) {
        const text = part.slice(from, from + lineLength);
        this.#rows.push({ ...row, id: `#${line}${row.path}`, name: '', text, depth: row.depth + 1, expandable: false, touched: undefined });
      }
    }
  }

  #bind(element, index) {
    const row = this.#rows[index];
    element.id = `${this.#name}-${index}`;
    element.dataset.index = index;
    element.style.setProperty('--depth', String(row.depth));
    set(element, 'aria-level', row.depth + 1);
    set(element, 'aria-expanded', row.expandable ? String(row.open) : null);
    set(element, 'aria-setsize', row.of);
    set(element, 'aria-posinset', row.at);
    set(element, 'aria-selected', String(row.id === this.#selected));
    element.className = `node${row.expandable ? ' expandable' : ''}${row.touched ? (row.touched.size > 0 ? ' within' : ' changed') : ''}`;
    const [, name, value] = element.children;
    this.#setText(name, row.name === '' && row.text === undefined ? '""' : row.name, row.range);
    name.className = row.range ? 'range' : 'name';
    const swift = row.text === undefined && !row.range && this.query === '' ? this.#swiftOf(row) : null;
    this.#setText(value, row.text ?? (row.range ? '' : swift ?? summary(row, this.#keysOf(row.value), this.query)), countOf(row.value) > 0);
    value.className = row.text !== undefined ? 'lines' : `value ${swift === null ? kindOf(row.value) : 'swift'}`;
    set(value, 'data-date', row.text !== undefined ? null : this.#swift ? this.#swift.dateIn(row.type ?? null, row.name, row.value) : dateOf(row.name, row.value));
  }

  #swiftOf({ type, value, open }) {
    return this.#swift && type ? this.#swift[open ? 'titleOf' : 'textOf'](type, value) : null;
  }

  #setText(element, text, plain) {
    if (this.query === '' || plain) {
      // Remove the marks of an earlier search.
      if (element.firstElementChild) element.textContent = text;
      else setText(element, text);
    } else element.replaceChildren(...marked(text, this.query));
  }

  #drawn() {
    const index = this.#rows.findIndex((row) => row.id === this.#selected);
    const active = `${this.#name}-${index}`;
    set(this.element, 'aria-activedescendant', document.getElementById(active) ? active : null);
    this.#on.drawn?.();
  }

  #select(id) {
    this.#selected = id;
    this.#list.refresh();
    this.#on.selected?.();
  }

  #click(event) {
    const node = event.target.closest('.node');
    if (node === null || event.target.closest('form')) return;
    const row = this.#rows[Number(node.dataset.index)];
    const again = row.id === this.#selected;
    this.#select(row.id);
    if (row.expandable && (event.target.closest('.twist, .name, .range') || again || !row.open)) this.#toggle(row);
  }

  #toggle(row, open = !row.open) {
    if (open) this.#open.add(row.id);
    else this.#open.delete(row.id);
    this.#render();
  }

  #key(event) {
    if (event.target !== this.element) return;
    const index = Math.max(0, this.#rows.findIndex((row) => row.id === this.#selected));
    const row = this.#rows[index];
    const to = (place) => {
      const next = Math.max(0, Math.min(this.#rows.length - 1, place));
      this.#select(this.#rows[next].id);
      this.#list.reveal(next);
    };
    const commands = {
      ArrowDown: () => to(index + 1),
      ArrowUp: () => to(index - 1),
      Home: () => to(0),
      End: () => to(this.#rows.length - 1),
      PageDown: () => to(index + this.#list.fitting - 1),
      PageUp: () => to(index - this.#list.fitting + 1),
      ArrowRight: () => (row.expandable && !row.open ? this.#toggle(row, true) : to(index + 1)),
      ArrowLeft: () => (row.open ? this.#toggle(row, false)
        : to(this.#rows.findLastIndex((one, place) => place < index && one.depth < row.depth))),
      Enter: () => (row.expandable ? this.#toggle(row) : this.#on.edit?.()),
    };
    if (!this.#known || !commands[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    commands[event.key]();
  }
}

function make() {
  return h('div', { role: 'treeitem' }, h('span', { class: 'twist', 'aria-hidden': 'true' }), h('span'), h('span'));
}
