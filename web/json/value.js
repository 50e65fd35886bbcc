// JSON values: their members, equality and text.
import { kindOf } from './parse.js';

/**
 * The number of members or elements; 0 for a scalar.
 * @param {unknown} value
 * @returns {number}
 */
export function countOf(value) {
  const kind = kindOf(value);
  if (kind === 'array') return value.length;
  return kind === 'object' ? Object.keys(value).length : 0;
}

/**
 * The member `key` of an object or array, or undefined; inherited members are ignored.
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown}
 */
export function member(value, key) {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * The bytes of a text in UTF-8.
 * @param {string} text
 * @returns {number}
 */
export function utf8Length(text) {
  let bytes = text.length;
  if (!/[^\0-\x7f]/.test(text)) return bytes;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair takes two bytes.
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) bytes += 2;
    else if (unit >= 0x80) bytes += 1;
  }
  return bytes;
}

/**
 * A value as JSON text, shortened to a line.
 * @param {unknown} value
 * @param {number} [limit] characters
 * @returns {string}
 */
export function preview(value, limit = 120) {
  const kind = kindOf(value);
  if (value === undefined) return '';
  if (kind === 'string') return value.length > limit ? `${JSON.stringify(value.slice(0, limit))}…` : JSON.stringify(value);
  if (kind === 'array' || kind === 'object') return previewTree(value, kind, limit);
  const text = JSON.stringify(value);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function previewTree(value, kind, limit) {
  const keys = kind === 'array' ? value.keys() : Object.keys(value);
  const parts = [];
  let length = 2;
  for (const key of keys) {
    const inner = preview(value[key], Math.max(8, Math.min(40, limit - length)));
    const part = kind === 'array' ? inner : `${key}: ${inner}`;
    length += part.length + 2;
    if (length > limit && parts.length > 0) {
      parts.push('…');
      break;
    }
    parts.push(part);
  }
  return kind === 'array' ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

/**
 * Equality of two values: numbers by exact decimal value, members in any order.
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function equal(a, b) {
  if (a === b) return true;
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  if (kind === 'number') return decimal(JSON.stringify(a)) === decimal(JSON.stringify(b));
  if (kind === 'array') return a.length === b.length && a.every((value, index) => equal(value, b[index]));
  if (kind !== 'object') return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** One spelling for all spellings of a number: sign, digits without outer zeros, exponent. @param {string} text */
export function decimal(text) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return `${sign}0`;
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/**
 * JSON text with line breaks and two-space indents; tokens are unchanged.
 * @param {string} text well-formed JSON
 * @returns {string}
 */
export function indent(text) {
  return [...indented(text, Infinity)].map(([piece]) => piece).join('');
}

/**
 * The same a piece at a time, each with how much of the text has been read.
 * @param {string} text
 * @param {number} size of a piece at least, in characters
 * @returns {Generator<[string, number]>}
 */
export function* indented(text, size) {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[{]\s*[\]}]|[{}[\],:]|\s+|[^\s"{}[\],:]+|"/g;
  let depth = 0;
  let piece = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [part] = match;
    if (part === '{' || part === '[') depth += 1, piece += part + line();
    else if (part === '}' || part === ']') depth -= 1, piece += line() + part;
    else if (part === ',') piece += part + line();
    else if (part === ':') piece += ': ';
    else piece += part[0] === '"' ? part : part.replace(/\s+/g, '');
    if (piece.length >= size) {
      yield [piece, token.lastIndex];
      piece = '';
    }
  }
  yield [piece, text.length];
}
