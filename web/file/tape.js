// A tape in memory: the bytes of its lines, and columns of what every scan needs.
import { causeOf } from './causes.js';
import { Line, shared } from './line.js';
import { FormatError, grown } from './bytes.js';

/** Lines are stored in pieces of this size; a longer line has its own piece. */
const pieceSize = 4 << 20;

/** The flags of a row. */
export const flags = { state: 1, patch: 2, skipped: 4, cause: 8, error: 16 };

/** The error that an action's reducer threw, or null. @param {FileTape} tape @param {number} row @returns {string|null} */
export function errorOf(tape, row) {
  return tape.is(row, flags.error) ? tape.line(row).error : null;
}

export class FileTape {
  /** @type {any} */
  header = null;
  /** The number of lines. */
  rows = 0;
  bytes = 0;
  ended = false;
  /** @type {string|undefined} */
  endReason = undefined;
  /** After the last seq. */
  next = 0;
  first = 0;
  /** Names by their numbers in the columns. */
  kinds = new Names();
  stores = new Names();
  types = new Names();
  /** The rows of gaps, and by store those that set or clear its state. */
  gaps = [];
  /** @type {number[][]} */
  bases = [];
  #pieces = [];
  #used = pieceSize;
  #capacity = 0;
  #seqs = new Float64Array(0);
  #ats = new Float64Array(0);
  #starts = new Float64Array(0);
  #lengths = new Uint32Array(0);
  #kind = new Uint8Array(0);
  #store = new Uint16Array(0);
  #type = new Uint16Array(0);
  #flags = new Uint8Array(0);
  #causes = new Float64Array(0);
  #line = new Line();
  #read = new Line();

  /** @param {any} header */
  constructor(header) {
    this.header = header;
    this.first = this.next = header.from ?? 0;
  }

  /**
   * Adds the next line.
   * @param {Uint8Array} source
   * @param {number} from
   * @param {number} to
   * @throws {FormatError} if it is not an event, or doesn't follow the one before
   */
  add(source, from, to) {
    const line = this.#read.read(source, from, to);
    if (this.ended) throw new FormatError('no event may follow “end”');
    if (line.first !== this.next) {
      throw new FormatError(line.kind === 'gap'
        ? `the gap must begin at seq ${this.next}, but begins at ${line.first}`
        : `member “seq” must be ${this.next}, but is ${line.seq}`);
    }
    const row = this.rows;
    if (row === this.#capacity) this.#grow();
    const length = to - from;
    this.#starts[row] = this.#keep(source, from, length);
    this.#lengths[row] = length;
    this.#seqs[row] = line.seq;
    this.#ats[row] = line.at;
    this.#kind[row] = this.kinds.number(line.kind);
    const store = this.stores.number(line.has('store') ? shared(source, ...line.place('store')) : 'main');
    this.#store[row] = store;
    this.#type[row] = line.kind === 'action' ? this.types.number(shared(source, ...line.typePlace)) + 1 : 0;
    this.#flags[row] = (line.has('state') ? flags.state : 0) | (line.has('patch') ? flags.patch : 0)
      | (line.has('skipped') ? flags.skipped : 0) | (line.has('cause') ? flags.cause : 0)
      | (line.has('error') ? flags.error : 0);
    this.#causes[row] = line.has('cause') ? causeOf(line) : -1;
    this.#base(line, row, store);
    this.rows += 1;
    this.bytes += length + 1;
    this.next = line.seq + 1;
    if (line.kind === 'end') {
      this.ended = true;
      this.endReason = line.value('reason');
    }
  }

  #base(line, row, store) {
    if (line.kind === 'gap') this.gaps.push(row);
    else if (line.kind !== 'note' && line.kind !== 'end' && (line.kind === 'detach' || line.has('state'))) {
      (this.bases[store] ??= []).push(row);
    }
  }

  #keep(source, from, length) {
    if (this.#used + length > pieceSize) {
      this.#pieces.push(new Uint8Array(Math.max(pieceSize, length)));
      this.#used = 0;
    }
    this.#pieces.at(-1).set(source.subarray(from, from + length), this.#used);
    const start = (this.#pieces.length - 1) * 2 ** 32 + this.#used;
    this.#used += length;
    return start;
  }

  #grow() {
    const length = this.#capacity = Math.max(1024, Math.ceil(this.#capacity * 1.5));
    this.#seqs = grown(this.#seqs, length);
    this.#ats = grown(this.#ats, length);
    this.#starts = grown(this.#starts, length);
    this.#lengths = grown(this.#lengths, length);
    this.#kind = grown(this.#kind, length);
    this.#store = grown(this.#store, length);
    this.#type = grown(this.#type, length);
    this.#flags = grown(this.#flags, length);
    this.#causes = grown(this.#causes, length);
  }

  /**
   * The first row whose line ends at `seq` or later: the one that covers it.
   * @param {number} seq
   * @returns {number}
   */
  rowOf(seq) {
    let low = 0;
    let high = this.rows;
    if (this.gaps.length === 0) return Math.max(0, Math.min(high, seq - this.first));
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#seqs[middle] < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the tape has an event. @param {number} seq */
  holds(seq) {
    return Number.isSafeInteger(seq) && seq >= this.first && seq < this.next;
  }

  seq(row) { return this.#seqs[row]; }
  /** Microseconds. */
  at(row) { return this.#ats[row]; }
  kind(row) { return this.kinds.names[this.#kind[row]]; }
  store(row) { return this.#store[row]; }
  /** The number of an action's type; -1 for other events. */
  type(row) { return this.#type[row] - 1; }
  is(row, flag) { return (this.#flags[row] & flag) !== 0; }
  size(row) { return this.#lengths[row]; }
  /** The seq of the event that started it, or -1. */
  cause(row) { return this.#causes[row]; }
  /** How many events a row stands for. */
  count(row) { return this.#seqs[row] - (row === 0 ? this.first - 1 : this.#seqs[row - 1]); }

  /**
   * A row's line; valid until the next call.
   * @param {number} row
   * @param {Line} [into]
   * @returns {Line}
   */
  line(row, into = this.#line) {
    const start = this.#starts[row];
    const from = start % 2 ** 32;
    return into.read(this.#pieces[Math.floor(start / 2 ** 32)], from, from + this.#lengths[row]);
  }

  /** The bytes of a row's line. @param {number} row @returns {Uint8Array} */
  lineBytes(row) {
    const start = this.#starts[row];
    const from = start % 2 ** 32;
    return this.#pieces[Math.floor(start / 2 ** 32)].subarray(from, from + this.#lengths[row]);
  }

  /** `at` of the last line, in ms. */
  get duration() {
    return this.rows === 0 ? 0 : this.#ats[this.rows - 1] / 1000;
  }
}

/** Numbers for names. */
class Names {
  /** @type {string[]} */
  names = [];
  #numbers = new Map();

  number(name) {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      if (number > 65_000) throw new FormatError('more than 65 000 different names of types or stores');
      this.#numbers.set(name, number);
      this.names.push(name);
    }
    return number;
  }

  /** -1 if it has none. */
  find(name) {
    return this.#numbers.get(name) ?? -1;
  }
}
