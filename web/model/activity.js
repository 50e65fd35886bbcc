// The events of a session over time: the scrubber's histogram, which converts between positions and events.
import { json, sessionPath } from '../link/http.js';
import { numberOf } from '../json/parse.js';

/** A growing session is read again this often (ms). */
const pause = 1000;

/** A longer pause is inactivity (ms). */
export const inactive = 2000;

/** Events: `change`. */
export class Activity extends EventTarget {
  /** @type {Histogram|null} */
  all = null;
  #wanted = { session: null, buckets: 0, end: 0 };
  #known = null;
  #failed = null;
  #running = false;
  #read = 0;
  #timer = 0;

  /**
   * Sets what to show; it is read when due, one request at a time.
   * @param {{session: string|null, buckets: number, end: number}} wanted
   */
  ask(wanted) {
    if (wanted.session !== this.#wanted.session) {
      this.all = this.#known = null;
      this.#changed();
    }
    this.#wanted = wanted;
    this.#go();
  }

  /** Retries a failed request. */
  retry() {
    this.#failed = null;
    this.#go();
  }

  #go() {
    const { session, buckets, end } = this.#wanted;
    const known = this.#known;
    if (this.#running || session === null || buckets < 1 || end < 1) return;
    if ([known, this.#failed].some((one) => one && sameAs(one, this.#wanted) && one.end === end)) return;
    clearTimeout(this.#timer);
    const wait = known && sameAs(known, this.#wanted) ? this.#read + pause - performance.now() : 0;
    if (wait > 0) this.#timer = setTimeout(() => this.#go(), wait);
    else this.#load(this.#wanted);
  }

  async #load(wanted) {
    this.#running = true;
    this.#read = performance.now();
    try {
      const all = await read(wanted);
      if (wanted.session === this.#wanted.session) {
        this.#known = wanted;
        this.all = all;
        this.#changed();
      }
    } catch (error) {
      if (error.status === undefined) throw error;
      this.#failed = wanted;
    } finally {
      this.#running = false;
      this.#go();
    }
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

function sameAs(one, other) {
  return one.session === other.session && one.buckets === other.buckets;
}

async function read({ session, buckets }) {
  return new Histogram(await json(sessionPath(session, `/histogram?buckets=${buckets}`)));
}

/** Event counts in equal intervals. */
export class Histogram {
  /** @param {any} answer the server's */
  constructor(answer) {
    this.duration = Math.max(0.001, numberOf(answer.duration) ?? 0);
    this.end = answer.committed;
    this.counts = answer.counts;
    this.seqs = answer.seqs;
    this.gaps = new Map(answer.gaps);
    this.pushes = new Map(answer.pushes);
    this.highest = Math.max(1, ...answer.counts);
  }

  get size() {
    return this.counts.length;
  }

  /** The bucket at a share of the time. @param {number} share from 0 to 1 */
  bucketAt(share) {
    return Math.max(0, Math.min(this.size - 1, Math.floor(share * this.size)));
  }

  /**
   * The event nearest to a share of the time, as if the events of a bucket were evenly spread.
   * @param {number} share from 0 to 1
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

  /** The share of the time of an event, by its bucket. @param {number} seq */
  shareOf(seq) {
    let found = 0;
    this.seqs.forEach((first, bucket) => {
      if (first !== null && first <= seq) found = bucket;
    });
    const first = this.seqs[found] ?? 0;
    return (found + Math.min(1, (seq - first) / Math.max(1, this.#after(found) - first))) / this.size;
  }

  #after(bucket) {
    for (let next = bucket + 1; next < this.size; next += 1) if (this.seqs[next] !== null) return this.seqs[next];
    return this.end;
  }

  /** Ranges of buckets without activity. @returns {[number, number][]} */
  get idle() {
    const found = [];
    const least = inactive * this.size / this.duration;
    for (let bucket = 0, from = 0; bucket <= this.size; bucket += 1) {
      if (bucket < this.size && this.counts[bucket] === 0 && !this.gaps.has(bucket)) continue;
      if (bucket - from > 0 && bucket - from >= least) found.push([from, bucket]);
      from = bucket + 1;
    }
    return found;
  }
}
