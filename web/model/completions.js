// What a term that is being typed may become.
import { fields } from './filter-terms.js';

const levels = ['error', 'warning', 'info'];
const most = 8;

/**
 * `isWhole`: the text is a term, not only its field.
 * @typedef {{text: string, note: string, isWhole: boolean}} Completion
 */

/**
 * @param {string} term up to the caret
 * @param {{types: Iterable<string>, stores: Iterable<string>}} known
 * @returns {Completion[]}
 */
export function completions(term, { types, stores }) {
  const [, minus, field, text] = /^(-?)(?:(type|store|level|cause|path|value):)?"?(.*)$/s.exec(term);
  const wanted = text.toLowerCase();
  const whole = (name, text, note = '') => ({ text: `${minus}${name}:${/[\s"]/.test(text) ? `"${text.replaceAll('"', '*')}"` : text}`, note, isWhole: true });
  const containing = (names) => [...names].filter((name) => name.toLowerCase().includes(wanted)).sort();
  if (field !== undefined) {
    const names = { type: containing(types), store: containing(stores), level: containing(levels) }[field] ?? [];
    return names.filter((name) => name !== text).slice(0, most).map((name) => whole(field, name));
  }
  if (/[:/"*]/.test(text)) return [];
  const named = fields.filter(({ name }) => name.startsWith(wanted))
    .map(({ name, means }) => ({ text: minus + name, note: means, isWhole: !name.endsWith(':') }));
  if (text === '') return named;
  const matching = containing(types);
  return [
    ...named,
    ...matching.length > 1 ? [whole('type', text, `${matching.length} known types match`)] : [],
    ...matching.slice(0, 4).map((type) => whole('type', type)),
    ...containing(stores).slice(0, 2).map((store) => whole('store', store)),
    ...containing(levels).map((level) => whole('level', level)),
  ].slice(0, most);
}
