// The buttons that apply a state, dispatch an action or set the launch state, and their outcome.
import { byID, h, opensMenu, set, setText } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { eventLink, sessionLink } from './link.js';
import { targetNote } from '../model/target.js';
import { part } from '../ui/lazy.js';

const ranges = part(() => import('./range-replay.js'), 'views/range-replay.css');

export class AppActionsView {
  #page;
  #apply = byID('apply');
  #dispatch = byID('dispatch');
  #edit = byID('edit-dispatch');
  #launch = byID('launch');
  /** @type {import('./range-replay.js').RangeReplay|null} */
  #ranges = null;
  #asks = false;
  #more = opensMenu(byID('launch-more'), () => this.#openLaunchMenu());

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#apply.addEventListener('click', () => this.apply());
    this.#dispatch.addEventListener('click', () => this.dispatch());
    this.#edit.addEventListener('click', () => this.editAction());
    this.#launch.addEventListener('click', () => this.launch());
    for (const name of ['session', 'place', 'rows', 'connection']) page.addEventListener(name, () => inFrame(this.#render));
    page.sessions.addEventListener('change', () => inFrame(this.#render));
    page.appControl.addEventListener('outcome', () => this.#outcome());
    inFrame(this.#render);
  }

  /**
   * Does a command that acts on the app, called by a single key: a key is pressed easily by mistake, so the first asks.
   * @param {'apply'|'dispatch'|'debug'|'replayAgain'} name
   */
  async byKey(name) {
    const button = { apply: this.#apply, dispatch: this.#dispatch, debug: this.#dispatch }[name];
    if (this.#asks || button && !this.#can(button)) return;
    const { tape, selected } = this.#page;
    this.#asks = true;
    /** @type {{isSure: boolean|Promise<boolean>}} */
    let answer = { isSure: true };
    // Without an app or a range, the panel says what is missing.
    const isIdle = name === 'replayAgain' && (this.#ranges === null || this.#page.appControl.whyNoTarget !== '');
    try {
      const { ask } = await import('./first-key.js');
      if (!isIdle) answer = await ask(this.#page, name, selected);
    } finally {
      // While a dialog is open, no key comes here. A closed one answers later, when the next key may have come.
      this.#asks = false;
    }
    // Behind the dialog, the tape may play on and the address may change.
    if (!await answer.isSure || tape?.session !== this.#page.tape?.session) return;
    if (button && selected.seq !== this.#page.selected?.seq) this.#page.reveal(selected.seq);
    this[name]();
  }

  async apply() {
    const { appControl, tape, selected } = this.#page;
    const { target } = appControl;
    if (!this.#can(this.#apply) || !selected) return;
    const { seq, store } = selected;
    if (target.session === tape.session) return appControl.applyState(tape.session, seq, store);
    try {
      return appControl.applyValue(target.session, store, await tape.state(store, seq), `state #${seq}`);
    } catch (error) {
      if (error.status === undefined) throw error;
      return appControl.fail(error);
    }
  }

  async dispatch() {
    const { appControl, tape, selected } = this.#page;
    const { target } = appControl;
    if (!this.#can(this.#dispatch) || !selected) return;
    const { line } = await tape.line(selected.seq);
    appControl.dispatch(target.session, line.store ?? 'main', line.action);
  }

  /** Edits the selected event's action before dispatching it. */
  async editAction() {
    const { tape, selected } = this.#page;
    if (!this.#can(this.#edit) || !selected) return;
    (await import('./compose.js')).compose(this.#page, (await tape.line(selected.seq)).line);
  }

  async newAction() {
    const { summary, appControl: { whyNoTarget } } = this.#page;
    if (whyNoTarget !== '') return (await import('../ui/notice.js')).notice(whyNoTarget);
    if (summary !== null) (await import('./compose.js')).compose(this.#page);
  }

  /** Applies the state before the selected event, then dispatches its action. */
  debug() {
    const { appControl, tape, selected } = this.#page;
    if (this.#can(this.#dispatch) && selected) appControl.debug(appControl.target.session, tape.session, selected.seq);
  }

  /** Opens the panel that replays a range, which begins at the selected event. */
  replay() { return this.#range((range) => range.open(this.#page.selected?.seq ?? null)); }

  /** Moves an end of that range to an event. @param {number} seq */
  extend(seq) { return this.#range((range) => range.extend(seq)); }

  /** Replays the last range again. */
  replayAgain() { return this.#range((range) => range.run()); }

  async #range(act) {
    const { RangeReplay } = await ranges();
    act(this.#ranges ??= new RangeReplay(this.#page));
  }

  /** Sets the launch state. */
  launch() {
    const { appControl, summary, selected } = this.#page;
    if (this.#can(this.#launch) && selected) appControl.setLaunchState(summary, selected.seq);
  }

  /** A shortcut may call a disabled button's command, or come before the button is updated. */
  #can(button) {
    this.#render();
    if (button.disabled) import('../ui/notice.js').then(({ notice }) => notice(button.title));
    return !button.disabled;
  }

  async #openLaunchMenu() {
    (await import('./launch-menu.js')).openLaunchMenu(this.#page, this.#more, this.#launch.title, this, this.#dispatch.title);
  }

  #render = () => {
    const { selected, readOnly, link, place, appControl, summary, timeline } = this.#page;
    const { target, whyNoTarget } = appControl;
    const loading = selected ? '' : place.event === null ? 'Select an event first.' : timeline?.known && place.event >= timeline.end
      ? 'This event is not recorded yet.' : 'Loading this event…';
    const stateless = selected?.event === 'gap' || selected?.event === 'end' || selected?.event === 'detach'
      ? 'No state for this event.' : selected?.mark === 'skipped' ? 'The state after this event was not captured.' : '';
    const actionless = selected && !selected.hasAction ? 'This event has no action.' : '';
    const away = readOnly || (link.status === 'live' ? '' : 'Not connected to the server.');
    const isStopped = whyNoTarget !== '' && away === '';
    this.#reasons(isStopped, [
      [this.#apply, loading || whyNoTarget || stateless],
      [this.#dispatch, loading || whyNoTarget || actionless],
      [this.#edit, loading || whyNoTarget || actionless],
      [this.#launch, loading || away || stateless],
    ]);
    this.#more.disabled = away !== '';
    const into = byID('target');
    into.hidden = whyNoTarget !== '' || target === summary;
    if (!into.hidden) setText(into, targetNote(summary, target));
  };

  #reasons(isStopped, pairs) {
    for (const [button, reason] of pairs) {
      button.disabled = reason !== '';
      set(button, 'title', reason || null);
    }
    const reasons = [...new Set(pairs.map(([, reason]) => reason).filter(Boolean))];
    const text = byID('why-not');
    text.hidden = reasons.length === 0;
    // That button needs no running app.
    const all = reasons.join(' ');
    setText(text, isStopped && !this.#launch.disabled ? all.replace('Start it first.', 'Start it first, or launch it from this state.') : all);
  }

  #outcome() {
    const { outcome } = this.#page.appControl;
    const box = byID('outcome');
    box.className = outcome ? `outcome is-${outcome.status}` : 'outcome';
    box.replaceChildren(...(outcome ? this.#report(outcome) : []));
  }

  #report({ status, title, notes, seq, session, path }) {
    const close = h('button', { class: 'close', 'aria-label': 'Dismiss' }, '✕');
    close.addEventListener('click', () => this.#page.appControl.clear());
    return [
      h('div', { class: 'report' },
        h('p', { class: 'title' }, title, ...seq === undefined ? [] : [' (recorded as ', session === this.#page.place.session ? eventLink(seq, this.#page) : sessionLink(session, seq), ')']),
        ...notes.map((note) => h('p', {}, note)),
        path ? h('p', {}, 'At ', h('button', { class: 'link', title: 'Show in state', on: { click: () => this.#page.showPath(path) } }, path)) : null),
      status === 'waiting' ? null : close,
    ].filter(Boolean);
  }
}
