// The steps that bring the elements of one array into the order of another: Swift's `Reordering`, step by step.

/** More moves than this are not worth it. */
const mostMoves = 64;

/**
 * Steps apply in order: removals, moves, then additions. The longest run of elements that keep their order stays
 * (Fredman 1975); each other one that is kept moves once.
 * @param {(number|undefined)[]} origins for each new element the index of the old one; undefined for an added one
 * @param {number} oldCount
 * @returns {{removals: number[], moves: {from: number, to: number}[], additions: number[]}|null} null: too many moves
 */
export function reordering(origins, oldCount) {
  const kept = origins.filter((origin) => origin !== undefined);
  const staying = longestRun(kept);
  if (kept.length - staying.size > mostMoves) return null;
  const isKept = new Set(kept);
  const old = Array.from({ length: oldCount }, (_, index) => index);
  const removals = old.filter((index) => !isKept.has(index)).reverse();
  const additions = [...origins.keys()].filter((index) => origins[index] === undefined);
  const moves = [];
  if (staying.size < kept.length) {
    const order = old.filter((index) => isKept.has(index));
    kept.forEach((origin, place) => {
      if (staying.has(origin)) return;
      const from = order.indexOf(origin);
      order.splice(from, 1);
      const to = place === 0 ? 0 : order.indexOf(kept[place - 1]) + 1;
      order.splice(to, 0, origin);
      if (from !== to) moves.push({ from, to });
    });
  }
  return { removals, moves, additions };
}

/** The longest increasing subsequence. */
function longestRun(values) {
  // For each length the position of the smallest last value, and for each value the position of the one before it.
  const lasts = [];
  const before = [];
  values.forEach((value, position) => {
    let [low, high] = [0, lasts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[lasts[middle]] < value) low = middle + 1;
      else high = middle;
    }
    before.push(lasts[low - 1]);
    lasts[low] = position;
  });
  const run = new Set();
  for (let position = lasts.at(-1); position !== undefined; position = before[position]) run.add(values[position]);
  return run;
}
