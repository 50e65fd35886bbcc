// Checks JSON bytes by the rules of the tape's format, and finds their members without building values.
import { FormatError, grown, hexadecimal, scalarLength, textOf } from './bytes.js';

const deepest = 512;
const mostDigits = 1000;
const largestExponent = 9999;
/** Objects with more keys compare them as texts in a set. */
const fewKeys = 16;

// One scan at a time: module variables are the fastest state.
let bytes = new Uint8Array(0);
let at = 0;
let start = 0;
let end = 0;
let depth = 0;
let keyHash = 0;
let keyEscaped = false;
/** Hashes and ends of the keys of all open objects. */
let hashes = new Int32Array(256);
let places = new Float64Array(512);
let keys = 0;

function fail(message, place = at) {
  throw new FormatError(message, place - start);
}

/**
 * Checks a JSON value that fills a range.
 * @param {Uint8Array} source
 * @param {number} from
 * @param {number} to
 */
export function check(source, from, to) {
  begin(source, from, to);
  value();
  finish();
}

/**
 * Checks an object that fills a range, and reports its members. `take` may call `inner` for a member
 * that is an object.
 * @param {Uint8Array} source
 * @param {number} from
 * @param {number} to
 * @param {(keyStart: number, keyEnd: number, escaped: boolean, hash: number) => void} take called before the value,
 *   with the key's place between its quotes; it must call `skip` or `inner`
 */
export function scan(source, from, to, take) {
  begin(source, from, to);
  space();
  if (bytes[at] !== 0x7b) fail('a line must be a JSON object');
  object(take);
  finish();
}

/**
 * Skips the member's value.
 * @returns {number} where it begins; `position` is its end
 */
export function skip() {
  space();
  const from = at;
  value();
  return from;
}

/** Scans the member's value, which must be an object. @param {Parameters<typeof scan>[3]} take */
export function inner(take) {
  space();
  if (bytes[at] !== 0x7b) return false;
  object(take);
  return true;
}

/** Scans the member's value, which must be an array: `take` runs before each element, and calls `skip` or `inner`. */
export function elements(take) {
  space();
  return bytes[at] === 0x5b && (array(take), true);
}

/** @returns {number} where the scan is */
export function position() {
  return at;
}

function begin(source, from, to) {
  bytes = source;
  at = start = from;
  end = to;
  depth = keys = 0;
}

function finish() {
  space();
  if (at < end) fail('text after the end of the JSON value');
}

function space() {
  while (at < end) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
    at += 1;
  }
}

function value() {
  space();
  if (at >= end) fail('the text ends where a value is expected');
  switch (bytes[at]) {
  case 0x22: return string();
  case 0x7b: return object(null);
  case 0x5b: return array(value);
  case 0x74: return literal('true');
  case 0x66: return literal('false');
  case 0x6e: return literal('null');
  default: return number();
  }
}

function literal(text) {
  if (at + text.length > end) fail('a JSON value is expected');
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) fail('a JSON value is expected');
  }
  at += text.length;
}

function open() {
  if (depth >= deepest) fail(`nesting deeper than ${deepest}`);
  depth += 1;
  at += 1;
  space();
}

function more(close) {
  space();
  if (at >= end) fail(`the text ends inside ${close === 0x5d ? 'an array' : 'an object'}`);
  if (bytes[at] !== 0x2c && bytes[at] !== close) fail(`a comma or “${String.fromCharCode(close)}” is expected`);
  at += 1;
  return bytes[at - 1] === 0x2c;
}

function array(take) {
  open();
  if (at < end && bytes[at] === 0x5d) at += 1;
  else do take(); while (more(0x5d));
  depth -= 1;
}

function object(take) {
  open();
  const first = keys;
  let seen = null;
  if (at < end && bytes[at] === 0x7d) at += 1;
  else {
    do {
      space();
      if (at >= end || bytes[at] !== 0x22) fail('a key in quotes is expected');
      const keyStart = at + 1;
      string();
      const keyEnd = at - 1;
      const [hash, escaped] = [keyHash, keyEscaped];
      seen = isNew(first, keyStart, keyEnd, hash, escaped, seen);
      space();
      if (at >= end || bytes[at] !== 0x3a) fail('a colon is expected');
      at += 1;
      if (take === null) value();
      else take(keyStart, keyEnd, escaped, hash);
    } while (more(0x7d));
  }
  keys = first;
  depth -= 1;
}

/** Compares a key with those of its object that came before. */
function isNew(first, keyStart, keyEnd, hash, escaped, seen) {
  if (seen === null && (escaped || keys - first >= fewKeys)) {
    seen = new Set();
    for (let index = first; index < keys; index += 1) {
      seen.add(textOf(bytes, places[2 * index], places[2 * index + 1]));
    }
  }
  if (seen !== null) {
    const one = keyText(keyStart, keyEnd, escaped);
    if (seen.has(one)) twice(keyStart, keyEnd, escaped);
    return seen.add(one);
  }
  for (let index = first; index < keys; index += 1) {
    if (hashes[index] === hash && isSame(places[2 * index], places[2 * index + 1], keyStart, keyEnd)) twice(keyStart, keyEnd, escaped);
  }
  if (keys === hashes.length) {
    hashes = grown(hashes, keys * 2);
    places = grown(places, keys * 4);
  }
  hashes[keys] = hash;
  places[2 * keys] = keyStart;
  places[2 * keys + 1] = keyEnd;
  keys += 1;
  return null;
}

function keyText(keyStart, keyEnd, escaped) {
  const raw = textOf(bytes, keyStart, keyEnd);
  return escaped ? JSON.parse(`"${raw}"`) : raw;
}

function twice(keyStart, keyEnd, escaped) {
  fail(`duplicate key “${keyText(keyStart, keyEnd, escaped).slice(0, 100)}”`, keyStart - 1);
}

function isSame(oneStart, oneEnd, otherStart, otherEnd) {
  if (oneEnd - oneStart !== otherEnd - otherStart) return false;
  for (let index = oneEnd - oneStart - 1; index >= 0; index -= 1) {
    if (bytes[oneStart + index] !== bytes[otherStart + index]) return false;
  }
  return true;
}

function string() {
  at += 1;
  let hash = 0x811c9dc5 | 0;
  let escaped = false;
  for (;;) {
    if (at >= end) fail('the text ends inside a string');
    const byte = bytes[at];
    if (byte === 0x22) break;
    if (byte === 0x5c) {
      escaped = true;
      escape();
    } else if (byte >= 0x80) {
      const length = scalarLength(bytes, at, end);
      if (length === 0) fail('this is not UTF-8');
      at += length;
    } else if (byte < 0x20) {
      fail('a control character stands in a string');
    } else {
      at += 1;
    }
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  at += 1;
  keyHash = hash;
  keyEscaped = escaped;
}

function hex(from) {
  const unit = hexadecimal(bytes, from, end);
  if (unit < 0) fail('“\\u” needs four hexadecimal digits');
  return unit;
}

function escape() {
  const byte = at + 1 < end ? bytes[at + 1] : 0;
  if (byte !== 0x75) {
    // " \ / b f n r t
    if (byte !== 0x22 && byte !== 0x5c && byte !== 0x2f && byte !== 0x62 && byte !== 0x66 && byte !== 0x6e
      && byte !== 0x72 && byte !== 0x74) fail('an unknown escape stands in a string');
    at += 2;
    return;
  }
  const unit = hex(at + 2);
  if (unit >= 0xdc00 && unit < 0xe000) fail('a lone surrogate stands in a string');
  if (unit < 0xd800 || unit >= 0xe000) {
    at += 6;
    return;
  }
  const low = bytes[at + 6] === 0x5c && bytes[at + 7] === 0x75 ? hex(at + 8) : 0;
  if (low < 0xdc00 || low >= 0xe000) fail('a lone surrogate stands in a string');
  at += 12;
}

function number() {
  const from = at;
  if (bytes[at] === 0x2d) at += 1;
  const whole = at;
  digits(from);
  if (bytes[whole] === 0x30 && at - whole > 1) fail('a number must not begin with 0', from);
  let count = at - whole;
  if (at < end && bytes[at] === 0x2e) {
    at += 1;
    const fraction = at;
    digits(from);
    count += at - fraction;
  }
  if (count > mostDigits) fail(`a number of more than ${mostDigits} digits`, from);
  if (at < end && (bytes[at] | 0x20) === 0x65) {
    at += 1;
    if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at += 1;
    const exponent = at;
    digits(from);
    if (Number(textOf(bytes, exponent, at)) > largestExponent) fail(`an exponent over ${largestExponent}`, from);
  }
}

function digits(from) {
  const first = at;
  while (at < end && bytes[at] >= 0x30 && bytes[at] <= 0x39) at += 1;
  if (at === first) fail(first === from ? 'a JSON value is expected' : 'a digit is expected', first);
}
