// The heads of events that arrive live.
import { numberOf } from '../json/parse.js';

/** Heads don't count the operations of larger patches (bytes). */
const smallPatch = 4096;
const encoder = new TextEncoder();
const bytesOf = (value) => encoder.encode(JSON.stringify(value)).length;

/**
 * The `fields=head` line of a whole line, which arrived live.
 * @param {any} line
 * @param {string[]} large members left out by the server
 * @returns {object}
 */
export function headLine(line, large) {
  const { seq, event, store, cause, level, count, reason, unfinished } = line;
  const result = { seq, at: numberOf(line.at), event, store, cause, level, count, reason, unfinished };
  if (line.action) result.type = line.action.type;
  result.dispatch = numberOf(line.dispatch);
  // The size of an omitted member is unknown.
  if (large.includes('patch')) result.patch = 0;
  else if (Array.isArray(line.patch)) {
    result.patch = bytesOf(line.patch);
    if (result.patch < smallPatch) {
      result.ops = line.patch.length;
      result.paths = line.patch.slice(0, 3).map((operation) => operation?.path);
    }
  }
  if (large.includes('state')) result.state = 0;
  else if (line.state !== undefined) result.state = bytesOf(line.state);
  if (line.skipped) result.skipped = true;
  if (line.text !== undefined) result.text = String(line.text).slice(0, 120);
  if (typeof line.error === 'string') result.error = line.error.slice(0, 120);
  return result;
}
