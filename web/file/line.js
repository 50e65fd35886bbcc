// An event line as bytes: the positions of its members, and the values that every reader needs.
import { parse } from '../json/parse.js';
import { FormatError, textOf } from './bytes.js';
import { inner, position, scan, skip } from './scan.js';

/** The known members. */
const names = ['seq', 'at', 'event', 'store', 'count', 'action', 'patch', 'state', 'skipped', 'unfinished', 'cause',
  'dispatch', 'reason', 'level', 'text', 'took', 'error', 'types', 'swift'];
const slots = new Map(names.map((name, slot) => [name, slot]));
const byHash = new Map(names.map((name, slot) => [hashOf(name), slot]));
const largestSeq = 2 ** 53 - 1;
/** A patch is looked into below this size. */
const smallPatch = 4096;
const shownText = 120;
const shownPaths = 3;

function hashOf(name) {
  let hash = 0x811c9dc5 | 0;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return hash;
}

/** A reusable line: the next `read` replaces its content. */
export class Line {
  /** @type {Uint8Array} */
  bytes = new Uint8Array(0);
  start = 0;
  end = 0;
  seq = 0;
  /** Microseconds since the session started. */
  at = 0;
  /** 1, or the number of events in a gap. */
  count = 1;
  kind = '';
  #places = new Float64Array(2 * names.length);
  #type = [0, 0];

  /**
   * Reads and checks a line.
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @returns {Line} itself
   * @throws {FormatError}
   */
  read(bytes, start, end) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.#places.fill(-1);
    this.#type[0] = -1;
    scan(bytes, start, end, this.#member);
    this.#head();
    return this;
  }

  /** Whether a member is there. @param {string} name */
  has(name) {
    return this.#places[2 * slots.get(name)] >= 0;
  }

  /** The bytes that a member's JSON takes, or null. @param {string} name @returns {number|null} */
  size(name) {
    const slot = 2 * slots.get(name);
    return this.#places[slot] < 0 ? null : this.#places[slot + 1] - this.#places[slot];
  }

  /** Where a member's JSON stands. @param {string} name @returns {[number, number]} */
  place(name) {
    const slot = 2 * slots.get(name);
    return [this.#places[slot], this.#places[slot + 1]];
  }

  /** A member's JSON text, or null. @param {string} name @returns {string|null} */
  raw(name) {
    return this.has(name) ? textOf(this.bytes, ...this.place(name)) : null;
  }

  /** A member's value, with exact numbers; undefined if there is none. @param {string} name @returns {any} */
  value(name) {
    const text = this.raw(name);
    return text === null ? undefined : parse(text);
  }

  get store() {
    return this.has('store') ? this.value('store') : 'main';
  }

  /** Of an action. @returns {string|null} */
  get type() {
    return this.#type[0] < 0 ? null : JSON.parse(textOf(this.bytes, ...this.#type));
  }

  /** Where the action's type stands, with its quotes; -1 if there is none. */
  get typePlace() {
    return this.#type;
  }

  /** The error that an action's reducer threw, or a change of the state, or null. @returns {string|null} */
  get error() {
    const error = (this.kind === 'action' || this.kind === 'replace') && this.has('error') ? this.value('error') : null;
    return typeof error === 'string' ? error : null;
  }

  get text() {
    return textOf(this.bytes, this.start, this.end);
  }

  /** The first seq that it covers. */
  get first() {
    return this.seq - this.count + 1;
  }

  /**
   * The line as the API's `fields=head` has it.
   * @returns {object}
   */
  head() {
    const { seq, at, kind, count } = this;
    const head = { seq, at: at / 1000, event: kind, store: this.store };
    if (kind === 'action') head.type = this.type ?? '';
    if (kind === 'gap') head.count = count;
    head.bytes = this.end - this.start;
    for (const name of ['patch', 'state']) if (this.has(name)) head[name] = this.size(name);
    const operations = this.has('patch') && head.patch < smallPatch ? this.value('patch') : null;
    if (operations) head.ops = operations.length;
    if (this.has('took')) head.took = microseconds(Number(this.raw('took'))) / 1000;
    if (operations) {
      head.paths = operations.slice(0, shownPaths).map((operation) => operation?.path).filter((path) => path !== undefined);
      if (operations.some((operation) => operation?.from !== undefined)) head.moves = true;
    }
    for (const name of ['skipped', 'unfinished', 'cause', 'dispatch', 'reason', 'level']) {
      if (this.has(name)) head[name] = this.value(name);
    }
    if (kind === 'note') head.text = beginning(this.value('text'));
    const error = this.error;
    if (error !== null) head.error = beginning(error);
    return head;
  }

  /**
   * The line as the API's `fields=types` has it.
   * @returns {object}
   */
  types() {
    const { seq, kind, store } = this;
    const said = kind === 'init' ? ['types', 'swift'].filter((name) => this.has(name)) : [];
    return Object.fromEntries([['seq', seq], ['event', kind], ['store', store], ...said.map((name) => [name, this.value(name)])]);
  }

  #member = (keyStart, keyEnd, escaped, hash) => {
    const slot = escaped ? slots.get(JSON.parse(`"${textOf(this.bytes, keyStart, keyEnd)}"`)) : byHash.get(hash);
    if (slot === undefined || !escaped && !isName(this.bytes, keyStart, keyEnd, names[slot])) {
      skip();
      return;
    }
    if (names[slot] !== 'action') {
      this.#places[2 * slot] = skip();
      this.#places[2 * slot + 1] = position();
      return;
    }
    let from = position();
    while (this.bytes[from] <= 0x20) from += 1;
    if (!inner(this.#actionMember)) throw new FormatError('member “action” of an event must be an object', from - this.start);
    if (this.#type[0] < 0 || this.bytes[this.#type[0]] !== 0x22) {
      throw new FormatError('member “action” of an event needs a string “type”', from - this.start);
    }
    this.#places[2 * slot] = from;
    this.#places[2 * slot + 1] = position();
  };

  #actionMember = (keyStart, keyEnd, escaped) => {
    const isType = escaped ? JSON.parse(`"${textOf(this.bytes, keyStart, keyEnd)}"`) === 'type' : isName(this.bytes, keyStart, keyEnd, 'type');
    const from = skip();
    if (isType) {
      this.#type[0] = from;
      this.#type[1] = position();
    }
  };

  #head() {
    this.seq = this.#whole('seq', 0, largestSeq, 'a whole number from 0 on');
    const at = this.has('at') ? fast(this.bytes, ...this.place('at')) ?? this.value('at') : undefined;
    if (at === undefined) throw new FormatError('an event has no member “at”');
    const ms = typeof at === 'object' && JSON.isRawJSON(at) ? Number(JSON.stringify(at)) : at;
    if (!(typeof ms === 'number' && ms >= 0 && Number.isFinite(ms))) {
      throw new FormatError('member “at” of an event must be a number of milliseconds, 0 or more');
    }
    this.at = microseconds(ms);
    this.kind = this.#string('event');
    if (this.has('store') && this.#string('store') === '') throw new FormatError('member “store” of an event must be a name');
    this.count = this.kind === 'gap' ? this.#whole('count', 1, this.seq + 1, 'a whole number from 1 to seq + 1') : 1;
    this.#needs();
  }

  /** What each kind of event needs. */
  #needs() {
    const { kind } = this;
    const isTrue = (name) => this.has(name) && this.raw(name) === 'true';
    const need = (name) => {
      if (!this.has(name)) throw new FormatError(`event “${kind}” has no member “${name}”`);
    };
    if (kind === 'init') need('state');
    else if (kind === 'action' || kind === 'replace') {
      need(kind === 'action' ? 'action' : 'cause');
      const given = Number(this.has('patch')) + Number(this.has('state')) + Number(isTrue('skipped'));
      if (given !== 1 && !(given === 0 && kind === 'action' && isTrue('unfinished'))) {
        throw new FormatError(`event “${kind}” needs one of “patch”, “state” and “skipped”, and has ${given}`);
      }
    } else if (kind === 'note') {
      need('text');
      this.#string('text');
    } else if (kind === 'gap') need('reason');
    if (this.has('patch') && this.bytes[this.place('patch')[0]] !== 0x5b) {
      throw new FormatError('member “patch” of an event must be an array');
    }
  }

  #whole(name, least, most, what) {
    if (!this.has(name)) throw new FormatError(`an event has no member “${name}”`);
    const value = fast(this.bytes, ...this.place(name)) ?? Number(this.raw(name));
    if (!Number.isInteger(value) || value < least || value > most) throw new FormatError(`member “${name}” of an event must be ${what}`);
    return value;
  }

  #string(name) {
    if (!this.has(name)) throw new FormatError(`an event has no member “${name}”`);
    const [from, to] = this.place(name);
    if (this.bytes[from] !== 0x22) throw new FormatError(`member “${name}” of an event must be a string`);
    return shared(this.bytes, from, to);
  }
}

/** The part of a text that a list shows. @param {string} text */
export function beginning(text) {
  return [...text.slice(0, 2 * shownText)].slice(0, shownText).join('');
}

/** Milliseconds as whole microseconds, within the precision of a double. */
export function microseconds(ms) {
  return Math.min(Math.max(0, Math.round(ms * 1000)), 2 ** 52);
}

/** A number of up to fifteen digits; null if it is anything else. */
function fast(bytes, from, to) {
  if (to - from > 16) return null;
  let result = 0;
  let point = to;
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index];
    if (byte >= 0x30 && byte <= 0x39) result = result * 10 + byte - 0x30;
    else if (byte === 0x2e) point = index + 1;
    else return null;
  }
  return result / 10 ** (to - point);
}

/** Whether an ASCII name stands in a range. */
export function isName(bytes, from, to, name) {
  if (to - from !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[from + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Repeated strings, by the hash of their JSON. */
const known = new Map();

/** Decodes a JSON string; repeated ones are cached. */
export function shared(bytes, from, to) {
  if (to - from > 64) return JSON.parse(textOf(bytes, from, to));
  let hash = to - from;
  for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ bytes[index], 0x01000193);
  const found = known.get(hash);
  if (found !== undefined && isName(bytes, from, to, found.json)) return found.text;
  const json = textOf(bytes, from, to);
  const text = JSON.parse(json);
  if (json.length === to - from && known.size < 10_000) known.set(hash, { json, text });
  return text;
}
