// The patch that makes one value of another, as a tape writes it.
import { kindOf } from './parse.js';
import { equal, utf8Length } from './value.js';
import { below } from './pointer.js';

/** Strings of so many bytes are spliced. */
const spliced = 64;
/** Deeper values are replaced whole: each level of arrays compares all that is below once more. */
const deepest = 64;

/**
 * @param {unknown} old
 * @param {unknown} next
 * @returns {object[]}
 */
export function between(old, next) {
  const operations = [];
  compare('', old, next, operations, 0);
  return operations;
}

function compare(path, old, next, operations, depth) {
  if (old === next) return;
  const kind = kindOf(old);
  if (kind !== kindOf(next) || (depth === deepest && !equal(old, next))) operations.push({ op: 'replace', path, value: next });
  else if (depth === deepest) return;
  else if (kind === 'object') compareObjects(path, old, next, operations, depth + 1);
  else if (kind === 'array') compareArrays(path, old, next, operations, depth + 1);
  else if (kind === 'string' && utf8Length(old) >= spliced) operations.push(splice(path, old, next));
  else if (!equal(old, next)) operations.push({ op: 'replace', path, value: next });
}

function compareObjects(path, old, next, operations, depth) {
  for (const key of Object.keys(old)) {
    if (!Object.hasOwn(next, key)) operations.push({ op: 'remove', path: below(path, key) });
  }
  for (const key of Object.keys(next)) {
    if (Object.hasOwn(old, key)) compare(below(path, key), old[key], next[key], operations, depth);
    else operations.push({ op: 'add', path: below(path, key), value: next[key] });
  }
}

/** By place, between the common beginning and end. */
function compareArrays(path, old, next, operations, depth) {
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && equal(old[start], next[start])) start += 1;
  let end = 0;
  while (end < shorter - start && equal(old.at(-1 - end), next.at(-1 - end))) end += 1;
  const common = shorter - end;
  for (let index = start; index < common; index += 1) compare(below(path, index), old[index], next[index], operations, depth);
  for (let index = old.length - end - 1; index >= common; index -= 1) operations.push({ op: 'remove', path: below(path, index) });
  for (let index = common; index < next.length - end; index += 1) {
    operations.push({ op: 'add', path: below(path, index), value: next[index] });
  }
}

function splice(path, old, next) {
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  // Not between the halves of a pair.
  if (start > 0 && isHigh(old.charCodeAt(start - 1))) start -= 1;
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end -= 1;
  const removed = old.slice(start, old.length - end);
  return { op: 'splice', path, at: utf8Length(old.slice(0, start)), remove: utf8Length(removed), insert: next.slice(start, next.length - end) };
}

function isHigh(unit) { return unit >= 0xd800 && unit < 0xdc00; }
function isLow(unit) { return unit >= 0xdc00 && unit < 0xe000; }
