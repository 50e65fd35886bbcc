// JSON text as it is, indented and coloured; long text a piece at a time.
import { indent } from '../model/json.js';
import { h } from '../ui/dom.js';
import { size } from '../ui/format.js';

/** Characters shown at once. */
const piece = 40_000;

/**
 * A block of JSON.
 * @param {string} text well-formed JSON
 * @returns {HTMLElement}
 */
export function code(text) {
  const pretty = indent(text);
  const block = h('pre', { class: 'code' });
  const box = h('div', { class: 'code-box' }, block);
  let shown = 0;
  const more = h('button', { class: 'quiet' });
  const add = () => {
    const next = shown + piece >= pretty.length ? pretty.length : pretty.lastIndexOf('\n', shown + piece) + 1;
    const end = next > shown ? next : Math.min(pretty.length, shown + piece);
    block.append(...colour(pretty.slice(shown, end)));
    shown = end;
    more.textContent = `Show more (${size(pretty.length - shown)} left)`;
    if (shown >= pretty.length) more.remove();
  };
  more.addEventListener('click', add);
  if (pretty.length > piece) box.append(more);
  add();
  return box;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

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
