// A value as a tree that is made as it unfolds: only rows in view are elements, long arrays stand in ranges.
import { countOf, kindOf, preview } from '../model/json.js';
import { below, tokens } from '../model/pointer.js';
import { copyButton, h, say, set } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { VirtualList } from '../ui/list.js';

const rowHeight = 22;
/** Elements in a range, and characters in a line of an unfolded string. */
const range = 100;
const longString = 60;
const lineLength = 96;

/** Shows values one after the other; what is unfolded and where it is scrolled to stays. */
export class Tree {
  #open = new Set(['']);
  #value;
  #known = false;
  #rows = [];
  #selected = '';
  #changed = new Map();
  #name;
  #host;
  #list;
  #path;

  /** @param {string} name of the element ids */
  constructor(name) {
    this.#name = name;
    this.#host = h('div', { class: 'tree', role: 'tree', tabindex: 0, 'aria-label': 'State', id: name });
    this.#path = h('span', { class: 'tree-path' });
    this.element = h('div', { class: 'tree-box' }, this.#host, h('div', { class: 'tree-bar' }, this.#path,
      h('button', { class: 'quiet', on: { click: () => this.#unfoldChanges() } }, 'Unfold changes'),
      copyButton('Copy path', () => this.#row()?.path ?? ''),
      copyButton('Copy value', () => JSON.stringify(this.#row()?.value ?? null))));
    this.#list = new VirtualList(this.#host, { rowHeight, make, bind: (element, row) => this.#bind(element, row), drawn: () => this.#drawn() });
    this.#host.addEventListener('keydown', (event) => this.#key(event));
    this.#host.addEventListener('click', (event) => this.#click(event));
  }

  /**
   * Shows a value.
   * @param {unknown} value
   * @param {string[]} changed pointers that the event touched
   */
  show(value, changed) {
    this.#value = value;
    this.#known = true;
    this.#changed = new Map();
    for (const pointer of changed) this.#mark(pointer);
    this.#render();
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

  #row() {
    return this.#rows.find((row) => row.id === this.#selected);
  }

  #render() {
    this.#rows = [];
    this.#walk({ id: '', path: '', name: '', value: this.#value, depth: 0 });
    if (!this.#row()) this.#selected = '';
    this.#list.refresh(this.#rows.length);
  }

  #walk(row) {
    const kind = kindOf(row.value);
    const size = countOf(row.value);
    row.foldable = size > 0 || (kind === 'string' && row.value.length > longString);
    row.open = row.foldable && this.#open.has(row.id);
    row.touched = this.#changed.get(row.id);
    this.#rows.push(row);
    if (!row.open) return;
    if (kind === 'string') return this.#lines(row);
    const keys = kind === 'array' ? null : Object.keys(row.value);
    if (size <= range) this.#children(row, keys, 0, size, row.depth + 1);
    else for (let from = 0; from < size; from += range) this.#range(row, keys, from, Math.min(size, from + range));
  }

  #children(parent, keys, from, to, depth) {
    for (let index = from; index < to; index += 1) {
      const name = keys === null ? String(index) : keys[index];
      const path = below(parent.path, name);
      this.#walk({ id: path, path, name, value: parent.value[name], depth, of: to - from, at: index - from + 1 });
    }
  }

  #range(parent, keys, from, to) {
    const { path, value, depth } = parent;
    // Pointers are empty or begin with a slash, so these ids are apart from them.
    const id = `#${from}${path}`;
    const open = this.#open.has(id);
    const touched = [...this.#changed.get(path) ?? []].some((child) => {
      const token = tokens(child).at(-1);
      const place = keys === null ? Number(token) : keys.indexOf(token);
      return place >= from && place < to;
    });
    const name = `${count(from)} – ${count(to - 1)}`;
    const row = { id, path, name, value, depth: depth + 1, foldable: true, open, range: true };
    this.#rows.push({ ...row, touched: touched ? new Set([id]) : undefined });
    if (open) this.#children(parent, keys, from, to, depth + 2);
  }

  #lines(row) {
    let line = 0;
    for (const part of row.value.split('\n')) {
      for (let from = 0; from === 0 || from < part.length; from += lineLength, line += 1) {
        const text = part.slice(from, from + lineLength);
        this.#rows.push({ ...row, id: `#${line}${row.path}`, name: '', text, depth: row.depth + 1, foldable: false, touched: undefined });
      }
    }
  }

  #bind(element, index) {
    const row = this.#rows[index];
    element.id = `${this.#name}-${index}`;
    element.dataset.index = index;
    element.style.setProperty('--depth', String(row.depth));
    set(element, 'aria-level', row.depth + 1);
    set(element, 'aria-expanded', row.foldable ? String(row.open) : null);
    set(element, 'aria-setsize', row.of);
    set(element, 'aria-posinset', row.at);
    set(element, 'aria-selected', String(row.id === this.#selected));
    element.className = `node${row.foldable ? ' foldable' : ''}${row.touched ? (row.touched.size > 0 ? ' within' : ' changed') : ''}`;
    const [, name, value] = element.children;
    say(name, row.id === '' ? 'state' : row.name === '' && row.text === undefined ? '""' : row.name);
    name.className = row.range ? 'range' : 'name';
    say(value, row.text ?? (row.range ? '' : summary(row)));
    value.className = row.text !== undefined ? 'lines' : `value ${kindOf(row.value)}`;
  }

  #drawn() {
    const index = this.#rows.findIndex((row) => row.id === this.#selected);
    const active = `${this.#name}-${index}`;
    set(this.#host, 'aria-activedescendant', document.getElementById(active) ? active : null);
    say(this.#path, this.#rows[index]?.path || 'whole state');
  }

  #click(event) {
    const node = event.target.closest('.node');
    if (node === null) return;
    const row = this.#rows[Number(node.dataset.index)];
    const again = row.id === this.#selected;
    this.#selected = row.id;
    if (row.foldable && (event.target.closest('.twist, .name, .range') || again || !row.open)) this.#toggle(row);
    else this.#list.refresh();
  }

  #toggle(row, open = !row.open) {
    if (open) this.#open.add(row.id);
    else this.#open.delete(row.id);
    this.#render();
  }

  #unfoldChanges() {
    const folded = () => this.#rows.filter((row) => row.touched?.size > 0 && row.foldable && !row.open);
    for (let rows = folded(); rows.length > 0; rows = folded()) {
      for (const row of rows) this.#open.add(row.id);
      this.#render();
    }
    const first = this.#rows.findIndex((row) => row.touched?.size === 0);
    if (first >= 0) this.#list.reveal(first, 'center');
  }

  #key(event) {
    const index = Math.max(0, this.#rows.findIndex((row) => row.id === this.#selected));
    const row = this.#rows[index];
    const to = (place) => {
      this.#selected = this.#rows[Math.max(0, Math.min(this.#rows.length - 1, place))].id;
      this.#list.refresh();
      this.#list.reveal(this.#rows.findIndex((one) => one.id === this.#selected));
    };
    const commands = {
      ArrowDown: () => to(index + 1),
      ArrowUp: () => to(index - 1),
      Home: () => to(0),
      End: () => to(this.#rows.length - 1),
      PageDown: () => to(index + this.#list.fitting - 1),
      PageUp: () => to(index - this.#list.fitting + 1),
      ArrowRight: () => (row.foldable && !row.open ? this.#toggle(row, true) : to(index + 1)),
      ArrowLeft: () => (row.open ? this.#toggle(row, false)
        : to(this.#rows.findLastIndex((one, place) => place < index && one.depth < row.depth))),
      Enter: () => row.foldable && this.#toggle(row),
    };
    if (!this.#known || !commands[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    commands[event.key]();
  }
}

function make() {
  return h('div', { role: 'treeitem' }, h('span', { class: 'twist', 'aria-hidden': 'true' }), h('span'), h('span'));
}

function summary({ value, open }) {
  const kind = kindOf(value);
  const size = countOf(value);
  if (kind === 'array' && (open || size > 3)) return `[${count(size)}]${open ? '' : ` ${preview(value, 80)}`}`;
  if (kind === 'object' && open) return `{${count(size)}}`;
  return preview(value, 160);
}
