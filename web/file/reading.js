// Reads a file into a tape.
import { parse } from '../json/parse.js';
import { many } from '../ui/format.js';
import { yieldIfDue } from './yield.js';
import { readHeader } from './header.js';
import { refuse } from './problem.js';
import { nameOf, readRedux } from './redux.js';
import { FormatError, textOf } from './bytes.js';
import { check } from './scan.js';
import { States } from './states.js';
import { FileTape } from './tape.js';

const longestLine = 16 << 20;
/** The largest file of another format: it is read as a whole. */
const longestDocument = 64 << 20;

/**
 * An opened file. `read` and `size` are bytes of the file itself, even if packed; `stopped` says where and why reading
 * ended early.
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
   * @param {ReadableStream<Uint8Array>} stream
   * @throws {import('./problem.js').Refusal} if it is no tape
   */
  async run(stream) {
    let failure = null;
    try {
      for await (const piece of pieces(stream, (count) => { this.read += count; })) {
        await this.#take(piece);
        if (this.cancelled) break;
        this.#onProgress(this);
      }
    } catch (error) {
      failure = error;
    }
    if (failure === null && !this.cancelled) failure = await this.#end().catch((error) => error);
    this.#rest = [];
    if (this.tape === null) throw this.#refused(failure);
    if (this.cancelled) this.stopped = `Reading stopped after ${many(this.tape.rows, 'event')}. The rest of ${this.name} is not loaded.`;
    else if (failure !== null) this.stopped = this.#report(failure);
    this.done = true;
    this.#onProgress(this);
  }

  #refused(failure) {
    try {
      if (this.cancelled) refuse(400, 'cancelled', `You stopped reading ${this.name}.`);
      refuse(422, 'bad-file', failure === null || failure.code === undefined && !(failure instanceof FormatError)
        ? `${this.name} is neither a tape nor an export of the Redux DevTools${failure?.message ? `: ${failure.message}` : ''}.`
        : `Can’t read ${this.name}: ${failure.message}.`);
    } catch (refusal) {
      return refusal;
    }
    return failure;
  }

  #report(failure) {
    const kept = `The ${many(this.tape.rows, 'event')} before it are loaded.`;
    if (failure instanceof FormatError) return `Can’t read line ${this.#line} of ${this.name}: ${failure.message}. ${kept}`;
    return `Can’t read ${this.name} to its end: ${failure.message}. ${kept}`;
  }

  async #take(piece) {
    let start = 0;
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, start)) {
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
    const most = this.tape === null ? longestDocument : longestLine;
    if (this.#restBytes > most) throw new FormatError(`a line of more than ${most} bytes`);
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
        this.#rest.push(bytes.slice(from, to), new Uint8Array([0x0a]));
        this.#restBytes += to - from + 1;
        if (this.#restBytes > longestDocument) throw new FormatError(`a file that isn't a tape may have ${longestDocument} bytes`);
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
      this.stopped = `${this.name} ends inside line ${this.#line}. The ${many(this.tape.rows, 'complete event')} before it are loaded.`;
      return null;
    }
    this.tape.add(line, 0, line.length);
    return null;
  }

  async #document(bytes) {
    try {
      check(bytes, 0, bytes.length);
    } catch (error) {
      throw new Error(error.message);
    }
    const redux = readRedux(parse(textOf(bytes, 0, bytes.length)), await nameOf(bytes));
    if (redux === null) throw new Error('');
    this.#begin(redux.header, JSON.stringify(redux.header));
    const encoder = new TextEncoder();
    for (const text of redux.lines) {
      const line = encoder.encode(text);
      this.tape.add(line, 0, line.length);
      await yieldIfDue();
    }
  }
}

/** The pieces of a stream; a gzip stream is unpacked. */
async function* pieces(stream, counted) {
  const reader = stream.getReader();
  const first = [];
  let magic = [];
  while (magic.length < 2) {
    const { done, value } = await reader.read();
    if (done) break;
    counted(value.length);
    first.push(value);
    magic = [...magic, ...value.subarray(0, 2)];
  }
  let isWaiting = false;
  const source = new ReadableStream({
    start: (controller) => first.forEach((piece) => controller.enqueue(piece)),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        // A truncated gzip file fails on close, and then drops the pieces that were not read.
        while (!isWaiting) await new Promise((resolve) => { setTimeout(resolve, 1); });
        return controller.close();
      }
      counted(value.length);
      return controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  const isPacked = magic[0] === 0x1f && magic[1] === 0x8b;
  const unpacked = (isPacked ? source.pipeThrough(new DecompressionStream('gzip')) : source).getReader();
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await unpacked.read();
      isWaiting = false;
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw isPacked ? new Error(`the packed file is damaged or ends too early (${error.message || error.name})`) : error;
  } finally {
    unpacked.cancel().catch(() => {});
  }
}
