// The conditions of a query, with the server's meaning. Several with one name are ORed, but `q` and `re` are ANDed;
// `-` before the name negates a condition.
import { kindOf } from '../json/parse.js';
import { tokens } from '../json/pointer.js';
import { refuse } from './problem.js';
import { errorOf, flags } from './tape.js';
import { textSearch } from './text-search.js';
import { valueSearch } from './value-search.js';
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
  /** @type {{seqs: number[], areWanted: boolean}|null} */
  #bookmarks;

  /** @param {URLSearchParams} query @param {import('./bookmarks.js').TapeBookmarks|null} [bookmarks] */
  constructor(query, bookmarks = null) {
    for (const [name, make] of Object.entries(conditions)) {
      this.#wanted.set(name, read(query, name, make));
      this.#unwanted.set(name, read(query, `-${name}`, make));
    }
    this.#readsLines = ['q', 're', 'path', 'value'].some((name) => this.#all(name).length > 0);
    this.#bookmarks = bookmarksIn(query, bookmarks);
    this.isEmpty = !this.#readsLines && this.#bookmarks === null && ['type', 'store', 'level', 'cause'].every((name) => this.#all(name).length === 0);
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
    if (!this.#passesLevel(tape, row) || !this.#passesCause(tape, row) || !this.#passesBookmarks(tape, row)) return false;
    return !this.#readsLines || this.#passesLine(tape, row);
  }

  /** Results are cached by name. */
  #passesName(condition, known, number, names) {
    const [wanted, unwanted] = [this.#wanted.get(condition), this.#unwanted.get(condition)];
    if (wanted.length + unwanted.length === 0) return true;
    return known[number + 1] ??= (wanted.length === 0 || number >= 0 && wanted.some((meets) => meets(names[number])))
      && !(number >= 0 && unwanted.some((meets) => meets(names[number])));
  }

  #passesLevel(tape, row) {
    const [wanted, unwanted] = [this.#wanted.get('level'), this.#unwanted.get('level')];
    if (wanted.length + unwanted.length === 0) return true;
    const level = levelOf(tape, row);
    return level === null ? wanted.length === 0
      : (wanted.length === 0 || wanted.some((meets) => meets(level))) && !unwanted.some((meets) => meets(level));
  }

  #passesCause(tape, row) {
    const [wanted, unwanted] = [this.#wanted.get('cause'), this.#unwanted.get('cause')];
    const cause = tape.cause(row);
    return (wanted.length === 0 || wanted.includes(cause)) && !unwanted.includes(cause);
  }

  /** A gap passes with the bookmarks of all its events. */
  #passesBookmarks(tape, row) {
    if (this.#bookmarks === null) return true;
    const [last, count] = [tape.seq(row), tape.count(row)];
    return this.#bookmarks.seqs.some((seq) => seq > last - count && seq <= last) === this.#bookmarks.areWanted;
  }

  #passesLine(tape, row) {
    const bytes = tape.lineBytes(row);
    const isUnwanted = (name, subject) => this.#unwanted.get(name).some((meets) => meets(subject()));
    const all = (name, subject) => this.#wanted.get(name).every((meets) => meets(subject())) && !isUnwanted(name, subject);
    const any = (name, subject) => {
      const wanted = this.#wanted.get(name);
      return (wanted.length === 0 || wanted.some((meets) => meets(subject()))) && !isUnwanted(name, subject);
    };
    let text;
    let touched;
    let line;
    const has = (search) => search(bytes) && hasWord(bytes, search);
    return this.#wanted.get('q').every(has) && !this.#unwanted.get('q').some(has)
      && all('re', () => text ??= tape.line(row).text)
      && any('path', () => touched ??= touchedBy(tape, row))
      && any('value', () => line ??= tape.line(row));
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

function bookmarksIn(query, bookmarks) {
  const text = query.get('bookmarked');
  if (text === null) return null;
  if (text !== 'true' && text !== 'false') refuse(400, 'bad-query', '“bookmarked” must be true or false.');
  return { seqs: bookmarks?.kept.all.map(({ seq }) => seq) ?? [], areWanted: text === 'true' };
}

/** The level of a note, or what a row shows; null if an event has none. */
function levelOf(tape, row) {
  const kind = tape.kind(row);
  const value = (name) => tape.line(row).value(name);
  if (kind === 'note') {
    const level = value('level');
    return typeof level === 'string' ? level : 'info';
  }
  if (errorOf(tape, row) !== null) return 'error';
  // Without a result, the app crashed in the reducer.
  if (kind === 'action') return !tape.is(row, flags.patch | flags.state) && value('unfinished') === true ? 'error' : null;
  if (kind === 'end') return value('reason') === 'crashed' ? 'error' : null;
  // Not all of the applied state fitted into the app.
  const isApplied = (kind === 'replace' || kind === 'init') && tape.is(row, flags.cause);
  return isApplied && kindOf(value('cause')) === 'object' && value('cause').lost !== undefined ? 'warning' : null;
}

/** Makes each condition from its text. */
const conditions = {
  type: (text) => namePattern(text, true),
  store: (text) => namePattern(text, false),
  level: (text) => namePattern(text, false),
  cause: seqIn,
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

function seqIn(text) {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) throw new Error('it must be the number of an event');
  return Number(text);
}

function lowered(text) {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
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

/** `*` stands for any index or key. */
function touches(path) {
  tokens(path);
  const steps = path.split('/');
  const hasStar = steps.includes('*');
  return (touched) => touched === 'everything' || touched.some((other) => {
    if (hasStar) return other.split('/').every((step, place) => place >= steps.length || place === 0 || steps[place] === '*' || step === steps[place]);
    const [short, long] = path.length < other.length ? [path, other] : [other, path];
    return long.startsWith(short) && (long.length === short.length || long[short.length] === '/');
  });
}
