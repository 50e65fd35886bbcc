// The bytes of a file as they arrive, unpacked and in UTF-8.
import { UnicodeDecoder, joined } from './unicode.js';

/** How many bytes of a stream may wait to be read. */
const mostAhead = 64 << 20;

/** The source can't be read to its end: a network error, or a file that has changed. */
export class SourceError extends Error {}

/** The bytes of a file that have arrived. They stay if no more can come. */
export class Arrivals {
  #pieces = [];
  #waiting = 0;
  #failure = null;
  #isOver = false;
  #wake = () => {};
  #resume = () => {};
  #cancel = () => {};

  /** @param {ReadableStream<Uint8Array>} stream */
  async read(stream) {
    const reader = stream.getReader();
    this.#cancel = () => reader.cancel().catch(() => {});
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return this.end();
        this.add(value);
        if (this.#waiting > mostAhead) await new Promise((resolve) => { this.#resume = resolve; });
      }
    } catch (error) {
      return this.end(new SourceError(error.message || error.name));
    }
  }

  /** @param {Uint8Array} piece */
  add(piece) {
    this.#pieces.push(piece);
    this.#waiting += piece.length;
    this.#wake();
  }

  /** @param {Error|null} [failure] why there is no more */
  end(failure = null) {
    this.#failure = failure;
    this.#isOver = true;
    this.#wake();
  }

  async #arrival() {
    while (this.#pieces.length === 0 && !this.#isOver) await new Promise((resolve) => { this.#wake = resolve; });
  }

  /** @returns {Promise<Uint8Array|null>} the next bytes; null at the end @throws if it can’t be read to its end */
  async next() {
    await this.#arrival();
    const piece = this.#pieces.shift();
    if (piece === undefined) {
      if (this.#failure !== null) throw this.#failure;
      return null;
    }
    this.#waiting -= piece.length;
    this.#resume();
    return piece;
  }

  cancel() {
    this.#cancel();
  }
}

/**
 * The file's text in UTF-8, piece by piece.
 * @param {Arrivals} arrivals
 * @param {(count: number) => void} counted called with the bytes of the file itself
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* pieces(arrivals, counted) {
  const decoder = new UnicodeDecoder();
  try {
    // The first two bytes say whether the file is packed.
    let start = new Uint8Array(0);
    for (let more = start; start.length < 2 && more !== null;) {
      more = await arrivals.next();
      if (more !== null) start = joined(start, more);
    }
    const next = async () => {
      const piece = start.length > 0 ? start : await arrivals.next();
      start = new Uint8Array(0);
      if (piece !== null) counted(piece.length);
      return piece;
    };
    const isPacked = start[0] === 0x1f && start[1] === 0x8b;
    for await (const piece of isPacked ? unpacked(next) : plain(next)) yield decoder.decode(piece);
    yield decoder.end();
  } finally {
    arrivals.cancel();
  }
}

async function* plain(next) {
  for (let piece = await next(); piece !== null; piece = await next()) yield piece;
}

async function* unpacked(next) {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  let isWaiting = false;
  // An error drops what was unpacked and not read.
  const drained = async () => { while (!isWaiting) await new Promise((resolve) => { setTimeout(resolve, 1); }); };
  const fill = async () => {
    try {
      for await (const piece of plain(next)) await writer.write(piece);
      await drained();
      await writer.close();
    } catch (error) {
      await drained();
      await writer.abort(error).catch(() => {});
    }
  };
  fill();
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await reader.read();
      isWaiting = false;
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw error instanceof SourceError ? error : new Error(`the packed file is damaged or ends too early (${error.message || error.name})`);
  } finally {
    isWaiting = true;
    reader.cancel().catch(() => {});
  }
}
