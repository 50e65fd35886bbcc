// Finds the first difference of two tapes. Each store's events are compared with the same store's in the other tape,
// in order; the order between stores may differ. Actions, the states after events and the errors of reducers are
// compared; times, causes, notes and the end are not. A state that one tape doesn't have is counted as unknown.
import { kindOf } from '../json/parse.js';
import { below } from '../json/pointer.js';
import { equal, member, utf8Length } from '../json/value.js';
import { patchBetween } from '../json/patch-between.js';
import { yieldIfDue } from './yield.js';
import { Line } from './line.js';
import { flags } from './tape.js';

/** The most events that wait for their counterpart. */
const mostWaiting = 1024;
const longestPatch = 1 << 20;
const longestValues = 1 << 16;

/**
 * @typedef {{tape: import('./tape.js').FileTape, states: import('./states.js').States}} Opened
 * @param {Opened} a
 * @param {Opened} b
 * @returns {Promise<object>} the API's document
 */
export async function diff(a, b) {
  const search = new FirstDifference(a, b);
  const difference = await search.run();
  const answer = { same: difference === null, compared: search.compared, unknown: search.unknown };
  if (difference === null) return answer;
  const { kind, rows } = difference;
  const [one, other] = rows.map((row, side) => (row === null ? null : search.sides[side].tape.line(row).head()));
  Object.assign(answer, { kind, store: (one ?? other)?.store, a: one, b: other });
  if (kind === 'action' && one !== null && other !== null) {
    const payload = payloadPlace(...rows.map((row, side) => search.sides[side].tape.line(row).value('action')));
    if (payload) answer.payload = payload;
  }
  if (one === null || other === null || one.store !== other.store) return answer;
  const states = await search.states(rows);
  if (states.some(({ status }) => status !== 'known')) return answer;
  const patch = patchBetween(states[0].value, states[1].value);
  const size = utf8Length(JSON.stringify(patch));
  return size <= longestPatch ? { ...answer, patch } : { ...answer, patchBytes: size };
}

/** The first place at which the payloads of two actions of one type differ, and the values there. */
function payloadPlace(one, other) {
  if (one.type !== other.type) return null;
  let [path, a, b] = ['/payload', one.payload, other.payload];
  if (same(a, b)) return null;
  for (let key; (key = firstMember(a, b)) !== undefined;) [path, a, b] = [below(path, key), member(a, key), member(b, key)];
  const size = [a, b].reduce((sum, value) => sum + (value === undefined ? 0 : utf8Length(JSON.stringify(value))), 0);
  return size <= longestValues ? { path, a, b } : { path };
}

/** The first member or element that differs; none if the values are not of one kind that has any. */
function firstMember(a, b) {
  const kind = kindOf(a);
  if (a === undefined || b === undefined || kind !== kindOf(b) || !['object', 'array'].includes(kind)) return undefined;
  const keys = kind === 'array' ? (a.length > b.length ? a : b).keys() : [...Object.keys(a), ...Object.keys(b)];
  return [...keys].find((key) => !same(member(a, key), member(b, key)));
}

function same(a, b) {
  return a === b || a !== undefined && b !== undefined && equal(a, b);
}

class FirstDifference {
  compared = 0;
  unknown = 0;
  #next = [0, 0];
  /** Why a side waits for the other one: it is at its end, or at a gap (its row). */
  #holds = [null, null];
  /** By store: the side that is ahead, and its rows. */
  #waiting = new Map();
  #count = 0;
  /** Stores whose last states are known to be equal. */
  #inStep = new Set();
  #lines = [new Line(), new Line()];

  constructor(a, b) {
    this.sides = [a, b];
  }

  async run() {
    for (let steps = 0; ; steps += 1) {
      if ((steps & 31) === 0) await yieldIfDue();
      for (const side of [0, 1]) {
        const difference = this.#holds[side] === null ? await this.#read(side) : null;
        if (difference) return difference;
      }
      const [a, b] = this.#holds;
      if (a === null || b === null) continue;
      if (a.row === null && b.row === null) return null;
      const gaps = this.#holds.map(({ row }, side) => row !== null && this.sides[side].tape.count(row));
      if (gaps[0] !== gaps[1]) return { kind: 'gap', rows: [a.row, b.row] };
      this.#holds = [null, null];
      this.#inStep.clear();
      this.compared += 1;
    }
  }

  /** The states of both after the event of each. */
  states(rows) {
    return Promise.all(this.sides.map(({ tape, states }, side) => states.after(tape.store(rows[side]), rows[side])));
  }

  #advance(side) {
    const { tape } = this.sides[side];
    while (this.#next[side] < tape.rows) {
      const row = this.#next[side];
      this.#next[side] += 1;
      if (['init', 'action', 'replace', 'detach', 'gap'].includes(tape.kind(row))) return row;
    }
    return null;
  }

  async #read(side) {
    const { tape } = this.sides[side];
    const row = this.#advance(side);
    if (row === null || tape.kind(row) === 'gap') {
      this.#holds[side] = { row };
      // The other side's waiting events have no counterpart.
      const first = this.#first(1 - side);
      return first === null ? null : this.#without(first, 1 - side);
    }
    const store = tape.stores.names[tape.store(row)];
    const entry = this.#waiting.get(store);
    if (entry !== undefined && entry.side !== side && entry.rows.length > 0) {
      const other = entry.rows.shift();
      if (entry.rows.length === 0) this.#waiting.delete(store);
      this.#count -= 1;
      return this.#compare(side === 0 ? [row, other] : [other, row]);
    }
    if (entry === undefined) this.#waiting.set(store, { side, rows: [row] });
    else entry.rows.push(row);
    this.#count += 1;
    if (this.#holds[1 - side] !== null) return this.#without(this.#first(side), side);
    return this.#count > mostWaiting ? { kind: 'order', rows: [this.#first(0), this.#first(1)] } : null;
  }

  /** The first waiting row of a side. */
  #first(side) {
    const rows = [...this.#waiting.values()].filter((entry) => entry.side === side).map((entry) => entry.rows[0]);
    return rows.length === 0 ? null : Math.min(...rows);
  }

  /** A row without a counterpart: the other side ends or has a gap. */
  #without(row, side) {
    const other = this.#holds[1 - side].row;
    return { kind: other === null ? 'ended' : 'gap', rows: side === 0 ? [row, other] : [other, row] };
  }

  async #compare(rows) {
    this.compared += 1;
    const [a, b] = this.sides.map(({ tape }, side) => tape.line(rows[side], this.#lines[side]));
    if (a.kind !== b.kind) return { kind: 'kind', rows };
    if (!isSame('action', a, b)) return { kind: 'action', rows };
    if (!await this.#isSameState(a, b, rows)) return { kind: 'state', rows };
    return this.#isSameError(rows) ? null : { kind: 'error', rows };
  }

  /** Almost no event has an error. */
  #isSameError(rows) {
    if (!this.sides.some(({ tape }, side) => tape.is(rows[side], flags.error))) return true;
    return isSame('error', ...this.sides.map(({ tape }, side) => tape.line(rows[side], this.#lines[side])));
  }

  async #isSameState(a, b, rows) {
    const { store } = a;
    const [one, other] = [a, b].map((line) => (line.has('patch') ? 'patch' : line.has('state') ? 'state' : null));
    if (one === null && other === null) return true;
    if (one === null || other === null) return this.#unknown(store);
    if (one === 'state' && other === 'state') {
      this.#inStep.add(store);
      return isSame('state', a, b);
    }
    if (one === 'patch' && other === 'patch' && this.#inStep.has(store) && isSame('patch', a, b)) return true;
    const states = await this.states(rows);
    if (states.some(({ status }) => status === 'broken' || status === 'absent')) return this.#unknown(store);
    this.#inStep.add(store);
    return equal(states[0].value, states[1].value);
  }

  #unknown(store) {
    this.unknown += 1;
    this.#inStep.delete(store);
    return true;
  }
}

/** Whether a member is equal in both; most have the same text. */
function isSame(member, a, b) {
  const [one, other] = [a.raw(member), b.raw(member)];
  return one === other || one !== null && other !== null && equal(a.value(member), b.value(member));
}
