// Which events are meant: the conditions of a query, as the server has them. Several `type`s or `store`s mean any of
// them, several of the others all of them; with `-` before its name a condition is one that no event may meet.
import { kindOf, parse } from '../model/json.js';
import { equal } from '../model/value.js';
import { tokens } from '../model/pointer.js';
import { refuse } from './problem.js';
import { flags } from './tape.js';

const mostConditions = 32;
const longest = 1000;
const encoder = new TextEncoder();

export class EventFilter {
  #wanted = new Map();
  #unwanted = new Map();
  #readsLines;
  #types = [];
  #stores = [];

  /** @param {URLSearchParams} query */
  constructor(query) {
    for (const [name, make] of Object.entries(conditions)) {
      this.#wanted.set(name, read(query, name, make));
      this.#unwanted.set(name, read(query, `-${name}`, make));
    }
    this.#readsLines = ['q', 're', 'path', 'value'].some((name) => this.#all(name).length > 0);
    this.isEmpty = !this.#readsLines && this.#all('type').length + this.#all('store').length === 0;
  }

  #all(name) {
    return [...this.#wanted.get(name), ...this.#unwanted.get(name)];
  }

  /**
   * @param {import('./tape.js').FileTape} tape
   * @param {number} row
   * @returns {boolean}
   */
  passes(tape, row) {
    if (this.isEmpty) return true;
    if (!this.#passesName('type', this.#types, tape.type(row), tape.types.names)) return false;
    if (!this.#passesName('store', this.#stores, tape.store(row), tape.stores.names)) return false;
    return !this.#readsLines || this.#passesLine(tape, row);
  }

  /** What a name meets is found out once for each name. */
  #passesName(condition, known, number, names) {
    const [wanted, unwanted] = [this.#wanted.get(condition), this.#unwanted.get(condition)];
    if (wanted.length + unwanted.length === 0) return true;
    return known[number + 1] ??= (wanted.length === 0 || number >= 0 && wanted.some((meets) => meets(names[number])))
      && !(number >= 0 && unwanted.some((meets) => meets(names[number])));
  }

  #passesLine(tape, row) {
    const bytes = tape.lineBytes(row);
    const all = (name, subject) => this.#wanted.get(name).every((meets) => meets(subject()))
      && !this.#unwanted.get(name).some((meets) => meets(subject()));
    let text;
    let touched;
    let line;
    return all('q', () => bytes)
      && all('re', () => text ??= tape.line(row).text)
      && all('path', () => touched ??= touchedBy(tape, row))
      && all('value', () => line ??= tape.line(row));
  }
}

function read(query, name, make) {
  const texts = query.getAll(name).filter((text) => text !== '' || name.endsWith('path'));
  if (texts.length > mostConditions || texts.some((text) => encoder.encode(text).length > longest)) {
    refuse(400, 'bad-query', `“${name}” may be there ${mostConditions} times, with ${longest} bytes each.`);
  }
  try {
    return texts.map(make);
  } catch (error) {
    return refuse(400, 'bad-query', `“${name}” can't be used: ${error.message}.`);
  }
}

/** What makes each condition of its text. */
const conditions = {
  type: typePattern,
  store: (text) => (name) => name === text,
  q: textSearch,
  re: linePattern,
  path: touches,
  value: valueSearch,
};

/** A path down to a slash, where `*` stands for any text. */
function typePattern(text) {
  const escaped = text.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}/]/g, '\\$&')).join('[^]*');
  const pattern = new RegExp(`^${escaped}(?:/|$)`);
  return (type) => pattern.test(type);
}

function lower(byte) {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

/**
 * Finds a text in bytes, whatever its case in ASCII (Horspool 1980).
 * @param {string} wanted
 * @returns {(bytes: Uint8Array) => boolean}
 */
function textSearch(wanted) {
  const text = encoder.encode(wanted).map(lower);
  const last = text.length - 1;
  const shifts = new Uint16Array(256).fill(text.length);
  for (let index = 0; index < last; index += 1) {
    shifts[text[index]] = last - index;
    if (text[index] >= 0x61 && text[index] <= 0x7a) shifts[text[index] & ~0x20] = last - index;
  }
  return (bytes) => {
    for (let end = last; end < bytes.length; end += shifts[bytes[end]]) {
      let index = last;
      while (index >= 0 && lower(bytes[end - last + index]) === text[index]) index -= 1;
      if (index < 0) return true;
    }
    return false;
  };
}

function linePattern(text) {
  let pattern;
  try {
    pattern = new RegExp(text, 'u');
  } catch {
    // Without the flag some more is allowed, as it is on the server.
    pattern = new RegExp(text);
  }
  return (line) => pattern.test(line);
}

/** The places that an event touched; null: every place. */
function touchedBy(tape, row) {
  if (tape.is(row, flags.state)) return 'everything';
  const operations = tape.is(row, flags.patch) ? JSON.parse(tape.line(row).raw('patch')) : [];
  return operations.flatMap((operation) => [operation?.path, operation?.from].filter((path) => typeof path === 'string'));
}

function touches(path) {
  tokens(path);
  if (/~(?![01])/.test(path)) throw new Error(`“${path}” is not a JSON Pointer`);
  return (touched) => touched === 'everything' || touched.some((other) => {
    const [short, long] = path.length < other.length ? [path, other] : [other, path];
    return long.startsWith(short) && (long.length === short.length || long[short.length] === '/');
  });
}

const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A text that is a whole string, number or key inside a line's action, patch or state. */
function valueSearch(text) {
  const number = isNumber.test(text) ? parse(text) : undefined;
  // A number has many texts, and in a pointer some characters are written otherwise.
  const search = number !== undefined || /[/~"\\]/.test(text) ? null : textSearch(text);
  const isFound = (value) => {
    const kind = kindOf(value);
    if (kind === 'string') return value === text;
    if (kind === 'number') return number !== undefined && equal(value, number);
    if (kind === 'array') return value.some(isFound);
    return kind === 'object' && Object.keys(value).some((key) => key === text || isFound(value[key]));
  };
  const isTouched = (operation) => {
    if (kindOf(operation) !== 'object') return false;
    if (operation.value !== undefined && isFound(operation.value) || operation.insert === text) return true;
    return [operation.path, operation.from].some((path) => typeof path === 'string' && /^(\/|$)/.test(path) && tokens(path).includes(text));
  };
  return (line) => {
    if (search !== null && !search(line.bytes.subarray(line.start, line.end)) && !line.bytes.subarray(line.start, line.end).includes(0x5c)) return false;
    if (line.has('state') && isFound(line.value('state'))) return true;
    const action = line.value('action');
    if (action !== undefined && (isFound(action.type) || action.payload !== undefined && isFound(action.payload))) return true;
    return line.has('patch') && line.value('patch').some(isTouched);
  };
}
