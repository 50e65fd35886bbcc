// Two stretches of events side by side: events of one type stand in one row, in the order of both.

/** So many events ahead are looked at on each side for one that fits. */
export const reach = 256;

/** One row; a side that has no such event is null. @typedef {{a: Head|null, b: Head|null, is: ''|'difference'}} Row */
/** @typedef {import('./head.js').Head} Head */

/**
 * The rows of two stretches: a longest common subsequence by type within windows.
 * @param {Head[]} a
 * @param {Head[]} b
 * @returns {Row[]}
 */
export function align(a, b) {
  const names = new Map();
  const [left, right] = [a, b].map((heads) => heads.map((head) => number(names, head)));
  const rows = [];
  let [i, j] = [0, 0];
  const put = (toA, toB) => {
    for (; i < toA || j < toB; ) rows.push({ a: i < toA ? a[i++] : null, b: j < toB ? b[j++] : null, is: '' });
  };
  while (i < a.length && j < b.length) {
    if (left[i] === right[j]) put(i + 1, j + 1);
    else {
      const [endA, endB] = [Math.min(a.length, i + reach), Math.min(b.length, j + reach)];
      const pairs = common(left.slice(i, endA), right.slice(j, endB)).map(([one, other]) => [i + one, j + other]);
      // What fits best may begin beyond the window: only its first half is taken as found.
      const isLast = endA === a.length && endB === b.length;
      const sure = isLast ? pairs : pairs.slice(0, Math.ceil(pairs.length / 2));
      for (const [one, other] of sure) {
        apart(one, other);
        put(one + 1, other + 1);
      }
      if (sure.length === 0) apart(endA, endB);
    }
  }
  apart(a.length, b.length);
  return rows;

  /** Those that have no equal, each in a row of its own. */
  function apart(toA, toB) {
    put(toA, j);
    put(i, toB);
  }
}

function number(names, { event, store, label }) {
  const name = `${event}\n${store}\n${label}`;
  return names.get(name) ?? names.set(name, names.size).get(name);
}

/** The pairs of a longest common subsequence. */
function common(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}
