// The previous and next change of a value, and commands for its path.
import { next, previous } from '../model/nearest-match.js';
import { copyButton } from '../ui/copy.js';
import { h, set } from '../ui/dom.js';
import { part } from '../ui/lazy.js';
import { eventLink } from './link.js';

const values = part(() => import('../model/changed.js'));

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
  const { session } = page.summary;
  const condition = new URLSearchParams({ path, store: line.store ?? 'main' }).toString();
  await Promise.all([
    tell(before, 'Previous change', previous(session, condition, line.seq), path, page),
    tell(after, 'Next change', next(session, condition, line.seq + 1), path, page),
  ]);
}

async function tell(element, label, moment, path, page) {
  try {
    const seq = await moment;
    if (seq === null) return element.replaceChildren(`${label}: none`);
    element.replaceChildren(`${label}: `, eventLink(seq, page));
    const text = await (await values()).changed(page.tape, seq, path);
    if (text !== '') element.append(` ${text}`);
  } catch (error) {
    if (error.status === undefined) throw error;
    element.replaceChildren(`${label}: ${error.message}`);
  }
}

/** The filter needs quotes around a path with spaces. */
function filter(page, path) {
  page.go({ filter: /[\s"]/.test(path) ? `path:"${path.replaceAll('"', '')}"` : `path:${path}` });
}
