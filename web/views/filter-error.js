// The error in a filter term.
import { h } from '../ui/dom.js';

/**
 * The message, and the term with the error's position, if known.
 * @param {{term: import('../model/filter.js').Term, message: string}} error
 * @returns {(string|Node)[]}
 */
export function explain({ term: { source, text }, message }) {
  const [, words, byte] = /^(.*?)(?:, at byte (\d+)\.?)?$/s.exec(message);
  const at = byte === undefined ? -1 : source.indexOf(text) + charactersIn(text, Number(byte));
  const parts = at < 0 ? [source] : [source.slice(0, at), h('mark', {}, source.slice(at, at + 1) || ' '), source.slice(at + 1)];
  return [`${words[0].toUpperCase()}${words.slice(1)}${at < 0 ? '' : ` at character ${at + 1}`}: `, h('code', {}, ...parts)];
}

/** Converts a byte offset to a character offset. */
function charactersIn(text, bytes) {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}
