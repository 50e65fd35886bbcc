// Reads what happened over time, for the scrubber.
import { json, sessionPath } from '../link/http.js';
import { TimeAxis } from './time-axis.js';

/** A growing session is read again this often (ms). */
const pause = 1000;

/** A longer pause is inactivity (ms). */
export const inactive = 2000;

/** Events: `change`. */
export class Activity extends EventTarget {
  /** @type {TimeAxis|null} */
  all = null;
  #wanted = { session: null, buckets: 0, end: 0, zoom: null };
  #known = null;
  #failed = null;
  #running = false;
  #read = 0;
  #timer = 0;

  /**
   * Sets what to show; it is read when due, one request at a time.
   * @param {{session: string|null, buckets: number, end: number, zoom: {from: number, to: number}|null}} wanted `zoom` is a range of events
   */
  ask(wanted) {
    if (wanted.session !== this.#wanted.session) {
      this.all = this.#known = null;
      this.#changed();
    }
    this.#wanted = wanted;
    this.#go();
  }

  /** Retries a failed request. */
  retry() {
    this.#failed = null;
    this.#go();
  }

  #go() {
    const { session, buckets, end } = this.#wanted;
    const known = this.#known;
    if (this.#running || session === null || buckets < 1 || end < 1) return;
    if ([known, this.#failed].some((one) => one && sameAs(one, this.#wanted) && (one.end === end || one.zoom))) return;
    clearTimeout(this.#timer);
    const wait = known && sameAs(known, this.#wanted) ? this.#read + pause - performance.now() : 0;
    if (wait > 0) this.#timer = setTimeout(() => this.#go(), wait);
    else this.#load(this.#wanted);
  }

  async #load(wanted) {
    this.#running = true;
    this.#read = performance.now();
    try {
      const all = await read(wanted);
      if (wanted.session === this.#wanted.session) {
        this.#known = wanted;
        this.all = all;
        this.#changed();
      }
    } catch (error) {
      if (error.status === undefined) throw error;
      this.#failed = wanted;
    } finally {
      this.#running = false;
      this.#go();
    }
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

function sameAs(one, other) {
  return one.session === other.session && one.buckets === other.buckets && one.zoom?.from === other.zoom?.from && one.zoom?.to === other.zoom?.to;
}

async function read({ session, buckets, zoom }) {
  const part = zoom ? `&from=${zoom.from}&to=${zoom.to}` : '';
  const axis = new TimeAxis(await json(sessionPath(session, `/activity?buckets=${buckets}&pause=${inactive}${part}`)));
  axis.zoom = zoom ?? null;
  axis.upTo = zoom ? Math.min(zoom.to + 1, axis.end) : axis.end;
  return axis;
}
