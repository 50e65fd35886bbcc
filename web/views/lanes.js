// The picture of the time axis: actions by type, what stands out, pauses, bookmarks, and the range of the list.
import { set } from '../ui/dom.js';
import { s } from '../ui/svg.js';
import { clock, idleText, ticks } from './clock.js';

/** Pixels: the clock at the bottom, and above it the lane of what stands out. */
export const ruler = 14;
const lane = 7;
const top = 3;
/** The width of a letter. */
const letter = 5.6;
const types = ['type-0', 'type-1', 'type-2', 'type-3', 'type-4'];
const layers = ['idle', 'gap', 'bars', ...types, 'match', 'note', 'push', 'warning', 'error', 'outside', 'flag'];

export class Lanes {
  #paths = new Map(layers.map((name) => [name, s('path', { class: name })]));
  #texts = s('g', { class: 'texts' });
  element = s('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none' }, ...this.#paths.values(), this.#texts);

  /**
   * @param {import('../model/time-axis.js').TimeAxis|null} axis
   * @param {{width: number, height: number, started: number, matching: number[]|null, flags: number[], range: [number, number]|null}} more
   *   `flags` and `range` are shares of the axis
   */
  draw(axis, { width, height, started, matching, flags, range }) {
    set(this.element, 'viewBox', `0 0 ${Math.max(1, width)} ${Math.max(1, height)}`);
    this.element.classList.toggle('is-filtered', matching !== null);
    const put = (name, path) => set(this.#paths.get(name), 'd', path);
    const block = (from, to, above, below) => `M${from.toFixed(1)} ${above.toFixed(1)}V${below.toFixed(1)}H${to.toFixed(1)}V${above.toFixed(1)}z`;
    const each = axis ? width / axis.size : 0;
    const floor = height - ruler - lane;
    const pauses = axis?.segments.filter(({ isPause }) => isPause) ?? [];
    // The square root keeps one event visible beside a thousand.
    const tall = (count) => Math.max(2, (floor - top) * Math.sqrt(count / axis.highest));
    const bar = (bucket, from, to) => block(bucket * each, (bucket + 0.7) * each, floor - to, floor - from);
    const bars = (counts) => counts.map((count, bucket) => (count > 0 ? bar(bucket, 0, tall(count)) : '')).join('');
    const marks = (found) => [...found?.keys() ?? []].map((bucket) => block(bucket * each - 1, bucket * each + Math.max(2, each), floor + 1, floor + lane - 1)).join('');
    put('idle', pauses.map(({ from, to }) => block(from * width, to * width, 0, height - ruler)).join(''));
    put('gap', [...axis?.gaps.keys() ?? []].map((bucket) => block((bucket - 0.3) * each, (bucket + 1) * each, 0, floor)).join(''));
    put('bars', axis ? bars(axis.counts) : '');
    put('match', axis && matching?.length === axis.size ? bars(matching) : '');
    const below = new Array(axis?.size ?? 0).fill(0);
    for (const [index, name] of types.entries()) {
      put(name, [...axis?.types[index]?.counts ?? []].map(([bucket, count]) => {
        const from = below[bucket];
        below[bucket] += tall(axis.counts[bucket]) * count / axis.counts[bucket];
        return bar(bucket, from, below[bucket]);
      }).join(''));
    }
    for (const [name, found] of [['note', axis?.notes], ['push', axis?.pushes], ['warning', axis?.warnings], ['error', axis?.errors]]) put(name, marks(found));
    put('outside', range ? block(0, range[0] * width, 0, height) + block(range[1] * width, width, 0, height) : '');
    put('flag', flags.map((share) => `M${(share * width).toFixed(1)} ${floor + lane}V0h8l-2.5 3.5 2.5 3.5h-7V${floor + lane}z`).join(''));
    this.#texts.replaceChildren(...(axis ? [...this.#pauses(pauses, width, floor), ...this.#clock(axis, width, height, started)] : []));
  }

  #pauses(pauses, width, floor) {
    return pauses.flatMap(({ from, to, start, end }) => {
      const room = (to - from) * width / letter;
      const text = idleText(end - start);
      // In a narrow pause, `idle` is below.
      const lines = room >= text.length ? [text] : text.split(/ (?=idle)/);
      if (room < lines[0].length) return [];
      return lines.map((line, index) => s('text', { class: 'idle-text', x: (from + to) / 2 * width, y: floor / 2 + 7 + (2 * index + 1 - lines.length) * 6 }, line));
    });
  }

  #clock(axis, width, height, started) {
    return ticks(axis, width, started).flatMap(({ share, text }) => {
      const tick = s('path', { class: 'tick', d: `M${(share * width + 0.5).toFixed(1)} ${height - ruler}v${ruler}` });
      return [tick, s('text', { class: 'clock', x: share * width + 3, y: height - 3 }, text)];
    });
  }
}

/** `12:41:03–12:44:10` @param {number} from ms since 1970 @param {number} to */
export const clocks = (from, to) => `${clock(from)}–${clock(to)}`;
