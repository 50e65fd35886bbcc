// The completions of the term at the caret: a combobox's list.
import { completions } from '../model/completions.js';
import { h, set } from '../ui/dom.js';

export class CompletionList {
  #field;
  #timeline;
  #choose;
  #list = h('div', { id: 'completions', role: 'listbox', 'aria-label': 'Completions', popover: 'manual' });
  /** @type {import('../model/completions.js').Completion[]} */
  #all = [];
  #from = 0;
  #active = -1;

  /**
   * @param {HTMLInputElement} field
   * @param {() => import('../model/timeline.js').Timeline|null} timeline
   * @param {(completion: import('../model/completions.js').Completion, from: number) => void} choose called with what
   *   replaces the text from a position up to the caret
   */
  constructor(field, timeline, choose) {
    this.#field = field;
    this.#timeline = timeline;
    this.#choose = choose;
    field.closest('.bar').after(this.#list);
    for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-controls', 'completions'], ['aria-expanded', 'false']]) set(field, name, value);
    field.addEventListener('blur', () => this.close());
    // The field keeps the focus.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => this.#take([...this.#list.children].indexOf(target.closest('[role=option]'))));
  }

  /** Shows the completions of the term before the caret. */
  offer() {
    const { value, selectionStart, selectionEnd } = this.#field;
    const before = value.slice(0, selectionStart);
    const [term] = /(?:[^\s"]|"[^"]*"?)*$/.exec(before);
    this.#from = selectionStart - term.length;
    const isAtEnd = selectionStart === selectionEnd && /^(\s|$)/.test(value.slice(selectionEnd));
    this.#all = isAtEnd && document.activeElement === this.#field ? completions(term, this.#timeline() ?? { types: [], stores: [] }) : [];
    if (this.#all.length === 0) return this.close();
    this.#list.replaceChildren(...this.#all.map(({ text, note }, index) => h('div', { role: 'option', id: `completion-${index}`, 'aria-selected': 'false' },
      h('span', {}, text), note && h('span', { class: 'note' }, note))));
    this.#list.showPopover();
    const { left, bottom, width } = this.#field.getBoundingClientRect();
    this.#list.style.setProperty('left', `${Math.max(8, Math.min(left, innerWidth - this.#list.offsetWidth - 8))}px`);
    this.#list.style.setProperty('top', `${bottom + 4}px`);
    this.#list.style.setProperty('min-width', `${Math.min(width, innerWidth - 16)}px`);
    set(this.#field, 'aria-expanded', 'true');
    this.#activate(-1);
  }

  close() {
    if (!this.#isOpen) return;
    this.#list.hidePopover();
    set(this.#field, 'aria-expanded', 'false');
    set(this.#field, 'aria-activedescendant', null);
  }

  /** Handles a key of the field. @param {KeyboardEvent} event @returns {boolean} whether the list has used it */
  key(event) {
    const isDown = event.key === 'ArrowDown';
    if (!this.#isOpen) {
      if (!isDown) return false;
      this.offer();
      if (this.#isOpen) this.#activate(0);
    } else if (isDown || event.key === 'ArrowUp') {
      // Between the last and the first one, none is active: the text is as typed.
      const places = this.#all.length + 1;
      this.#activate((this.#active + 1 + (isDown ? 1 : -1) + places) % places - 1);
    } else if (event.key === 'Enter' && this.#active >= 0) this.#take(this.#active);
    else if (event.key === 'Escape' && this.#active >= 0) this.close();
    else {
      // Until one is active, Escape leaves the field at once.
      if (['Enter', 'Tab', 'Escape'].includes(event.key)) this.close();
      return false;
    }
    event.preventDefault();
    // Not the next match, nor out of the field.
    event.stopImmediatePropagation();
    return true;
  }

  get #isOpen() { return this.#list.matches(':popover-open'); }

  #activate(index) {
    this.#active = index;
    for (const [place, option] of [...this.#list.children].entries()) set(option, 'aria-selected', String(place === index));
    set(this.#field, 'aria-activedescendant', index < 0 ? null : `completion-${index}`);
    this.#list.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  #take(index) {
    if (index < 0) return;
    this.close();
    this.#choose(this.#all[index], this.#from);
  }
}
