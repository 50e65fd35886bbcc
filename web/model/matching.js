// Which part of a session's activity matches the filter: counted here from the heads, a slice of time in each frame.

/** Milliseconds of a frame that counting may take. */
const slice = 3;
/** A list that still grows is counted again so often (ms). */
const pause = 500;

export class Matching {
  /** By the parts of the histogram; null without a filter. @type {number[]|null} */
  counts = null;
  #frame;
  #done;
  #known = '';
  #running = null;
  #last = 0;

  /**
   * @param {(job: () => void) => void} frame runs a job in the next frame
   * @param {() => void} done called when `counts` are others
   */
  constructor(frame, done) {
    this.#frame = frame;
    this.#done = done;
  }

  /**
   * Counts what the timeline's filter lets through, if that isn't known yet.
   * @param {import('./timeline.js').Timeline} timeline
   * @param {import('./activity.js').Histogram|null} histogram
   * @param {string} text the filter's
   */
  count(timeline, histogram, text) {
    if (!histogram || !timeline.filters) {
      const before = this.counts;
      this.counts = this.#running = null;
      this.#known = '';
      if (before) this.#done();
      return;
    }
    const wanted = `${histogram.size} ${histogram.end} ${timeline.progress} ${text}`;
    const isSame = this.#running?.text === text && this.#running.timeline === timeline;
    if (isSame || wanted === this.#known) return;
    if (this.#known.endsWith(` ${text}`) && performance.now() - this.#last < pause) return this.#frame(this.#done);
    this.#known = wanted;
    this.#running = { timeline, histogram, text, page: 0, counts: new Array(histogram.size).fill(0) };
    this.#frame(this.#go);
  }

  #go = () => {
    const task = this.#running;
    if (task === null) return;
    const { timeline, histogram: { size, duration }, counts } = task;
    const end = performance.now() + slice;
    for (const pages = timeline.events.list; ; task.page += 1) {
      if (task.page >= pages.length) break;
      if (performance.now() > end) return this.#frame(this.#go);
      for (const head of pages[task.page].heads) {
        if (head.event === 'gap' || !timeline.matches(head)) continue;
        counts[Math.max(0, Math.min(size - 1, Math.floor(head.at / duration * size)))] += 1;
      }
    }
    this.#running = null;
    this.#last = performance.now();
    this.counts = counts;
    this.#done();
  };
}
