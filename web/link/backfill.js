// Brings the pages of a timeline that are not there yet: those in view first, then the rest from the newest on.
import { head } from '../model/head.js';
import { request, sessionPath } from './http.js';

const atOnce = 2;

/** Loads one session's pages until it is stopped. */
export class Backfill {
  #timeline;
  #session;
  #failed;
  #running = 0;
  #abort = new AbortController();

  /**
   * @param {import('../model/timeline.js').Timeline} timeline
   * @param {string} session
   * @param {(error: Error) => void} failed told once; `resume` goes on
   */
  constructor(timeline, session, failed) {
    this.#timeline = timeline;
    this.#session = session;
    this.#failed = failed;
    timeline.addEventListener('wanted', () => this.resume(), { signal: this.#abort.signal });
  }

  /** Stops for good. */
  stop() {
    this.#abort.abort();
  }

  /** Goes on, as after a reconnection. */
  resume() {
    while (this.#running < atOnce && !this.#abort.signal.aborted) {
      const page = this.#timeline.nextToLoad();
      if (page === null) return;
      this.#running += 1;
      this.#load(page).then(() => this.#ended(true), (error) => {
        page.loading = false;
        this.#ended(false);
        if (!this.#abort.signal.aborted) this.#failed(error);
      });
    }
  }

  #ended(well) {
    this.#running -= 1;
    if (well) this.resume();
  }

  async #load(page) {
    page.loading = true;
    const until = page.needed;
    const heads = [];
    for (let from = page.start; from < until;) {
      const query = `/events?from=${from}&limit=${until - from}&fields=head`;
      const response = await request(sessionPath(this.#session, query), { signal: this.#abort.signal });
      const text = await response.text();
      for (const line of text.split('\n')) {
        if (line !== '') heads.push(head(JSON.parse(line)));
      }
      const next = Number(response.headers.get('StateTape-Next'));
      if (!(next > from)) break;
      from = next;
    }
    if (!this.#abort.signal.aborted) this.#timeline.loaded(page, heads.filter((one) => one.seq < until), until);
  }
}
