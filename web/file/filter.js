// The conditions of a query, with the server's meaning. Several `type`s or `store`s are ORed, all others are ANDed;
// `-` before the name negates a condition.
import { kindOf, parse } from '../json/parse.js';
import { equal } from '../json/value.js';
import { isPointer, tokens } from '../json/pointer.js';
import { refuse } from './problem.js';
import { flags } from './tape.js';
import { hasWord } from './words.js';

const mostConditions = 32;
const longest = 1000;
/** Only the start of a longer name is compared. */
const longestName = 4096;
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

  /** Results are cached by name. */
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
    const has = (search) => search(bytes) && hasWord(bytes, search);
    return this.#wanted.get('q').every(has) && !this.#unwanted.get('q').some(has)
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

/** Makes each condition from its text. */
const conditions = {
  type: (text) => namePattern(text, true),
  store: (text) => namePattern(text, false),
  q: textSearch,
  re: linePattern,
  path: touches,
  value: valueSearch,
};

/**
 * Matches a name, or its start up to a slash, ignoring ASCII case; `*` is any text. It matches greedily and backtracks
 * only to the last star, which is enough and faster than a regular expression.
 */
function namePattern(text, endsAtSlash) {
  const pattern = lowered(text);
  return (full) => {
    const name = lowered(full.slice(0, longestName));
    let [at, place] = [0, 0];
    let star = null;
    for (;;) {
      if (at === pattern.length && (place === name.length || endsAtSlash && name[place] === '/')) return true;
      if (pattern[at] === '*') {
        at += 1;
        star = { at, place };
      } else if (at < pattern.length && place < name.length && pattern[at] === name[place]) {
        at += 1;
        place += 1;
      } else if (star !== null && star.place < name.length) {
        star.place += 1;
        ({ at, place } = star);
      } else return false;
    }
  };
}

function lowered(text) {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function lower(byte) {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

/**
 * Finds a text in bytes, ignoring ASCII case (Horspool 1980). If that compares more bytes than there are, a linear
 * search does the rest.
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
  const borders = bordersOf(text);
  return (bytes) => {
    let compared = 0;
    for (let end = last; end < bytes.length; end += shifts[bytes[end]]) {
      let index = last;
      while (index >= 0 && lower(bytes[end - last + index]) === text[index]) index -= 1;
      if (index < 0) return true;
      compared += last - index;
      if (compared > bytes.length) return isFoundLinearly(text, borders, bytes.subarray(end - last));
    }
    return false;
  };
}

/** The search of Knuth, Morris and Pratt (1977). */
function isFoundLinearly(text, borders, bytes) {
  let matched = 0;
  for (const each of bytes) {
    const byte = lower(each);
    while (matched > 0 && text[matched] !== byte) matched = borders[matched - 1];
    if (text[matched] === byte) matched += 1;
    if (matched === text.length) return true;
  }
  return false;
}

/** For each prefix, the length of its longest proper prefix that is also a suffix. */
function bordersOf(text) {
  const borders = new Uint16Array(text.length);
  let length = 0;
  for (let index = 1; index < text.length; index += 1) {
    while (length > 0 && text[length] !== text[index]) length = borders[length - 1];
    if (text[length] === text[index]) length += 1;
    borders[index] = length;
  }
  return borders;
}

function linePattern(text) {
  let pattern;
  try {
    pattern = new RegExp(text, 'u');
  } catch {
    // Without the flag more syntax is valid, as on the server.
    pattern = new RegExp(text);
  }
  return (line) => pattern.test(line);
}

/** The paths that an event changed. */
function touchedBy(tape, row) {
  if (tape.is(row, flags.state)) return 'everything';
  const operations = tape.is(row, flags.patch) ? JSON.parse(tape.line(row).raw('patch')) : [];
  return operations.flatMap((operation) => [operation?.path, operation?.from].filter((path) => typeof path === 'string'));
}

function touches(path) {
  tokens(path);
  return (touched) => touched === 'everything' || touched.some((other) => {
    const [short, long] = path.length < other.length ? [path, other] : [other, path];
    return long.startsWith(short) && (long.length === short.length || long[short.length] === '/');
  });
}

const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Finds a whole string, number or key in a line's action, patch or state. */
function valueSearch(text) {
  const number = isNumber.test(text) ? parse(text) : undefined;
  // A number has many spellings, and pointers and JSON escape some characters.
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
    return [operation.path, operation.from].some((path) => typeof path === 'string' && isPointer(path) && tokens(path).includes(text));
  };
  return (line) => {
    if (search !== null && !search(line.bytes.subarray(line.start, line.end)) && !line.bytes.subarray(line.start, line.end).includes(0x5c)) return false;
    if (line.has('state') && isFound(line.value('state'))) return true;
    const action = line.value('action');
    if (action !== undefined && (isFound(action.type) || action.payload !== undefined && isFound(action.payload))) return true;
    return line.has('patch') && line.value('patch').some(isTouched);
  };
}
