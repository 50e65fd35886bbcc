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
