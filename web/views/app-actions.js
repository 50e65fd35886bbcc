// What can be done with the selected event, and how it went.
import { byID, h, opensMenu, say, set } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { eventLink, sessionLink } from './link.js';
import { targetNote } from '../model/target.js';

export class DeedsView {
  #page;
  #play = byID('play');
  #dispatch = byID('dispatch');
  #edit = byID('edit-dispatch');
  #start = byID('start-here');
  #new = h('button', { 'aria-keyshortcuts': 'a', on: { click: () => this.newAction() } }, 'New action…');
  #more = opensMenu(byID('start-more'), () => this.#starts());

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#play.addEventListener('click', () => this.play());
    this.#dispatch.addEventListener('click', () => this.dispatch());
    this.#edit.addEventListener('click', () => this.editAction());
    this.#start.addEventListener('click', () => this.start());
    byID('tools').prepend(this.#new);
    for (const name of ['session', 'place', 'rows', 'connection']) page.addEventListener(name, () => inFrame(this.#render));
    page.sessions.addEventListener('change', () => inFrame(this.#render));
    page.playback.addEventListener('outcome', () => this.#outcome());
    inFrame(this.#render);
  }

  async play() {
    const { playback, tape, selected } = this.#page;
    const { target } = playback;
    if (!this.#can(this.#play) || !selected) return;
    const { seq, store } = selected;
    if (target.session === tape.session) return playback.playState(tape.session, seq, store);
    playback.playWhole(target.session, store, await tape.state(store, seq), `State of #${seq}`);
  }

  async dispatch() {
    const { playback, tape, selected } = this.#page;
    const { target } = playback;
    if (!this.#can(this.#dispatch) || !selected) return;
    const { line } = await tape.line(selected.seq);
    playback.dispatch(target.session, line.store ?? 'main', line.action);
  }

  /** The selected event's action, to be changed before it is dispatched. */
  async editAction() {
    const { tape, selected } = this.#page;
    if (!this.#can(this.#edit) || !selected) return;
    (await import('./compose.js')).compose(this.#page, (await tape.line(selected.seq)).line);
  }

  async newAction() {
    if (this.#can(this.#new)) (await import('./compose.js')).compose(this.#page);
  }

  /** New runs of the app start with the state after the selected event. */
  start() {
    const { playback, summary, selected } = this.#page;
    if (this.#can(this.#start) && selected) playback.startHere(summary, selected.seq);
  }

  /** A key may ask for what its button doesn't offer, and come before the frame that draws the button. */
  #can(button) {
    this.#render();
    if (button.disabled) import('../ui/notice.js').then(({ notice }) => notice(button.title));
    return !button.disabled;
  }

  async #starts() {
    (await import('./launch-menu.js')).openStarts(this.#page, this.#more, this.#start.title);
  }

  #render = () => {
    const { selected, readOnly, link, place, playback, summary, timeline } = this.#page;
    const { target, unpushable } = playback;
    this.#new.disabled = unpushable !== '' || summary === null;
    set(this.#new, 'title', unpushable || 'Write an action and dispatch it');
    const loading = selected ? '' : place.event === null ? 'Select an event first.' : timeline?.known && place.event >= timeline.end
      ? 'The tape has no such event yet.' : 'This event is being loaded.';
    const stateless = selected?.event === 'gap' || selected?.event === 'end' || selected?.event === 'detach'
      ? 'There is no state after this event.' : selected?.mark === 'skipped' ? 'The state after this event was not captured.' : '';
    const actionless = selected && !selected.hasAction ? 'This event has no action.' : '';
    const away = readOnly || (link.status === 'live' ? '' : 'The server is not connected.');
    this.#reasons([
      [this.#play, loading || unpushable || stateless],
      [this.#dispatch, loading || unpushable || actionless],
      [this.#edit, loading || unpushable || actionless],
      [this.#start, loading || away || stateless],
    ]);
    this.#more.disabled = away !== '';
    const into = byID('target');
    into.hidden = unpushable !== '' || target === summary;
    if (!into.hidden) say(into, targetNote(summary, target));
  };

  #reasons(pairs) {
    for (const [button, reason] of pairs) {
      button.disabled = reason !== '';
      set(button, 'title', reason || null);
    }
    const reasons = [...new Set(pairs.map(([, reason]) => reason).filter(Boolean))];
    const text = byID('why-not');
    text.hidden = reasons.length === 0;
    say(text, reasons.join(' '));
  }

  #outcome() {
    const { outcome } = this.#page.playback;
    const box = byID('outcome');
    box.className = outcome ? `outcome is-${outcome.status}` : 'outcome';
    box.replaceChildren(...(outcome ? this.#report(outcome) : []));
  }

  #report({ status, title, notes, seq, session, path }) {
    const close = h('button', { class: 'close', 'aria-label': 'Dismiss' }, '✕');
    close.addEventListener('click', () => this.#page.playback.clear());
    return [
      h('div', { class: 'report' },
        h('p', { class: 'title' }, title, ' ', seq === undefined ? null : session === this.#page.place.session ? eventLink(seq, this.#page) : sessionLink(session, seq)),
        ...notes.map((note) => h('p', {}, note)),
        path ? h('p', {}, 'At ', h('button', { class: 'link', title: 'Show it in the state', on: { click: () => this.#page.showPath(path) } }, path)) : null),
      status === 'waiting' ? null : close,
    ].filter(Boolean);
  }
}
