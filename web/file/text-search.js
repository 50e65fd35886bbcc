// Finds a text in JSON, whatever the case of its letters.
import { textOf } from './bytes.js';

const encoder = new TextEncoder();

/**
 * The text may also stand as JSON escapes it.
 * @param {string} wanted
 * @returns {(bytes: Uint8Array) => boolean}
 */
export function textSearch(wanted) {
  const searches = [...new Set([wanted, JSON.stringify(wanted).slice(1, -1)])].map(search);
  return (bytes) => searches.some((isFound) => isFound(bytes));
}

function search(wanted) {
  if (/^[\0-\x7f]*$/.test(wanted)) return asciiSearch(wanted);
  const pattern = new RegExp(anyCase(wanted), 'u');
  return (bytes) => pattern.test(textOf(bytes, 0, bytes.length));
}

/** A regular expression for a text whatever the case. Its own flag would know more letters than the server. @param {string} text */
export function anyCase(text) {
  return [...text].map((letter) => {
    const cases = new Set([letter, letter.toLowerCase(), letter.toUpperCase()]);
    return `(?:${[...cases].map((one) => [...one].map(literal).join('')).join('|')})`;
  }).join('');
}

function literal(letter) {
  return /[a-z]/i.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : letter.replace(/[\^$.*+?()[\]{}|/\\]/, '\\$&');
}

function lower(byte) {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

/**
 * Finds an ASCII text in bytes, ignoring case (Horspool 1980). If that compares more bytes than there are, a linear
 * search does the rest.
 * @param {string} wanted
 * @returns {(bytes: Uint8Array) => boolean}
 */
function asciiSearch(wanted) {
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
