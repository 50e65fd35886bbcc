// Reads a file into a tape.
import { parse } from '../json/parse.js';
import { many, size } from '../ui/format.js';
import { yieldIfDue } from './yield.js';
import { readHeader } from './header.js';
import { Refusal, refuse } from './problem.js';
import { nameOf, readRedux } from './redux.js';
import { FormatError, textOf } from './bytes.js';
import { SourceError, pieces } from './pieces.js';
import { check } from './scan.js';
import { States } from './states.js';
import { FileTape } from './tape.js';
import { replaceHalves } from './unicode.js';

const longestLine = 256 << 20;
/** A header has states, which may be longer than one line. */
const longestHeader = 512 << 20;
const headerStart = new TextEncoder().encode('{"tape"');
/** The largest file of another format: it is read as a whole. */
const longestDocument = 64 << 20;

/**
 * An opened file. `read` and `size` are bytes of the file itself, even if packed; `stopped` says where and why reading
 * ended early, and `isBroken` whether another download may read more.
 */
export class Reading {
  /** @type {FileTape|null} */
  tape = null;
  /** @type {States|null} */
  states = null;
  read = 0;
  done = false;
  cancelled = false;
  stopped = '';
  isBroken = false;
  /** Whether the file comes from an address. */
  isDownload = false;
  /** Whether the first line was not a header: only that can be one. */
  #isDocument = false;
  #rest = [];
  #restBytes = 0;
  #line = 1;
  #onProgress;

  /**
   * @param {string} name
   * @param {number} size 0 if it isn't known
   * @param {(reading: Reading) => void} onProgress called after the header, sometimes, and at the end
   */
  constructor(name, size, onProgress) {
    this.name = name;
    this.size = size;
    this.#onProgress = onProgress;
  }

  cancel() {
    this.cancelled = true;
  }

  /**
   * Reads the file.
   * @param {import('./pieces.js').Arrivals} arrivals
   * @throws {import('./problem.js').Refusal} if it is not a tape
   */
  async run(arrivals) {
    let failure = null;
    try {
      for await (const piece of pieces(arrivals, (count) => { this.read += count; })) {
        await this.#take(piece);
        if (this.cancelled) break;
        this.#onProgress(this);
      }
    } catch (error) {
      failure = error;
    }
    if (failure === null && !this.cancelled) failure = await this.#end().catch((error) => error);
    this.#rest = [];
    this.isBroken = this.isDownload && !this.cancelled && failure instanceof SourceError;
    if (this.tape === null) throw this.#refused(failure);
    if (this.cancelled) this.stopped = `Reading stopped after ${many(this.tape.rows, 'event')}. The rest of ${this.name} is not loaded.`;
    else if (failure !== null) this.stopped = this.#report(failure);
    this.done = true;
    this.#onProgress(this);
  }

  #refused(failure) {
    if (failure instanceof Refusal) return failure;
    try {
      if (this.cancelled) refuse(400, 'cancelled', `You stopped reading ${this.name}.`);
      if (this.isBroken) refuse(502, 'broke-off', `The download of ${this.name} broke off before its first event.`);
      refuse(422, 'bad-file', failure === null || failure.code === undefined && !(failure instanceof FormatError)
        ? `${this.name} is neither a tape nor an export of the Redux DevTools${failure?.message ? `: ${failure.message}` : ''}.`
        : `Can’t read ${this.name}: ${failure.message}.`);
    } catch (refusal) {
      return refusal;
    }
    return failure;
  }

  #kept(noun) { return `The ${many(this.tape.rows, noun)} before it ${this.tape.rows === 1 ? 'is' : 'are'} loaded.`; }

  #report(failure) {
    const kept = this.#kept('event');
    if (this.isBroken) return `The download of ${this.name} broke off after ${size(this.read)}${this.size > 0 ? ` of ${size(this.size)}` : ''}. ${kept}`;
    if (failure instanceof FormatError) return `Can’t read line ${this.#line} of ${this.name}: ${failure.message}. ${kept}`;
    return `Can’t read ${this.name} to its end: ${failure.message}. ${kept}`;
  }

  async #take(piece) {
    let start = 0;
    for (let end = this.#newline(piece, 0); end >= 0; end = this.#newline(piece, start)) {
      if (this.#restBytes === 0) await this.#takeLine(piece, start, end);
      else {
        const line = this.#joined(piece.subarray(start, end));
        await this.#takeLine(line, 0, line.length);
      }
      start = end + 1;
      const pause = yieldIfDue();
      if (pause) {
        this.#onProgress(this);
        await pause;
        if (this.cancelled) return;
      }
    }
    if (start < piece.length) {
      this.#rest.push(piece.subarray(start));
      this.#restBytes += piece.length - start;
    }
    if (this.tape === null && !this.#isHeader()) this.#checkDocument();
    const most = this.tape === null ? longestHeader : longestLine;
    if (this.#restBytes > most) throw new FormatError(`a line of more than ${most} bytes`);
  }

  /** The end of the next line; -1 if there is none, or in a document, whose lines are of no use. */
  #newline(piece, start) { return this.#isDocument ? -1 : piece.indexOf(0x0a, start); }

  #checkDocument() {
    if (this.#restBytes > longestDocument) throw new FormatError(`a file that isn't a tape may have ${longestDocument >> 20} MiB`);
  }

  /** Whether the incomplete line begins like a header. */
  #isHeader() {
    const [first] = this.#rest;
    return !this.#isDocument && first !== undefined && headerStart.every((byte, index) => first[index] === byte);
  }

  /** Joins the incomplete line with more bytes. */
  #joined(more) {
    const line = new Uint8Array(this.#restBytes + more.length);
    let place = 0;
    for (const part of [...this.#rest, more]) {
      line.set(part, place);
      place += part.length;
    }
    this.#rest = [];
    this.#restBytes = 0;
    return line;
  }

  async #takeLine(bytes, from, to) {
    if (this.tape === null) {
      const header = readHeader(bytes, from, to);
      if (header === null) {
        // A document may have line breaks.
        this.#isDocument = true;
        this.#rest.push(bytes.slice(from, to), new Uint8Array([0x0a]));
        this.#restBytes += to - from + 1;
        this.#checkDocument();
        return;
      }
      this.#begin(header, textOf(bytes, from, to));
    } else {
      if (to - from > longestLine) throw new FormatError(`a line of more than ${longestLine} bytes`);
      if (to > from) this.tape.add(bytes, from, to);
    }
    this.#line += 1;
  }

  #begin(header, text) {
    this.tape = new FileTape(header);
    this.headerText = text;
    this.states = new States(this.tape);
    this.#onProgress(this);
  }

  async #end() {
    if (this.tape === null) {
      const bytes = this.#joined(new Uint8Array(0));
      if (bytes.length === 0) throw new Error('it is empty');
      const header = readHeader(bytes, 0, bytes.length);
      if (header !== null) this.#begin(header, textOf(bytes, 0, bytes.length));
      else await this.#document(bytes);
      return null;
    }
    if (this.#restBytes === 0) return null;
    // A last line without a newline may be complete or not.
    const line = this.#joined(new Uint8Array(0));
    try {
      check(line, 0, line.length);
    } catch {
      this.stopped = `${this.name} ends inside line ${this.#line}. ${this.#kept('complete event')}`;
      return null;
    }
    this.tape.add(line, 0, line.length);
    return null;
  }

  async #document(bytes) {
    const session = await nameOf(bytes);
    const halves = replaceHalves(bytes);
    try {
      check(bytes, 0, bytes.length);
    } catch (error) {
      throw new Error(error.message);
    }
    const redux = readRedux(parse(textOf(bytes, 0, bytes.length)), session, halves);
    if (redux === null) throw new Error('');
    this.#begin(redux.header, JSON.stringify(redux.header));
    const encoder = new TextEncoder();
    try {
      for (const text of redux.lines) {
        const line = encoder.encode(text);
        this.tape.add(line, 0, line.length);
        await yieldIfDue();
      }
    } catch (error) {
      // The line is not one of the file.
      throw new Error(error.message);
    }
  }
}
