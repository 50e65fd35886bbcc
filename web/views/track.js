// The scrubber's chart: a time axis to look at, zoom and select on, with a handle at the selected event.
import { dateTime } from '../json/date.js';
import { rangeOf } from '../model/event-range.js';
import { h, set, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { moment } from './clock.js';
import { Lanes, ruler } from './lanes.js';
import { describe } from './track-tip.js';

/** Pixels from one bar to the next. */
const step = 3;
/** Pixels that a pointer may move within a click. */
const slack = 4;

/** Events: `zoom`. */
export class Track extends EventTarget {
  /** The shown events; null for all. @type {{from: number, to: number}|null} */
  zoomed = null;
  #page;
  #activity;
  #matchCounts;
  #does;
  #lanes = new Lanes();
  #tip = h('div', { class: 'tip', hidden: true });
  #handle = h('div', { class: 'handle', role: 'slider', tabindex: 0, 'aria-label': 'Selected event', 'aria-valuemin': 0, 'aria-keyshortcuts': '+ - 0' });
  #pointer = null;
  #drawn = null;
  /** Zooming that waits for the axis. @type {(() => void)|null} */
  #later = null;
  /** The pointer's button is down. @type {{scrubs: boolean, from: number, x: number, moved: boolean}|null} */
  #press = null;
  element = h('div', { class: 'track' }, this.#lanes.element, this.#tip, this.#handle);

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('../model/activity.js').Activity} activity
   * @param {import('../model/match-counts.js').MatchCounts} matching
   * @param {{drag: (seq: number) => void, move: (rows: number|'first'|'last') => void, select: (range: {from: number, to: number}) => void}} does
   *   `drag` is called with each event under the pointer, `move` by keys, `select` with the events of a dragged range
   */
  constructor(page, activity, matching, does) {
    super();
    this.#page = page;
    this.#activity = activity;
    this.#matchCounts = matching;
    this.#does = does;
    const { element } = this;
    new ResizeObserver(() => inFrame(() => this.#anew())).observe(element);
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#moved(event));
    element.addEventListener('pointerup', () => this.#up());
    for (const name of ['pointerleave', 'lostpointercapture']) element.addEventListener(name, () => this.#leave());
    element.addEventListener('dblclick', () => this.zoom(0));
    element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#handle.addEventListener('keydown', (event) => this.#key(event));
  }

  get buckets() {
    return Math.min(2000, Math.floor(this.element.clientWidth / step));
  }

  /**
   * Zooms around a place.
   * @param {number} factor over 1 shows less; 0 shows everything
   * @param {number} [share] of the axis; else the selected event
   */
  zoom(factor, share = this.#handleShare ?? 1) {
    const { all } = this.#activity;
    const end = this.#page.timeline?.end ?? 0;
    this.#later = null;
    if (factor === 0) return this.#show(null);
    if (!this.#isCurrent) {
      this.#later = () => this.zoom(factor, share);
      return;
    }
    const at = Math.max(0, Math.min(1, share));
    if (factor > 1) {
      const left = at - at / factor;
      const [from, to] = [all.seqAt(left), all.seqAt(left + 1 / factor)];
      if (to - from >= 2) this.#show({ from, to });
      return;
    }
    if (this.zoomed === null) return;
    const { from, to } = this.zoomed;
    const more = (to + 1 - from) * (1 / factor - 1);
    this.#show({ from: Math.max(0, Math.floor(from - more * at)), to: Math.min(end - 1, Math.ceil(to + more * (1 - at))) });
  }

  /** Whether the axis shows the events that it should. */
  get #isCurrent() {
    const { all } = this.#activity;
    return all !== null && all.zoom === this.zoomed;
  }

  #show(zoomed) {
    this.zoomed = zoomed && (zoomed.from > 0 || zoomed.to < this.#page.timeline.end - 1) ? zoomed : null;
    this.dispatchEvent(new Event('zoom'));
  }

  /**
   * Redraws what has changed.
   * @param {number|null} seq the event at the handle
   * @param {number|null} at its moment, or the one that is playing
   */
  draw(seq, at) {
    const { all } = this.#activity;
    const { bookmarks, timeline, place: { range } } = this.#page;
    const { clientWidth: width, clientHeight: height } = this.element;
    const pressed = this.#press?.moved ? `${this.#press.from} ${this.#pointer}` : '';
    const drawn = [all, this.#matchCounts.counts, width, height, [...bookmarks?.keys() ?? []].join(), range, pressed];
    if (drawn.some((value, index) => value !== this.#drawn?.[index])) {
      this.#drawn = drawn;
      const flags = [...bookmarks?.keys() ?? []].map((one) => this.#shareOf(one)).filter((share) => share >= 0 && share <= 1);
      this.#lanes.draw(all, { width, height, started: this.#started, matching: this.#matchCounts.counts, flags, range: this.#range() });
    }
    const last = Math.max(0, (timeline?.end ?? 1) - 1);
    const share = seq === null || !all ? 1 : at === null ? all.shareOf(seq) : all.shareAt(at);
    this.#handleShare = seq === null ? null : share;
    this.#handle.style.setProperty('--x', String(Math.max(0, Math.min(1, share))));
    this.#handle.classList.toggle('is-none', seq === null || share < 0 || share > 1);
    set(this.#handle, 'aria-valuemax', last);
    set(this.#handle, 'aria-valuenow', seq ?? last);
    const when = seq === null ? null : at ?? timeline?.head(seq)?.at ?? null;
    set(this.#handle, 'aria-valuetext', seq === null ? `No event selected, ${many(last + 1, 'event')}`
      : `#${count(seq)} of ${count(last)}${when === null ? '' : `, ${moment(when)}`}`);
    this.#updateTip();
    if (this.#later === null || !this.#isCurrent) return;
    const later = this.#later;
    this.#later = null;
    later();
  }

  #handleShare = null;

  get #started() { return dateTime(this.#page.summary?.started) || 0; }

  /** The range of the list, or the one that is being dragged, in shares. */
  #range() {
    if (this.#press?.moved && !this.#press.scrubs) return [this.#press.from, this.#pointer ?? this.#press.from].sort((a, b) => a - b);
    const range = rangeOf(this.#page.place.range);
    if (range === null || !this.#activity.all) return null;
    return [range.from, range.to].map((seq) => this.#shareOf(seq)).map((share) => Math.max(0, Math.min(1, share)));
  }

  #anew() {
    this.#drawn = null;
    this.dispatchEvent(new Event('zoom'));
  }

  /** Outside of 0…1 for an event that is not shown. */
  #shareOf(seq) {
    const { all } = this.#activity;
    const at = this.#page.timeline?.head(seq)?.at;
    if (!all) return -1;
    return at !== undefined ? all.shareAt(at) : this.zoomed && seq < this.zoomed.from ? -1 : seq >= all.upTo ? 2 : all.shareOf(seq);
  }

  /** On the clock, and by touch, a drag selects events; else it selects a range. */
  #down(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.#handle.focus({ preventScroll: true });
    this.#point(event);
    const box = this.element.getBoundingClientRect();
    const scrubs = event.pointerType === 'touch' || event.target === this.#handle || event.clientY > box.bottom - ruler;
    this.#press = { scrubs, from: this.#pointer ?? 0, x: event.clientX, moved: false };
    if (scrubs) this.#scrub();
  }

  #moved(event) {
    this.#point(event);
    if (this.#press === null) return;
    this.#press.moved ||= Math.abs(event.clientX - this.#press.x) > slack;
    if (this.#press.scrubs) this.#scrub();
  }

  #up() {
    const { all } = this.#activity;
    const press = this.#press;
    this.#press = null;
    if (press === null || press.scrubs) return;
    if (!press.moved || !all || this.#pointer === null) return this.#scrub();
    const [from, to] = [press.from, this.#pointer].sort((a, b) => a - b).map((share) => all.seqAt(share));
    if (from !== null) this.#does.select({ from, to });
  }

  #leave() {
    this.#press = null;
    this.#point(null);
  }

  #scrub() {
    const seq = this.#pointer === null ? null : this.#shown(this.#activity.all?.seqAt(this.#pointer) ?? null);
    if (seq !== null) this.#does.drag(seq);
  }

  #point(event) {
    const box = this.element.getBoundingClientRect();
    this.#pointer = event === null || box.width === 0 ? null : Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    inFrame(this.#redraw);
  }

  /** Redraws what the pointer changes. */
  #redraw = () => {
    if (this.#press?.moved && !this.#press.scrubs) this.dispatchEvent(new Event('change'));
    this.#updateTip();
  };

  #wheel(event) {
    if (event.deltaY === 0) return;
    event.preventDefault();
    this.#point(event);
    this.zoom(event.deltaY < 0 ? 1.5 : 1 / 1.5, this.#pointer ?? 0.5);
  }

  /** The nearest visible event. */
  #shown(seq) {
    const { timeline } = this.#page;
    if (seq === null || !timeline || timeline.count === 0) return null;
    return timeline.at(Math.min(timeline.rowOf(seq), timeline.count - 1)).seq;
  }

  /** Shows what is under the pointer. */
  #updateTip = () => {
    const { all } = this.#activity;
    const seq = this.#pointer === null || !all ? null : this.#shown(all.seqAt(this.#pointer));
    this.#tip.hidden = seq === null;
    if (seq === null) return;
    const bucket = all.bucketAt(this.#pointer);
    const bookmark = [...this.#page.bookmarks?.values() ?? []].find((one) => all.bucketAt(this.#shareOf(one.seq)) === bucket);
    setText(this.#tip, describe(all, this.#pointer, this.#started, { seq, label: this.#page.timeline.head(seq)?.label ?? '', bookmark }));
    this.#tip.style.setProperty('--x', String(this.#pointer));
  };

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = { '+': 2, '=': 2, '-': 0.5, 0: 0 }[event.key];
    const page = Math.max(10, Math.round((this.#page.timeline?.count ?? 0) / 20));
    const by = {
      ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: page, PageDown: -page, Home: 'first', End: 'last',
    }[event.key];
    if (by === undefined && zoom === undefined) return;
    event.preventDefault();
    if (zoom !== undefined) this.zoom(zoom);
    else this.#does.move(by);
  }
}
