// Goes to the next or previous match of the filter.
import { byID, setText } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';

export class Jump {
  #page;
  #list;
  /** A jump that waits for the search. @type {{direction: 1|-1, end: number}|null} */
  #waiting = null;

  /** @param {import('../model/page.js').Page} page @param {import('./timeline.js').TimelineView} list */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    page.addEventListener('rows', () => inFrame(this.#again));
  }

  #again = () => this.#waiting && this.go(this.#waiting.direction, this.#waiting.end);

  /**
   * Selects the nearest match.
   * @param {1|-1} direction
   * @param {number} [end] where the session ended when it was asked for
   */
  go(direction, end = this.#page.timeline?.end) {
    const { timeline, place } = this.#page;
    this.#waiting = null;
    if (!timeline?.filters) return;
    const from = place.event ?? (direction > 0 ? -1 : timeline.end);
    let seq = timeline.nextMatch(from, direction);
    // Time travel only looked at states, and a range may leave some out.
    while (seq !== null && (timeline.head(seq)?.mark === 'travel' || !timeline.shows(seq))) seq = timeline.nextMatch(seq, direction);
    if (timeline.progress < (direction < 0 ? Math.min(from, end) : seq === null ? end : 0)) {
      this.#waiting = { direction, end };
      return;
    }
    if (seq !== null) this.#list.select(seq);
    setText(byID('searched'), seq === null ? `No match ${direction > 0 ? 'after' : 'before'} this` : '');
  }

  /** Drops the waiting jump. */
  forget() {
    this.#waiting = null;
  }
}
