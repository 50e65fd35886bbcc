// The bookmarks of events: a flag and the text in their rows, and all of it above the inspector's tabs.
import { byID, h, set, setText } from '../ui/dom.js';
import { ago, count } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';

const dialogs = part(() => import('./bookmarks.js'), 'ui/controls.css');

/**
 * Marks the row of a bookmarked event or group.
 * @param {HTMLElement} element the row
 * @param {import('../model/arrangement.js').Row} row
 * @param {HTMLElement} text for the text of the first one
 * @param {import('../model/bookmarks.js').Bookmarks} bookmarks
 */
export function markRow(element, { from, seq }, text, { all = [] }) {
  const found = all.length === 0 ? [] : all.filter((one) => from <= one.seq && one.seq <= seq);
  const [flag] = element.children;
  // Of a group's bookmarks, that of the shown event comes first.
  const first = found.find((one) => one.seq === seq) ?? found[0];
  setText(flag, first ? '⚑' : '');
  set(flag, 'role', first ? 'img' : null);
  set(flag, 'aria-label', first ? `bookmark: ${first.text}` : null);
  set(flag, 'title', first?.text ?? null);
  setText(text, first ? first.text + (found.length > 1 ? ` (+${found.length - 1})` : '') : '');
  set(text, 'title', first?.text ?? null);
  element.classList.toggle('is-marked', first !== undefined);
}

/** The bookmarks of the selected event. */
export class EventBookmarks {
  #page;
  #shown = '';
  #box = h('div', { id: 'event-bookmarks', role: 'group', 'aria-label': 'Bookmarks of this event', hidden: true });

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    byID('tabs').before(this.#box);
    for (const name of ['bookmarks', 'place', 'rows', 'connection']) page.addEventListener(name, () => inFrame(this.#render));
    inFrame(this.#render);
  }

  #render = () => {
    const { bookmarks: { all }, selected, place, readOnly, link } = this.#page;
    const seq = selected?.seq ?? place.event;
    const found = all.filter((one) => one.seq === seq);
    const shown = JSON.stringify([found, readOnly, link.status]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#box.hidden = found.length === 0;
    const hadFocus = this.#box.contains(document.activeElement);
    this.#box.replaceChildren(...found.map((one) => this.#item(one)));
    // A deleted bookmark takes its buttons with it.
    if (hadFocus) (this.#box.querySelector('button:not(:disabled)') ?? byID('events')).focus();
  };

  #item(one) {
    const why = this.#page.link.status === 'file' ? '' : this.#page.readOnly;
    const button = (label, run) => h('button', {
      class: 'quiet', 'aria-label': `${label} bookmark at #${count(one.seq)}`, title: why || null, disabled: why !== '',
      on: { click: async () => run(await dialogs()) },
    }, label);
    return h('div', { class: 'event-bookmark' }, h('span', { 'aria-hidden': 'true' }, '⚑'), h('p', {}, one.text),
      h('p', { class: 'who', title: one.made ? new Date(one.made).toLocaleString('en-GB') : null }, [one.author, one.made && ago(one.made)].filter(Boolean).join(' · ')),
      button('Edit', ({ edit }) => edit(this.#page, one.seq, one)), button('Delete', ({ drop }) => drop(this.#page, one)));
  }
}
