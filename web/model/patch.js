// RFC 6902 and the tape's `splice`, applied without changing the old state: what a patch doesn't
// touch is shared between the two.
import { kindOf } from './json.js';
import { equal, member } from './value.js';
import { tokens } from './pointer.js';

/** A patch that doesn't fit the state that it is applied to. */
export class PatchFailure extends Error {
  /** @param {string} path @param {string} message */
  constructor(path, message) {
    super(`${path || '/'}: ${message}`);
    this.path = path;
  }
}

/**
 * The state after a patch; the state before stays as it is.
 * @param {unknown} state
 * @param {object[]} operations
 * @returns {unknown}
 */
export function apply(state, operations) {
  const owned = new Set();
  return operations.reduce((current, operation) => step(current, operation, owned), state);
}

/**
 * The state after one operation.
 * @param {unknown} state
 * @param {object} operation
 * @param {Set<object>} [owned] containers made by this patch, which may be written to
 * @returns {unknown}
 */
export function step(state, operation, owned = new Set()) {
  const { op, path } = operation;
  switch (op) {
  case 'add': return edit(state, path, owned, (parent, key) => insert(parent, key, operation.value, path), operation.value);
  case 'replace':
    at(state, path);
    return edit(state, path, owned, (parent, key) => define(parent, key, operation.value), operation.value);
  case 'remove':
    at(state, path);
    return edit(state, path, owned, remove, null);
  case 'splice': {
    const text = splice(at(state, path), operation);
    return edit(state, path, owned, (parent, key) => define(parent, key, text), text);
  }
  case 'move': {
    const value = at(state, operation.from);
    if (path.startsWith(`${operation.from}/`)) throw new PatchFailure(path, 'can’t move a value into itself');
    const without = edit(state, operation.from, owned, remove, null);
    return edit(without, path, owned, (parent, key) => insert(parent, key, value, path), value);
  }
  case 'copy': {
    const value = at(state, operation.from);
    // The same container in two places: neither may be written to any more.
    owned.clear();
    return edit(state, path, owned, (parent, key) => insert(parent, key, value, path), value);
  }
  case 'test':
    if (!equal(at(state, path), operation.value)) throw new PatchFailure(path, 'is not the tested value');
    return state;
  default: throw new PatchFailure(path ?? '', `unknown operation “${op}”`);
  }
}

/**
 * The value at a path.
 * @param {unknown} state
 * @param {string} path
 * @returns {unknown}
 */
export function at(state, path) {
  let value = state;
  for (const token of tokens(path)) {
    if (Array.isArray(value)) position(token, value.length - 1, path);
    value = kindOf(value) === 'number' ? undefined : member(value, token);
    if (value === undefined) throw new PatchFailure(path, 'nothing is there');
  }
  return value;
}

/** Copies the containers on the way to `path` and lets `change` write to the last one. */
function edit(state, path, owned, change, whole) {
  const names = tokens(path);
  if (names.length === 0) return whole;
  const last = names.pop();
  const root = own(state, owned, path);
  let parent = root;
  for (const name of names) {
    if (Array.isArray(parent)) position(name, parent.length - 1, path);
    const child = own(member(parent, name), owned, path);
    define(parent, name, child);
    parent = child;
  }
  change(parent, last);
  return root;
}

function own(value, owned, path) {
  const kind = kindOf(value);
  if (kind !== 'array' && kind !== 'object') throw new PatchFailure(path, 'nothing is there');
  if (owned.has(value)) return value;
  const copy = kind === 'array' ? value.slice() : { ...value };
  owned.add(copy);
  return copy;
}

function insert(parent, key, value, path) {
  if (!Array.isArray(parent)) return define(parent, key, value);
  const index = key === '-' ? parent.length : position(key, parent.length, path);
  parent.splice(index, 0, value);
}

function remove(parent, key) {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

/** Assignment would run the setter of `__proto__`. */
function define(parent, key, value) {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

function position(token, last, path) {
  const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : NaN;
  if (!(index <= last)) throw new PatchFailure(path, `“${token}” is not an index of this array`);
  return index;
}

function splice(text, { path, at: offset, remove: count, insert: inserted }) {
  if (typeof text !== 'string') throw new PatchFailure(path, 'is not a string');
  const start = boundary(text, 0, offset, path);
  const end = boundary(text, start, count, path);
  return text.slice(0, start) + inserted + text.slice(end);
}

/**
 * The UTF-16 index `bytes` UTF-8 bytes past the index `from`.
 * @param {string} text
 * @param {number} from
 * @param {number} bytes
 * @param {string} path for the error
 * @returns {number}
 */
export function boundary(text, from, bytes, path) {
  let index = from;
  let left = bytes;
  while (left > 0 && index < text.length) {
    const unit = text.charCodeAt(index);
    const pair = unit >= 0xd800 && unit < 0xdc00;
    left -= unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    index += pair ? 2 : 1;
  }
  if (left !== 0) throw new PatchFailure(path, 'the splice is past the end or off a character');
  return index;
}
