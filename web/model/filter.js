// The filter above the timeline. Its text is a list of terms; all of them are conditions that the server evaluates:
// words, `type:`, `store:`, `path:`, `value:`, `re:` or `/…/`, each excluded by `-`.

/**
 * `query` has the conditions of all terms that can be used; it is empty if there are none.
 * @typedef {{query: string, terms: Term[], error: {term: Term, message: string}|null}} Filter
 * `condition` is the name that the server knows it by, `source` its part of the text.
 * @typedef {{condition: string, field: string, text: string, source: string}} Term
 */

const term = /(-?)(?:\/((?:\\.|[^/\\])+)\/(i?)(?=\s|$)|(?:(type|store|path|value|re):)?(?:"([^"]*)"?|(\S+)))/g;
/** Fields whose condition is a pattern of the whole name, where `*` is any text. */
const names = ['type', 'store'];
/** What the server takes of one condition: so many, of so many bytes. */
const [most, longest] = [32, 1000];
const encoder = new TextEncoder();

/**
 * What a filter text means; null if it has no terms.
 * @param {string} text
 * @returns {Filter|null}
 */
export function compile(text) {
  const terms = [...text.matchAll(term)].map(read).filter(({ text }) => text !== '');
  if (terms.length === 0) return null;
  return { query: queryOf(terms.filter(isUsable)), terms, error: terms.map(errorIn).find((one) => one !== null) ?? null };
}

/** Terms as the query of an address. @param {Term[]} terms */
export function queryOf(terms) {
  const query = new URLSearchParams();
  for (const { condition, field, text } of terms) query.append(condition, names.includes(field) ? `*${text}*` : text);
  return query.toString();
}

/** Whether a term of all of them can be used. */
export function isUsable(one, index, all) {
  return errorIn(one, index, all) === null;
}

function read([source, minus, expression, flag, field = expression === undefined ? 'q' : 're', quoted, word]) {
  const isField = field === 'q' && quoted === undefined && /^(-|(type|store|path|value|re):)$/.test(word);
  const text = expression === undefined ? quoted ?? word : flag ? `(?i:${expression})` : expression;
  return { condition: minus + field, field, text: isField ? '' : text, source };
}

function errorIn(one, index, all) {
  const alike = all.slice(0, index).filter(({ condition }) => condition === one.condition);
  if (alike.length >= most) return { term: one, message: `More than ${most} terms of one kind` };
  if (encoder.encode(one.text).length > longest - 2) return { term: { ...one, source: `${one.source.slice(0, 50)}…` }, message: 'This term is too long' };
  if (one.field === 'path' && !one.text.startsWith('/')) return { term: one, message: 'A path starts with a slash: path:/todos' };
  if (one.field !== 're') return null;
  try {
    new RegExp(one.text);
    return null;
  } catch (error) {
    return { term: one, message: error.message.replace(/^.*\/[a-z]*: /s, '') };
  }
}
