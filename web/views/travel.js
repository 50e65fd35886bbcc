// The bar of time travel: which state the app shows, and the ways back.
import { h, set, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { openMenu } from '../ui/menu.js';

export class TravelBar {
  #travel;
  #text = h('span', { class: 'text', role: 'status' });
  #discard = h('input', { type: 'checkbox' });
  element = h('div', { class: 'travel', role: 'group', 'aria-label': 'Leave time travel', hidden: true }, this.#text,
    h('span', { class: 'ways' },
      h('label', { class: 'check', title: 'Otherwise they run, in order, on the state that you leave with' }, this.#discard, 'Discard queued actions'),
      h('button', { on: { click: () => this.#leave(true) } }, 'Keep this state'),
      h('button', { class: 'main', on: { click: () => this.#leave(false) } }, 'Return to the latest')));

  /** @param {import('../model/time-travel.js').TimeTravel} travel */
  constructor(travel) {
    this.#travel = travel;
  }

  /** Asks how to leave. @param {HTMLElement} box that was unticked */
  ask(box) {
    openMenu(box, 'Leave time travel', [
      { label: 'Return to the latest', note: 'The app continues with the state from before.', run: () => this.#leave(false) },
      { label: 'Keep this state', note: 'The app continues with the state that it shows.', run: () => this.#leave(true) },
    ]);
  }

  draw() {
    const { on, shown, note, queued } = this.#travel;
    if (this.element.hidden && on) this.#discard.checked = false;
    this.element.hidden = !on;
    if (!on) return;
    setText(this.#text, `${shown === null ? 'Going to the selected event…' : `The app shows #${count(shown)}. ${queued === 0 ? 'Its own actions are queued' : `${many(queued, 'action')} of its own ${queued === 1 ? 'is' : 'are'} queued`}.`}${note && ` ${note}`}`);
    set(this.#text, 'title', note || null);
  }

  #leave(keep) {
    this.#travel.leave({ keep, queue: this.#discard.checked ? 'discard' : 'replay' });
  }
}
