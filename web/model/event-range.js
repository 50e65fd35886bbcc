// A range of events in the address, such as `120-480`.

/** @param {string} text @returns {{from: number, to: number}|null} null if it is none */
export function rangeOf(text) {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  return from === undefined || Number(from) > Number(to) ? null : { from: Number(from), to: Number(to) };
}

/**
 * The rows of a range.
 * @param {{from: number, to: number}} range
 * @returns {(rows: import('./arrangement.js').Arrangement) => Pick<import('./arrangement.js').Arrangement, 'count'|'at'|'rowOf'>}
 */
export function windowOf({ from, to }) {
  return (rows) => {
    const first = rows.rowOf(from);
    let end = rows.rowOf(to + 1);
    // A group may end after the range.
    if (rows.at(end)?.from <= to) end += 1;
    const count = Math.max(0, end - first);
    return {
      count,
      at: (row) => (row >= 0 && row < count ? rows.at(first + row) : null),
      rowOf: (seq) => Math.max(0, Math.min(count, rows.rowOf(seq) - first)),
    };
  };
}
