// The nearest event before or after another one that meets a condition: `path`, `type`.
import { json, sessionPath } from '../link/http.js';

/** Seqs in the first range; each further range is longer by the factor. */
const first = 1000;
const growth = 8;

async function matches(session, condition, from, limit, signal) {
  return json(sessionPath(session, `/matches?${condition}&from=${from}&limit=${limit}`), { signal });
}

/**
 * The seq of the first match at or after a seq, or null.
 * @param {string} session
 * @param {string} condition part of a query
 * @param {number} from
 * @param {AbortSignal} [signal]
 * @returns {Promise<number|null>}
 */
export async function next(session, condition, from, signal) {
  for (let at = from; ;) {
    const { seqs, next: go } = await matches(session, condition, at, 1, signal);
    if (seqs.length > 0) return seqs[0];
    if (go === null) return null;
    at = go;
  }
}

/**
 * The seq of the last match before a seq, or null.
 * @param {string} session
 * @param {string} condition
 * @param {number} before
 * @param {AbortSignal} [signal]
 * @returns {Promise<number|null>}
 */
export async function previous(session, condition, before, signal) {
  let end = before;
  for (let length = first; end > 0; length *= growth) {
    const begin = Math.max(0, end - length);
    let last = null;
    for (let at = begin; at !== null && at < end;) {
      const { seqs, next: go } = await matches(session, condition, at, Math.min(100_000, length), signal);
      last = seqs.findLast((seq) => seq < end) ?? last;
      if (seqs.length > 0 && seqs.at(-1) >= end) break;
      at = go;
    }
    if (last !== null) return last;
    end = begin;
  }
  return null;
}
