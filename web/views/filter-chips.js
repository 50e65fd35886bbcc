// The complete terms of the filter, as chips before its field.
import { h } from '../ui/dom.js';

export class ChipsView {
  /** The terms, as they were typed. @type {string[]} */
  sources = [];
  #field;
  #changed;
  #edit;
  #box = h('span', { id: 'chips', role: 'group', 'aria-label': 'Search terms' });

  /**
   * @param {HTMLInputElement} field
   * @param {() => void} changed called when the user removes a chip
   * @param {(source: string) => void} edit called with a removed chip's text
   */
  constructor(field, changed, edit) {
    this.#field = field;
    this.#changed = changed;
    this.#edit = edit;
    field.before(this.#box);
    this.#box.addEventListener('keydown', (event) => this.#key(event));
    this.show([]);
  }

  /** @param {string[]} sources */
  show(sources) {
    this.sources = [...new Set(sources)];
    this.#box.hidden = this.sources.length === 0;
    this.#box.replaceChildren(...this.sources.map((source) => h('span', { class: source.startsWith('-') ? 'term is-not' : 'term' },
      h('button', { title: 'Edit', on: { click: () => this.#editAt(source) } }, source),
      h('button', { class: 'remove', 'aria-label': `Remove ${source}`, title: 'Remove', on: { click: () => this.#remove(source) } }, '×'))));
  }

  /** @param {string[]} sources */
  add(sources) {
    this.show([...this.sources, ...sources]);
  }

  removeLast() {
    if (this.sources.length > 0) this.#remove(this.sources.at(-1));
  }

  focusLast() {
    this.#buttons.at(-1)?.focus();
  }

  get #buttons() { return [...this.#box.querySelectorAll('button')]; }

  /** The focus goes to the next chip, or to the field. */
  #remove(source) {
    const at = this.sources.indexOf(source);
    this.show(this.sources.filter((one) => one !== source));
    (this.#box.children[at]?.lastElementChild ?? this.#field).focus();
    this.#changed();
  }

  #editAt(source) {
    this.show(this.sources.filter((one) => one !== source));
    this.#edit(source);
  }

  #key(event) {
    const buttons = this.#buttons;
    const at = buttons.indexOf(event.target);
    if (event.key === 'ArrowLeft') buttons[Math.max(0, at - 1)].focus();
    else if (event.key === 'ArrowRight') (buttons[at + 1] ?? this.#field).focus();
    else if (event.key === 'Backspace' || event.key === 'Delete') this.#remove(this.sources[at >> 1]);
    else return;
    event.preventDefault();
  }
}
