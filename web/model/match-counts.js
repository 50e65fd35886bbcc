// The matches of the filter in each bucket of the time axis.

export class MatchCounts {
  /** By bucket; null without a filter. @type {number[]|null} */
  counts = null;
  #of = [];

  /**
   * Counts again if the axis or the matches have changed.
   * @param {import('./time-axis.js').TimeAxis|null} axis
   * @param {import('./seqs.js').Seqs|null} found
   */
  count(axis, found) {
    const now = [axis, found, found?.size];
    if (now.every((value, index) => value === this.#of[index])) return;
    this.#of = now;
    this.counts = axis && found && countsIn(axis, found);
  }
}

/** A bucket ends at the first seq of the next bucket that has one. */
function countsIn({ seqs, counts, upTo }, found) {
  const matching = new Array(seqs.length).fill(0);
  let after = found.place(upTo);
  for (let part = seqs.length - 1; part >= 0; part -= 1) {
    if (seqs[part] === null) continue;
    const place = found.place(seqs[part]);
    // Counts exclude gaps, and events after the axis was read.
    matching[part] = Math.max(0, Math.min(counts[part], after - place));
    after = place;
  }
  return matching;
}
