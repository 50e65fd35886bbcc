// The terms of a filter that become chips, and those that look like a field but are none.
import { compile, isUsable } from './filter.js';

/** The fields that chips have, and what they find. */
export const fields = [
  { name: 'type:', means: 'the action’s type contains this' },
  { name: 'value:', means: 'a string contains this, a number or key equals it' },
  { name: 'path:', means: 'the event changed this path; * is any index or key' },
  { name: 'store:', means: 'the store’s name contains this' },
  { name: 'level:', means: 'error (also of a reducer), warning or info' },
  { name: 'cause:', means: 'the event with this number started it' },
  { name: 'bookmarked', means: 'events with a bookmark' },
];
/** Words that people use for them. */
const synonyms = { action: 'type:', event: 'type:', key: 'path:', state: 'path:', payload: 'value:', parent: 'cause:', severity: 'level:', log: 'level:', bookmark: 'bookmarked', is: 'bookmarked' };
/** A typing error changes at most so many letters. */
const near = 2;

/**
 * Divides a filter.
 * @param {string} text
 * @returns {{chips: string[], rest: string}} the complete terms with a field, and the text without them
 */
export function split(text) {
  const terms = compile(text)?.terms ?? [];
  const chips = terms.filter((term, index) => isComplete(term) && isUsable(term, index, terms)).map(({ source }) => source);
  let rest = '';
  let from = 0;
  for (const chip of chips) {
    const at = text.indexOf(chip, from);
    rest = joined(rest, text.slice(from, at));
    from = at + chip.length;
  }
  return { chips, rest: joined(rest, text.slice(from)) };
}

/** Two parts of a text without the space that a removed term leaves. @param {string} before @param {string} after */
export function joined(before, after) {
  return /(^|\s)$/.test(before) ? before + after.trimStart() : before + after;
}

function isComplete({ field, source }) {
  return (fields.some(({ name }) => name === `${field}:`) || field === 'bookmarked') && !/:"[^"]*$/.test(source);
}

/**
 * The first term whose field doesn't exist, and the terms that may be meant. It is searched as text. An address such as
 * `http://x`, a time and a short prefix such as `a:b` are text.
 * @param {import('./filter.js').Filter|null} filter
 * @returns {{source: string, field: string, instead: string|null, asText: string}|null}
 */
export function unknownField(filter) {
  for (const { field, source } of filter?.terms ?? []) {
    const [, minus, word, text] = /^(-?)([a-z]{2,}):(?!\/\/)(.+)$/i.exec(source) ?? [];
    if (field !== 'q' || word === undefined) continue;
    const name = nearest(word.toLowerCase());
    const instead = name === null ? null : name === 'bookmarked' ? minus + name : minus + name + text;
    return { source, field: `${word}:`, instead, asText: `${minus}"${word}:${text.replaceAll('"', '')}"` };
  }
  return null;
}

function nearest(word) {
  if (Object.hasOwn(synonyms, word)) return synonyms[word];
  const names = fields.map(({ name }) => ({ name, by: distance(word, name.replace(':', '')) }));
  const [best] = names.sort((one, other) => one.by - other.by);
  return best.by <= Math.min(near, word.length - 1) ? best.name : null;
}

/** How many letters must be added, left out, changed or swapped. */
function distance(one, other) {
  let [before, row] = [[], Array.from({ length: other.length + 1 }, (_, place) => place)];
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= other.length; place += 1) {
      const isSwapped = one[at - 1] === other[place - 2] && one[at - 2] === other[place - 1];
      next.push(Math.min(row[place] + 1, next[place - 1] + 1, row[place - 1] + (one[at - 1] === other[place - 1] ? 0 : 1), isSwapped ? before[place - 2] + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[other.length];
}
