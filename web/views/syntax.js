// What can be written into the filter, with examples to click.
import { h } from '../ui/dom.js';
import { style } from '../ui/lazy.js';

const examples = [
  ['todos done', 'Both words, in type, payload, changed paths and values, store, notes …; whatever their case'],
  ['-sync', 'Not this word; the minus stands before anything below too'],
  ['"went away"', 'Words with a space between'],
  ['type:todos', 'In the action’s type; type:todos/*/done with any text for the star'],
  ['store:main', 'In the store’s name; several types or stores mean any of them'],
  ['path:/todos', 'Changed this place, or one below or above it'],
  ['value:42', 'This string, number or key is inside the action or the change'],
  ['/err(or)?/i', 'A regular expression that finds something in the whole event; or re:err'],
];

export class Syntax {
  static #popover = null;

  /**
   * Shows it below a button.
   * @param {HTMLElement} button
   * @param {(example: string) => void} choose
   */
  static async show(button, choose) {
    await style('views/syntax.css');
    this.#popover ??= make(button, choose);
    this.#popover.showPopover();
    const { bottom, left } = button.getBoundingClientRect();
    const width = this.#popover.offsetWidth;
    this.#popover.style.setProperty('top', `${bottom + 6}px`);
    this.#popover.style.setProperty('left', `${Math.max(8, Math.min(left - width / 2, innerWidth - width - 8))}px`);
    this.#popover.querySelector('button').focus();
  }
}

function make(button, choose) {
  const popover = h('div', { id: 'syntax', popover: true, role: 'dialog', 'aria-label': 'How to filter' },
    h('dl', {}, ...examples.flatMap(([example, means]) => [
      h('dt', {}, h('button', { on: { click: () => { popover.hidePopover(); choose(example); } } }, example)),
      h('dd', {}, means),
    ])),
    h('p', { class: 'hint' }, 'Everything else that is written must be met. Enter goes to the next match, Shift Enter to the one before.'));
  popover.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    popover.hidePopover();
    button.focus();
  });
  document.body.append(popover);
  return popover;
}
