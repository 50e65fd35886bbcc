// A filter of which the server refuses a part.
import { isUsable, queryOf } from './filter.js';

/**
 * The filter without the terms that were refused.
 * @param {import('./filter.js').Filter} filter
 * @param {string} message the server's, which begins with the condition's name
 * @returns {import('./filter.js').Filter}
 */
export function without({ terms }, message) {
  const name = /^“(.+?)”/.exec(message)?.[1];
  const term = terms.find(({ condition }) => condition === name);
  const query = term ? queryOf(terms.filter(isUsable).filter(({ condition }) => condition !== name)) : '';
  return { query, terms, mistake: { term: term ?? terms[0], message: message.replace(/^.*?: /s, '') } };
}
