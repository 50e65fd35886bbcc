// What the library jsan writes in place of values that JSON can't hold: references such as `{"$jsan":"$.a[0]"}`, and
// codes such as `{"$jsan":"d1700000000000"}`. As in Swift's `JsanValues`.
import { kindOf } from '../json/parse.js';
import { below } from '../json/pointer.js';
import { member, utf8Length } from '../json/value.js';
import { FormatError } from './bytes.js';

/** Levels of nesting. */
const deepest = 510;
/** The most bytes of all values, and the most values that references lead to. */
const mostBytes = 256 << 20;
const mostSteps = 16_000_000;
const lastTime = 8.64e15;

const isUsed = (value) => value !== null && typeof value === 'object' && !JSON.isRawJSON(value)
  && (Array.isArray(value) ? value.some(isUsed) : Object.entries(value).some(([key, inner]) => key === '$jsan' || isUsed(inner)));

/** Sets a member, also one of the name `__proto__`. */
const define = (object, key, value) => Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

export class JsanValues {
  /** Where a value that JSON can't hold was, as a JSON pointer; null if there is none. @type {string|null} */
  lost = null;
  /** Where a reference stays as it is. @type {string|null} */
  kept = null;
  #root;
  #isUsed;
  /** The open places: the value at the first `base` tokens of `path`, and everything between. */
  #segments = [];
  #known = new Map();
  #isTooDeep = false;
  #bytes = 0;
  #steps = 0;

  /** @param {any} root the whole text, to which references refer */
  constructor(root) {
    this.#root = root;
    this.#isUsed = isUsed(root);
  }

  /**
   * The value of a place in the text.
   * @param {any} value
   * @param {string[]} path
   * @returns {any} undefined if it is that, or absent
   */
  value(value, path) {
    if (!this.#isUsed || value === undefined) return value;
    this.#segments = [{ base: path.length, path: [...path] }];
    const result = this.#resolve(value, 0);
    this.#isTooDeep = false;
    this.#bytes += result.size;
    if (this.#bytes > mostBytes) throw new FormatError(`with its references resolved, the file has more than ${mostBytes >> 20} MiB of states`);
    return result.value;
  }

  #resolve(value, depth) {
    this.#steps += 1;
    if (this.#steps > mostSteps) throw new FormatError(`the references in the file lead to more than ${mostSteps} values`);
    if (depth >= deepest && this.#segments.length > 1) {
      this.#isTooDeep = true;
      return leaf(null);
    }
    const kind = kindOf(value);
    if (kind !== 'array' && kind !== 'object') return leaf(value);
    const keys = Object.keys(value);
    if (kind === 'object' && keys.length === 1 && typeof member(value, '$jsan') === 'string') return this.#coded(value.$jsan, value, depth);
    const result = { value: kind === 'array' ? [] : {}, size: 2, height: 0 };
    const { path } = this.#segments.at(-1);
    for (const key of keys) {
      path.push(key);
      const inner = this.#resolve(kind === 'array' ? value[key] : unescaped(value, key), depth + 1);
      path.pop();
      if (kind === 'array') result.value.push(inner.value === undefined ? null : inner.value);
      else if (inner.value === undefined) continue;
      else define(result.value, key, inner.value);
      result.size += inner.size + (kind === 'array' ? 1 : utf8Length(key) + 4);
      result.height = Math.max(result.height, inner.height + 1);
    }
    return result;
  }

  #coded(code, value, depth) {
    const rest = code.slice(1);
    switch (code[0]) {
    case '$': return this.#reference(code, value, depth);
    case 'd': return rest === 'NaN' ? leaf(null) : isWhole(rest) ? leaf(dateText(Number(rest))) : leaf(value);
    case 'u': return rest === '' ? absent : leaf(value);
    case 'n': case 'i': case 'y': return rest === '' ? this.#lose(leaf(null)) : leaf(value);
    case 'f': case 's': case 'g': return this.#lose(absent);
    case 'e': return this.#lose({ ...leaf({}), size: 2 });
    case 'r': return rest.includes(',') ? this.#lose({ ...leaf({}), size: 2 }) : leaf(value);
    case 'm': case 'l': return rest[0] === '[' ? this.#lose({ ...leaf({}), size: 2 }) : leaf(value);
    default: return leaf(value);
    }
  }

  #reference(code, value, depth) {
    this.#steps += this.#segments.length;
    const path = pathOf(code);
    const target = path === null ? undefined : this.#find(path);
    if (target === undefined || this.#isOpen(path)) return this.#keep(value);
    const name = path.reduce(below, '');
    if (!this.#known.has(name)) {
      this.#segments.push({ base: path.length, path: [...path] });
      const result = this.#resolve(target, depth + 1);
      this.#segments.pop();
      if (this.#isTooDeep) {
        this.#isTooDeep = false;
        return this.#keep(value);
      }
      this.#known.set(name, result);
    }
    const result = this.#known.get(name);
    return depth + 1 + result.height < deepest ? { ...result, height: result.height + 1 } : this.#keep(value);
  }

  /** Whether the place contains this one. */
  #isOpen(path) {
    return this.#segments.some((segment) => segment.base <= path.length && path.length <= segment.path.length
      && path.every((token, index) => token === segment.path[index]));
  }

  #find(path) {
    let value = this.#root;
    for (const token of path) {
      if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(token) || value !== null && typeof value === 'object' && JSON.isRawJSON(value)) return undefined;
      value = Array.isArray(value) ? member(value, token) : unescaped(value, token);
      if (value === undefined) return undefined;
    }
    return value;
  }

  #keep(value) {
    this.kept = this.#least(this.kept);
    return leaf(value);
  }

  #lose(result) {
    this.lost = this.#least(this.lost);
    return result;
  }

  /** This place, or an earlier one in the order of the text: the engine may meet them in another order. */
  #least(other) {
    const here = this.#segments.at(-1).path.reduce(below, '');
    return other !== null && other < here ? other : here;
  }
}

const absent = { value: undefined, size: 0, height: 0 };

function leaf(value) {
  const kind = kindOf(value);
  return { value, size: kind === 'string' ? utf8Length(value) + 2 : kind === 'number' ? JSON.stringify(value).length : 4, height: 0 };
}

/** A member; jsan writes an app's own `$jsan` as an array with its value. */
function unescaped(value, key) {
  const inner = member(value, key);
  return key === '$jsan' && Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
}

/** Whether a text is a whole number of 64 bits. */
function isWhole(text) {
  return /^(0|-?[1-9]\d{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function dateText(time) {
  return Math.abs(time) <= lastTime ? new Date(time).toISOString() : null;
}

/** The tokens of a path such as `$.todos[0]["a key"]`; null for another text. */
export function pathOf(text) {
  const part = /\.(\w+)|\[(\d+)\]|\[("(?:[^"\\]|\\[^])*")\]/y;
  const tokens = [];
  for (part.lastIndex = 1; part.lastIndex < text.length;) {
    const match = part.exec(text);
    if (match === null || tokens.length === 512) return null;
    try {
      tokens.push(match[1] ?? match[2] ?? JSON.parse(match[3]));
    } catch {
      return null;
    }
  }
  return tokens;
}

/**
 * A value with each member `$jsan` as jsan writes an app's own.
 * @param {any} value
 * @returns {any}
 */
export function escapedJsan(value) {
  if (Array.isArray(value)) return value.map(escapedJsan);
  if (kindOf(value) !== 'object') return value;
  const result = {};
  for (const [key, inner] of Object.entries(value)) define(result, key, key === '$jsan' ? [escapedJsan(inner)] : escapedJsan(inner));
  return result;
}
