// What started the selected event, and what it started, among the facts of the Action tab.
import { numberOf } from '../json/parse.js';
import { causeOf, causesOf, EffectTree } from '../model/causes.js';
import { h } from '../ui/dom.js';
import { count, delta } from '../ui/format.js';
import { EffectsView } from './effects.js';
import { eventLink } from './link.js';

/** A longer chain shows so many of its first and last events until it is expanded. */
const first = 2;
const last = 4;
/** The least time between two requests for a growing session (ms). */
const pause = 500;

/** The seq of the event that started a line's, or null. @param {any} line */
export function causeOfLine({ seq, event, cause }) {
  return causeOf({ seq: numberOf(seq), event, cause: cause?.seq });
}

export class CausesView {
  /** Terms and descriptions of a list. */
  elements;
  #page;
  #line;
  #signal;
  #chain = h('ol', { class: 'chain' });
  #effects;
  #tree = null;
  #isWhole = false;
  /** Events below are in the tree. */
  #next = Infinity;
  #isLoading = false;
  #hasFailed = false;

  /**
   * @param {any} line the event line
   * @param {import('../model/page.js').Page} page
   * @param {AbortSignal} signal aborted when another event is shown
   * @param {HTMLElement|null} [stack] its call stack
   */
  constructor(line, page, signal, stack = null) {
    this.#line = line;
    this.#page = page;
    this.#signal = signal;
    this.#effects = new EffectsView(page);
    const cause = causeOfLine(line);
    const isStarted = cause !== null;
    const hidden = !isStarted && stack === null;
    this.#chain.hidden = !isStarted;
    this.elements = [
      h('dt', { hidden }, 'Started by'), h('dd', { hidden }, this.#chain, stack),
      ...this.#effects.elements,
    ];
    // The direct cause is known at once.
    if (isStarted) this.#showChain([{ seq: cause, head: page.timeline.head(cause) }]);
    page.addEventListener('rows', () => this.#follow(), { signal });
    page.addEventListener('connection', () => this.#hasFailed && this.#load(), { signal });
    this.#load();
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#hasFailed = false;
    const { tape } = this.#page;
    try {
      const found = await causesOf(tape.session, numberOf(this.#line.seq), this.#signal);
      this.#next = found.committed;
      this.#tree = new EffectTree(found.effects, numberOf(this.#line.at), this.#tree);
      const { earlier, causes } = found;
      if (causes.length > 0 || earlier) {
        const before = earlier ? [{ seq: earlier.seq, head: null, isLost: !earlier.recorded, isCut: earlier.recorded }] : [];
        this.#showChain([...before, ...causes.map((head) => ({ seq: head.seq, head }))]);
      }
      this.#effects.show(found, this.#tree);
    } catch (error) {
      if (this.#signal.aborted) return;
      if (error.status === undefined) throw error;
      this.#hasFailed = true;
      // The page itself says that it can't reach the server.
      if (error.status !== 0) this.#effects.fail(error.message);
    } finally {
      // A failed request is repeated when the connection is back.
      if (this.#hasFailed) this.#isLoading = false;
      else setTimeout(() => {
        this.#isLoading = false;
        this.#follow();
      }, pause);
    }
  }

  /** Loads again when the session has got another event of the tree. */
  #follow() {
    const { timeline } = this.#page;
    if (this.#isLoading || this.#signal.aborted || !timeline) return;
    for (let head = timeline.head(this.#next); head && this.#next < timeline.end; head = timeline.head(this.#next)) {
      const cause = causeOf(head);
      if (cause !== null && (cause === numberOf(this.#line.seq) || this.#tree?.has(cause))) return void this.#load();
      this.#next = head.seq + 1;
    }
  }

  /** Shows the chain to this event. @param {{seq: number, head: import('../model/head.js').Head|null}[]} links */
  #showChain(links) {
    const all = [...links, { seq: numberOf(this.#line.seq), head: { at: numberOf(this.#line.at) }, isHere: true }];
    const items = all.map((link, index) => this.#item(link, all[index - 1]));
    const folded = this.#isWhole ? [] : items.slice(first, -last);
    if (folded.length < 2) return this.#chain.replaceChildren(...items);
    const expand = () => {
      this.#isWhole = true;
      more.replaceWith(...folded);
      folded[0].querySelector('a')?.focus();
    };
    const more = h('li', {}, h('button', { class: 'quiet', on: { click: expand } }, `${count(folded.length)} more`));
    this.#chain.replaceChildren(...items.slice(0, first), more, ...items.slice(-last));
    return undefined;
  }

  #item({ seq, head, isLost, isCut, isHere }, before) {
    const wait = head && before?.head ? h('span', { class: 'wait' }, delta(head.at - before.head.at)) : null;
    if (isHere) return h('li', { class: 'here' }, `#${seq} `, h('span', { class: 'name' }, 'this event'), ' ', wait);
    if (isLost) return h('li', {}, `#${seq} `, h('span', { class: 'name' }, 'not recorded'));
    return h('li', {}, isCut ? '… ' : null, eventLink(seq, this.#page), ' ', h('span', { class: 'name', title: head?.label }, head?.label ?? ''), ' ', wait);
  }
}
