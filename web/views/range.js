// The range of the list: its chip beside the count, which removes it.
import { dateTime } from '../json/date.js';
import { rangeOf, windowOf } from '../model/event-range.js';
import { byID, h, set, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { clocks } from './lanes.js';

export class RangeView {
  #page;
  #timeline = null;
  #shown = '';
  #text = h('span');
  #chip = h('button', { class: 'chip range', hidden: true, on: { click: () => this.#clear() } }, this.#text, ' ', h('span', { 'aria-hidden': 'true' }, '✕'));

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    byID('shown').after(this.#chip);
    for (const name of ['place', 'session', 'rows']) page.addEventListener(name, () => inFrame(this.#render));
    page.addEventListener('place', this.#apply);
    page.addEventListener('session', this.#apply);
    this.#apply();
    inFrame(this.#render);
  }

  /** Shows the range's rows only. */
  #apply = () => {
    const { timeline, place } = this.#page;
    if (timeline === this.#timeline && place.range === this.#shown) return;
    this.#timeline = timeline;
    this.#shown = place.range;
    const range = rangeOf(place.range);
    if (!timeline) return;
    timeline.window = range && windowOf(range);
    timeline.dispatchEvent(new Event('rows'));
  };

  #render = () => {
    const { timeline, summary, place } = this.#page;
    const range = rangeOf(place.range);
    this.#chip.hidden = range === null || !timeline;
    if (range === null || !timeline) return;
    const { from, to } = range;
    const [first, last] = [timeline.head(from), timeline.head(to)];
    const started = dateTime(summary?.started);
    setText(this.#text, first && last && !Number.isNaN(started) ? clocks(started + first.at, started + last.at) : `#${count(from)}–#${count(to)}`);
    set(this.#chip, 'title', `${many(to - from + 1, 'event')}, #${count(from)} to #${count(to)}. Press to show all.`);
    set(this.#chip, 'aria-label', `Range ${this.#text.textContent}: show all events`);
  };

  #clear() {
    this.#page.go({ range: '' });
    byID('events').focus();
  }
}
