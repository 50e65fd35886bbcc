// Applies RFC 6902 and the tape's `splice` without changing the old state: unchanged parts
// are shared between the two.
import { kindOf, numberOf } from './parse.js';
import { equal, member, utf8Length } from './value.js';
import { tokens } from './pointer.js';

/** The patch doesn't fit the state. */
export class PatchFailure extends Error {
  /** @param {string} path @param {string} message */
  constructor(path, message) {
    super(`${path || '/'}: ${message}`);
    this.path = path;
  }
}

// A patch of a few bytes can cause any amount of work. The limits are those of the server's Application.swift: both
// accept the same patches.
const deepest = 512;
export const largest = 256 * 2 ** 20;
/** Counts 2 for each array element that moves, and 1 for each byte of a spliced string. */
export const mostWork = 2 ** 30;

/** The application of one patch. */
export class Application {
  /** Bytes that were copied, and the work so far. */
  copied = 0;
  work = 0;

  /** @param {Set<object>} [owned] containers that are not shared and may be changed */
  constructor(owned = new Set()) {
    this.owned = owned;
  }

  spend(amount, path) {
    this.work += amount;
    if (this.work > mostWork) throw new PatchFailure(path, 'the patch moves too many array elements or too much text');
  }

  /** Counts a copied value: from now on it is shared. */
  count(value, path) {
    this.copied += measure(value, path, largest - this.copied, (container) => this.owned.delete(container));
  }

  /** Checks the state after the last operation. */
  finish(state) {
    if (this.copied > 0) measure(state, '', largest);
    return state;
  }
}

/**
 * Bytes of a state's JSON text without escapes, with a comma after each element and member.
 * @param {unknown} value
 * @param {string} path where it stands
 * @param {number} [most] bytes that are allowed
 * @param {(container: object) => void} [visit]
 * @returns {number}
 */
export function measure(value, path, most = largest, visit = () => {}) {
  let text = 0;
  const add = (one, depth) => {
    const kind = kindOf(one);
    if (kind === 'string') text += utf8Length(one) + 2;
    else if (kind === 'number') text += JSON.stringify(one).length;
    else if (kind !== 'array' && kind !== 'object') text += 5;
    else {
      if (depth >= deepest) throw new PatchFailure(path, `the state would be nested deeper than ${deepest}`);
      visit(one);
      if (kind === 'array') {
        for (const element of one) add(element, depth + 1);
        text += 2 + one.length;
      } else {
        text += 2;
        for (const key of Object.keys(one)) {
          text += utf8Length(key) + 4;
          add(one[key], depth + 1);
        }
      }
    }
    if (text > most) throw new PatchFailure(path, `the state would be larger than the limit of ${largest} bytes`);
  };
  add(value, tokens(path).length);
  return text;
}

/**
 * The state after a patch; the old state doesn't change.
 * @param {unknown} state
 * @param {object[]} operations
 * @returns {unknown}
 */
export function apply(state, operations) {
  if (!Array.isArray(operations)) throw new PatchFailure('', 'a patch must be an array of operations');
  const application = new Application();
  return application.finish(operations.reduce((current, operation) => step(current, operation, application), state));
}

/** The members of each operation. */
const members = {
  add: ['value'], replace: ['value'], test: ['value'], remove: [], move: ['from'], copy: ['from'], splice: ['at', 'remove', 'insert'],
};

/** Refuses the operations that the server refuses. @param {any} operation */
export function check(operation) {
  if (kindOf(operation) !== 'object') throw new PatchFailure('', 'an operation must be an object');
  const { op, path } = operation;
  const at = typeof path === 'string' ? path : '';
  const named = Object.hasOwn(members, op) ? members[op] : null;
  if (!named) throw new PatchFailure(at, `unknown operation “${op}”`);
  for (const name of ['path', ...named]) {
    const value = operation[name];
    const isRight = name === 'value' ? value !== undefined : name === 'at' || name === 'remove' ? isCount(value) : typeof value === 'string';
    if (!isRight) throw new PatchFailure(at, `“${op}” needs “${name}”`);
    if (name !== 'path' && name !== 'from') continue;
    try {
      tokens(value);
    } catch (error) {
      throw new PatchFailure(at, error.message);
    }
  }
}

const isCount = (value) => Number.isSafeInteger(numberOf(value)) && numberOf(value) >= 0;

/**
 * The state after one operation.
 * @param {unknown} state
 * @param {object} operation
 * @param {Application} [application] of the operation's patch
 * @returns {unknown}
 */
export function step(state, operation, application = new Application()) {
  check(operation);
  const { op, path } = operation;
  switch (op) {
  case 'add':
    measure(operation.value, path, Infinity);
    return add(state, path, application, operation.value);
  case 'replace':
    at(state, path);
    measure(operation.value, path, Infinity);
    return edit(state, path, application, (parent, key) => define(parent, key, operation.value), operation.value);
  case 'remove': return take(state, path, application);
  case 'splice': {
    const old = at(state, path);
    if (typeof old !== 'string') throw new PatchFailure(path, 'is not a string');
    application.spend(utf8Length(old), path);
    const text = splice(old, operation);
    return edit(state, path, application, (parent, key) => define(parent, key, text), text);
  }
  case 'move': {
    const value = at(state, operation.from);
    if (path.startsWith(`${operation.from}/`)) throw new PatchFailure(path, 'can’t move a value into itself');
    const without = take(state, operation.from, application);
    if (tokens(path).length > tokens(operation.from).length) application.count(value, path);
    return add(without, path, application, value);
  }
  case 'copy': {
    const value = at(state, operation.from);
    application.count(value, path);
    return add(state, path, application, value);
  }
  case 'test':
    if (!equal(at(state, path), operation.value)) throw new PatchFailure(path, 'differs from the tested value');
    return state;
  default: throw new PatchFailure(path ?? '', `unknown operation “${op}”`);
  }
}

function add(state, path, application, value) {
  return edit(state, path, application, (parent, key) => insert(parent, key, value, path, application), value);
}

function take(state, path, application) {
  if (path === '') throw new PatchFailure(path, 'the whole state can’t be removed');
  at(state, path);
  return edit(state, path, application, (parent, key) => {
    if (!Array.isArray(parent)) delete parent[key];
    else {
      application.spend(2 * (parent.length - 1 - Number(key)), path);
      parent.splice(Number(key), 1);
    }
  });
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
    if (value === undefined) throw new PatchFailure(path, 'no value is at this path');
  }
  return value;
}

/** Copies the containers along `path`, and lets `change` write to the last one. */
function edit(state, path, { owned }, change, whole) {
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
  if (kind !== 'array' && kind !== 'object') throw new PatchFailure(path, 'no value is at this path');
  if (owned.has(value)) return value;
  const copy = kind === 'array' ? value.slice() : { ...value };
  owned.add(copy);
  return copy;
}

function insert(parent, key, value, path, application) {
  if (!Array.isArray(parent)) return define(parent, key, value);
  const index = key === '-' ? parent.length : position(key, parent.length, path);
  application.spend(2 * (parent.length - index), path);
  parent.splice(index, 0, value);
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
  const start = boundary(text, 0, numberOf(offset), path);
  const end = boundary(text, start, numberOf(count), path);
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
  if (left !== 0) throw new PatchFailure(path, 'the splice ends past the text or inside a character');
  return index;
}
