// The values of a row: of the payload, and of the changes.
import { readable } from '../json/pointer.js';
import { h, setText } from '../ui/dom.js';

/**
 * Draws the values that are known.
 * @param {import('../model/previews.js').Previews|null} previews
 * @param {import('../model/head.js').Head[]} heads of one dispatch
 * @param {HTMLElement} payload
 * @param {HTMLElement} changes
 * @returns {boolean} whether it has drawn the changes
 */
export function drawValues(previews, heads, payload, changes) {
  const known = heads.map(({ seq }) => previews?.get(seq) ?? null);
  setText(payload, known.at(-1)?.payload ?? '');
  if (!heads.some(({ hasChange }, index) => hasChange && known[index]?.changes)) return false;
  drawChanges(changes, heads.flatMap((head, index) => partsOf(head, known[index])));
  return true;
}

/** The changes of one event, with values if they are known. */
function partsOf(head, preview) {
  if (!head.hasChange || !preview?.changes) return head.summary === 'no change' ? [] : [{ text: head.summary }];
  const parts = preview.changes.map(({ path, value }) => ({ path: readable(path, '›'), text: ` ${value}` }));
  if (preview.more) parts.at(-1).text += ` +${preview.more}`;
  return parts;
}

function drawChanges(element, parts) {
  const text = parts.map(({ path = '', text }) => path + text).join(', ');
  if (element.textContent === text && element.firstElementChild) return;
  element.replaceChildren(...parts.flatMap(({ path, text }, place) => [
    place > 0 && ', ', path !== undefined && h('bdi', {}, path), h('bdi', { class: 'new' }, text),
  ].filter(Boolean)));
}
