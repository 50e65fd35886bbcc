// Menus.
import { h, set } from './dom.js';
import { style } from './lazy.js';

/**
 * A menu item; null is a separator. `why` disables it and says why; `note` is a description,
 * `key` a shortcut; `checked` makes it a checkbox, with `group` a radio button.
 * @typedef {{label: string, run?: () => void, note?: string, why?: string, key?: string, checked?: boolean,
 *   group?: boolean}} Item
 */

let open = null;

/**
 * Opens a menu at its button, or closes it.
 * @param {HTMLElement} button gets the focus back
 * @param {string} label for screen readers
 * @param {(Item|null)[]} items
 */
export async function openMenu(button, label, items) {
  const again = open?.button === button;
  open?.close();
  if (again) return;
  await style('ui/controls.css');
  open = new Menu(button, label, items);
}

class Menu {
  button;
  #box;
  #typed = '';
  #timer = 0;

  constructor(button, label, items) {
    this.button = button;
    this.#box = h('div', { class: 'menu', role: 'menu', 'aria-label': label, popover: 'manual', tabindex: -1 },
      ...items.map((item) => (item ? this.#item(item) : h('div', { role: 'separator' }))));
    this.#box.addEventListener('keydown', (event) => this.#key(event));
    this.#box.addEventListener('focusout', ({ relatedTarget }) => this.#box.contains(relatedTarget) || this.close(false));
    // Outside an open dialog everything is inert.
    (button.closest('dialog, header, main') ?? document.body).append(this.#box);
    this.#box.showPopover();
    this.#place();
    set(button, 'aria-expanded', 'true');
    addEventListener('pointerdown', this.#outside, true);
    (this.#items.find((one) => one.ariaChecked === 'true') ?? this.#items[0])?.focus();
  }

  /** @param {boolean} [returns] whether the focus goes back to the button */
  close(returns = true) {
    if (open !== this) return;
    open = null;
    removeEventListener('pointerdown', this.#outside, true);
    set(this.button, 'aria-expanded', this.button.ariaHasPopup ? 'false' : null);
    if (returns) this.button.focus();
    this.#box.remove();
  }

  get #items() { return [...this.#box.querySelectorAll('button')]; }

  #item(item) {
    const { label, note, why, key, checked, group, run } = item;
    const role = checked === undefined ? 'menuitem' : group ? 'menuitemradio' : 'menuitemcheckbox';
    const more = why || note;
    const element = h('button', { role, 'aria-disabled': why ? 'true' : null, 'aria-keyshortcuts': key, 'aria-checked': checked === undefined ? null : String(checked) },
      h('span', { class: 'label' }, label), key && h('kbd', { 'aria-hidden': 'true' }, key), more && h('span', { class: 'note' }, more));
    element.addEventListener('click', () => {
      if (why) return;
      this.close();
      run();
    });
    element.addEventListener('pointermove', () => element.focus());
    return element;
  }

  #place() {
    const at = this.button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#box;
    const left = at.left + width > innerWidth - 8 ? at.right - width : at.left;
    const top = at.bottom + 4 + height > innerHeight - 8 ? at.top - 4 - height : at.bottom + 4;
    this.#box.style.setProperty('left', `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`);
    this.#box.style.setProperty('top', `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`);
  }

  #outside = (event) => {
    if (!this.#box.contains(event.target) && !this.button.contains(event.target)) this.close(false);
  };

  #key(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // An open menu disables the page's shortcuts.
    event.stopPropagation();
    const items = this.#items;
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
    if (next !== undefined) items.at(next % items.length)?.focus();
    else if (key === 'Escape' || key === 'Tab') this.close();
    else if (key.length === 1 && key !== ' ') this.#find(key, items, at);
    else return;
    event.preventDefault();
  }

  /** Focuses the next item that starts with the typed text. */
  #find(key, items, at) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#typed = ''; }, 700);
    this.#typed += key.toLowerCase();
    const from = this.#typed.length === 1 ? at + 1 : at;
    [...items.slice(from), ...items.slice(0, from)].find((one) => one.textContent.toLowerCase().startsWith(this.#typed))?.focus();
  }
}
