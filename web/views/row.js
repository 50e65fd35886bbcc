// A row of the timeline.
import { covers } from '../model/timeline.js';
import { h, set, setText } from '../ui/dom.js';
import { count, delta, many, size } from '../ui/format.js';

const hues = 10;
const marks = { push: '⟵', travel: '↶', loop: '↻', note: '✎', warning: '▲', error: '✖', gap: '⋯', skipped: '◌', difference: '≠', '': '' };
const markNames = { push: 'sent to the app', travel: 'time travel', loop: 'replay in the app', note: 'note', warning: 'warning', error: 'error', gap: 'gap', skipped: 'state not captured', difference: 'first difference of the replay' };
const cells = ['seq', 'since', 'mark', 'label', 'store', 'summary', 'size'];

/** A template: cloning is faster. */
const empty = blank();

/** @returns {HTMLElement} an empty row */
export function make() {
  return empty.cloneNode(true);
}

function blank() {
  const row = h('div', { class: 'row', role: 'option' }, h('span', { class: 'flag' }), ...cells.map((name) => h('span', { class: name })));
  row.querySelector('.label').append(h('span', { class: 'name' }), h('span', { class: 'payload' }), h('span', { class: 'times' }));
  row.querySelector('.summary').append(h('span', { class: 'changes' }), h('span', { class: 'bookmark-text', 'aria-hidden': 'true' }));
  return row;
}

/**
 * Fills a row.
 * @param {HTMLElement} element
 * @param {import('../model/arrangement.js').Row} row
 * @param {number} index its place
 * @param {import('../model/page.js').Page} page
 * @param {import('./previews.js').PreviewsView|null} previews
 */
export function fill(element, row, index, page, previews) {
  const { timeline, place, summary: session } = page;
  const { seq, head, heads } = row;
  const divergence = session?.replay?.divergence;
  const kind = divergence && covers(row, divergence.seq) ? 'difference' : head?.mark;
  element.id = `event-${seq}`;
  element.dataset.seq = seq;
  set(element, 'aria-setsize', timeline.count);
  set(element, 'aria-posinset', index + 1);
  set(element, 'aria-selected', String(place.event !== null && covers(row, place.event)));
  const dim = timeline.dims && !timeline.matches(head) ? ' is-dim' : '';
  element.className = head ? `row is-${head.event} mark-${kind || 'none'}${dim}` : 'row is-loading';
  const [, number, since, mark, label, store, summary, bytes] = element.children;
  setText(number, count(seq));
  const before = head && timeline.before(row.from);
  setText(since, before ? delta(head.at - before.at) : '');
  picture(mark, head ? marks[kind] : '', markNames[kind]);
  const [name, payload, times] = label.children;
  setText(name, head?.label ?? '');
  label.className = head?.hasAction ? 'label type' : 'label';
  if (head?.hasAction) label.style.setProperty('--hue', `var(--hue-${hueOf(head.group)})`);
  picture(times, row.n > 1 ? `×${count(row.n)}` : row.run > 1 ? `▾ ${count(row.run)}` : '',
    row.n > 1 ? `${many(row.n, 'time')}, grouped` : `first of ${count(row.run)}, expanded`);
  setText(store, heads ? heads.map((one) => one.store).join(', ') : head?.store ?? '');
  const [changes] = summary.children;
  if (!previews?.draw(row, element, name, payload, changes)) setText(changes, heads ? summaries(heads) : head?.summary ?? '');
  const sum = heads ? heads.reduce((all, one) => all + one.size, 0) : head?.size;
  setText(bytes, sum ? size(sum) : '');
}

function picture(element, text, name) {
  setText(element, text);
  set(element, 'role', text ? 'img' : null);
  set(element, 'aria-label', text ? name : null);
}

/** The changes of one dispatch in several stores. */
function summaries(heads) {
  const changes = heads.map(({ summary }) => summary).filter((summary) => summary !== 'no change');
  return changes.join(' · ') || 'no change';
}

/** Equal names have equal colours. */
function hueOf(group) {
  let hash = 26;
  for (const letter of group) hash = (hash * 31 + letter.codePointAt(0)) % 65_521;
  return hash % hues;
}
