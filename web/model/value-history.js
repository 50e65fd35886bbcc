// The previous and the next change of a value. Where its path leads through an array, the value is followed when other
// elements are inserted, removed or moved: also the values of a dictionary whose keys are not strings, which is an array.
import { at } from '../json/patch.js';
import { below, tokens } from '../json/pointer.js';
import { next, previous } from './nearest-match.js';

/** The most events that only moved the value. */
const mostMoves = 500;

const pointer = (path) => path.reduce((text, token) => below(text, token), '');

/** Whether one path is the other, or leads into it. */
const isIn = (path, other) => other.length <= path.length && other.every((token, index) => token === path[index]);

/** A path through known arrays. */
class Followed {
  /** Whether the value was removed. */
  isGone = false;

  /** @param {string} path @param {any} state that has it */
  constructor(path, state) {
    this.path = tokens(path);
    /** The positions of the indices of arrays. */
    this.arrays = this.path.flatMap((_, index) => (Array.isArray(value(state, this.path.slice(0, index))) ? [index] : []));
  }

  /** The position of an index that an operation at a place moves, or null. */
  #shifted(place) {
    const level = place.length - 1;
    return this.arrays.includes(level) && isIn(this.path, place.slice(0, level)) && /^(\d+|-)$/.test(place[level]) ? level : null;
  }

  #move(level, by) {
    this.path = this.path.with(level, String(Number(this.path[level]) + by));
  }

  /** After an element was inserted. @returns {boolean} whether this changed the value */
  inserted(place) {
    const level = this.#shifted(place);
    if (level === null) return this.touches(place);
    if (place[level] !== '-' && Number(place[level]) <= Number(this.path[level])) this.#move(level, 1);
    return false;
  }

  /** Before an element was inserted. */
  beforeInserted(place) {
    const level = this.#shifted(place);
    if (level === null) return this.touches(place);
    if (place[level] === '-' || place[level] === this.path[level]) return place[level] !== '-' && this.touches(place);
    if (Number(place[level]) < Number(this.path[level])) this.#move(level, -1);
    return false;
  }

  /** After an element was removed. */
  removed(place) {
    const level = this.#shifted(place);
    if (level === null || place[level] === this.path[level]) {
      this.isGone = isIn(this.path, place);
      return this.touches(place);
    }
    if (Number(place[level]) < Number(this.path[level])) this.#move(level, -1);
    return false;
  }

  /** Before an element was removed. */
  beforeRemoved(place) {
    const level = this.#shifted(place);
    if (level === null) return this.touches(place);
    if (Number(place[level]) <= Number(this.path[level])) this.#move(level, 1);
    return false;
  }

  /** Whether a place is an element of an array that has the value, or is it. */
  isElement(place) {
    return this.#shifted(place) !== null && isIn(this.path, place);
  }

  touches(place) {
    return isIn(this.path, place) || isIn(place, this.path);
  }

  /** Follows an operation to the state after it. @returns {boolean} whether it changed the value */
  forward({ op, path, from }) {
    const place = tokens(path);
    if (op === 'test') return false;
    if (op === 'add' || op === 'copy') return this.inserted(place);
    if (op === 'remove') return this.removed(place);
    if (op !== 'move') return this.touches(place);
    const source = tokens(from);
    if (isIn(this.path, source)) {
      this.path = [...place, ...this.path.slice(source.length)];
      return false;
    }
    return this.removed(source) || this.inserted(place);
  }

  /** Follows an operation to the state before it. */
  backward({ op, path, from }) {
    const place = tokens(path);
    if (op === 'test') return false;
    if (op === 'add' || op === 'copy') return this.beforeInserted(place);
    if (op === 'remove') return this.beforeRemoved(place);
    if (op !== 'move') return this.touches(place);
    const source = tokens(from);
    if (isIn(this.path, place)) {
      this.path = [...source, ...this.path.slice(place.length)];
      return false;
    }
    return this.beforeInserted(place) || this.beforeRemoved(source);
  }
}

function value(state, path) {
  try {
    return at(state, pointer(path));
  } catch {
    return undefined;
  }
}

/**
 * A change of a value: where, and by which path the value is there; or `seq` with `isLost`, from where on it wasn't
 * followed.
 * @typedef {{seq: number, path: string, isGone?: boolean, isLost?: boolean}} Change
 */

/**
 * The last change before an event that changed the value, or the next one after it.
 * @param {import('./tape.js').Tape} tape
 * @param {any} line the event's
 * @param {string} path of the value: that of the operation which changed it, or with `isAfter` in the state after the event
 * @param {1|-1} direction
 * @param {{isAfter?: boolean}} [options]
 * @returns {Promise<Change|null>}
 */
export async function change(tape, line, path, direction, { isAfter = false } = {}) {
  const store = line.store ?? 'main';
  const followed = await followedAt(tape, line, path, store);
  const isForward = direction === 1;
  const own = operations(line) ?? [];
  const here = own.findLastIndex((operation) => (isAfter ? followed.backward(operation) : followed.touches(tokens(operation.path))));
  if (isAfter && isForward) followed.path = tokens(path);
  const { op, path: place } = own[here] ?? {};
  // An element that the event inserted has no past, and one that it removed no future.
  if (here >= 0 && (isForward ? op === 'remove' && !isAfter : op === 'add' || op === 'copy') && followed.isElement(tokens(place))) return null;
  if (!isForward) follow(followed, own.slice(0, here === -1 ? isAfter ? 0 : own.length : here), false);
  else if (!isAfter) follow(followed, own.slice(here + 1), true);
  const [array] = followed.arrays;
  const watched = pointer(array === undefined ? followed.path : followed.path.slice(0, array));
  const condition = new URLSearchParams({ path: watched, store }).toString();
  let { seq } = line;
  for (let moves = 0; moves < mostMoves; moves += 1) {
    const found = await (isForward ? next(tape.session, condition, seq + 1) : previous(tape.session, condition, seq));
    if (found === null) return null;
    seq = found;
    const before = pointer(followed.path);
    const list = operations((await tape.line(seq)).line);
    if (list === null || follow(followed, list, isForward)) return { seq, path: isForward ? pointer(followed.path) : before, isGone: followed.isGone };
  }
  return { seq, path: pointer(followed.path), isLost: true };
}

async function followedAt(tape, line, path, store) {
  for (const seq of [line.seq, line.seq - 1]) {
    const state = await tape.state(store, seq).catch(() => undefined);
    if (state !== undefined && value(state, tokens(path)) !== undefined) return new Followed(path, state);
  }
  return new Followed(path, undefined);
}

/** The operations of a line's patch; null for a full state, which may change anything. */
function operations(line) {
  return line.state === undefined && Array.isArray(line.patch) ? line.patch : null;
}

/** Follows operations, as long as the value is there. @returns {boolean} whether one changes it */
function follow(followed, list, isForward) {
  let isChanged = false;
  for (const operation of isForward ? list : list.toReversed()) {
    if (isForward ? followed.forward(operation) : followed.backward(operation)) isChanged = true;
    if (followed.isGone) break;
  }
  return isChanged;
}
