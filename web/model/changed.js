// What an event made of a value, in a few words.
import { preview } from '../json/value.js';
import { at } from '../json/patch.js';

/**
 * `→ 42`, or nothing where the state isn't known.
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
