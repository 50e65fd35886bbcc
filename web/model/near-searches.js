// What an empty search offers: other searches for its words, with the number of their matches.
import { compile } from './filter.js';
import { json, sessionPath } from '../link/http.js';

const mostTerms = 3;
/** Counted up to here. */
const most = 1000;

/**
 * `first` is the first match, `value` what a value holds there.
 * @typedef {{filter: string, label: string, value: string|null, count: number, isMore: boolean, first: number}} Offer
 */

/**
 * The other searches for the words of a filter.
 * @param {string} filter
 * @returns {{filter: string, label: string, value: string|null}[]} `value`: what a value is to hold
 */
export function nearSearches(filter) {
  const terms = compile(filter)?.terms ?? [];
  if (terms.length === 0) return [];
  const found = [];
  const offer = (text, label, value = null) => {
    if (text !== '' && text !== filter) found.push({ filter: text, label, value });
  };
  // Among several terms, another field would be one more alternative, or hide which term is the wrong one.
  if (terms.length > 1) {
    for (const term of terms.slice(0, mostTerms)) offer(terms.filter((one) => one !== term).map(({ source }) => source).join(' '), `without ${term.source}`);
    return found;
  }
  const [{ condition, field, text: given }] = terms;
  const text = given.replace(/^\/|[*"]/g, '').trim();
  if (condition.startsWith('-') || text === '' || ['bookmarked', 're', 'cause'].includes(field)) return found;
  const hasSpace = /\s/.test(text);
  if (field !== 'value' && !hasSpace) offer(`value:${text}`, 'in values', text);
  offer(hasSpace || /[:/]/.test(text) ? `"${text}"` : text, 'in any text');
  if (field !== 'type') offer(`type:${hasSpace ? `"${text}"` : text}`, 'in action types');
  return found;
}

/**
 * The searches that find something.
 * @param {string} session
 * @param {string} filter
 * @param {AbortSignal} signal
 * @returns {Promise<Offer[]>}
 */
export async function offers(session, filter, signal) {
  const counted = await Promise.all(nearSearches(filter).map(async (search) => {
    const { seqs, isMore } = await matches(session, compile(search.filter).query, signal);
    return { ...search, count: seqs.length, isMore, first: seqs[0] };
  }));
  return counted.filter(({ count }) => count > 0);
}

/** The first matches. A busy server answers with those of the events that it has searched in time. */
async function matches(session, query, signal) {
  const all = [];
  let from = 0;
  do {
    const { seqs, next } = await json(sessionPath(session, `/matches?limit=${most}&from=${from}&${query}`), { signal });
    all.push(...seqs);
    from = next;
  } while (from !== null && all.length < most);
  return { seqs: all, isMore: from !== null };
}
