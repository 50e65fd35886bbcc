// Two sessions side by side: choosing the other one, stepping through the differences.
import { Problem } from '../link/http.js';
import { SessionComparison } from '../model/session-comparison.js';
import { IgnoredPaths } from '../model/ignored-paths.js';
import { PairDifferences } from '../model/pair-difference.js';
import { readable } from '../json/pointer.js';
import { byID, h, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { ComparedPair } from './compare-pair.js';
import { pick } from './picker.js';
import { deviceName, sessionName } from '../model/session-name.js';
import { startOf } from '../model/session-start.js';
import { openEvent, Sides } from './sides.js';

/** By the API's `kind`. */
const kinds = {
  action: 'the actions differ', state: 'the same action led to different states', start: 'they start with different states', error: 'the reducers threw different errors, or one threw none', kind: 'the events are of different kinds',
  gap: 'one session dropped events here', order: 'the events have a different order',
};

export class CompareView {
  #page;
  #close;
  #box = byID('view');
  #content = h('div', { class: 'compare' });
  #shown = '';
  #abort = new AbortController();
  #search = new AbortController();
  #status = h('span', { class: 'found', role: 'status' });
  #ignoredBox = h('p', { class: 'ignored', hidden: true });
  /** What is shown, once it is read. */
  #open = null;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {() => void} close
   */
  constructor(page, close) {
    this.#page = page;
    this.#close = close;
    addEventListener('keydown', this.#key, true);
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
    this.#open = null;
    setText(this.#status, '');
    const { place, tape } = this.#page;
    if (place.other === null) return this.#choose('');
    this.#content.replaceChildren(this.#head(null), h('p', { class: 'hint', role: 'status' }, 'Comparing…'));
    try {
      const comparison = await SessionComparison.read(tape.session, place.other, signal);
      await comparison.more('both', signal);
      if (!signal.aborted) await this.#show(comparison);
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
      comparison && button('‹ Previous', 'Previous difference (Shift N)', () => this.#step(-1)),
      comparison && button('Next ›', 'Next difference (n)', () => this.#step(1)),
      place.other !== null && button('Change session…', 'Compare with another session', () => this.#page.go({ other: null })),
      comparison && (comparison.a.live || comparison.b.live) && button('Compare again', 'Include the events recorded since', () => this.#load()),
      comparison && this.#status,
      h('button', { class: 'close', 'aria-label': 'Close the comparison', title: 'Close (Esc)', on: { click: this.#close } }, '✕'));
  }

  async #show(comparison, at = null) {
    const { signal } = this.#abort;
    const { a, b, difference } = comparison;
    const verdict = h('div', { class: 'verdict', role: 'status' }, ...verdictOf(comparison));
    const ignored = new IgnoredPaths(a.app.id);
    const differences = new PairDifferences(comparison, ignored);
    const pair = new ComparedPair(comparison, differences, (session, seq) => openEvent(this.#page, session, seq));
    pair.element.addEventListener('ignore', ({ detail }) => ignored.add(detail));
    const sides = new Sides(this.#page, comparison, differences, signal, (heads, alone) => {
      pair.element.hidden = false;
      pair.show(heads, alone);
    });
    const how = h('p', { class: 'hint how' }, difference.same || comparison.differenceRow === 0 ? '' : 'Events before the first difference are paired by position. ',
      difference.same ? 'Events are paired by position.' : 'After the first difference, events of the same type stand side by side.');
    const more = (where, left, text) => left > 0 && h('button', { class: 'quiet', on: { click: async ({ currentTarget }) => {
      currentTarget.disabled = true;
      setText(this.#status, '');
      try {
        await comparison.more(where, signal);
        if (!signal.aborted) await this.#show(comparison);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Problem)) throw error;
        currentTarget.disabled = false;
        setText(this.#status, error.message);
      }
    } } }, `Show more of ${many(left, 'event')} ${text}`);
    const titles = h('div', { class: 'titles' }, ...[a, b].map((summary, index) => h('div', {},
      h('strong', {}, sessionName(summary)), h('span', {}, [deviceName(summary), startOf(summary), many(summary.events, 'event')].filter(Boolean).join(' · ')), h('span', { class: 'labels' }, labelsOf(summary)),
      h('span', { class: 'offscreen' }, index === 0 ? ' on the left' : ' on the right'))));
    const list = h('section', { class: 'pairs', 'aria-label': 'Events side by side' }, titles, how,
      more('back', comparison.before, 'before'), sides.element, more('on', comparison.after, 'after'));
    this.#open = { comparison, sides, pair, differences, ignored };
    this.#content.replaceChildren(this.#head(comparison), verdict, this.#ignoredBox, h('div', { class: 'halves' }, list, pair.element));
    pair.element.hidden = true;
    ignored.addEventListener('change', () => this.#open?.ignored === ignored && this.#showIgnored());
    this.#showIgnored();
    sides.begin(at ?? comparison.differenceRow);
  }

  /** Goes to the next difference or the previous one, and reads more events if there is none among those shown. */
  async #step(step) {
    const { comparison, sides, differences } = this.#open ?? {};
    if (!sides) return;
    this.#search.abort();
    this.#search = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, this.#search.signal]);
    const tell = (text) => setText(this.#status, text);
    try {
      const row = await differences.next(comparison.rows, sides.row, step, signal, (at) => tell(`Searching row ${count(at)}…`));
      if (signal.aborted) return;
      tell(row === null ? '' : differenceOf(comparison.rows[row]));
      if (row !== null) return sides.go(row);
      // Before the first difference there is none.
      if (step < 0 || comparison.after === 0) return tell(step < 0 ? 'No earlier difference.' : 'No later difference.');
      const { seq } = comparison.rows.at(-1).a ?? comparison.rows.at(-1).b;
      await comparison.more('on', signal);
      await this.#show(comparison, comparison.rows.findLastIndex(({ a, b }) => (a ?? b).seq === seq));
      this.#step(step);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      tell(error.message);
    }
  }

  #key = (event) => {
    const step = { n: 1, N: -1 }[event.key];
    const isTyped = event.target.closest?.('input:not([type=checkbox]), textarea, select');
    if (step === undefined || this.#page.place.view !== 'compare' || this.#open === null) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyped || document.querySelector('dialog[open]')) return;
    // Outside of the comparison, n acts on the app.
    event.preventDefault();
    this.#step(step);
  };

  #showIgnored() {
    const { ignored, sides, pair } = this.#open;
    const paths = ignored.all.map((pattern) => h('button', { class: 'label', title: 'Compare it again', 'aria-label': `Stop ignoring ${readable(pattern)}`, on: { click: () => ignored.remove(pattern) } }, readable(pattern), ' ✕'));
    this.#ignoredBox.hidden = paths.length === 0;
    this.#ignoredBox.replaceChildren('Ignored: ', ...paths);
    sides.refresh();
    pair.render();
  }
}

const differenceOf = ({ a, b }) => (a === null ? `#${count(b.seq)} is only on the right.` : b === null ? `#${count(a.seq)} is only on the left.` : `#${count(a.seq)} and #${count(b.seq)} differ.`);
const labelsOf = ({ labels = {} }) => Object.entries(labels).map(([key, value]) => `${key}: ${value}`).join(', ');

function verdictOf({ a, b, difference }) {
  const { same, compared, unknown, kind, store } = difference;
  const left = unknown === 0 ? '' : ` The state is unknown after ${many(unknown, 'event')} and was not compared there.`;
  const counted = `Compared ${many(compared, 'pair')} of events.${left}`;
  if (same) return [h('strong', {}, '= No difference.'), h('span', {}, ` ${counted}`)];
  const ended = difference.a ? 'the right' : 'the left';
  const what = kind === 'ended' ? `${ended} session ends here` : kinds[kind === 'state' && ['init', 'replace'].includes(difference.a?.event) ? 'start' : kind] ?? kind;
  const at = [difference.a, difference.b].map((head) => (head ? `#${count(head.seq)}` : 'the end')).join(' and ');
  return [h('strong', {}, `≠ First difference: ${at}`), h('span', {}, `: ${what}${(a.stores?.length ?? 1) > 1 || (b.stores?.length ?? 1) > 1 ? ` in store ${store}` : ''}. ${counted}`)];
}
