// Pinned parts of the state: small trees above the whole one.
import { at } from '../json/patch.js';
import { readable } from '../json/pointer.js';
import { h, set } from '../ui/dom.js';
import { pin, pinned } from './pinned-paths.js';
import { rowHeight, Tree } from './tree.js';

/** Visible rows of a pinned tree. */
const most = 8;

export class Pins {
  element = h('section', { class: 'pins', 'aria-label': 'Pinned', hidden: true });
  /** By path. @type {Map<string, {box: HTMLElement, tree: Tree}>} */
  #parts = new Map();
  #whole;
  #made = 0;
  /** The state, what has changed in it, and which one it is. */
  #shown = [];

  /** @param {Tree} whole in which a path is shown when asked for */
  constructor(whole) {
    this.#whole = whole;
  }

  /**
   * @param {unknown} state
   * @param {string[]} changed
   * @param {import('./state.js').Where} where
   * @param {typeof import('./swift-values.js')|null} [swift] shows it as Swift
   * @param {import('../model/type-table.js').Type|null} [type] of the state
   */
  show(state, changed, where, swift = null, type = null) {
    this.#shown = [state, changed, where, swift, type];
    const paths = pinned(where);
    for (const path of this.#parts.keys()) {
      if (paths.includes(path)) continue;
      this.#parts.get(path).box.remove();
      this.#parts.delete(path);
    }
    this.element.hidden = paths.length === 0;
    for (const path of paths) {
      const part = this.#parts.get(path) ?? this.#make(path);
      const value = valueAt(state, path);
      part.tree.element.hidden = value === undefined;
      part.missing.hidden = value !== undefined;
      if (value !== undefined) part.tree.show(value, changed, swift, swift?.typeAt(type, state, path));
    }
  }

  /** Pins a path, or unpins it. */
  toggle(path, where) {
    const paths = pinned(where);
    pin(where, paths.includes(path) ? paths.filter((one) => one !== path) : [...paths, path]);
  }

  #make(path) {
    const title = readable(path);
    const tree = new Tree(`pin-${this.#made += 1}`, { root: path, title, drawn: () => {
      const height = `${Math.min(most, tree.count) * rowHeight}px`;
      if (tree.element.style.height !== height) tree.element.style.setProperty('height', height);
    } });
    const missing = h('p', { class: 'hint' }, `${title}: not in this state`);
    const unpin = h('button', { class: 'close', 'aria-label': `Unpin ${title}`, title: 'Unpin', on: { click: () => {
      this.toggle(path, this.#shown[2]);
      this.show(...this.#shown);
      this.#whole.redraw();
    } } }, '✕');
    const find = h('button', { class: 'quiet', title: 'Show in state', on: { click: () => this.#whole.reveal(path) } }, 'Find');
    set(find, 'aria-label', `Find ${title} in the state`);
    const part = { box: h('div', { class: 'pin' }, tree.element, missing, find, unpin), tree, missing };
    this.#parts.set(path, part);
    this.element.append(part.box);
    return part;
  }
}

function valueAt(state, path) {
  try {
    return at(state, path);
  } catch {
    return undefined;
  }
}
