// Which parts of a state take the most.
import { kindOf } from '../model/json.js';
import { below } from '../model/pointer.js';

const mostParts = 10;
const mostOpened = 256;

/**
 * The bytes of a text in UTF-8.
 * @param {string} text
 * @returns {number}
 */
export function utf8Length(text) {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Both halves of a pair count two.
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) bytes += 2;
    else if (unit >= 0x80) bytes += 1;
  }
  return bytes;
}

/**
 * The largest parts, none inside another. A value is told by its parts as long as one of them makes up a tenth of it.
 * @param {unknown} state
 * @returns {{path: string, bytes: number}[]}
 */
export function largest(state) {
  const part = (path, value) => ({ path, value, bytes: utf8Length(JSON.stringify(value)), whole: false });
  let parts = [part('', state)];
  for (let opened = 0; opened < mostOpened; opened += 1) {
    const index = parts.findIndex((one) => !one.whole);
    if (index < 0) break;
    const one = parts[index];
    const kind = kindOf(one.value);
    const children = kind === 'object' || kind === 'array'
      ? Object.keys(one.value).map((key) => part(below(one.path, key), one.value[key])) : [];
    if (children.some((child) => child.bytes * 10 >= one.bytes)) {
      parts.splice(index, 1);
      parts = [...parts, ...children].sort((a, b) => b.bytes - a.bytes).slice(0, mostParts);
    } else {
      one.whole = true;
    }
  }
  return parts.map(({ path, bytes }) => ({ path, bytes }));
}
