// The patch that makes one value of another: the operations of Swift's `Patch.between`, in the same order. Only members
// whose names are whole numbers may come in another order: JavaScript sorts them.
import { kindOf } from './parse.js';
import { mostWork } from './patch.js';
import { below } from './pointer.js';
import { reordering } from './reordering.js';
import { decimal, equal, utf8Length } from './value.js';

/** Longer strings are spliced (bytes). */
const longString = 64;
/** Deeper values are replaced whole: each level of arrays compares everything below it once more. */
const deepest = 64;

/**
 * @param {unknown} old
 * @param {unknown} next
 * @returns {object[]}
 */
export function patchBetween(old, next) {
  const patch = new Difference();
  compare('', old, next, patch, 0);
  return patch.operations;
}

class Difference {
  operations = [];
  /** The work that applying them takes: see `mostWork`. */
  work = 0;

  push(operation) { this.operations.push(operation); }

  /** Counts the work of the next operations; false if the patch would take too much. */
  spend(amount) {
    if (this.work + amount > mostWork) return false;
    this.work += amount;
    return true;
  }
}

function compare(path, old, next, patch, depth) {
  if (old === next) return;
  const kind = kindOf(old);
  if (kind === kindOf(next) && depth < deepest) {
    if (kind === 'object') return compareObjects(path, old, next, patch, depth + 1);
    if (kind === 'array') return compareArrays(path, old, next, patch, depth + 1);
    if (kind === 'string' && utf8Length(old) >= longString && patch.spend(utf8Length(old))) return patch.push(splice(path, old, next));
  }
  if (!equal(old, next)) patch.push({ op: 'replace', path, value: next });
}

function compareObjects(path, old, next, patch, depth) {
  for (const key of Object.keys(old)) {
    if (!Object.hasOwn(next, key)) patch.push({ op: 'remove', path: below(path, key) });
  }
  for (const key of Object.keys(next)) {
    if (Object.hasOwn(old, key)) compare(below(path, key), old[key], next[key], patch, depth);
    else patch.push({ op: 'add', path: below(path, key), value: next[key] });
  }
}

/** Elements between the common start and end are matched by their `id` where all have one, else by position. */
function compareArrays(path, old, next, patch, depth) {
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && equal(old[start], next[start])) start += 1;
  let end = 0;
  while (end < shorter - start && equal(old.at(-1 - end), next.at(-1 - end))) end += 1;
  const [oldEnd, nextEnd] = [old.length - end, next.length - end];
  const steps = stepsByID(old.slice(start, oldEnd), next.slice(start, nextEnd));
  const at = (index) => below(path, start + index);
  const replace = () => patch.push({ op: 'replace', path, value: next });
  if (steps !== null) {
    if (!patch.spend(workOf(steps, start, old.length))) return replace();
    for (const index of steps.removals) patch.push({ op: 'remove', path: at(index) });
    for (const { from, to } of steps.moves) patch.push({ op: 'move', from: at(from), path: at(to) });
    for (const index of steps.additions) patch.push({ op: 'add', path: at(index), value: next[start + index] });
    steps.origins.forEach((origin, index) => {
      if (origin !== undefined) compare(at(index), old[start + origin], next[start + index], patch, depth);
    });
    return;
  }
  const common = shorter - end;
  if (!patch.spend(2 * end * (oldEnd + nextEnd - 2 * common))) return replace();
  for (let index = start; index < common; index += 1) compare(below(path, index), old[index], next[index], patch, depth);
  for (let index = oldEnd - 1; index >= common; index -= 1) patch.push({ op: 'remove', path: below(path, index) });
  for (let index = common; index < nextEnd; index += 1) patch.push({ op: 'add', path: below(path, index), value: next[index] });
}

/** The work of steps that count from an index, in an array of so many elements. */
function workOf({ removals, moves, additions }, start, count) {
  let [moved, left] = [0, count - start];
  for (const index of removals) moved += (left -= 1) - index;
  for (const { from, to } of moves) moved += 2 * (left - 1) - from - to;
  for (const index of additions) {
    moved += left - index;
    left += 1;
  }
  return 2 * moved;
}

/** Null where elements have no ids, or a shuffle takes too many moves: then the patch is shorter element by element. */
function stepsByID(old, next) {
  const oldIDs = ids(old);
  const nextIDs = oldIDs && ids(next);
  if (!nextIDs) return null;
  const positions = new Map(oldIDs.map((id, position) => [id, position]));
  const origins = nextIDs.map((id) => positions.get(id));
  const steps = reordering(origins, old.length);
  return steps && { ...steps, origins };
}

/** A text for each element's `id`; null unless each has one of its own. */
function ids(elements) {
  const found = new Set();
  for (const element of elements) {
    if (kindOf(element) !== 'object' || !Object.hasOwn(element, 'id')) return null;
    found.add(identity(element.id));
  }
  return found.size === elements.length ? [...found] : null;
}

/** A text that equal values share: numbers by their exact value, members in one order. */
function identity(value) {
  switch (kindOf(value)) {
  case 'number': return decimal(JSON.stringify(value));
  case 'array': return `[${value.map(identity)}]`;
  case 'object': return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${identity(value[key])}`)}}`;
  default: return JSON.stringify(value);
  }
}

function splice(path, old, next) {
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  // A splice never divides a surrogate pair.
  if (start > 0 && isHigh(old.charCodeAt(start - 1))) start -= 1;
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end -= 1;
  const removed = old.slice(start, old.length - end);
  return { op: 'splice', path, at: utf8Length(old.slice(0, start)), remove: utf8Length(removed), insert: next.slice(start, next.length - end) };
}

function isHigh(unit) { return unit >= 0xd800 && unit < 0xdc00; }
function isLow(unit) { return unit >= 0xdc00 && unit < 0xe000; }
