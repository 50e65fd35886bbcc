// What can be done with the selected event, and how it went.
import { byID, h, say, set } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { eventLink } from './link.js';

export class DeedsView {
  #page;
  #play = byID('play');
  #dispatch = byID('dispatch');
  #start = byID('start-here');

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#play.addEventListener('click', () => this.play());
    this.#dispatch.addEventListener('click', () => this.dispatch());
    this.#start.addEventListener('click', () => this.start());
    for (const name of ['session', 'place', 'rows', 'connection']) page.addEventListener(name, () => inFrame(this.#render));
    page.playback.addEventListener('outcome', () => this.#outcome());
  }

  play() {
    const { playback, tape, selected } = this.#page;
    if (!this.#play.disabled && selected) playback.playState(tape.session, selected.seq, selected.store);
  }

  async dispatch() {
    const { playback, tape, selected } = this.#page;
    if (this.#dispatch.disabled || !selected) return;
    const { line } = await tape.line(selected.seq);
    playback.dispatch(tape.session, line);
  }

  /** New runs of the app start with the state after the selected event. */
  start() {
    const { playback, summary, selected } = this.#page;
    if (!this.#start.disabled && selected) playback.startHere(summary, selected.seq);
  }

  #render = () => {
    const { selected, unplayable, link, place, timeline } = this.#page;
    if (place.event === null) return;
    const loading = selected ? '' : timeline?.known && place.event >= timeline.end
      ? 'The tape has no such event yet.' : 'This event is being loaded.';
    const stateless = selected?.event === 'gap' || selected?.event === 'end' || selected?.event === 'detach'
      ? 'There is no state after this event.' : selected?.mark === 'skipped' ? 'The state after this event was not captured.' : '';
    const actionless = selected && !selected.hasAction ? 'This event has no action.' : '';
    this.#reasons([
      [this.#play, loading || unplayable || stateless],
      [this.#dispatch, loading || unplayable || actionless],
      [this.#start, loading || (link.status === 'live' ? '' : unplayable) || stateless],
    ]);
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

  #report({ status, title, notes, seq, path }) {
    const close = h('button', { class: 'close', 'aria-label': 'Dismiss' }, '✕');
    close.addEventListener('click', () => this.#page.playback.clear());
    return [
      h('div', { class: 'report' },
        h('p', { class: 'title' }, title, seq === undefined ? null : ' ', seq === undefined ? null : eventLink(seq, this.#page)),
        ...notes.map((note) => h('p', {}, note)),
        path ? h('p', {}, 'At ', h('button', { class: 'link', title: 'Show it in the state', on: { click: () => this.#page.showPath(path) } }, path)) : null),
      status === 'waiting' ? null : close,
    ].filter(Boolean);
  }
}
