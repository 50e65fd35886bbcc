// What happened over time, for the scrubber: converts between places on the axis, times and events. Long pauses are short.
import { numberOf } from '../json/parse.js';

/** Places are shares of the axis, from 0 to 1; times are ms since the session began. */
export class TimeAxis {
  /** Shares and times where the pace changes. Odd indices begin a pause. @type {[number, number][]} */
  #points;
  /** After the last event. */
  upTo = 0;
  /** The events that it shows; null for all. @type {{from: number, to: number}|null} */
  zoom = null;

  /** @param {any} answer the server's */
  constructor(answer) {
    const axis = answer.axis.map((point) => point.map((value) => numberOf(value) ?? 0));
    const length = axis.at(-1)?.[0] ?? 0;
    // Events at one moment are in the first bucket.
    this.#points = length > 0 ? axis.map(([position, time]) => [position / length, time]) : [[0, axis[0]?.[1] ?? 0], [1, (axis[0]?.[1] ?? 0) + 0.001]];
    this.end = answer.committed;
    this.counts = answer.counts;
    this.seqs = answer.seqs;
    this.types = answer.types.map(({ type, count, counts }) => ({ type, count, counts: new Map(counts) }));
    for (const name of ['errors', 'warnings', 'notes', 'pushes', 'gaps']) this[name] = new Map(answer[name]);
    this.highest = Math.max(1, ...answer.counts);
  }

  get size() { return this.counts.length; }
  get start() { return this.#points[0][1]; }
  /** The time of the last event. */
  get last() { return this.#points.at(-1)[1]; }

  /** Milliseconds per share of the axis, outside of pauses. */
  get pace() {
    const [from, to] = this.segments.filter(({ isPause }) => !isPause).reduce(([sum, time], { from, to, start, end }) => [sum + to - from, time + end - start], [0, 0]);
    return from > 0 ? to / from : 0;
  }

  /** Stretches of one pace. */
  get segments() {
    return this.#points.slice(1).map(([to, end], index) => ({ from: this.#points[index][0], to, start: this.#points[index][1], end, isPause: index % 2 === 1 }));
  }

  /** @param {number} share */
  timeAt(share) {
    const { from, to, start, end } = this.segments.find((one) => share <= one.to) ?? this.segments.at(-1);
    return to > from ? start + (share - from) / (to - from) * (end - start) : end;
  }

  /** @param {number} time @returns {number} outside of 0…1 before the start and after the end */
  shareAt(time) {
    if (time < this.start) return -1;
    if (time > this.last) return 2;
    const { from, to, start, end } = this.segments.find((one) => time <= one.end) ?? this.segments.at(-1);
    return end > start ? from + (time - start) / (end - start) * (to - from) : from;
  }

  /** @param {number} share */
  bucketAt(share) {
    return Math.max(0, Math.min(this.size - 1, Math.floor(share * this.size)));
  }

  /**
   * The event nearest to a place, as if the events of a bucket were evenly spread.
   * @param {number} share
   * @returns {number|null}
   */
  seqAt(share) {
    const middle = this.bucketAt(share);
    for (let away = 0; away < this.size; away += 1) {
      for (const bucket of [middle - away, middle + away]) {
        const first = this.seqs[bucket] ?? null;
        if (first === null) continue;
        if (away > 0 && bucket > middle) return first;
        const within = away > 0 ? 1 : share * this.size - bucket;
        return Math.min(first + Math.floor(within * (this.#after(bucket) - first)), this.#after(bucket) - 1);
      }
    }
    return null;
  }

  /** The place of an event, by its bucket. @param {number} seq */
  shareOf(seq) {
    let found = 0;
    this.seqs.forEach((first, bucket) => {
      if (first !== null && first <= seq) found = bucket;
    });
    const first = this.seqs[found] ?? 0;
    return (found + Math.min(1, Math.max(0, seq - first) / Math.max(1, this.#after(found) - first))) / this.size;
  }

  #after(bucket) {
    for (let next = bucket + 1; next < this.size; next += 1) if (this.seqs[next] !== null) return this.seqs[next];
    return this.upTo;
  }

}
