// What an event changed, by path: old → new.
import { limit } from '../model/diff.js';
import { countOf, kindOf, preview } from '../model/json.js';
import { tokens } from '../model/pointer.js';
import { h } from '../ui/dom.js';
import { many } from '../ui/format.js';
import { code } from './code.js';

/** Characters of a value that stand in the line; a longer one unfolds. */
const inline = 200;

/**
 * The changes as a list.
 * @param {import('../model/diff.js').Change[]} changes
 * @param {{note?: string, total?: number}} [about]
 * @returns {HTMLElement}
 */
export function diff(changes, { note, total = changes.length } = {}) {
  return h('div', { class: 'diff' },
    note ? h('p', { class: 'hint' }, note) : null,
    changes.length === 0 ? h('p', { class: 'hint' }, 'This event left the state as it was.') : null,
    h('ol', { class: 'changes' }, ...changes.map(item)),
    total > limit ? h('p', { class: 'hint' }, `The first ${limit} of ${many(total, 'change')}.`) : null);
}

function item(change) {
  return h('li', { class: `change ${change.kind}` }, path(change.path), h('div', { class: 'values' }, ...values(change)));
}

/** A path as breadcrumbs; screen readers and copying get its own separators. */
function path(pointer) {
  const names = tokens(pointer);
  if (names.length === 0) return h('div', { class: 'path' }, 'whole state');
  const crumbs = names.flatMap((name, index) => [
    index > 0 ? h('span', { class: 'crumb' }, ' › ') : null,
    h('span', { class: index === names.length - 1 ? 'leaf' : '' }, name === '' ? '""' : name),
  ]);
  return h('div', { class: 'path' }, ...crumbs);
}

function values(change) {
  if (change.text) return [within(change.text)];
  const arrow = h('span', { class: 'arrow', 'aria-label': 'becomes', role: 'img' }, '→');
  switch (change.kind) {
  case 'add': return [sign('+', 'added'), value(change.new, 'new')];
  case 'remove': return [sign('−', 'removed'), value(change.old, 'old')];
  default:
    return change.old === undefined
      ? [h('span', { class: 'unknown' }, 'not captured'), arrow, value(change.new, 'new')]
      : [value(change.old, 'old'), arrow, value(change.new, 'new')];
  }
}

function sign(text, name) {
  return h('span', { class: 'sign', role: 'img', 'aria-label': name }, text);
}

function value(value, side) {
  if (value === undefined) return h('span', { class: 'unknown' }, 'not captured');
  const text = preview(value, inline);
  const nested = countOf(value) > 0;
  const long = kindOf(value) === 'string' && value.length > inline;
  if (!nested && !long) return h(side === 'old' ? 'del' : 'ins', {}, text);
  const details = h('details', {}, h('summary', {}, h(side === 'old' ? 'del' : 'ins', {}, text)));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(code(JSON.stringify(value)));
  });
  return details;
}

function within({ before, removed, inserted, after }) {
  return h('span', { class: 'within' }, before,
    removed === '' ? null : h('del', {}, removed),
    inserted === '' ? null : h('ins', {}, inserted),
    after);
}
