// The search in the state: the number of matches, and stepping through them.
import { Find } from '../model/find.js';
import { h, setText } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';

export class Search {
  #field;
  #tree;
  #count = h('span', { class: 'found', role: 'status' });
  #buttons = [
    h('button', { class: 'quiet', 'aria-label': 'Previous match', title: 'Previous match (Shift+Enter)', on: { click: () => this.#step(-1) } }, '↑'),
    h('button', { class: 'quiet', 'aria-label': 'Next match', title: 'Next match (Enter)', on: { click: () => this.#step(1) } }, '↓'),
  ];
  element = h('span', { class: 'search' }, this.#count, ...this.#buttons);
  #value;
  #find = null;
  /** The current match: its index, and its path, which survives a change of state. */
  #current = -1;
  #path = null;

  /**
   * @param {HTMLInputElement} field
   * @param {import('./tree.js').Tree} tree
   */
  constructor(field, tree) {
    this.#field = field;
    this.#tree = tree;
    field.addEventListener('input', () => {
      this.#path = null;
      this.#begin();
    });
    field.addEventListener('keydown', (event) => this.#key(event));
    this.#update();
  }

  /** Searches another state. @param {unknown} value */
  show(value) {
    if (value === this.#value) return;
    this.#value = value;
    this.#begin();
  }

  async #begin() {
    const query = this.#field.value.toLowerCase();
    this.#find?.stop();
    this.#current = -1;
    if (this.#tree.query !== query) {
      this.#tree.query = query;
      this.#tree.redraw();
    }
    const find = query === '' ? null : new Find(this.#value, query);
    this.#find = find;
    inFrame(this.#update);
    await find?.run(() => this.#progress());
  }

  /** The current match stays; a new search shows its first. */
  #progress() {
    const { matches, done } = this.#find;
    if (this.#current < 0 && this.#path !== null) this.#current = matches.indexOf(this.#path);
    if (this.#current < 0 && this.#path === null && matches.length > 0) this.#to(0);
    if (done && this.#current < 0 && matches.length > 0) this.#path = null;
    inFrame(this.#update);
  }

  #to(index) {
    this.#current = index;
    this.#path = this.#find.matches[index];
    this.#tree.reveal(this.#path);
    inFrame(this.#update);
  }

  #step(by) {
    const matches = this.#find?.matches ?? [];
    if (matches.length === 0) return;
    this.#to(this.#current < 0 ? (by > 0 ? 0 : matches.length - 1) : (this.#current + by + matches.length) % matches.length);
  }

  #update = () => {
    const find = this.#find;
    const total = find?.matches.length ?? 0;
    const all = `${count(total)}${find?.done === false ? '…' : ''}`;
    setText(this.#count, find === null ? '' : total === 0 ? (find.done ? 'Not found' : 'Searching…')
      : this.#current < 0 ? `${all} found` : `${count(this.#current + 1)} of ${all}`);
    for (const button of this.#buttons) button.hidden = find === null || total === 0;
  };

  #key(event) {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      // The first Escape clears the search, the second leaves the field.
      event.preventDefault();
      if (this.#field.value === '') return this.#tree.element.focus();
      this.#field.value = '';
      this.#begin();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.#tree.element.focus();
    }
  }
}
