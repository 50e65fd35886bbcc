// Which part of a session's activity matches the filter.

export class MatchCounts {
  /** By the parts of the histogram; null without a filter. @type {number[]|null} */
  counts = null;
  #of = [];

  /**
   * Counts the seqs that were found, if there are others than those counted last.
   * @param {import('./activity.js').Histogram|null} histogram
   * @param {import('./seqs.js').Seqs|null} found
   */
  count(histogram, found) {
    const now = [histogram, found, found?.size];
    if (now.every((value, index) => value === this.#of[index])) return;
    this.#of = now;
    this.counts = histogram && found && countsIn(histogram, found);
  }
}

/** A part's seqs go from its first event up to the first of the next part that has one. */
function countsIn({ seqs, counts }, found) {
  const matching = new Array(seqs.length).fill(0);
  let after = found.size;
  for (let part = seqs.length - 1; part >= 0; part -= 1) {
    if (seqs[part] === null) continue;
    const place = found.place(seqs[part]);
    // Gaps are not counted among the events, and events later than the histogram are not in it.
    matching[part] = Math.max(0, Math.min(counts[part], after - place));
    after = place;
  }
  return matching;
}
