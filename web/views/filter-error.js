// The error in a filter term, and a field that doesn't exist.
import { h } from '../ui/dom.js';

/**
 * The message, and the term with the error's position, if known.
 * @param {{term: import('../model/filter.js').Term, message: string}} error
 * @returns {(string|Node)[]}
 */
export function explain({ term: { source, text }, message }) {
  const [, words, byte] = /^(.*?)(?:, at byte (\d+))?\.?$/s.exec(message);
  const at = byte === undefined ? -1 : source.indexOf(text) + charactersIn(text, Number(byte));
  const parts = at < 0 ? [source] : [source.slice(0, at), h('mark', {}, source.slice(at, at + 1) || ' '), source.slice(at + 1)];
  return [`${words[0].toUpperCase()}${words.slice(1)}${at < 0 ? '' : ` at character ${at + 1}`}: `, h('code', {}, ...parts)];
}

/**
 * What may be meant instead.
 * @param {{source: string, field: string, instead: string|null, asText: string}} unknown
 * @param {{name: string}[]} fields
 * @param {(source: string, text: string) => void} replace
 * @returns {(string|Node)[]}
 */
export function explainUnknown({ source, field, instead, asText }, fields, replace) {
  const button = (label, text) => h('button', { class: 'quiet', on: { click: () => replace(source, text) } }, label);
  const text = button('Search it as text', asText);
  if (instead !== null) return [`There is no “${field}”. Did you mean `, button(instead, instead), '? ', text];
  return [`There is no “${field}”, but there are ${fields.map(({ name }) => name).join(' ')} `, text];
}

/** Converts a byte offset to a character offset. */
function charactersIn(text, bytes) {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}
