// The stretches of a line in which words are looked for: what the event says, without the format's own names and figures.
import { isName } from './line.js';
import { elements, inner, position, scan, skip } from './scan.js';

/** The numbers that every event has: each short one would be in most of them. */
const figures = ['seq', 'at', 'took', 'dispatch', 'count'];

/**
 * Whether any stretch of a line is wanted.
 * @param {Uint8Array} bytes the line
 * @param {(stretch: Uint8Array) => boolean} isWanted
 * @returns {boolean}
 */
export function hasWord(bytes, isWanted) {
  let found = false;
  const value = () => {
    const from = skip();
    found ||= isWanted(bytes.subarray(from, position()));
  };
  const ofOperation = (from, to) => (isName(bytes, from, to, 'op') ? skip() : value());
  scan(bytes, 0, bytes.length, (from, to) => {
    const is = (name) => isName(bytes, from, to, name);
    if (figures.some(is)) return skip();
    if (is('action')) return inner(value) || skip();
    if (is('patch')) return elements(() => inner(ofOperation) || skip()) || skip();
    if (!is('event')) return value();
    // Of most events, and no row says it.
    const start = skip();
    found ||= !isName(bytes, start, position(), '"action"') && isWanted(bytes.subarray(start, position()));
    return undefined;
  });
  return found;
}
