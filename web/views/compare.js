// Two sessions side by side: choosing the other one, the first difference, and its changes.
import { json, Problem, sessionPath } from '../link/http.js';
import { reach } from '../model/alignment.js';
import { SessionComparison } from '../model/session-comparison.js';
import { changesOf } from '../model/diff.js';
import { Tape } from '../model/tape.js';
import { numberOf } from '../json/parse.js';
import { preview } from '../json/value.js';
import { byID, h, set } from '../ui/dom.js';
import { count, many, size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { items } from './diff.js';
import { pick } from './picker.js';
import { deviceName, sessionName } from '../model/session-name.js';
import { Sides } from './sides.js';

/** By the API's `kind`. */
const kinds = {
  action: 'the actions differ', state: 'the same action led to different states', kind: 'the events are of different kinds',
  gap: 'one session dropped events here', order: 'the events have a different order',
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
    for (const event of ['place', 'session', 'connection']) page.addEventListener(event, () => inFrame(this.#update));
    inFrame(this.#update);
  }

  #update = () => {
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
      const comparison = await SessionComparison.read(tape.session, place.other, signal);
      await comparison.more('both', signal);
      if (!signal.aborted) await this.#show(comparison, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      // Retry when the connection is back.
      if (error.status === 0) this.#shown = '';
      if (error.status === 404) return this.#choose(`The server has no session “${place.other}”. It may have been deleted. Choose another.`);
      this.#content.replaceChildren(this.#head(null), h('div', { class: 'middle', role: 'alert' },
        h('p', {}, `Can’t compare these sessions. ${error.message}`), h('button', { on: { click: () => this.#load() } }, 'Try again')));
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
      comparison && comparison.b.replay?.session !== comparison.a.session && button('⇄ Swap sides', 'Show the other session on the left',
        () => this.#page.go({ session: comparison.b.session, view: 'compare', other: comparison.a.session })),
      place.other !== null && button('Change session…', 'Compare with another session', () => this.#page.go({ other: null })),
      comparison && (comparison.a.live || comparison.b.live) && button('Compare again', 'Include the events recorded since', () => this.#load()),
      h('button', { class: 'close', 'aria-label': 'Close the comparison', title: 'Close (Esc)', on: { click: this.#close } }, '✕'));
  }

  async #show(comparison, signal) {
    const { a, b, difference } = comparison;
    const verdict = h('div', { class: 'verdict', role: 'status' }, ...verdictOf(comparison));
    const sides = new Sides(this.#page, comparison);
    const how = h('p', { class: 'hint how' }, difference.same || comparison.differenceRow === 0 ? '' : 'Events before the first difference are paired by position. ',
      difference.same ? 'Events are paired by position.' : `Events after it are paired by type, up to ${reach} events ahead.`);
    const more = (where, left, text) => left > 0 && h('button', { class: 'quiet', on: { click: async ({ currentTarget }) => {
      currentTarget.disabled = true;
      await comparison.more(where, signal);
      if (!signal.aborted) await this.#show(comparison, signal);
    } } }, `Show more of ${many(left, 'event')} ${text}`);
    const titles = h('div', { class: 'titles' }, ...[a, b].map((summary, index) => h('div', {},
      h('strong', {}, sessionName(summary)), h('span', {}, `${deviceName(summary)} · ${many(summary.events, 'event')}`),
      h('span', { class: 'offscreen' }, index === 0 ? ' on the left' : ' on the right'))));
    const list = h('section', { class: 'pairs', 'aria-label': 'Events side by side' }, titles, how,
      more('back', comparison.before, 'before'), sides.element, more('on', comparison.after, 'after'));
    const there = difference.same ? null : await this.#details(comparison, signal);
    if (signal.aborted) return;
    this.#content.replaceChildren(this.#head(comparison), verdict, h('div', { class: 'halves' }, list, there ?? ''));
    sides.begin();
  }

  /** The actions and states at the first difference. */
  async #details({ a, b, difference }, signal) {
    const { store = 'main', patch, patchBytes } = difference;
    const box = h('section', { class: 'there', 'aria-label': 'First difference', tabindex: 0 });
    const put = (...children) => box.append(...children.filter(Boolean));
    if (difference.kind === 'action') {
      const lines = await Promise.all([a, b].map(async ({ session }, index) =>
        json(sessionPath(session, `/events/${difference['ab'[index]].seq}`), { signal })));
      put(h('h3', {}, 'Actions'), h('ul', { class: 'actions' }, ...lines.map((line, index) => h('li', {},
        h('span', { class: 'side' }, index === 0 ? 'left' : 'right'),
        h(index === 0 ? 'del' : 'ins', {}, `${line.action?.type ?? line.event} ${preview(line.action?.payload, 400)}`)))));
    }
    if (patch?.length > 0) {
      // Without the left state, only new values are known.
      const before = await new Tape(a.session).state(store, difference.a.seq, signal).catch((error) => {
        if (signal.aborted || !(error instanceof Problem)) throw error;
        return undefined;
      });
      put(h('h3', {}, `Left to right: ${many(patch.length, 'change')}`),
        h('p', { class: 'hint' }, `Store ${store}, after ${[difference.a, difference.b].map(({ seq }) => `#${count(seq)}`).join(' and ')}.`),
        items(changesOf(before, patch)));
    } else if (patchBytes !== undefined) {
      put(h('h3', {}, 'States'), h('p', { class: 'hint' }, `The patch is too large to show (${size(numberOf(patchBytes))}).`));
    } else if (patch) put(h('h3', {}, 'States'), h('p', { class: 'hint' }, 'The states are equal.'));
    else put(h('h3', {}, 'States'), h('p', { class: 'hint' }, 'No states to compare: at least one session has none here.'));
    set(box, 'hidden', box.childElementCount === 0);
    return box;
  }
}

function verdictOf({ a, b, difference }) {
  const { same, compared, unknown, kind, store } = difference;
  const left = unknown === 0 ? '' : ` The state is unknown after ${many(unknown, 'event')} and was not compared there.`;
  const counted = `Compared ${many(compared, 'pair')} of events.${left}`;
  if (same) return [h('strong', {}, '= No difference.'), h('span', {}, ` ${counted}`)];
  const ended = difference.a ? 'the right' : 'the left';
  const what = kind === 'ended' ? `${ended} session ends here` : kinds[kind] ?? kind;
  const at = [difference.a, difference.b].map((head) => (head ? `#${count(head.seq)}` : 'the end')).join(' and ');
  return [h('strong', {}, `≠ First difference: ${at}`), h('span', {}, `: ${what}${(a.stores?.length ?? 1) > 1 || (b.stores?.length ?? 1) > 1 ? ` in store ${store}` : ''}. ${counted}`)];
}
