// Goes to the next or previous match of the filter, and on from the other end after the last one.
import { byID, setText } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';

export class Jump {
  #page;
  #list;
  /** A jump that waits for the search. @type {{direction: 1|-1, end: number, timeline: object, event: number|null}|null} */
  #waiting = null;

  /** @param {import('../model/page.js').Page} page @param {import('./timeline.js').TimelineView} list */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    page.addEventListener('rows', () => inFrame(this.#again));
  }

  #again = () => {
    if (this.#waiting === null) return;
    const { timeline, place } = this.#page;
    const { direction, end } = this.#waiting;
    // The user may have gone on meanwhile.
    if (this.#waiting.timeline === timeline && this.#waiting.event === place.event) this.go(direction, end);
    else this.forget();
  };

  /**
   * Selects the nearest match.
   * @param {1|-1} direction
   * @param {number} [end] where the session ended when it was asked for
   */
  go(direction, end = this.#page.timeline?.end) {
    const { timeline, place } = this.#page;
    this.#waiting = null;
    if (!timeline?.filters) return;
    const edge = direction > 0 ? -1 : timeline.end;
    const from = place.event ?? edge;
    const seq = this.#next(from, direction);
    if (timeline.progress < (direction < 0 ? Math.min(from, end) : seq === null ? end : 0)) {
      this.#waiting = { direction, end, timeline, event: place.event };
      return;
    }
    const found = seq ?? this.#next(edge, direction);
    if (found !== null) this.#list.select(found);
    byID('searched').classList.remove('is-progress');
    setText(byID('searched'), seq !== null || found === null ? '' : `Continued from the ${direction > 0 ? 'start' : 'end'}`);
  }

  #next(from, direction) {
    const { timeline } = this.#page;
    let seq = timeline.nextMatch(from, direction);
    // Time travel only looked at states, and a range may leave some out.
    while (seq !== null && (timeline.head(seq)?.mark === 'travel' || !timeline.shows(seq))) seq = timeline.nextMatch(seq, direction);
    return seq;
  }

  /** Drops the waiting jump. */
  forget() {
    this.#waiting = null;
  }
}
