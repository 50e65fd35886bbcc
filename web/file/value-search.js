// Finds a value in a line's action, patch or state.
import { kindOf, parse } from '../json/parse.js';
import { isPointer, tokens } from '../json/pointer.js';
import { equal } from '../json/value.js';
import { anyCase, textSearch } from './text-search.js';

const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const literals = new Map([['true', true], ['false', false], ['null', null]]);

/**
 * Finds a string that contains a text, or a key, number, `true`, `false` or `null` that equals it. A text in quotes is
 * a whole string or key.
 * @param {string} given
 * @returns {(line: import('./line.js').Line) => boolean}
 */
export function valueSearch(given) {
  const exact = quoted(given);
  const text = exact ?? given;
  const number = exact === null && isNumber.test(text) ? parse(text) : undefined;
  const literal = exact === null ? literals.get(text) : undefined;
  // A number has many spellings, and pointers and JSON escape some characters.
  const search = number !== undefined || /[/~"\\\0-\x1f]/.test(text) ? null : textSearch(text);
  const [whole, part] = [new RegExp(`^${anyCase(text)}$`, 'u'), new RegExp(anyCase(text), 'u')];
  const isSame = (other) => (exact === null ? whole.test(other) : other === exact);
  // A number is a whole one: its digits stand in many an id.
  const isContained = (other) => (exact !== null || number !== undefined ? isSame(other) : part.test(other));
  const isFound = (value) => {
    const kind = kindOf(value);
    if (kind === 'string') return isContained(value);
    if (kind === 'number') return number !== undefined && equal(value, number);
    if (kind === 'array') return value.some(isFound);
    if (kind === 'object') return Object.keys(value).some((key) => isSame(key) || isFound(value[key]));
    return value === literal;
  };
  const isTouched = (operation) => {
    if (kindOf(operation) !== 'object') return false;
    if (operation.value !== undefined && isFound(operation.value) || typeof operation.insert === 'string' && isContained(operation.insert)) return true;
    return [operation.path, operation.from].some((path) => typeof path === 'string' && isPointer(path) && tokens(path).some(isSame));
  };
  return (line) => {
    if (search !== null && !search(line.bytes.subarray(line.start, line.end)) && !line.bytes.subarray(line.start, line.end).includes(0x5c)) return false;
    if (line.has('state') && isFound(line.value('state'))) return true;
    const action = line.value('action');
    if (action !== undefined && (isFound(action.type) || action.payload !== undefined && isFound(action.payload))) return true;
    return line.has('patch') && line.value('patch').some(isTouched);
  };
}

/** The string in quotes; null if it is none. */
function quoted(text) {
  if (!text.startsWith('"')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
