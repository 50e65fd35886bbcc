// The state of a store after any event, made from snapshots and patches. On a long way, states are kept as
// keyframes; they share unchanged parts, so they cost little.
import { parse } from '../json/parse.js';
import { Application, largest, measure, step } from '../json/patch.js';
import { yieldIfDue } from './yield.js';
import { Line } from './line.js';
import { flags } from './tape.js';

/** Patches between two keyframes at first; with too many keyframes, every second one is dropped. */
const firstStride = 256;
const mostKeyframes = 256;
/** About the bytes that a store's keyframes may take. */
const room = 96 << 20;
const keptWalks = 4;
/** Rows per step of `follow`. */
const followed = 1024;
/** Rows to search for the nearest state. */
const nearby = 1024;

/** The state of one store, carried from row to row. */
class Walk {
  /** @type {'absent'|'broken'|'known'} */
  status;
  /** The last line has no state: `value` is the one before. */
  skipped = false;
  patches = 0;
  /** About the bytes that the state doesn't share with the last keyframe. */
  cost = 0;
  /** Containers that only this walk uses. */
  owned = new Set();
  /** An upper bound of the state's bytes; above the limit, the state is measured. */
  most = Infinity;

  constructor(store, row, status, value = undefined) {
    this.store = store;
    this.row = row;
    this.status = status;
    this.value = value;
  }

  /** Adds to the upper bound. */
  grow(bytes) {
    this.most += bytes;
    if (this.most > largest) this.most = measure(this.value, '');
  }

  /** Returns the state, which the walk must not change any more. */
  give() {
    for (const container of this.owned) this.cost += Array.isArray(container) ? container.length * 8 : 64;
    this.owned = new Set();
    return this.value;
  }

  get known() {
    return this.status === 'known' && !this.skipped;
  }
}

export class States {
  #tape;
  #line = new Line();
  #walks = [];
  /** By store: keyframes in order, and rows whose patch didn't apply. */
  #keyframes = [];
  #strides = [];
  #failed = [];
  #asked = 0;

  /** @param {import('./tape.js').FileTape} tape */
  constructor(tape) {
    this.#tape = tape;
    for (const store of Object.keys(tape.header.states ?? {})) tape.stores.number(store);
  }

  /**
   * The state of a store after a row, `skipped` and `broken` with the seqs nearest to it that have one.
   * @param {number} store its number
   * @param {number} row
   * @returns {Promise<{status: 'known'|'absent'|'skipped'|'broken', value?: unknown, before?: number, after?: number}>}
   */
  async after(store, row) {
    this.#asked += 1;
    const walk = await this.#walk(store, row).finally(() => { this.#asked -= 1; });
    if (walk.status === 'absent') return { status: 'absent' };
    if (walk.known) return { status: 'known', value: walk.give() };
    const status = walk.status === 'broken' ? 'broken' : 'skipped';
    return { status, before: this.#before(store, row), after: this.#after(store, row, status === 'skipped') };
  }

  /** The last state of each store that has one at the end. @returns {Promise<Map<string, unknown>>} */
  async latest() {
    const result = new Map();
    for (const [store, name] of this.#tape.stores.names.entries()) {
      if (!this.#tape.bases[store] && this.#initial(store) === undefined && !this.#failed[store]) continue;
      let answer = await this.after(store, this.#tape.rows - 1);
      if (answer.before !== undefined) answer = await this.after(store, this.#tape.rowOf(answer.before));
      if (answer.status === 'known') result.set(name, answer.value);
    }
    return result;
  }

  /** Makes keyframes throughout the tape. */
  async follow() {
    for (const store of this.#tape.stores.names.keys()) {
      for (let row = 0; row < this.#tape.rows; row += followed) {
        await this.#walk(store, Math.min(row + followed, this.#tape.rows) - 1);
        // Requests come first; they leave keyframes too.
        while (this.#asked > 0) await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
    }
  }

  #initial(store) {
    const { states } = this.#tape.header;
    const name = this.#tape.stores.names[store];
    return states !== undefined && Object.hasOwn(states, name) ? states[name] : undefined;
  }

  async #walk(store, row) {
    const tape = this.#tape;
    const walk = this.#begin(store, row);
    for (let index = walk.row + 1; index <= row; index += 1) {
      if (tape.store(index) === store || tape.kind(index) === 'gap') this.#take(walk, index);
      if ((index & 63) === 0) await yieldIfDue();
    }
    walk.row = Math.max(walk.row, row);
    // Another walk may have ended here; one is enough.
    this.#walks = this.#walks.filter((one) => one.store !== store || one.row !== row).slice(1 - keptWalks);
    this.#walks.push(walk);
    return walk;
  }

  /** A walk that ends nearest before a row. */
  #begin(store, row) {
    const tape = this.#tape;
    const own = lastAtMost(tape.bases[store] ?? [], row);
    const gap = lastAtMost(tape.gaps, row);
    const base = Math.max(own, gap);
    const kept = this.#walks.filter((walk) => walk.store === store && walk.row >= base && walk.row <= row)
      .sort((a, b) => b.row - a.row)[0];
    const keyframe = this.#keyframe(store, row);
    if (kept && kept.row >= (keyframe?.row ?? -1)) {
      this.#walks.splice(this.#walks.indexOf(kept), 1);
      return kept;
    }
    if (keyframe && keyframe.row >= base) return new Walk(store, keyframe.row, 'known', keyframe.value);
    const initial = this.#initial(store);
    if (base < 0) return initial === undefined ? new Walk(store, -1, 'absent') : new Walk(store, -1, 'known', initial);
    const attached = own < 0 ? initial !== undefined : tape.kind(own) !== 'detach';
    return new Walk(store, base - 1, attached ? 'broken' : 'absent');
  }

  #keyframe(store, row) {
    const all = this.#keyframes[store] ?? [];
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle].row <= row) low = middle + 1;
      else high = middle;
    }
    return all[low - 1];
  }

  #take(walk, row) {
    const tape = this.#tape;
    const kind = tape.kind(row);
    walk.row = row;
    if (kind === 'gap') {
      walk.skipped = false;
      if (walk.status === 'known') walk.status = 'broken';
    } else if (kind === 'detach') {
      walk.status = 'absent';
      walk.skipped = false;
    } else if (kind === 'note' || kind === 'end') {
      return;
    } else if (tape.is(row, flags.state)) {
      walk.value = tape.line(row, this.#line).value('state');
      walk.status = 'known';
      walk.skipped = false;
      walk.owned = new Set();
      walk.patches = 0;
      walk.most = 2 * tape.size(row);
      walk.cost = tape.size(row);
    } else if (tape.is(row, flags.patch)) {
      walk.skipped = false;
      this.#apply(walk, row);
    } else if (kind === 'action' || kind === 'replace') {
      if (walk.status === 'absent') walk.status = 'broken';
      walk.skipped = true;
    }
  }

  #apply(walk, row) {
    if (walk.status !== 'known') {
      walk.status = 'broken';
      return;
    }
    const line = this.#tape.line(row, this.#line);
    try {
      const application = new Application(walk.owned);
      let state = walk.value;
      for (const operation of parse(line.raw('patch'))) state = step(state, operation, application);
      walk.value = application.finish(state);
      walk.grow(2 * line.size('patch') + application.copied);
    } catch {
      walk.status = 'broken';
      insert(this.#failed[walk.store] ??= [], row);
      return;
    }
    walk.patches += 1;
    walk.cost += line.size('patch');
    if (walk.patches >= (this.#strides[walk.store] ?? firstStride)) this.#leave(walk);
  }

  /** Keeps the state as a keyframe, unless one is near. */
  #leave(walk) {
    walk.patches = 0;
    const before = this.#keyframe(walk.store, walk.row + firstStride);
    if (before && Math.abs(before.row - walk.row) < firstStride / 2) return;
    const value = walk.give();
    const all = this.#keyframes[walk.store] ??= [];
    const place = all.findLastIndex((one) => one.row < walk.row) + 1;
    all.splice(place, 0, { row: walk.row, value, cost: walk.cost });
    walk.cost = 0;
    const cost = all.reduce((sum, one) => sum + one.cost, 0);
    if (all.length <= mostKeyframes && cost <= room || all.length < 2) return;
    this.#keyframes[walk.store] = all.filter((_, index) => index % 2 === 1);
    this.#strides[walk.store] = 2 * (this.#strides[walk.store] ?? firstStride);
  }

  /** The last seq before a row's at which the store has a state. */
  #before(store, row) {
    const tape = this.#tape;
    let end = row;
    while (end > 0) {
      const own = lastAtMost(tape.bases[store] ?? [], end - 1);
      const gap = lastAtMost(tape.gaps, end - 1);
      const failed = lastAtMost(this.#failed[store] ?? [], end - 1);
      const base = Math.max(own, gap, failed);
      if (base < 0 && this.#initial(store) === undefined) return undefined;
      if (base >= 0 && (base !== own || base === gap || base === failed || tape.kind(base) === 'detach')) {
        end = base;
        continue;
      }
      for (let index = end - 1; index > base; index -= 1) if (this.#has(store, index)) return tape.seq(index);
      return base < 0 ? tape.first - 1 : tape.seq(base);
    }
    return undefined;
  }

  /** The first seq after a row's at which it has one. */
  #after(store, row, byPatch) {
    const tape = this.#tape;
    for (let index = row + 1; byPatch && index < Math.min(tape.rows, row + 1 + nearby); index += 1) {
      if (tape.kind(index) === 'gap') break;
      if (this.#has(store, index)) return tape.seq(index);
    }
    const bases = tape.bases[store] ?? [];
    const next = bases.find((base) => base > row && tape.kind(base) !== 'detach');
    return next === undefined ? undefined : tape.seq(next);
  }

  #has(store, row) {
    const kind = this.#tape.kind(row);
    return this.#tape.store(row) === store && kind !== 'note' && kind !== 'end'
      && (this.#tape.is(row, flags.state) || this.#tape.is(row, flags.patch));
  }
}

/** The last of sorted numbers that is at most `value`; -1 if there is none. */
function lastAtMost(numbers, value) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? -1 : numbers[low - 1];
}

function insert(sorted, value) {
  const place = sorted.findLastIndex((one) => one <= value);
  if (sorted[place] !== value) sorted.splice(place + 1, 0, value);
}
