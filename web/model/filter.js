// The filter above the timeline: words that all must be found, `-word` that must not, `type:`, `store:`, and what only
// the server can tell, which reads whole lines: `path:`, `value:`, `re:` or `/…/`.

/**
 * `passes` tells by heads, `query` is what the server is asked; each is empty where the filter doesn't need it.
 * `terms` tell where each stands in the text.
 * @typedef {{passes: ((head: import('./head.js').Head) => boolean)|null, query: string, terms: Term[],
 *   mistake: {term: Term, message: string}|null}} Filter
 * @typedef {{not: boolean, field: string, text: string, source: string}} Term
 */

const term = /(-?)(?:\/((?:\\.|[^/\\])+)\/(i?)(?=\s|$)|(?:(type|store|path|value|re):)?(?:"([^"]*)"?|(\S+)))/g;
const remote = ['path', 'value', 're'];

/**
 * What a filter text means; null if it filters nothing.
 * @param {string} text
 * @returns {Filter|null}
 */
export function compile(text) {
  const terms = [...text.matchAll(term)].map(read).filter(({ text }) => text !== '');
  const mistake = terms.map(mistakeIn).find((one) => one !== null) ?? null;
  const query = new URLSearchParams();
  for (const { not, field, text } of mistake ? [] : terms) {
    if (remote.includes(field)) query.append(not ? `-${field}` : field, text);
  }
  const local = terms.filter(({ field }) => !remote.includes(field));
  if (local.length === 0 && query.size === 0) return mistake && { passes: null, query: '', terms, mistake };
  // Many events share a shape: each is looked at once.
  const known = new WeakMap();
  const passes = ({ shape }) => {
    let found = known.get(shape);
    if (found === undefined) known.set(shape, found = local.every((one) => isFound(shape, one) !== one.not));
    return found;
  };
  return { passes: local.length === 0 ? null : passes, query: query.toString(), terms, mistake };
}

function read([source, minus, expression, flag, field, quoted, word]) {
  const not = minus === '-';
  if (expression !== undefined) return { not, field: 're', text: flag ? `(?i:${expression})` : expression, source };
  const text = quoted ?? word;
  const isField = field === undefined && /^(-|(type|store|path|value|re):)$/.test(text);
  const isExact = remote.includes(field);
  return { not, field: field ?? '', text: isField ? '' : isExact ? text : text.toLowerCase(), source };
}

function mistakeIn(one) {
  if (one.field === 'path' && !one.text.startsWith('/')) return { term: one, message: 'A path begins with a slash, as in path:/todos' };
  if (one.field !== 're') return null;
  try {
    new RegExp(one.text);
    return null;
  } catch (error) {
    return { term: one, message: error.message.replace(/^.*\/[a-z]*: /s, '') };
  }
}

function isFound(shape, { field, text }) {
  const has = (value) => value.toLowerCase().includes(text);
  if (field === 'type') return shape.hasAction && has(shape.label);
  if (field === 'store') return has(shape.store);
  return has(shape.label) || has(shape.summary) || has(shape.store);
}
