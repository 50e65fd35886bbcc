// The parts of a line that word search reads: the event's content, without the format's own names and numbers.
import { isName } from './line.js';
import { elements, inner, position, scan, skip } from './scan.js';

/** Numbers that every event has: a short search would match most of them. */
const figures = ['seq', 'at', 'took', 'dispatch', 'count'];

/**
 * Whether any searchable part of a line matches.
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
    // Most events name an earlier one's call stack.
    if (figures.some(is) || is('stack')) return skip();
    if (is('action')) return inner(value) || skip();
    if (is('patch')) return elements(() => inner(ofOperation) || skip()) || skip();
    if (!is('event')) return value();
    // Most events have it, and rows don't show it.
    const start = skip();
    found ||= !isName(bytes, start, position(), '"action"') && isWanted(bytes.subarray(start, position()));
    return undefined;
  });
  return found;
}
