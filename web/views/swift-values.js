// Values as Swift people write them, in the state, the changes and the Action tab.
import { kindOf } from '../json/parse.js';
import { tokens } from '../json/pointer.js';
import { dateOf } from '../model/dates.js';
import { actionText, swiftText } from '../model/swift-text.js';
import { dateOfNumber, inside, matched } from '../model/type-table.js';
import { tableOf } from '../model/types-of.js';
import { set } from '../ui/dom.js';

export { inside };

/** The table of a store's types; null without one, and where it can't be read now. */
export async function knownTable(page, store, seq, signal) {
  // The session was left meanwhile.
  if (page.tape === null) return null;
  try {
    return await tableOf(page, store, seq, signal);
  } catch (error) {
    if (error.status === undefined && error.name !== 'AbortError') throw error;
    return null;
  }
}

/** The type at a path of a state; null where it isn't known. @param {import('../model/type-table.js').Type|null} type @param {unknown} value @param {string} path */
export function typeAt(type, value, path) {
  for (const token of tokens(path)) {
    type = inside(type, value, token);
    value = value !== null && typeof value === 'object' && Object.hasOwn(value, token) ? value[token] : undefined;
    if (type === null) return null;
  }
  return type;
}

/** A value in place of its JSON; null where that says the same. @param {import('../model/type-table.js').Type|null} type @param {unknown} value @returns {string|null} */
export function textOf(type, value) {
  return type === null || isPlain(type, value) ? null : swiftText(type, value);
}

/** The title of an open value: its type, or its case. @param {import('../model/type-table.js').Type|null} type @param {unknown} value @returns {string|null} */
export function titleOf(type, value) {
  const own = matched(type, value);
  return own?.kind === 'members' ? own.name : own?.kind === 'cases' && typeof value === 'object' ? `.${Object.keys(value)[0]}` : null;
}

/** The date that a value stands for: by its type, and by its name where that is not known. @param {import('../model/type-table.js').Type|null} type @param {string} name @param {unknown} value */
export function dateIn(type, name, value) {
  if (type === null || kindOf(value) !== 'number') return dateOf(name, value);
  const own = matched(type, value);
  return own?.kind === 'plain' && own.name === 'Date' ? dateOfNumber(value) : null;
}

/**
 * Shows the values of changes, as soon as their types are known.
 * @param {HTMLElement} list
 * @param {import('../model/diff.js').Change[]} changes
 * @param {import('./inspector.js').Comparison} comparison
 * @param {any} line the event's
 * @param {import('../model/page.js').Page} page
 */
export async function showChanges(list, changes, { before, after }, line, page) {
  const table = await knownTable(page, line.store ?? 'main', line.seq);
  if (table === null) return;
  for (const [index, change] of changes.entries()) {
    const type = typeAt(table.state, after ?? before, change.path);
    for (const [name, value] of [['del', change.old], ['ins', change.new]]) {
      const element = value === undefined ? null : list.children[index].querySelector(`.values ${name}`);
      if (element === null || change.text) continue;
      const text = textOf(type, value);
      if (text !== null) element.textContent = text;
      if (kindOf(value) === 'number') set(element, 'data-date', dateIn(type, tokens(change.path).at(-1) ?? '', value));
    }
  }
}

/**
 * Shows an action, as soon as its type is known.
 * @param {HTMLElement} element hidden until then
 * @param {any} line the event's
 * @param {import('../model/page.js').Page} page
 * @param {AbortSignal} signal
 */
export async function showAction(element, line, page, signal) {
  const table = await knownTable(page, line.store ?? 'main', line.seq, signal);
  const text = table && actionText(table, line.action);
  if (text === null) return;
  element.querySelector('pre').textContent = text;
  element.hidden = false;
}

/** Whether JSON and Swift write a value alike. A date stands beside its number. */
function isPlain(type, value) {
  if (type.kind === 'optional' && kindOf(value) !== 'null') return type.of === null || isPlain(type.of, value);
  return type.kind === 'plain';
}
