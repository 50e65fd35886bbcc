// Marks what a search has found in texts.
import { readable } from '../json/pointer.js';
import { h } from '../ui/dom.js';

/** What is marked in the parts of a row. `key` stands for all of it.
 * @typedef {{name: RegExp|null, payload: RegExp|null, path: RegExp|null, value: RegExp|null, key: string}} Marks */

/** The key of the marks in an element. */
const marked = new WeakMap();
/** Between the steps of a path in a row. */
export const separator = '›';

/**
 * What a filter finds in rows; null if it marks nothing.
 * @param {import('../model/filter.js').Filter|null} filter
 * @returns {Marks|null}
 */
export function marksOf(filter) {
  const of = (...conditions) => (filter?.terms ?? []).filter(({ condition }) => conditions.includes(condition)).map(pattern).filter((one) => one !== '');
  const marks = { name: any(of('q', 'value', 'type')), payload: any(of('q', 'value')), path: any(of('q', 'value', 'path')), value: any(of('q', 'value')) };
  const key = Object.values(marks).map((one) => one?.source ?? '').join('\n');
  return Object.values(marks).some((one) => one !== null) ? { ...marks, key } : null;
}

function any(patterns) {
  return patterns.length === 0 ? null : new RegExp(`(${patterns.join('|')})`, 'giu');
}

function pattern({ field, text }) {
  if (field === 'path') return pathPattern(text);
  if (field === 'type') return text.split('*').filter((part) => part !== '').map(literal).join('.*?');
  // Only the whole number is found.
  if (field === 'value' && /^-?\d+(\.\d+)?$/.test(text)) return `(?<![\\d.])${literal(text)}(?![\\d.])`;
  return literal(text);
}

/** A path that is the wanted one, below it, or above it. */
function pathPattern(path) {
  const steps = path.split('/').slice(1).map((step) => (step === '*' ? `[^${separator}]+` : literal(readable(`/${step}`))));
  const above = steps.map((_, place) => steps.slice(0, place + 1).join(separator));
  const whole = above.pop();
  return whole === undefined ? '' : `^(?:${whole}(?=${separator}|$)${above.map((one) => `|${one}$`).join('')})`;
}

function literal(text) {
  return text.replace(/[\^$.*+?()[\]{}|/\\]/g, '\\$&');
}

/** Whether an element shows a text with the same marks. @param {Element} element @param {string} text @param {string} key */
export function shows(element, text, key) {
  return element.textContent === text && (marked.get(element) ?? '') === key;
}

/**
 * Replaces the content of an element.
 * @param {Element} element
 * @param {(Node|string)[]} content
 * @param {string} key of its marks
 */
export function replace(element, content, key) {
  marked.set(element, key);
  element.replaceChildren(...content);
}

/** Shows a text with words marked. @param {Element} element @param {string} text @param {RegExp|null} [words] */
export function write(element, text, words = null) {
  const key = words?.source ?? '';
  if (!shows(element, text, key)) replace(element, parts(text, words), key);
}

/** A text in parts. @param {string} text @param {RegExp|null} [words] @returns {(Node|string)[]} */
export function parts(text, words = null) {
  return words === null ? [text] : text.split(words).map((part, index) => (index % 2 === 1 ? h('mark', {}, part) : part));
}
