// JSON text, indented and coloured; long text in pieces.
import { indented } from '../json/value.js';
import { h } from '../ui/dom.js';
import { size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';

/** Characters shown at once. */
const piece = 40_000;

/**
 * A block of JSON.
 * @param {string} text well-formed JSON
 * @returns {HTMLElement}
 */
export function code(text) {
  const pieces = indented(text, piece);
  const block = h('div', { class: 'code', role: 'group', 'aria-label': 'JSON' });
  const left = h('span');
  const more = h('button', { class: 'quiet', on: { click: () => add() } }, 'Show more');
  const all = h('button', { class: 'quiet', on: { click: () => addAll() } }, 'Show all');
  const rest = h('p', { class: 'rest' }, left, more, all);
  const box = h('div', { class: 'code-box' }, block, rest);
  // A single string may be longer than a piece.
  let waiting = '';
  let read = 0;
  const add = () => {
    while (waiting.length < piece && read < text.length) {
      const [next, until] = pieces.next().value ?? ['', text.length];
      waiting += next;
      read = until;
    }
    const end = waiting.length <= piece ? waiting.length : waiting.lastIndexOf('\n', piece) + 1 || piece;
    block.append(h('pre', {}, ...colour(waiting.slice(0, end))));
    waiting = waiting.slice(end);
    left.textContent = `${size(text.length - read + waiting.length)} more. `;
    if (waiting === '' && read >= text.length) rest.remove();
  };
  const addAll = () => {
    add();
    if (rest.isConnected) inFrame(addAll);
  };
  add();
  return box;
}

const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Coloured spans and the plain text between them. */
function colour(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    const name = colon ? 'key' : string ? 'string' : /^[tfn]/.test(whole) ? 'word' : 'number';
    const value = colon ? string : whole;
    nodes.push(text.slice(from, match.index), h('span', { class: name }, value));
    from = match.index + value.length;
  }
  nodes.push(text.slice(from));
  return nodes;
}
