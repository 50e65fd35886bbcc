// The timeline filter: a list of terms, which the server evaluates:
// words, `type:`, `store:`, `level:`, `cause:`, `path:`, `value:`, `bookmarked`, `re:` or `/…/`; `-` negates a term.

/**
 * `query` has the conditions of all valid terms.
 * @typedef {{query: string, terms: Term[], error: {term: Term, message: string}|null}} Filter
 * `condition` is its name in the API, `source` its part of the text.
 * @typedef {{condition: string, field: string, text: string, source: string}} Term
 */

const term = /(-?)(?:\/((?:\\.|[^/\\])+)\/(i?)(?=\s|$)|(?:(type|store|level|cause|path|value|re):)?(?:"([^"]*)"?|(\S+)))/g;
/** Fields that match the whole name; `*` is any text. */
const names = ['type', 'store', 'level'];
/** The server's limits for one condition: count and bytes. */
const [most, longest] = [32, 1000];
const encoder = new TextEncoder();

/** The terms of a filter text; null if it has none. @param {string} text @returns {Filter|null} */
export function compile(text) {
  const terms = [...text.matchAll(term)].map(read).filter(({ text }) => text !== '');
  if (terms.length === 0) return null;
  return { query: queryOf(terms.filter(isUsable)), terms, error: terms.map(errorIn).find((one) => one !== null) ?? null };
}

/** @param {Term[]} terms */
export function queryOf(terms) {
  const query = new URLSearchParams();
  for (const { condition, field, text, source } of terms) {
    if (field === 'bookmarked') query.set(field, source === field);
    else query.append(condition, names.includes(field) ? `*${text}*` : /^-?value:"/.test(source) ? JSON.stringify(text) : text);
  }
  return query.toString();
}

/** Whether a term of `all` is valid. */
export function isUsable(one, index, all) {
  return errorIn(one, index, all) === null;
}

function read([source, minus, expression, flag, field = expression === undefined ? 'q' : 're', quoted, word]) {
  if (word === 'bookmarked' && field === 'q') field = word;
  const isField = field === 'q' && quoted === undefined && /^(-|(type|store|level|cause|path|value|re):)$/.test(word);
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
