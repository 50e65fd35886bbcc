// Many changes, grouped by the top-level member of the state.
import { tokens } from '../json/pointer.js';
import { h } from '../ui/dom.js';
import { many } from '../ui/format.js';

/** Changes shown at once. Short groups are open at first, and so are the first few. */
const piece = 50;
const short = 10;
const opened = 3;

/**
 * @param {import('../model/diff.js').Change[]} changes
 * @param {(changes: import('../model/diff.js').Change[]) => HTMLElement} items makes their list
 * @returns {HTMLElement}
 */
export function groups(changes, items) {
  const tops = new Map();
  for (const change of changes) {
    const [top = 'whole state'] = tokens(change.path);
    if (!tops.has(top)) tops.set(top, []);
    tops.get(top).push(change);
  }
  return h('div', { class: 'groups' }, ...[...tops].map(([top, within], index) => group(top, within, items, within.length <= short || index < opened)));
}

function group(top, changes, items, open) {
  const details = h('details', { class: 'group', open }, h('summary', {},
    h('span', { class: 'leaf' }, top === '' ? '""' : top), ' ', h('span', { class: 'counts' }, counts(changes))));
  let shown = 0;
  const more = h('button', { class: 'quiet', on: { click: () => add() } });
  const add = () => {
    more.before(items(changes.slice(shown, shown + piece)));
    shown += piece;
    more.textContent = `Show ${Math.min(piece, changes.length - shown)} more of ${many(changes.length, 'change')}`;
    if (shown >= changes.length) more.remove();
  };
  details.append(more);
  // A group is drawn when it opens.
  details.addEventListener('toggle', () => details.open && shown === 0 && add());
  if (open) add();
  return details;
}

/** `200 changed · 2 added · 10 removed` */
function counts(changes) {
  const names = { replace: 'changed', add: 'added', remove: 'removed' };
  const kinds = Object.entries(names)
    .map(([kind, name]) => [changes.filter((change) => change.kind === kind).length, name])
    .filter(([number]) => number > 0);
  return kinds.map(([number, name]) => `${number} ${name}`).join(' · ');
}
