// Text as bytes.

/** An error in a text, and its position. */
export class FormatError extends Error {
  /** @param {string} message @param {number} [byte] from the start of the line */
  constructor(message, byte) {
    super(byte === undefined ? message : `${message}, at byte ${byte}`);
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The text of bytes.
 * @param {Uint8Array} source
 * @param {number} from
 * @param {number} to
 * @returns {string}
 */
export function textOf(source, from, to) {
  return decoder.decode(source.subarray(from, to));
}

/** A longer copy. @template {Int32Array|Float64Array|Uint32Array|Uint16Array|Uint8Array} A @param {A} array @returns {A} */
export function grown(array, length) {
  const copy = new array.constructor(length);
  copy.set(array);
  return copy;
}

/** The value of four hexadecimal digits; -1 for other bytes. */
export function hexadecimal(bytes, from, end) {
  let result = 0;
  for (let index = from; index < from + 4; index += 1) {
    const byte = index < end ? bytes[index] : 0;
    const lower = byte | 0x20;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
    if (digit < 0) return -1;
    result = result * 16 + digit;
  }
  return result;
}

/** The length of a non-ASCII scalar in UTF-8; 0 if it is invalid. */
export function scalarLength(bytes, at, end) {
  const byte = bytes[at];
  const next = (offset) => (at + offset < end ? bytes[at + offset] : 0);
  const isTail = (one) => (one & 0xc0) === 0x80;
  const second = next(1);
  let length = 0;
  if (byte >= 0xc2 && byte < 0xe0) length = isTail(second) ? 2 : 0;
  else if (byte >= 0xe0 && byte < 0xf0) {
    const isMeant = byte === 0xe0 ? second >= 0xa0 : byte === 0xed ? second < 0xa0 : true;
    length = isTail(second) && isMeant && isTail(next(2)) ? 3 : 0;
  } else if (byte >= 0xf0 && byte < 0xf5) {
    const isMeant = byte === 0xf0 ? second >= 0x90 : byte === 0xf4 ? second < 0x90 : true;
    length = isTail(second) && isMeant && isTail(next(2)) && isTail(next(3)) ? 4 : 0;
  }
  return length;
}
