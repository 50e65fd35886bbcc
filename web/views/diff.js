// The changes of an event, by path: old → new.
import { limit } from '../model/diff.js';
import { kindOf, numberOf } from '../json/parse.js';
import { countOf, preview } from '../json/value.js';
import { readable, tokens } from '../json/pointer.js';
import { copyButton } from '../ui/copy.js';
import { dateOf } from '../model/dates.js';
import { h } from '../ui/dom.js';
import { count, duration, many } from '../ui/format.js';
import { part } from '../ui/lazy.js';

/** Characters of a value in the line; a longer one expands. */
const inline = 200;
/** More changes are grouped. */
const long = 30;

const parts = {
  against: part(() => import('./against.js')),
  code: part(() => import('./code.js'), 'views/code.css'),
  groups: part(() => import('./groups.js')),
  history: part(() => import('./history.js')),
  patch: part(() => import('../model/jsonpatch.js')),
  swift: part(() => import('./swift-values.js')),
};

/**
 * The changes as a list.
 * @param {import('./inspector.js').Comparison} comparison
 * @param {any} line the event's
 * @param {import('../model/page.js').Page} page
 * @returns {Promise<HTMLElement>}
 */
export async function diff(comparison, line, page) {
  const { changes, note, total = changes?.length } = comparison;
  const origin = [line.caller && `from ${line.caller}`, line.took !== undefined && `${duration(numberOf(line.took))} in the reducer`];
  const typed = (some) => {
    const made = items(some);
    writeSwift(made, some, comparison, line, page);
    return made;
  };
  const list = changes?.length > long ? (await parts.groups()).groups(changes, typed) : typed(changes ?? []);
  list.addEventListener('click', async ({ target }) => {
    const button = target.closest('.history');
    if (button) (await parts.history()).toggle(button, line, page);
  });
  return h('div', { class: 'diff' },
    header(page),
    note ? h('p', { class: 'hint' }, note) : null,
    changes?.length === 0 ? h('p', { class: 'hint' }, page.place.against === null ? 'This event did not change the state.' : 'The states are equal.') : null,
    list,
    changes?.length >= limit ? h('p', { class: 'hint' }, total > limit ? `The first ${limit} of ${many(total, 'change')}.` : `The first ${limit} changes.`) : null,
    h('div', { class: 'origin' }, h('p', { class: 'hint' }, origin.filter(Boolean).join(' · ')),
      changes?.length > 0 ? copyButton('Copy as JSON Patch', async () => JSON.stringify((await parts.patch()).patchOf(comparison))) : null));
}

async function writeSwift(list, changes, comparison, line, page) {
  const { showChanges } = await parts.swift();
  await showChanges(list, changes, comparison, line, page);
}

/** The event to compare with. */
function header(page) {
  const { against } = page.place;
  const box = h('div', { class: 'against' }, 'Compared with ',
    h('button', { 'aria-expanded': 'false', 'aria-keyshortcuts': 'x', on: { click: async ({ currentTarget }) => (await parts.against()).choose(currentTarget, page) } },
      against === null ? 'the previous event' : `#${count(against)}`, ' ▾'));
  if (against === null) return box;
  box.classList.add('chosen');
  box.append(h('button', { class: 'close', 'aria-label': 'Compare with the previous event', on: { click: () => page.go({ against: null }) } }, '✕'));
  return box;
}

/** @param {import('../model/diff.js').Change[]} changes @returns {HTMLElement} */
export function items(changes) {
  return h('ol', { class: 'changes' }, ...changes.map(item));
}

function item(change) {
  return h('li', { class: `change ${change.kind}`, 'data-path': change.path }, path(change.path), h('div', { class: 'values' }, ...values(change, tokens(change.path).at(-1) ?? '')),
    h('button', { class: 'quiet history', 'aria-expanded': 'false', 'aria-label': `History of ${readable(change.path)}` }, 'History'));
}

/** A path as breadcrumbs; screen readers and copied text include the separators. */
function path(pointer) {
  const names = tokens(pointer);
  if (names.length === 0) return h('div', { class: 'path' }, 'whole state');
  const crumbs = names.flatMap((name, index) => [
    index > 0 ? h('span', { class: 'crumb' }, ' › ') : null,
    h('span', { class: index === names.length - 1 ? 'leaf' : '' }, name === '' ? '""' : name),
  ]);
  return h('div', { class: 'path' }, ...crumbs);
}

function values(change, name) {
  if (change.text) return [within(change.text)];
  const arrow = h('span', { class: 'arrow', 'aria-label': 'becomes', role: 'img' }, '→');
  switch (change.kind) {
  case 'add': return [sign('+', 'added'), value(change.new, 'new', name)];
  case 'remove': return [sign('−', 'removed'), value(change.old, 'old', name)];
  default:
    return change.old === undefined
      ? [h('span', { class: 'unknown' }, 'not captured'), arrow, value(change.new, 'new', name)]
      : [value(change.old, 'old', name), arrow, value(change.new, 'new', name)];
  }
}

function sign(text, name) {
  return h('span', { class: 'sign', role: 'img', 'aria-label': name }, text);
}

function value(value, side, name) {
  if (value === undefined) return h('span', { class: 'unknown' }, 'not captured');
  const text = preview(value, inline);
  const nested = countOf(value) > 0;
  const cut = kindOf(value) === 'string' && value.length > inline;
  if (!nested && !cut) return h(side === 'old' ? 'del' : 'ins', { 'data-date': dateOf(name, value) }, text);
  const details = h('details', {}, h('summary', {}, h(side === 'old' ? 'del' : 'ins', {}, text)));
  details.addEventListener('toggle', async () => {
    const { code } = await parts.code();
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
