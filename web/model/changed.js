// A value after an event, as short text.
import { preview } from '../json/value.js';
import { at } from '../json/patch.js';

/**
 * `→ 42`, or an empty string if the state is unknown.
 * @param {import('./tape.js').Tape} tape
 * @param {number} seq
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function changed(tape, seq, path) {
  const { line } = await tape.line(seq);
  try {
    return `→ ${preview(at(await tape.state(line.store ?? 'main', seq), path), 40)}`;
  } catch {
    return '';
  }
}
