// The changes between two states, as a readable list.
import { around, limit } from './diff.js';
import { kindOf } from '../json/parse.js';
import { equal } from '../json/value.js';
import { below } from '../json/pointer.js';

/**
 * The changes between two states; arrays are compared between their common start and end.
 * @param {unknown} before
 * @param {unknown} after
 * @returns {import('./diff.js').Change[]}
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
