// The scrubber's chart: activity, matches, inactivity, gaps, pushes and bookmarks, with a handle at the
// selected event.
import { h, set, setText } from '../ui/dom.js';
import { count, many, moment } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { s } from '../ui/svg.js';

/** Pixels from one bar to the next. */
const step = 3;
const layers = ['idle', 'gap', 'bars', 'match', 'push', 'flag'];

export class Track {
  #page;
  #activity;
  #matchCounts;
  #move;
  #paths = new Map(layers.map((name) => [name, s('path', { class: name })]));
  #svg = s('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none' }, ...this.#paths.values());
  #tip = h('div', { class: 'tip', hidden: true });
  #handle = h('div', { class: 'handle', role: 'slider', tabindex: 0, 'aria-label': 'Selected event', 'aria-valuemin': 0 });
  #pointer = null;
  #drawn = null;
  element = h('div', { class: 'track' }, this.#svg, this.#tip, this.#handle);

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('../model/activity.js').Activity} activity
   * @param {import('../model/match-counts.js').MatchCounts} matching
   * @param {(seq: number) => void} drag called with each event under the pointer
   * @param {(rows: number|'first'|'last') => void} move called by keys
   */
  constructor(page, activity, matching, drag, move) {
    this.#page = page;
    this.#activity = activity;
    this.#matchCounts = matching;
    this.#move = move;
    const { element } = this;
    new ResizeObserver(() => inFrame(() => this.#resized())).observe(element);
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      this.#handle.focus({ preventScroll: true });
      this.#point(event, drag);
    });
    element.addEventListener('pointermove', (event) => this.#point(event, element.hasPointerCapture(event.pointerId) ? drag : null));
    for (const name of ['pointerleave', 'lostpointercapture']) element.addEventListener(name, () => this.#point(null, null));
    this.#handle.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Called when the width changes. */
  resized = () => {};

  get buckets() {
    return Math.min(2000, Math.floor(this.element.clientWidth / step));
  }

  /**
   * Redraws what has changed.
   * @param {number|null} seq the event at the handle
   * @param {number|null} at its moment, or the one that is playing
   */
  draw(seq, at) {
    const { all } = this.#activity;
    const { bookmarks, timeline } = this.#page;
    const drawn = [all, this.#matchCounts.counts, this.element.clientWidth, this.element.clientHeight, [...bookmarks?.keys() ?? []].join()];
    if (drawn.some((value, index) => value !== this.#drawn?.[index])) {
      this.#drawn = drawn;
      this.#picture();
    }
    const last = Math.max(0, (timeline?.end ?? 1) - 1);
    const share = seq === null || !all ? 1 : at === null ? all.shareOf(seq) : Math.min(1, at / all.duration);
    this.#handle.style.setProperty('--x', String(share));
    this.#handle.classList.toggle('is-none', seq === null);
    set(this.#handle, 'aria-valuemax', last);
    set(this.#handle, 'aria-valuenow', seq ?? last);
    const when = seq === null ? null : at ?? timeline?.head(seq)?.at ?? null;
    set(this.#handle, 'aria-valuetext', seq === null ? `No event selected, ${many(last + 1, 'event')}`
      : `#${count(seq)} of ${count(last)}${when === null ? '' : `, ${moment(when)}`}`);
    this.#updateTip();
  }

  #resized() {
    this.resized();
    this.#drawn = null;
  }

  #picture() {
    const { all } = this.#activity;
    const matching = this.#matchCounts.counts;
    const { clientWidth: width, clientHeight: height } = this.element;
    set(this.#svg, 'viewBox', `0 0 ${Math.max(1, width)} ${Math.max(1, height)}`);
    this.#svg.classList.toggle('is-filtered', matching !== null);
    const each = all ? width / all.size : 0;
    const put = (name, path) => set(this.#paths.get(name), 'd', path);
    const block = (from, to, top, bottom) => `M${(from * each).toFixed(1)} ${top}V${bottom}H${(to * each).toFixed(1)}V${top}z`;
    const bars = (counts) => counts.map((value, bucket) => {
      if (value === 0) return '';
      // The square root keeps one event visible beside a thousand.
      const tall = Math.max(2, (height - 12) * Math.sqrt(value / all.highest));
      return block(bucket, bucket + 0.7, (height - 3 - tall).toFixed(1), height - 3);
    }).join('');
    put('idle', (all?.idle ?? []).map(([from, to]) => block(from, to, 0, height)).join(''));
    put('gap', [...all?.gaps.keys() ?? []].map((bucket) => block(bucket - 0.3, bucket + 1, 0, height)).join(''));
    put('bars', bars(all?.counts ?? []));
    put('match', all && matching?.length === all.size ? bars(matching) : '');
    put('push', [...all?.pushes.keys() ?? []].map((bucket) => block(bucket - 0.4, bucket + 1.1, height - 3, height)).join(''));
    put('flag', [...this.#page.bookmarks?.keys() ?? []].map((seq) => {
      const x = (this.#shareOf(seq) * width).toFixed(1);
      return `M${x} ${height}V0h8l-2.5 3.5 2.5 3.5h-7V${height}z`;
    }).join(''));
  }

  #shareOf(seq) {
    const { all } = this.#activity;
    const at = this.#page.timeline?.head(seq)?.at;
    return !all ? 0 : at === undefined ? all.shareOf(seq) : Math.min(1, at / all.duration);
  }

  #point(event, drag) {
    const box = this.element.getBoundingClientRect();
    this.#pointer = event === null || box.width === 0 ? null : Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    const seq = this.#pointer === null ? null : this.#shown(this.#activity.all?.seqAt(this.#pointer) ?? null);
    if (drag !== null && seq !== null) drag(seq);
    inFrame(this.#updateTip);
  }

  /** The nearest visible event. */
  #shown(seq) {
    const { timeline } = this.#page;
    if (seq === null || !timeline || timeline.count === 0) return null;
    return timeline.at(Math.min(timeline.rowOf(seq), timeline.count - 1)).seq;
  }

  /** Shows time and event under the pointer. */
  #updateTip = () => {
    const { all } = this.#activity;
    const share = this.#pointer;
    const seq = share === null || !all ? null : this.#shown(all.seqAt(share));
    this.#tip.hidden = seq === null;
    if (seq === null) return;
    const bucket = all.bucketAt(share);
    const idle = all.idle.some(([from, to]) => bucket >= from && bucket < to);
    const head = this.#page.timeline.head(seq);
    const mark = [...this.#page.bookmarks?.values() ?? []].find((one) => all.bucketAt(this.#shareOf(one.seq)) === bucket);
    const parts = [
      moment(share * all.duration),
      idle ? 'no events' : `#${count(seq)}${head ? ` ${head.label}` : ''}`,
      all.counts[bucket] > 1 && many(all.counts[bucket], 'event'),
      all.gaps.has(bucket) && `${many(all.gaps.get(bucket), 'event')} dropped`,
      all.pushes.has(bucket) && 'sent to the app',
      mark && `⚑ ${mark.text}`,
    ];
    setText(this.#tip, parts.filter(Boolean).join(' · '));
    this.#tip.style.setProperty('--x', String(share));
  };

  #key(event) {
    const page = Math.max(10, Math.round((this.#page.timeline?.count ?? 0) / 20));
    const by = {
      ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: page, PageDown: -page, Home: 'first', End: 'last',
    }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#move(by);
  }
}
