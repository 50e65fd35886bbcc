// Histogram and overview of a tape.
import { yieldIfDue } from './yield.js';
import { flags } from './tape.js';
import { largest } from './subtrees.js';
import { utf8Length } from '../json/value.js';

const mostBuckets = 2000;
const mostMarks = 100;
const mostMoments = 10;
const mostPoints = 512;
const shownTypes = 100;

/** Whether StateTape sent the event to the app. */
function isPush(tape, row) {
  if (!tape.is(row, flags.cause)) return false;
  const kind = tape.kind(row);
  return (kind === 'action' || kind === 'replace') && tape.line(row).value('cause')?.push !== undefined;
}

/**
 * Counts events in equal intervals.
 * @param {import('./tape.js').FileTape} tape
 * @param {import('./filter.js').EventFilter} filter
 * @param {number} buckets
 */
export async function histogram(tape, filter, buckets) {
  const { rows, next } = tape;
  const duration = Math.max(1, rows === 0 ? 0 : tape.at(rows - 1));
  const counts = new Array(buckets).fill(0);
  const seqs = new Array(buckets).fill(null);
  const [gaps, pushes] = [new Map(), new Map()];
  const add = (marks, bucket, count) => marks.set(bucket, (marks.get(bucket) ?? 0) + count);
  for (let row = 0; row < rows; row += 1) {
    if ((row & 255) === 0) await yieldIfDue();
    if (!filter.passes(tape, row)) continue;
    const bucket = Math.min(buckets - 1, Math.floor(Math.min(tape.at(row), duration) * buckets / duration));
    seqs[bucket] ??= tape.seq(row);
    if (tape.kind(row) === 'gap') add(gaps, bucket, tape.count(row));
    else {
      counts[bucket] += 1;
      if (isPush(tape, row)) add(pushes, bucket, 1);
    }
  }
  const pairs = (marks) => [...marks].sort(([a], [b]) => a - b);
  return { duration: duration / 1000, counts, seqs, gaps: pairs(gaps), pushes: pairs(pushes), next: null, committed: next };
}

/** @param {string|null} text @returns {number|null} null: it can't be */
export function bucketsOf(text) {
  const buckets = text === null ? 200 : /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return buckets >= 1 && buckets <= mostBuckets ? buckets : null;
}

/** Durations in bins: a quantile is at most 1.6 % off, and exact below 64 µs. */
class Durations {
  #bins = new Map();
  count = 0;

  add(microseconds) {
    const bits = microseconds < 1 ? 0 : Math.floor(Math.log2(microseconds)) + 1;
    const shift = Math.max(0, bits - 6);
    const bin = shift * 64 + Math.floor(microseconds / 2 ** shift);
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
    this.count += 1;
  }

  merge(other) {
    for (const [bin, count] of other.#bins) this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + count);
    this.count += other.count;
  }

  /** In ms; undefined of none. */
  quantile(share) {
    let rest = Math.min(this.count - 1, Math.floor(this.count * share));
    for (const [bin, count] of [...this.#bins].sort(([a], [b]) => a - b)) {
      if (rest < count) {
        const shift = Math.floor(bin / 64);
        return ((bin % 64) * 2 ** shift + (shift > 0 ? 2 ** (shift - 1) : 0)) / 1000;
      }
      rest -= count;
    }
    return undefined;
  }
}

class TypeFigures {
  count = 0;
  took = new Durations();

  constructor(type) {
    this.type = type;
  }

  json(all) {
    const type = this.type === '' ? {} : { type: this.type };
    const share = Math.round(this.count / Math.max(1, all) * 10_000) / 10_000;
    return { ...type, count: this.count, share, median: this.took.quantile(0.5), p95: this.took.quantile(0.95) };
  }
}

class Marks {
  count = 0;
  events = [];

  add(tape, row, members) {
    this.count += 1;
    if (this.events.length < mostMarks) this.events.push({ seq: tape.seq(row), at: tape.at(row) / 1000, ...members });
  }
}

/** Sizes of snapshots: a sample, where there are many. */
class Sizes {
  points = [];
  #stride = 1;
  #seen = 0;

  add(point) {
    if (this.#seen++ % this.#stride !== 0) return;
    this.points.push(point);
    if (this.points.length < mostPoints) return;
    this.points = this.points.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }
}

/** The overview of a tape; continues when the tape has grown. */
export class Overview {
  #tape;
  #row = 0;
  #types = [];
  #sizes = new Map();
  #second = { number: -1, seq: 0, count: 0 };
  #busiest = [];
  #slowest = [];
  #marks = { pushes: new Marks(), errors: new Marks(), warnings: new Marks(), gaps: new Marks() };
  #lost = 0;
  #running = Promise.resolve();

  /** @param {import('./tape.js').FileTape} tape */
  constructor(tape) {
    this.#tape = tape;
  }

  /**
   * @param {import('./states.js').States} states
   * @returns {Promise<object>}
   */
  async json(states) {
    const run = this.#running.then(() => this.#run());
    this.#running = run.catch(() => {});
    await run;
    const tape = this.#tape;
    const { next } = tape;
    const { pushes, errors, warnings, gaps } = this.#marks;
    const [latest, duration] = [await states.latest(), tape.duration];
    return {
      committed: next, duration, actions: this.#actions(), stores: this.#stores(latest, next - 1),
      busiest: busiest(this.#busiest, this.#second).map(({ number, seq, count }) => ({ seq, at: number * 1000, count })),
      slowest: this.#slowest.map(({ seq, at, took, type }) => ({ seq, at: at / 1000, took: took / 1000, type })),
      pushes, errors, warnings, gaps: { count: gaps.count, lost: this.#lost, events: gaps.events },
    };
  }

  async #run() {
    while (this.#row < this.#tape.rows) {
      this.#take(this.#row);
      this.#row += 1;
      if ((this.#row & 63) === 0) await yieldIfDue();
    }
  }

  #take(row) {
    const tape = this.#tape;
    const kind = tape.kind(row);
    const line = tape.line(row);
    if (kind === 'gap') {
      this.#lost += line.count;
      return this.#marks.gaps.add(tape, row, { count: line.count, reason: line.value('reason') });
    }
    if (kind === 'action') this.#action(row, line);
    const { type, error } = tape.is(row, flags.error) ? line.head() : {};
    if (error !== undefined) this.#marks.errors.add(tape, row, { type, text: error });
    if (kind === 'note') {
      const level = line.value('level');
      const marks = level === 'error' ? this.#marks.errors : level === 'warning' ? this.#marks.warnings : null;
      marks?.add(tape, row, { text: line.head().text });
    }
    if (isPush(tape, row)) this.#marks.pushes.add(tape, row, kind === 'action' ? { type: tape.types.names[tape.type(row)] } : {});
    if (tape.is(row, flags.state)) {
      const store = tape.stores.names[tape.store(row)];
      if (!this.#sizes.has(store)) this.#sizes.set(store, new Sizes());
      this.#sizes.get(store).add({ seq: tape.seq(row), at: tape.at(row) / 1000, bytes: tape.line(row).size('state') });
    }
    const number = Math.floor(tape.at(row) / 1e6);
    if (number !== this.#second.number) {
      this.#busiest = busiest(this.#busiest, this.#second);
      this.#second = { number, seq: tape.seq(row), count: 0 };
    }
    this.#second.count += 1;
    return undefined;
  }

  #action(row, line) {
    const tape = this.#tape;
    const type = tape.types.names[tape.type(row)];
    const figures = this.#types[tape.type(row)] ??= new TypeFigures(type);
    figures.count += 1;
    const took = line.has('took') ? Math.max(0, Math.round(Number(line.raw('took')) * 1000)) : NaN;
    if (Number.isNaN(took)) return;
    figures.took.add(took);
    if (this.#slowest.length >= mostMoments && took <= this.#slowest.at(-1).took) return;
    const place = this.#slowest.findIndex((one) => one.took < took);
    this.#slowest.splice(place < 0 ? this.#slowest.length : place, 0, { seq: tape.seq(row), at: tape.at(row), took, type });
    this.#slowest.length = Math.min(this.#slowest.length, mostMoments);
  }

  #actions() {
    const all = this.#types.filter(Boolean).sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
    const count = all.reduce((sum, one) => sum + one.count, 0);
    const others = new TypeFigures('');
    for (const one of all.slice(shownTypes)) {
      others.count += one.count;
      others.took.merge(one.took);
    }
    const result = { count, types: all.slice(0, shownTypes).map((one) => one.json(count)) };
    return others.count > 0 ? { ...result, others: others.json(count) } : result;
  }

  #stores(latest, seq) {
    const names = [...new Set([...this.#sizes.keys(), ...latest.keys()])].sort();
    return Object.fromEntries(names.map((name) => {
      const figures = { sizes: this.#sizes.get(name)?.points ?? [] };
      if (latest.has(name)) {
        figures.last = { seq, bytes: utf8Length(JSON.stringify(latest.get(name))) };
        figures.largest = largest(latest.get(name));
      }
      return [name, figures];
    }));
  }
}

/** The seconds with most events; of equal ones, the earlier comes first. */
function busiest(seconds, added) {
  if (added.count === 0) return seconds;
  return [...seconds, added].sort((a, b) => b.count - a.count).slice(0, mostMoments);
}
