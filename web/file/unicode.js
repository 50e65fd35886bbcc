// The encodings of files: a byte order mark is skipped, UTF-16 becomes UTF-8, also without a mark. As in Swift's `UnicodeDecoder` and
// `HalfCharacters`.
import { hexadecimal } from './bytes.js';

const marks = [{ bytes: [0xef, 0xbb, 0xbf] }, { bytes: [0xff, 0xfe], isBig: false }, { bytes: [0xfe, 0xff], isBig: true }];
const none = new Uint8Array(0);

const isHigh = (unit) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit) => unit >= 0xdc00 && unit < 0xe000;

/** Converts a file to UTF-8, piece by piece. Half a surrogate pair becomes the three bytes of its number. */
export class UnicodeDecoder {
  #isKnown = false;
  /** Of UTF-16. @type {boolean|undefined} */
  #isBig = undefined;
  /** The bytes of an incomplete mark or code unit. */
  #rest = none;
  /** The first half of a pair; 0 if there is none. */
  #high = 0;

  /** @param {Uint8Array} piece @returns {Uint8Array} its text in UTF-8 */
  decode(piece) {
    if (this.#isKnown) return this.#isBig === undefined ? piece : this.#utf16(piece);
    const start = joined(this.#rest, piece);
    const begins = (bytes, mark) => mark.length <= bytes.length && mark.every((byte, index) => bytes[index] === byte);
    const mark = marks.find(({ bytes }) => begins(start, bytes));
    if (mark === undefined && (start.length < 2 || marks.some(({ bytes }) => begins(bytes, [...start.subarray(0, 4)])))) {
      this.#rest = start;
      return none;
    }
    this.#isKnown = true;
    // JSON begins with an ASCII character: without a mark, the other byte of its unit is 0.
    this.#isBig = mark?.isBig ?? ((start[0] === 0) === (start[1] === 0) ? undefined : start[0] === 0);
    this.#rest = none;
    return this.#isBig === undefined && mark === undefined ? start : this.decode(start.subarray(mark?.bytes.length ?? 0));
  }

  /** @returns {Uint8Array} what the last piece left; an incomplete code unit is dropped */
  end() {
    return this.#isKnown ? Uint8Array.from(this.#half()) : this.#rest;
  }

  #utf16(piece) {
    const bytes = joined(this.#rest, piece);
    const whole = bytes.length - bytes.length % 2;
    this.#rest = bytes.slice(whole);
    // A unit takes at most three bytes, also the half that waited.
    const text = new Uint8Array(whole / 2 * 3 + 3);
    let length = 0;
    const put = (codes) => codes.forEach((code) => { text[length] = code; length += 1; });
    for (let index = 0; index < whole; index += 2) {
      const unit = this.#isBig ? bytes[index] << 8 | bytes[index + 1] : bytes[index + 1] << 8 | bytes[index];
      if (unit < 0x80 && this.#high === 0) {
        text[length] = unit;
        length += 1;
      } else if (this.#high !== 0 && isLow(unit)) {
        put(encoded(0x10000 + ((this.#high - 0xd800) << 10) + unit - 0xdc00));
        this.#high = 0;
      } else {
        put(this.#half());
        if (isHigh(unit)) this.#high = unit;
        else put(encoded(unit));
      }
    }
    return text.subarray(0, length);
  }

  #half() {
    const half = this.#high === 0 ? [] : encoded(this.#high);
    this.#high = 0;
    return half;
  }
}

/** @param {Uint8Array} one @param {Uint8Array} other @returns {Uint8Array} both in one */
export function joined(one, other) {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The bytes of a code point, also of a surrogate. */
function encoded(code) {
  const tail = (shift) => 0x80 | code >> shift & 0x3f;
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | code >> 6, tail(0)];
  if (code < 0x10000) return [0xe0 | code >> 12, tail(6), tail(0)];
  return [0xf0 | code >> 18, tail(12), tail(6), tail(0)];
}

/**
 * Replaces halves of surrogate pairs in JSON text by U+FFFD, which takes as many bytes.
 * @param {Uint8Array} text
 * @returns {{count: number, first: number|null}} how many, and where the first one was
 */
export function replaceHalves(text) {
  const found = { count: 0, first: null };
  const add = (index) => {
    found.count += 1;
    found.first ??= index;
  };
  const unit = (index) => (text[index] === 0x5c && text[index + 1] === 0x75 ? hexadecimal(text, index + 2, text.length) : -1);
  for (let index = 0; index < text.length;) {
    const byte = text[index];
    if (byte === 0x5c) {
      const code = unit(index);
      if (code < 0) index += 2;
      else if (isHigh(code) && isLow(unit(index + 6))) index += 12;
      else {
        if (isHigh(code) || isLow(code)) {
          add(index);
          text.set([0x66, 0x66, 0x66, 0x64], index + 2);
        }
        index += 6;
      }
    } else if (byte === 0xed && text[index + 1] >= 0xa0 && text[index + 1] < 0xc0 && index + 2 < text.length) {
      add(index);
      text.set([0xef, 0xbf, 0xbd], index);
      index += 3;
    } else index += 1;
  }
  return found;
}
