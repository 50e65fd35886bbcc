// Two sessions side by side: which one to compare with, where they part, and what differs there.
import { json, Problem, sessionPath } from '../link/http.js';
import { reach } from '../model/alignment.js';
import { Pairing } from '../model/session-comparison.js';
import { changesOf } from '../model/diff.js';
import { numberOf } from '../json/parse.js';
import { preview } from '../json/value.js';
import { byID, h, set } from '../ui/dom.js';
import { count, many, size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { items } from './diff.js';
import { pick } from './picker.js';
import { deviceName, sessionName } from '../model/session-name.js';
import { Sides } from './sides.js';

/** What the difference is called. */
const kinds = {
  action: 'the actions differ', state: 'the same action led to different states', kind: 'the events are of different kinds',
  gap: 'one of them lost events there', order: 'the events come in another order',
};

export class CompareView {
  #page;
  #close;
  #box = byID('view');
  #content = h('div', { class: 'compare' });
  #shown = '';
  #abort = new AbortController();

  /**
   * @param {import('../model/page.js').Page} page
   * @param {() => void} close
   */
  constructor(page, close) {
    this.#page = page;
    this.#close = close;
    for (const event of ['place', 'session', 'connection']) page.addEventListener(event, () => inFrame(this.#look));
    inFrame(this.#look);
  }

  #look = () => {
    const { place, tape } = this.#page;
    if (place.view !== 'compare' || tape === null) {
      this.#shown = '';
      return this.#abort.abort();
    }
    if (this.#content.parentNode !== this.#box) this.#box.replaceChildren(this.#content);
    const shown = `${tape.session} ${place.other}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#load();
  };

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { place, tape } = this.#page;
    if (place.other === null) return this.#choose('');
    this.#content.replaceChildren(this.#head(null), h('p', { class: 'hint', role: 'status' }, 'Comparing…'));
    try {
      const comparison = await Pairing.read(tape.session, place.other, signal);
      await comparison.more('both', signal);
      if (!signal.aborted) await this.#tell(comparison, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      // What can't be reached is tried again when the connection is back.
      if (error.status === 0) this.#shown = '';
      if (error.status === 404) return this.#choose(`The server holds no session “${place.other}”. It may have been deleted. Choose another.`);
      this.#content.replaceChildren(this.#head(null), h('div', { class: 'middle', role: 'alert' },
        h('p', {}, `These can’t be compared. ${error.message}`), h('button', { on: { click: () => this.#load() } }, 'Try again')));
    }
  }

  async #choose(message) {
    const { summary } = this.#page;
    const picker = pick(summary, message, (other) => this.#page.go({ other }), this.#abort.signal);
    this.#content.replaceChildren(this.#head(null), picker);
    picker.querySelector('input').focus();
  }

  #head(comparison) {
    const button = (text, title, click) => h('button', { title, on: { click } }, text);
    const { place } = this.#page;
    return h('header', { class: 'view-head' }, h('h2', {}, 'Compare'),
      comparison && button('⇄ Swap sides', 'The other one stands on the left',
        () => this.#page.go({ session: comparison.b.session, view: 'compare', other: comparison.a.session })),
      place.other !== null && button('Another session…', 'Compare with another session', () => this.#page.go({ other: null })),
      comparison && (comparison.a.live || comparison.b.live) && button('Compare again', 'An app goes on while you look', () => this.#load()),
      h('button', { class: 'close', 'aria-label': 'Close the comparison', title: 'Close (Esc)', on: { click: this.#close } }, '✕'));
  }

  async #tell(comparison, signal) {
    const { a, b, difference } = comparison;
    const verdict = h('div', { class: 'verdict', role: 'status' }, ...verdictOf(comparison));
    const sides = new Sides(this.#page, comparison);
    const how = h('p', { class: 'hint how' }, difference.same || comparison.parting === 0 ? '' : 'Up to where they part, events stand side by side by position. ',
      difference.same ? 'Events stand side by side by position.' : `After it, by type: a longest common subsequence, looked for ${reach} events ahead.`);
    const more = (where, left, text) => left > 0 && h('button', { class: 'quiet', on: { click: async ({ currentTarget }) => {
      currentTarget.disabled = true;
      await comparison.more(where, signal);
      if (!signal.aborted) await this.#tell(comparison, signal);
    } } }, `${many(left, 'event')} ${text}: show more`);
    const titles = h('div', { class: 'titles' }, ...[a, b].map((summary, index) => h('div', {},
      h('strong', {}, sessionName(summary)), h('span', {}, `${deviceName(summary)} · ${many(summary.events, 'event')}`),
      h('span', { class: 'offscreen' }, index === 0 ? ' on the left' : ' on the right'))));
    const list = h('section', { class: 'pairs', 'aria-label': 'Events side by side' }, titles, how,
      more('back', comparison.before, 'before are the same'), sides.element, more('on', comparison.after, 'follow'));
    const there = difference.same ? null : await this.#there(comparison, signal);
    if (signal.aborted) return;
    this.#content.replaceChildren(this.#head(comparison), verdict, h('div', { class: 'halves' }, list, there ?? ''));
    sides.begin();
  }

  /** What differs where they part: the actions, and the states. */
  async #there({ a, b, difference }, signal) {
    const { store = 'main', patch, patchBytes } = difference;
    const box = h('section', { class: 'there', 'aria-label': 'What differs there', tabindex: 0 });
    const put = (...children) => box.append(...children.filter(Boolean));
    if (difference.kind === 'action') {
      const lines = await Promise.all([a, b].map(async ({ session }, index) =>
        json(sessionPath(session, `/events/${difference['ab'[index]].seq}`), { signal })));
      put(h('h3', {}, 'The actions'), h('ul', { class: 'actions' }, ...lines.map((line, index) => h('li', {},
        h('span', { class: 'side' }, index === 0 ? 'left' : 'right'),
        h(index === 0 ? 'del' : 'ins', {}, `${line.action?.type ?? line.event} ${preview(line.action?.payload, 400)}`)))));
    }
    if (patch?.length > 0) {
      // Without the left one's state, old values are not known; the new ones are.
      const before = await this.#page.tape.state(store, difference.a.seq, signal).catch((error) => {
        if (signal.aborted || !(error instanceof Problem)) throw error;
        return undefined;
      });
      put(h('h3', {}, `From the left state to the right one, ${many(patch.length, 'change')}`),
        h('p', { class: 'hint' }, `Store ${store}, after ${[difference.a, difference.b].map(({ seq }) => `#${count(seq)}`).join(' and ')}.`),
        items(changesOf(before, patch)));
    } else if (patchBytes !== undefined) {
      put(h('h3', {}, 'The states'), h('p', { class: 'hint' }, `The patch between them takes ${size(numberOf(patchBytes))} and is not shown.`));
    } else if (patch) put(h('h3', {}, 'The states'), h('p', { class: 'hint' }, 'The states there are the same.'));
    else put(h('h3', {}, 'The states'), h('p', { class: 'hint' }, 'There is no state in both to hold against each other.'));
    set(box, 'hidden', box.childElementCount === 0);
    return box;
  }
}

function verdictOf({ a, b, difference }) {
  const { same, compared, unknown, kind, store } = difference;
  const left = unknown === 0 ? '' : ` After ${many(unknown, 'event')} of these a state is not known in both, so that it was not compared.`;
  const counted = `${many(compared, 'pair')} of events compared.${left}`;
  if (same) return [h('strong', {}, '= The same'), h('span', {}, ` The two never part. ${counted}`)];
  const ended = difference.a ? 'the right' : 'the left';
  const what = kind === 'ended' ? `${ended} one has no further event` : kinds[kind] ?? kind;
  const at = [difference.a, difference.b].map((head, index) => head && `#${count(head.seq)} ${index === 0 ? 'left' : 'right'}`).filter(Boolean).join(', ');
  return [h('strong', {}, `≠ They part at ${at}`), h('span', {}, `: ${what}${(a.stores?.length ?? 1) > 1 || (b.stores?.length ?? 1) > 1 ? ` in store ${store}` : ''}. ${counted}`)];
}
