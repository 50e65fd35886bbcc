// Plays a tape: selects one visible row after the other, at the recorded pace.
import { inactive } from './activity.js';

/** The length of skipped inactivity (ms). */
const skipped = 300;
/** The most rows to skip in a frame. */
const most = 5000;

/** Events: `change` (of `playing`), `end` (after the last row). */
export class Player extends EventTarget {
  playing = false;
  speed = 1;
  skip = false;
  /** Whether a row is skipped. @type {(head: import('./head.js').Head) => boolean} */
  passes = () => false;
  #page;
  #frame;
  #select;
  #seq = null;
  #at = null;
  #next = null;
  #elapsed = 0;
  #last = 0;

  /**
   * @param {import('./page.js').Page} page
   * @param {(job: () => void) => void} frame runs a job in the next frame
   * @param {(seq: number) => void} select
   */
  constructor(page, frame, select) {
    super();
    this.#page = page;
    this.#frame = frame;
    this.#select = select;
    document.addEventListener('visibilitychange', () => document.hidden && this.stop());
  }

  /** Starts at the selected event; at the first row without one, or at the last one. */
  start() {
    const { timeline, place } = this.#page;
    if (this.playing || !timeline || timeline.count === 0) return;
    this.#seq = place.event;
    this.#at = place.event === null ? null : timeline.head(place.event)?.at ?? null;
    if (this.#following() === null) {
      if (this.#page.summary?.live) return this.#end();
      this.#seq = this.#at = null;
    }
    this.#elapsed = 0;
    this.#last = performance.now();
    this.#become(true);
    this.#tick();
  }

  stop() {
    if (this.playing) this.#become(false);
  }

  /** The current time on the tape, also between two events. */
  get now() {
    if (this.#at === null || !this.#next?.head) return this.#at;
    const wait = this.#wait(this.#next.head);
    const part = wait > 0 ? Math.min(1, this.#elapsed / wait) : 1;
    return this.#at + part * Math.max(0, this.#next.head.at - this.#at);
  }

  #tick = () => {
    if (!this.playing) return;
    const now = performance.now();
    this.#elapsed += now - this.#last;
    this.#last = now;
    const before = this.#seq;
    for (let steps = 0; ; steps += 1) {
      this.#next = this.#following();
      if (this.#next === null) break;
      const { seq, head, row } = this.#next;
      if (head === null) {
        this.#page.timeline.view(row, row);
        this.#elapsed = 0;
        break;
      }
      const wait = this.#wait(head);
      if (this.#elapsed < wait || steps >= most) break;
      this.#elapsed -= wait;
      this.#seq = seq;
      this.#at = head.at;
    }
    if (this.#seq !== before) this.#select(this.#seq);
    if (this.#next === null) return this.#end();
    this.#frame(this.#tick);
  };

  /** The next row to play, or null. With a filter, only matches are played. */
  #following() {
    const { timeline } = this.#page;
    for (let seq = this.#seq ?? -1; ;) {
      const next = timeline.filters ? timeline.nextMatch(seq, 1) : seq + 1;
      if (next === null) return null;
      let row = timeline.rowOf(next);
      // It may be in the same row.
      while (timeline.at(row)?.seq <= seq) row += 1;
      const event = timeline.at(row);
      if (event === null || event.head === null || !this.passes(event.head)) return event && { ...event, row };
      seq = event.seq;
    }
  }

  #wait({ at }) {
    if (this.#at === null) return 0;
    const ms = Math.max(0, at - this.#at);
    return this.skip && ms > inactive ? skipped : ms / this.speed;
  }

  #end() {
    this.stop();
    this.dispatchEvent(new Event('end'));
  }

  #become(playing) {
    this.playing = playing;
    this.#next = null;
    this.dispatchEvent(new Event('change'));
  }
}
