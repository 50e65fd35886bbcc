// What an empty result of the filter offers.
import { offers } from '../model/near-searches.js';
import { byID, h } from '../ui/dom.js';
import { count } from '../ui/format.js';

export class NoMatchView {
  #page;
  #list;
  #box = h('ul', { id: 'offers', 'aria-label': 'Searches that find something' });
  /** The session and filter that it offers something for. */
  #of = '';
  #abort = new AbortController();

  /** @param {import('../model/page.js').Page} page @param {import('./timeline.js').TimelineView} list */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    byID('no-events').querySelector('p').after(this.#box);
  }

  /** Asks once, when a search has ended without a match. */
  update() {
    const { timeline, place, summary } = this.#page;
    const isEmpty = Boolean(timeline?.filters && timeline.complete && timeline.matching === 0 && summary && !timeline.filtered.error);
    const of = isEmpty ? `${summary.session} ${place.filter}` : '';
    if (of === this.#of) return;
    this.#of = of;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#box.replaceChildren();
    if (isEmpty) this.#page.guard(() => this.#ask(summary.session, place.filter, this.#abort.signal));
  }

  async #ask(session, filter, signal) {
    let found;
    try {
      found = await offers(session, filter, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (signal.aborted) return;
    const item = (text, run) => h('li', {}, h('button', { on: { click: run } }, text));
    const values = found.filter(({ value }) => value !== null);
    this.#box.replaceChildren(
      ...found.map((offer) => item(`${count(offer.count)}${offer.isMore ? '+' : ''} ${offer.label}`, () => {
        this.#page.go({ filter: offer.filter });
        this.#list.focus();
      })),
      ...values.map(({ value, first }) => item(`First event with the value “${value}”: #${count(first)}`, () => {
        this.#page.go({ filter: '', event: first });
        this.#page.reveal(first);
        this.#list.focus();
      })));
  }
}
