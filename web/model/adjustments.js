// How a state that was applied differs from the recorded one.

const instead = {
  initial: 'the initial state’s value', nil: 'nil', empty: 'an empty value', other: 'another element’s value', removed: 'left out',
  default: 'the decoder’s default value',
};

/**
 * What the app lost, filled in, kept or ignored, by name. A secret that is not on the tape is lost, too.
 * @param {{filled?: string[], ignored?: string[], kept?: string[],
 *   lost?: {path: string, reason: string, instead: string, secret?: boolean}[]}} answer
 * @returns {[string, string[]][]}
 */
export function adjustments({ filled = [], ignored = [], kept = [], lost = [] }) {
  const value = (one) => instead[one.instead] ?? one.instead;
  /** @type {[string, string[]][]} */
  const all = [
    ['Lost', lost.filter((one) => !one.secret).map((one) => `${one.path} (${value(one)}): ${one.reason}`)],
    ['Secrets, not on the tape', lost.filter((one) => one.secret).map((one) => `${one.path} (${value(one)})`)],
    ['Filled in from the app’s initial state', filled],
    ['Kept, the app’s own values', kept],
    ['Ignored', ignored],
  ];
  return all.filter(([, places]) => places.length > 0);
}
