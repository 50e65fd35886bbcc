// The selected event: what it is, what it changed, the state after it, and what can be done with it.
import { changesBetween, changesOf } from '../model/diff.js';
import { numberOf } from '../model/json.js';
import { PatchFailure } from '../model/patch.js';
import { byID, copyButton, h, say, set } from '../ui/dom.js';
import { count, duration, moment, size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { action, eventLink } from './action.js';
import { code } from './code.js';
import { diff } from './diff.js';
import { Tree } from './tree.js';

/** From this width on the state stands beside the other tabs. */
const wide = 940;

const names = { action: 'Action', diff: 'Diff', state: 'State', raw: 'Raw' };

export class InspectorView {
  #page;
  #abort = new AbortController();
  #shown = '';
  #wide = false;
  #tree = new Tree('state-tree');
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
    new ResizeObserver(([{ contentRect }]) => {
      const now = contentRect.width >= wide;
      if (now !== this.#wide) this.#wide = now, inFrame(this.#render);
    }).observe(byID('inspector'));
  }

  focus() {
    if (this.#page.place.event === null) return;
    const tree = this.#panel.querySelector('[role=tree]');
    (tree ?? this.#tabs.querySelector('[aria-selected=true]'))?.focus();
  }

  /** The tab in the panel: beside it the state needs none. */
  get #tab() {
    const { tab } = this.#page.place;
    return this.#wide && tab === 'state' ? 'diff' : tab;
  }

  #render = () => {
    const { place, tape, timeline, selected } = this.#page;
    byID('nothing').hidden = place.event !== null || place.session === null;
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
    const shown = `${tape.session} ${place.event} ${this.#tab} ${this.#wide}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#load(place.event);
  };

  #forget() {
    this.#abort.abort();
    this.#shown = '';
  }

  #title(head) {
    const { event } = this.#page.place;
    say(byID('event-seq'), `#${count(event)}`);
    say(byID('event-label'), head?.label ?? '');
    say(byID('event-at'), head ? [`at ${moment(head.at)}`, head.size ? size(head.size) : ''].filter(Boolean).join(' · ') : '');
  }

  /** Fetches what the tab needs, then puts it in place of what is shown: stepping doesn't flicker. */
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
      action: async () => action((await tape.line(seq, signal)).line, this.#page),
      diff: () => this.#diff(tape, seq, signal),
      state: () => this.#state(tape, seq, signal),
      raw: async () => {
        const { text } = await tape.line(seq, signal);
        return h('div', {}, code(text), copyButton('Copy line', () => text));
      },
    };
    await Promise.all([fill(this.#panel, makers[this.#tab]), this.#wide && fill(this.#beside, makers.state)]);
  }

  async #diff(tape, seq, signal) {
    const { line } = await tape.line(seq, signal);
    const { changes, note, total } = await changesAt(tape, line, signal);
    const origin = [line.caller && `by ${line.caller}`, line.took !== undefined && `${duration(numberOf(line.took))} in the reducer`];
    return h('div', {},
      changes === null ? h('p', { class: 'hint' }, note) : diff(changes, { note, total }),
      h('p', { class: 'hint' }, origin.filter(Boolean).join(' · ')));
  }

  async #state(tape, seq, signal) {
    const { line } = await tape.line(seq, signal);
    const store = line.store ?? 'main';
    const state = await tape.state(store, seq, signal);
    const changed = Array.isArray(line.patch) ? line.patch.flatMap((operation) => [operation.path, operation.from ?? operation.path])
      : line.event === 'init' ? [] : (await changesAt(tape, line, signal)).changes?.map((change) => change.path) ?? [];
    if (signal.aborted) return this.#tree.element;
    this.#tree.show(state, changed);
    return this.#tree.element;
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

/** What an event changed in its store; `changes` is null where it has no state, and `note` says why. */
async function changesAt(tape, line, signal) {
  const store = line.store ?? 'main';
  if (line.patch === undefined && line.state === undefined) {
    return { changes: null, note: line.skipped ? 'The state after this event was not captured.' : 'This event touches no state.' };
  }
  if (line.event === 'init') return { changes: [{ path: '', kind: 'add', new: line.state }], note: 'The store begins with this state.' };
  if (line.patch?.length === 0) return { changes: [] };
  const before = line.seq === 0 ? undefined : await tape.state(store, line.seq - 1, signal).catch((error) => {
    if (signal?.aborted || error.status === 0 || error.status === 401) throw error;
    return undefined;
  });
  const unknown = before === undefined ? 'The state before this event is not on the tape, so only new values are shown.' : undefined;
  if (Array.isArray(line.patch)) return { changes: changesOf(before, line.patch), note: unknown, total: line.patch.length };
  if (before === undefined) return { changes: [{ path: '', kind: 'add', new: line.state }], note: unknown };
  return { changes: changesBetween(before, line.state) };
}

function failure(error, page) {
  if (error instanceof PatchFailure) return h('p', { class: 'failure' }, `The patch doesn’t fit the state before it. ${error.message}`);
  if (error.status === undefined) throw error;
  const { before, after } = error.document;
  const near = [before, after].filter(Number.isInteger).map((seq) => eventLink(seq, page));
  const titles = { 0: 'The server can’t be reached. This is shown once it is back.', 404: 'Not on the tape' };
  return h('div', { class: 'failure' },
    h('p', {}, titles[error.status] ?? error.title ?? 'This could not be read'),
    error.status === 0 ? null : h('p', {}, error.message),
    near.length === 0 ? null : h('p', {}, 'The nearest are after ', ...near.flatMap((link, index) => [index > 0 ? ' and ' : '', link]), '.'));
}
