// How a state that was applied differs from the recorded one.

const instead = {
  initial: 'the initial state’s value', nil: 'nil', empty: 'an empty value', other: 'another element’s value', removed: 'left out',
};

/**
 * What the app filled in, ignored or lost, by name.
 * @param {{filled?: string[], ignored?: string[], lost?: {path: string, reason: string, instead: string}[]}} answer
 * @returns {[string, string[]][]}
 */
export function adjustments({ filled = [], ignored = [], lost = [] }) {
  /** @type {[string, string[]][]} */
  const all = [
    ['Lost', lost.map((one) => `${one.path} (${instead[one.instead] ?? one.instead}): ${one.reason}`)],
    ['Filled in', filled],
    ['Ignored', ignored],
  ];
  return all.filter(([, places]) => places.length > 0);
}
