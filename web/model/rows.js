// Which events share a row: those of one dispatch to several stores, and repeats of one type.

/** Fewer repeats are not grouped. */
export const minRepeats = 3;

/** Repeated items: the heads from `at` to before `end`, `n` items of equal length. @typedef {{at: number, end: number, n: number}} Run */

/** Whether two heads may be repeats. */
function alike(a, b) {
  const [one, two] = [a.shape, b.shape];
  // The events of a replay in the app, whatever they are.
  if (one.loop || two.loop) return one.loop === two.loop;
  // Applied states.
  if (one.event === 'replace' && two.event === 'replace') return one.mark === two.mark && /travel|push/.test(one.mark);
  return one.hasAction && two.hasAction && plain(one) && plain(two)
    && (one === two || (one.label === two.label && one.store === two.store));
}

function plain({ mark }) {
  return mark === '' || mark === 'skipped';
}

export function together(a, b) {
  return a.dispatch !== null && a.dispatch === b?.dispatch && a.seq + 1 === b.seq && a.hasAction && b.hasAction;
}

/**
 * Whether the item at the start of `b` repeats the one at the end of `a`.
 * @param {import('./head.js').Head[]} before @param {Run} a @param {import('./head.js').Head[]} after @param {Run} b
 * @param {((head: import('./head.js').Head) => boolean)|null} passes must agree on both
 */
export function continues(before, a, after, b, passes) {
  const length = lengthOf(a);
  if (length !== lengthOf(b) || before[a.end - 1].seq + 1 !== after[b.at].seq) return false;
  for (let offset = 0; offset < length; offset += 1) {
    const [one, two] = [before[a.end - length + offset], after[b.at + offset]];
    if (!alike(one, two) || (passes !== null && passes(one) !== passes(two))) return false;
  }
  return true;
}

/** How many heads an item of a run has. */
export function lengthOf(run) {
  return (run.end - run.at) / run.n;
}

/**
 * The runs of some heads, in order.
 * @param {import('./head.js').Head[]} heads
 * @param {((head: import('./head.js').Head) => boolean)|null} passes
 * @returns {Run[]}
 */
export function runsOf(heads, passes) {
  const runs = [];
  let last = null;
  for (let at = 0; at < heads.length;) {
    let end = at + 1;
    while (end < heads.length && together(heads[end - 1], heads[end])) end += 1;
    const item = { at, end, n: 1 };
    if (last !== null && continues(heads, last, heads, item, passes)) {
      last.end = end;
      last.n += 1;
    } else runs.push(last = item);
    at = end;
  }
  return runs;
}
