// What changed, as a list to read: from a patch and the state before it, or from two states.
import { equal, kindOf } from './json.js';
import { at, boundary, step } from './patch.js';
import { below } from './pointer.js';

/**
 * One change. `text` is there for a change within a long string.
 * @typedef {{path: string, kind: 'add'|'remove'|'replace', old?: unknown, new?: unknown,
 *   text?: {before: string, removed: string, inserted: string, after: string}}} Change
 */

/** More changes than anyone reads. */
export const limit = 1000;

const context = 24;

/**
 * The changes that a patch makes, in its own order.
 * @param {unknown} before the state that the patch is relative to; undefined if it isn't known
 * @param {object[]} operations
 * @returns {Change[]}
 */
export function changesOf(before, operations) {
  const changes = [];
  let state = before;
  for (const operation of operations.slice(0, limit)) {
    if (operation.op !== 'test') changes.push(...changeOf(state, operation));
    if (state !== undefined) state = step(state, operation);
  }
  return changes;
}

function changeOf(state, operation) {
  const { op, path, value } = operation;
  const old = (from) => (state === undefined ? undefined : at(state, from));
  switch (op) {
  case 'add': return [{ path, kind: 'add', new: value }];
  case 'remove': return [{ path, kind: 'remove', old: old(path) }];
  case 'splice': return [{ path, kind: 'replace', text: within(old(path), operation) }];
  case 'move': return [
    { path: operation.from, kind: 'remove', old: old(operation.from) },
    { path, kind: 'add', new: old(operation.from) },
  ];
  case 'copy': return [{ path, kind: 'add', new: old(operation.from) }];
  default: return [{ path, kind: 'replace', old: old(path), new: value }];
  }
}

function within(old, { path, at: offset, remove, insert }) {
  if (typeof old !== 'string') return { before: '', removed: '', inserted: insert, after: '' };
  const start = boundary(old, 0, offset, path);
  return around(old, start, boundary(old, start, remove, path), insert);
}

function around(old, start, end, inserted) {
  const from = Math.max(0, start - context);
  return {
    before: (from > 0 ? '…' : '') + old.slice(from, start),
    removed: old.slice(start, end),
    inserted,
    after: old.slice(end, end + context) + (end + context < old.length ? '…' : ''),
  };
}

/**
 * The changes between two whole states; arrays are compared after their common start and end.
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Change[]}
 */
export function changesBetween(before, after) {
  const changes = [];
  compare('', before, after, changes);
  return changes;
}

function compare(path, before, after, changes) {
  if (changes.length >= limit || before === after) return;
  const kind = kindOf(before);
  if (kind !== kindOf(after)) changes.push({ path, kind: 'replace', old: before, new: after });
  else if (kind === 'object') compareObjects(path, before, after, changes);
  else if (kind === 'array') compareArrays(path, before, after, changes);
  else if (!equal(before, after)) changes.push(scalar(path, before, after, kind));
}

function scalar(path, before, after, kind) {
  if (kind !== 'string' || Math.min(before.length, after.length) < 64) return { path, kind: 'replace', old: before, new: after };
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { path, kind: 'replace', text: around(before, start, before.length - end, after.slice(start, after.length - end)) };
}

function compareObjects(path, before, after, changes) {
  for (const key of Object.keys(before)) {
    if (Object.hasOwn(after, key)) compare(below(path, key), before[key], after[key], changes);
    else changes.push({ path: below(path, key), kind: 'remove', old: before[key] });
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ path: below(path, key), kind: 'add', new: after[key] });
  }
}

function compareArrays(path, before, after, changes) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && equal(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && equal(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const pairs = shorter - start - end;
  for (let index = start; index < start + pairs; index += 1) {
    compare(below(path, index), before[index], after[index], changes);
  }
  for (let index = start + pairs; index < before.length - end; index += 1) {
    changes.push({ path: below(path, index), kind: 'remove', old: before[index] });
  }
  for (let index = start + pairs; index < after.length - end; index += 1) {
    changes.push({ path: below(path, index), kind: 'add', new: after[index] });
  }
}
