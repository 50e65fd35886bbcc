// The filter syntax, with examples to click.
import { h } from '../ui/dom.js';
import { style } from '../ui/lazy.js';

const examples = [
  ['todos done', 'Events with both words: in type, payload, changed paths and values, store or notes. Case is ignored.'],
  ['-sync', 'Events without this word. The minus works with every term below.'],
  ['"went away"', 'A phrase with spaces'],
  ['type:todos', 'The action type contains this. “*” is any text: type:todos/*/done'],
  ['store:main', 'The store name contains this'],
  ['path:/todos/*/done', 'The event changed this path, or one above or below it. “*” is any one index or key.'],
  ['value:milk', 'A string in the action or the change contains this, or a number, key, true, false or null equals it'],
  ['value:"Milk"', 'The whole string or key, in this spelling'],
  ['level:error', 'Notes of this level. A crash and an action whose reducer threw are errors, too.'],
  ['cause:12', 'Event #12 started it directly, such as by an effect'],
  ['bookmarked', 'Events with a bookmark'],
  ['/err(or)?/i', 'A regular expression over the whole event. Same as re:err(or)?'],
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
  const popover = h('div', { id: 'syntax', popover: true, role: 'dialog', 'aria-label': 'Filter syntax' },
    h('dl', {}, ...examples.flatMap(([example, means]) => [
      h('dt', {}, h('button', { on: { click: () => { popover.hidePopover(); choose(example); } } }, example)),
      h('dd', {}, means),
    ])),
    h('p', { class: 'hint' }, 'All terms must match; of several for one field, one is enough. Enter or a space makes a chip of a term with a colon; remove a chip with × or Backspace. Enter also selects the next match, Shift+Enter the previous one.'));
  popover.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    popover.hidePopover();
    button.focus();
  });
  document.body.append(popover);
  return popover;
}
