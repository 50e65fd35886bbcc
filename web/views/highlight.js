// Text with highlighted matches.
import { h } from '../ui/dom.js';

/**
 * The text as nodes.
 * @param {string} text
 * @param {string} query in lower case
 * @returns {(string|HTMLElement)[]}
 */
export function marked(text, query) {
  const lower = text.toLowerCase();
  // A few letters have another length in lower case: then positions don't fit, and nothing is marked.
  if (query === '' || lower.length !== text.length) return [text];
  const nodes = [];
  let from = 0;
  for (let place = lower.indexOf(query); place >= 0; place = lower.indexOf(query, from)) {
    nodes.push(text.slice(from, place), h('mark', {}, text.slice(place, place + query.length)));
    from = place + query.length;
  }
  nodes.push(text.slice(from));
  return nodes;
}
