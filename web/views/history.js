// The previous and next change of a value, and commands for its path.
import { readable } from '../json/pointer.js';
import { copyButton } from '../ui/copy.js';
import { h, set } from '../ui/dom.js';
import { part } from '../ui/lazy.js';
import { eventLink } from './link.js';

const values = part(() => import('../model/changed.js'));
const history = part(() => import('../model/value-history.js'));

/**
 * Opens or closes the line below a change.
 * @param {HTMLElement} button in the change's item
 * @param {any} line the event's
 * @param {import('../model/page.js').Page} page
 */
export async function toggle(button, line, page) {
  const item = button.closest('.change');
  const there = item.querySelector('.moments');
  set(button, 'aria-expanded', String(!there));
  if (there) return there.remove();
  const { path } = item.dataset;
  const before = h('span', { class: 'moment' }, 'Previous change: …');
  const after = h('span', { class: 'moment' }, 'Next change: …');
  item.append(h('div', { class: 'moments', role: 'group', 'aria-label': 'History' }, before, after,
    h('button', { class: 'quiet', on: { click: () => filter(page, path) } }, 'Filter by this path'),
    h('button', { class: 'quiet', on: { click: () => page.showPath(path) } }, 'Show in state'),
    copyButton('Copy path', () => path)));
  const { change } = await history();
  await Promise.all([
    tell(before, 'Previous change', change(page.tape, line, path, -1), path, page),
    tell(after, 'Next change', change(page.tape, line, path, 1), path, page),
  ]);
}

async function tell(element, label, search, path, page) {
  try {
    const found = await search;
    if (found === null) return element.replaceChildren(`${label}: none`);
    const { seq, path: place, isGone, isLost } = found;
    element.replaceChildren(isLost ? `${label}: not found up to ` : `${label}: `, eventLink(seq, page));
    if (isLost) return undefined;
    const text = isGone ? '(removed)' : await (await values()).changed(page.tape, seq, place);
    if (text !== '') element.append(` ${text}`);
    if (place !== path) element.append(`, then at ${readable(place)}`);
    return undefined;
  } catch (error) {
    if (error.status === undefined) throw error;
    return element.replaceChildren(`${label}: ${error.message}`);
  }
}

/** The filter needs quotes around a path with spaces. */
function filter(page, path) {
  page.go({ filter: /[\s"]/.test(path) ? `path:"${path.replaceAll('"', '')}"` : `path:${path}` });
}
