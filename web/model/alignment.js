// Pairs the events of two sessions by type, in the order of both.

/** A match is searched this many events ahead on each side. */
const reach = 256;

/** A row; a side without an event is null. @typedef {{a: Head|null, b: Head|null, is: ''|'difference'}} Row */
/** @typedef {import('./head.js').Head} Head */

/**
 * The rows: a longest common subsequence by type, within windows.
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
      // The best match may start beyond the window: only the first half is final.
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

  /** Unpaired events have a row each. */
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
