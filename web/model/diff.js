// The changes of a patch, as a readable list.
import { Application, at, boundary, check, step } from '../json/patch.js';

/**
 * A change; `text` for a change within a long string.
 * @typedef {{path: string, kind: 'add'|'remove'|'replace', old?: unknown, new?: unknown,
 *   text?: {before: string, removed: string, inserted: string, after: string}}} Change
 */

/** The most changes in a list. */
export const limit = 1000;

const context = 24;

/**
 * The changes of a patch, in order.
 * @param {unknown} before the state before the patch; undefined if unknown
 * @param {object[]} operations
 * @returns {Change[]}
 * @throws {import('../json/patch.js').PatchFailure}
 */
export function changesOf(before, operations) {
  const changes = [];
  const application = new Application();
  let state = before;
  for (const operation of operations.slice(0, limit)) {
    check(operation);
    if (operation.op !== 'test') changes.push(...changeOf(state, operation));
    if (state !== undefined) state = step(state, operation, application);
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

/**
 * The change of a long string, with some context.
 * @param {string} old
 * @param {number} start
 * @param {number} end
 * @param {string} inserted replaces the text between the two
 */
export function around(old, start, end, inserted) {
  const from = Math.max(0, start - context);
  return {
    before: (from > 0 ? '…' : '') + old.slice(from, start),
    removed: old.slice(start, end),
    inserted,
    after: old.slice(end, end + context) + (end + context < old.length ? '…' : ''),
  };
}
