// The differences of one pair of events, beside the list of a comparison. Event: `ignore` (a path).
import { href } from '../model/address.js';
import { readable } from '../json/pointer.js';
import { h, linkTo } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { items } from './diff.js';

export class ComparedPair {
  element = h('section', { class: 'there', 'aria-label': 'Differences of the pair', tabindex: 0 });
  #comparison;
  #differences;
  #open;
  #abort = new AbortController();
  /** @type {[import('../model/head.js').Head|null, import('../model/head.js').Head|null]} */
  #pair = [null, null];
  #alone = '';

  /**
   * @param {import('../model/session-comparison.js').SessionComparison} comparison
   * @param {import('../model/pair-difference.js').PairDifferences} differences
   * @param {(session: string, seq: number) => void} open
   */
  constructor(comparison, differences, open) {
    this.#comparison = comparison;
    this.#differences = differences;
    this.#open = open;
    this.element.addEventListener('click', ({ target }) => {
      const button = target.closest('.ignore');
      if (button) this.element.dispatchEvent(new CustomEvent('ignore', { detail: button.closest('.change').dataset.path }));
    });
  }

  /** Shows a pair. @param {any[]} pair heads @param {string} alone why the two are not one row, or an empty string */
  async show(pair, alone) {
    this.#pair = pair;
    this.#alone = alone;
    await this.render();
  }

  /** Reads the pair again: what is ignored has changed. */
  async render() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const [a, b] = this.#pair;
    const put = (...content) => !signal.aborted && this.element.replaceChildren(...content.filter(Boolean));
    const head = h('p', { class: 'which' }, this.#link(a, 0), ' ↔ ', this.#link(b, 1), this.#alone !== '' && h('span', { class: 'hint' }, this.#alone));
    if (a === null || b === null) return put(head, h('p', { class: 'hint' }, 'Shift-click an event of the other side to compare two events.'));
    try {
      const { changes, hidden, note } = await this.#differences.between(a.seq, b.seq, signal);
      const list = items(changes);
      for (const change of list.querySelectorAll('.change')) {
        const path = readable(change.dataset.path);
        change.append(h('button', { class: 'quiet ignore', 'aria-label': `Ignore ${path}`, title: 'Ignore this path in comparisons of this app' }, 'Ignore'));
      }
      return put(head, changes.length > 0 && h('h3', {}, `Left to right: ${many(changes.length, 'change')}`), list,
        changes.length === 0 && h('p', { class: 'hint' }, hidden > 0 ? 'Only ignored paths differ.' : note === '' ? 'These events and the states after them are equal.' : ''),
        note && h('p', { class: 'hint' }, note), hidden > 0 && changes.length > 0 && h('p', { class: 'hint' }, `${many(hidden, 'ignored change')}.`));
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error.status === undefined) throw error;
      return put(head, h('p', { class: 'failure', role: 'alert' }, error.message));
    }
  }

  #link(head, side) {
    const name = ['left', 'right'][side];
    if (head === null) return h('span', { class: 'none' }, `no event on the ${name}`);
    const { session } = [this.#comparison.a, this.#comparison.b][side];
    return linkTo(h('a', { href: href({ session, event: head.seq }), title: `Open it in the session on the ${name}` }, `#${count(head.seq)} ${head.label}`), () => this.#open(session, head.seq));
  }
}
