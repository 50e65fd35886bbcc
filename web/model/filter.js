// The filter above the timeline: words that all must be found, `-word` that must not, `type:` and `store:`.

/**
 * A predicate over heads, or null if the text filters nothing.
 * @param {string} text
 * @returns {((head: import('./head.js').Head) => boolean) | null}
 */
export function compile(text) {
  const terms = [...text.matchAll(/(-?)(?:(type|store):)?(?:"([^"]*)"?|(\S+))/g)]
    .map(([, minus, field, quoted, word]) => ({ not: minus === '-', field, text: (quoted ?? word ?? '').toLowerCase() }))
    .filter((term) => term.text !== '' && term.text !== '-' && !/^(type|store):$/.test(term.text));
  if (terms.length === 0) return null;
  return (head) => terms.every((term) => found(head, term) !== term.not);
}

function found(head, { field, text }) {
  const has = (value) => value.toLowerCase().includes(text);
  if (field === 'type') return head.hasAction && has(head.label);
  if (field === 'store') return has(head.store);
  return has(head.label) || has(head.summary) || has(head.store);
}
