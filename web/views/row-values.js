// The values of a row: of the payload, and of the changes.
import { readable } from '../json/pointer.js';
import { h } from '../ui/dom.js';
import { parts, replace, separator, shows, write } from './marked.js';

/**
 * Draws the values that are known.
 * @param {import('../model/previews.js').Previews|null} previews
 * @param {import('../model/head.js').Head[]} heads of one dispatch
 * @param {HTMLElement} payload
 * @param {HTMLElement} changes
 * @param {import('./marked.js').Marks|null} [marks]
 * @returns {boolean} whether it has drawn the changes
 */
export function drawValues(previews, heads, payload, changes, marks = null) {
  const known = heads.map(({ seq }) => previews?.get(seq) ?? null);
  write(payload, known.at(-1)?.payload ?? '', marks?.payload);
  if (!heads.some(({ hasChange }, index) => hasChange && known[index]?.changes)) return false;
  drawChanges(changes, heads.flatMap((head, index) => changesOf(head, known[index])), marks);
  return true;
}

/** The changes of one event, with values if they are known. */
function changesOf(head, preview) {
  if (!head.hasChange || !preview?.changes) return head.summary === 'no change' ? [] : [{ path: '', value: head.summary }];
  const changes = preview.changes.map(({ path, value }) => ({ path: readable(path, separator), value: ` ${value}` }));
  if (preview.more) changes.at(-1).value += ` +${preview.more}`;
  return changes;
}

function drawChanges(element, changes, marks) {
  const text = changes.map(({ path, value }) => path + value).join(', ');
  if (element.firstElementChild && shows(element, text, marks?.key ?? '')) return;
  replace(element, changes.flatMap(({ path, value }, place) => [
    ...(place > 0 ? [', '] : []), h('bdi', {}, ...parts(path, marks?.path)), h('bdi', { class: 'new' }, ...parts(value, marks?.value)),
  ]), marks?.key ?? '');
}
