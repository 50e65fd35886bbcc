// Marks the words of a search in texts.
import { h } from '../ui/dom.js';

/** The words that are marked in an element. */
const marked = new WeakMap();

/**
 * What a filter finds in texts; null if it has no plain words.
 * @param {import('../model/filter.js').Filter|null} filter
 * @returns {RegExp|null}
 */
export function wordsOf(filter) {
  const words = (filter?.terms ?? []).filter(({ condition }) => condition === 'q' || condition === 'value').map(({ text }) => text);
  return words.length === 0 ? null : new RegExp(`(${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})`, 'giu');
}

/** Whether an element shows a text with the same words marked. @param {Element} element @param {string} text @param {RegExp|null} words */
export function shows(element, text, words) {
  return element.textContent === text && (marked.get(element) ?? null) === (words?.source ?? null);
}

/**
 * Replaces the content of an element.
 * @param {Element} element
 * @param {(Node|string)[]} content
 * @param {RegExp|null} words marked in it
 */
export function replace(element, content, words) {
  marked.set(element, words?.source ?? null);
  element.replaceChildren(...content);
}

/** Shows a text with words marked. @param {Element} element @param {string} text @param {RegExp|null} words */
export function write(element, text, words) {
  if (!shows(element, text, words)) replace(element, parts(text, words), words);
}

/** A text in parts. @param {string} text @param {RegExp|null} words @returns {(Node|string)[]} */
export function parts(text, words) {
  return words === null ? [text] : text.split(words).map((part, index) => (index % 2 === 1 ? h('mark', {}, part) : part));
}
