// JSON whose numbers keep their source text: a number that a double would print differently
// stays a `JSON.rawJSON` object, so what is shown or sent back is what the app wrote.

/** Text in which some number may not survive a double (a false alarm only costs time). */
const risky = /\d{16}|[\d.]{17}|\.\d*0(?!\d)|\d[eE][+-]?\d|-0(?![.\d])|0\.0{6}/;
/** Strings and numbers, one after the other: what looks like a number inside a string is none. */
const scalar = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Begins the strings that stand for such numbers while the rest is parsed. */
const mark = '\ue000';

/**
 * Parses JSON; numbers that a double can't hold exactly as written come back as raw JSON objects. A reviver would be
 * told each value's source, but calling one costs ten times as much as parsing.
 * @param {string} text
 * @returns {unknown}
 */
export function parse(text) {
  if (!risky.test(text)) return JSON.parse(text);
  const parts = [];
  let from = 0;
  for (scalar.lastIndex = 0; ;) {
    const match = scalar.exec(text);
    if (match === null) break;
    const [source] = match;
    if (source[0] === '"' || String(Number(source)) === source) continue;
    if (!number.test(source)) return JSON.parse(text);
    parts.push(text.slice(from, match.index), `"${mark}${source}"`);
    from = match.index + source.length;
  }
  if (parts.length === 0) return JSON.parse(text);
  if (text.includes(mark) || /\\u[eE]000/.test(text)) return revived(text);
  return restored(JSON.parse(parts.join('') + text.slice(from)));
}

function restored(value) {
  if (typeof value === 'string') return value[0] === mark ? JSON.rawJSON(value.slice(1)) : value;
  if (value === null || typeof value !== 'object') return value;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (typeof child === 'object' ? child !== null : typeof child === 'string' && child[0] === mark) {
      const whole = restored(child);
      // `__proto__` is a member like any other, so its value is there: only a new one needs care.
      if (whole !== child) Object.defineProperty(value, key, { value: whole, writable: true, enumerable: true, configurable: true });
    }
  }
  return value;
}

function revived(text) {
  return JSON.parse(text, (key, value, context) =>
    typeof value === 'number' && context.source !== String(value) ? JSON.rawJSON(context.source) : value);
}

/**
 * A number for reckoning with; null if there is none.
 * @param {unknown} value
 * @returns {number|null}
 */
export function numberOf(value) {
  return kindOf(value) === 'number' ? Number(JSON.stringify(value)) : null;
}

/**
 * The kind of a value.
 * @param {unknown} value
 * @returns {'null'|'boolean'|'number'|'string'|'array'|'object'}
 */
export function kindOf(value) {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return JSON.isRawJSON(value) ? 'number' : 'object';
  return /** @type {any} */ (typeof value);
}

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
 * The member `key` of an object or array, or undefined: never anything inherited.
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown}
 */
export function member(value, key) {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * A value as JSON text, short enough to stand in a line.
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

/** One spelling for all spellings of a decimal: sign, digits without outer zeros, exponent. */
function decimal(text) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return `${sign}0`;
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/**
 * JSON text with line breaks and two-space indents; every token stays as it is written.
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
