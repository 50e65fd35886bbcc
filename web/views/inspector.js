// The inspector: the selected event's action, changes, state, source text and test.
import { dateTime } from '../json/date.js';
import { changesOf } from '../model/diff.js';
import { PatchFailure } from '../json/patch.js';
import { copyButton } from '../ui/copy.js';
import { byID, h, set, setText } from '../ui/dom.js';
import { count, size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';
import { clock, moment } from './clock.js';
import { diff } from './diff.js';
import { eventLink } from './link.js';

/** From this width the state is beside the other tabs (pixels). */
const wide = 940;
/** The most bytes to prefetch. */
const small = 250_000;

/** After this time on an event, in ms, a step back is likely. */
const stays = 150;

const names = { action: 'Action', diff: 'Diff', state: 'State', raw: 'Raw', test: 'Test' };

const parts = {
  action: part(() => import('./action-tab.js'), 'views/code.css', 'views/causes.css'),
  against: part(() => import('./against.js')),
  code: part(() => import('./code.js'), 'views/code.css'),
  comparison: part(() => import('../model/state-diff.js')),
  state: part(() => import('./state.js'), 'views/state.css'),
  test: part(() => import('./test-tab.js'), 'views/code.css', 'views/test.css'),
};

export class InspectorView {
  #page;
  #abort = new AbortController();
  #shown = '';
  #wide = false;
  /** Created with the first state. @type {import('./state.js').StateView|null} */
  #stateView = null;
  #panel = byID('panel');
  #beside = byID('beside');
  #tabs = byID('tabs');

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    for (const [tab, name] of Object.entries(names)) {
      const button = h('button', { role: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel' }, name);
      button.addEventListener('click', () => page.go({ tab }));
      this.#tabs.append(button);
    }
    this.#tabs.addEventListener('keydown', (event) => this.#tabKey(event));
    for (const name of ['session', 'place', 'rows', 'connection']) page.addEventListener(name, () => inFrame(this.#render));
    page.addEventListener('path', ({ detail }) => this.#toState((view) => view.tree.reveal(detail)));
    new ResizeObserver(([{ contentRect }]) => {
      const now = contentRect.width >= wide;
      if (now !== this.#wide) this.#wide = now, inFrame(this.#render);
    }).observe(byID('inspector'));
    inFrame(this.#render);
  }

  focus() {
    if (this.#page.place.event === null) return;
    const tree = this.#panel.querySelector('#state-tree');
    (tree ?? this.#tabs.querySelector('[aria-selected=true]'))?.focus();
  }

  /** Focuses the search in the state. */
  search() {
    this.#toState((view) => view.search());
  }

  /** Goes to the last change of the selected value. */
  lastChange() {
    this.#toState((view) => view.lastChange());
  }

  /** Edits the selected value. */
  edit() {
    this.#toState((view) => view.edit({ later: !view.element.contains(document.activeElement) }));
  }

  /** Compares other events with the selected one, or again with their previous event. */
  against() {
    const { event, against } = this.#page.place;
    if (event !== null) this.#page.go({ against: against === event ? null : event, tab: 'diff' });
  }

  /** Shows the state and uses it when it is loaded. */
  async #toState(work) {
    if (this.#page.place.event === null) return;
    if (!this.#wide) this.#page.go({ tab: 'state' });
    this.#render();
    await this.#loading;
    if (this.#stateView?.element.isConnected) work(this.#stateView);
  }

  /** The tab in the panel; a state beside it has no tab. An event without changes has its data under Action. */
  get #tab() {
    const { place: { tab, event, against }, selected, chosenTabOf } = this.#page;
    const shown = this.#wide && tab === 'state' ? 'diff' : tab;
    return shown === 'diff' && selected?.isStateless && against === null && chosenTabOf !== event ? 'action' : shown;
  }

  #loading = Promise.resolve();
  /** The previous selection. */
  #stepped = -1;

  #render = () => {
    const { place, tape, timeline, selected } = this.#page;
    byID('about').hidden = place.event !== null || place.session === null;
    byID('selection').hidden = place.event === null;
    byID('inspector').classList.toggle('is-wide', this.#wide);
    if (place.event === null || tape === null) return this.#forget();
    if (place.event >= timeline.end) {
      this.#forget();
      for (const host of [this.#panel, this.#beside]) host.replaceChildren();
      return this.#title(selected);
    }
    this.#title(selected);
    for (const button of this.#tabs.children) {
      const chosen = button.id === `tab-${this.#tab}`;
      set(button, 'aria-selected', String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      if (button.id === 'tab-state') button.hidden = this.#wide;
    }
    set(this.#panel, 'aria-labelledby', `tab-${this.#tab}`);
    this.#beside.hidden = !this.#wide;
    const shown = `${tape.session} ${place.event} ${this.#tab} ${this.#wide} ${place.against}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#loading = this.#load(place.event);
  };

  #forget() {
    this.#abort.abort();
    this.#shown = '';
  }

  #title(head) {
    const { place: { event }, summary } = this.#page;
    setText(byID('event-seq'), `#${count(event)}`);
    setText(byID('event-label'), head?.label ?? '');
    const time = dateTime(summary?.started) + head?.at;
    setText(byID('event-at'), head ? [Number.isNaN(time) ? `at ${moment(head.at)}` : `${clock(time, true)} (${moment(head.at)})`, head.size ? size(head.size) : ''].filter(Boolean).join(' · ') : '');
  }

  /** Loads a tab's content, then replaces the old one: stepping doesn't flicker. */
  async #load(seq) {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const put = (host, content) => {
      if (signal.aborted) return;
      host.removeAttribute('aria-busy');
      if (host.firstElementChild !== content) host.replaceChildren(content);
    };
    const fill = async (host, work) => {
      set(host, 'aria-busy', 'true');
      try {
        put(host, await work());
      } catch (error) {
        if (error.status === 0) this.#shown = '';
        if (!signal.aborted) put(host, failure(error, this.#page));
      }
    };
    const tape = this.#page.tape;
    const makers = {
      action: async () => {
        const { action } = await parts.action();
        return action((await tape.line(seq, signal)).line, this.#page, signal);
      },
      diff: () => this.#diff(tape, seq, signal),
      state: () => this.#state(tape, seq, signal),
      raw: async () => {
        const { code } = await parts.code();
        const { text } = await tape.line(seq, signal);
        return h('div', {}, code(text), copyButton('Copy line', () => text));
      },
      test: async () => {
        const { test } = await parts.test();
        return test((await tape.line(seq, signal)).line, this.#page, signal);
      },
    };
    // In sequence: the state is made from the previous one, which the diff has loaded.
    await fill(this.#panel, makers[this.#tab]);
    if (this.#wide && !signal.aborted) await fill(this.#beside, makers.state);
    if (!signal.aborted) setTimeout(() => this.#ahead(tape, seq));
  }

  /** Prefetches for the next step. */
  async #ahead(tape, seq) {
    const { timeline } = this.#page;
    if (tape !== this.#page.tape || seq !== this.#page.place.event) return;
    const cheap = (from, to) => {
      let bytes = 0;
      for (let one = from; one < Math.min(to, timeline.end) && bytes < small; one += 1) bytes += timeline.head(one)?.size ?? small;
      return bytes < small;
    };
    // Errors are ignored here: the next selection requests this again.
    const store = timeline.head(seq)?.store ?? 'main';
    await tape.ahead(store, seq, timeline.end, cheap).catch(() => {});
    // A user who steps may step back; one who jumps needs no state near here.
    const wait = Math.abs(seq - this.#stepped) <= 1 ? 0 : stays;
    this.#stepped = seq;
    setTimeout(() => tape === this.#page.tape && seq === this.#page.place.event && tape.behind(store, seq, cheap).catch(() => {}), wait);
  }

  async #diff(tape, seq, signal) {
    const { line } = await tape.line(seq, signal);
    const { against } = this.#page.place;
    const comparison = against === null ? await changesAt(tape, line, signal)
      : await (await parts.against()).changesSince(tape, line, against, signal);
    return diff(comparison, line, this.#page);
  }

  async #state(tape, seq, signal) {
    const { StateView } = await parts.state();
    this.#stateView ??= new StateView(this.#page);
    const { line } = await tape.line(seq, signal);
    const store = line.store ?? 'main';
    const state = await tape.state(store, seq, signal);
    const changed = Array.isArray(line.patch) ? line.patch.flatMap((operation) => [operation.path, operation.from ?? operation.path])
      : line.event === 'init' ? [] : (await changesAt(tape, line, signal)).changes?.map((change) => change.path) ?? [];
    const { app } = this.#page.summary;
    if (!signal.aborted) this.#stateView.show(state, changed, { session: tape.session, app: app.id, seq, store });
    return this.#stateView.element;
  }

  #tabKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const tabs = [...this.#tabs.children].filter((button) => !button.hidden);
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }
}

/**
 * The changes of an event; `changes` is null without a state, and `note` says why. `before` and
 * `after` are the known states; `patch` is the event's own.
 * @typedef {{changes: import('../model/diff.js').Change[]|null, note?: string, total?: number, patch?: object[],
 *   before?: unknown, after?: unknown}} Comparison
 */

/** @returns {Promise<Comparison>} */
export async function changesAt(tape, line, signal) {
  const store = line.store ?? 'main';
  if (line.patch === undefined && line.state === undefined) {
    return { changes: null, note: line.skipped ? 'The state after this event was not captured.' : 'No state for this event.' };
  }
  if (line.event === 'init') return { changes: [{ path: '', kind: 'add', new: line.state }], note: 'The initial state of the store.' };
  if (line.patch?.length === 0) return { changes: [] };
  const before = line.seq === 0 ? undefined : await tape.state(store, line.seq - 1, signal).catch((error) => {
    if (signal?.aborted || error.status === 0 || error.status === 401) throw error;
    return undefined;
  });
  const unknown = before === undefined ? 'The previous state is not recorded, so only new values are shown.' : undefined;
  if (Array.isArray(line.patch)) {
    return { changes: changesOf(before, line.patch), note: unknown, total: line.patch.length, patch: line.patch, before };
  }
  if (before === undefined) return { changes: [{ path: '', kind: 'add', new: line.state }], note: unknown };
  const { changesBetween } = await parts.comparison();
  return { changes: changesBetween(before, line.state), before, after: line.state };
}

function failure(error, page) {
  if (error instanceof PatchFailure) return h('p', { class: 'failure' }, `Can’t apply the patch to the previous state. ${error.message}`);
  if (error.status === undefined) {
    reportError(error);
    return h('p', { class: 'failure' }, `Can’t show this: ${error.message}`);
  }
  const { before, after } = error.document;
  const near = [before, after].filter(Number.isInteger).map((seq) => eventLink(seq, page));
  const titles = { 0: 'Can’t reach the server. The page retries.', 404: 'Not recorded' };
  return h('div', { class: 'failure' },
    h('p', {}, titles[error.status] ?? error.title ?? 'Can’t read this'),
    error.status === 0 ? null : h('p', {}, error.message),
    near.length === 0 ? null : h('p', {}, 'Nearest states: ', ...near.flatMap((link, index) => [index > 0 ? ' and ' : '', link]), '.'));
}
