// JSON with exact numbers: a number that a double would print differently stays a `JSON.rawJSON` object,
// so that the page shows and sends what the app wrote.

/** Finds text with numbers that a double may change (a false alarm only costs time). */
const risky = /\d{16}|[\d.]{17}|\.\d*0(?!\d)|\d[eE][+-]?\d|-0(?![.\d])|0\.0{6}/;
/** Strings and numbers: strings are skipped, as they may contain digits. */
const scalar = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Starts the strings that replace such numbers during parsing. */
const mark = '\ue000';

// Browsers before 2025 have no raw JSON: there, writing turns marked strings back into numbers.
if (!JSON.rawJSON) {
  const raws = new WeakSet();
  const { stringify } = JSON;
  JSON.rawJSON = (source) => {
    const raw = { toJSON: () => mark + source };
    raws.add(raw);
    return raw;
  };
  JSON.isRawJSON = (value) => raws.has(value);
  JSON.stringify = (...all) => stringify(...all)?.replace(/"\ue000(-?\d[\d.eE+-]*)"/g, '$1');
}

/**
 * Parses JSON; numbers that a double would change become raw JSON objects. A reviver gets the source of
 * each value, but is ten times slower.
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
      // Assigning `__proto__` would run its setter.
      if (whole !== child) Object.defineProperty(value, key, { value: whole, writable: true, enumerable: true, configurable: true });
    }
  }
  return value;
}

function revived(text) {
  return JSON.parse(text, (key, value, context) =>
    typeof value === 'number' && context && context.source !== String(value) ? JSON.rawJSON(context.source) : value);
}

/** A number as a double; null for other values. @param {unknown} value @returns {number|null} */
export function numberOf(value) {
  return kindOf(value) === 'number' ? Number(JSON.stringify(value)) : null;
}

/** The kind of a value. @param {unknown} value @returns {'null'|'boolean'|'number'|'string'|'array'|'object'} */
export function kindOf(value) {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return JSON.isRawJSON(value) ? 'number' : 'object';
  return /** @type {any} */ (typeof value);
}
