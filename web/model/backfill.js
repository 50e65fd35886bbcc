// Loads the missing pages of a timeline: visible ones first, then from the newest to the oldest.
import { head } from './head.js';
import { inFrame } from '../ui/frame.js';
import { request, sessionPath } from '../link/http.js';

const atOnce = 2;

/** Loads one session's pages until it is stopped. */
export class Backfill {
  #timeline;
  #session;
  #failed;
  #running = 0;
  /** The first page is loaded alone, so that it is drawn early. */
  #isFirst = true;
  #query = '';
  #search = null;
  #abort = new AbortController();

  /**
   * @param {import('./timeline.js').Timeline} timeline
   * @param {string} session
   * @param {(error: Error) => void} failed `resume` retries
   */
  constructor(timeline, session, failed) {
    this.#timeline = timeline;
    this.#session = session;
    this.#failed = failed;
    timeline.addEventListener('wanted', () => this.resume(), { signal: this.#abort.signal });
  }

  stop() {
    this.#abort.abort();
    this.#search?.stop();
  }

  resume() {
    this.#look();
    while (this.#running < (this.#isFirst ? 1 : atOnce) && !this.#abort.signal.aborted) {
      const pages = this.#timeline.nextToLoad();
      if (pages.length === 0) return;
      this.#running += 1;
      for (const page of pages) page.loading = true;
      this.#load(pages).then(() => this.#ended(true), (error) => {
        for (const page of pages) page.loading = false;
        this.#ended(false);
        if (!this.#abort.signal.aborted) this.#failed(error);
      });
    }
  }

  /** Starts the server's search for the filter. */
  async #look() {
    const query = this.#timeline.filtered?.query ?? '';
    if (query === this.#query) return this.#search?.resume();
    this.#query = query;
    this.#search?.stop();
    this.#search = null;
    if (query === '') return;
    const { Search } = await import('./match-search.js');
    if (this.#query !== query || this.#abort.signal.aborted) return;
    this.#search = new Search(this.#timeline, this.#session, query, this.#timeline.isTyped, this.#failed);
  }

  #ended(well) {
    this.#running -= 1;
    if (!well) return;
    if (!this.#isFirst) return this.resume();
    this.#isFirst = false;
    inFrame(() => setTimeout(() => this.resume()));
  }

  async #load(pages) {
    const waiting = pages.map((page) => ({ page, end: page.needed }));
    const until = waiting.at(-1).end;
    let heads = [];
    for (let from = pages[0].start; from < until;) {
      const query = `/events?from=${from}&limit=${until - from}&fields=head`;
      const response = await request(sessionPath(this.#session, query), { signal: this.#abort.signal });
      const text = await response.text();
      if (this.#abort.signal.aborted) return;
      for (const line of text.split('\n')) {
        if (line !== '') heads.push(head(JSON.parse(line)));
      }
      const next = Number(response.headers.get('StateTape-Next'));
      from = next > from ? next : until;
      while (waiting.length > 0 && waiting[0].end <= from) {
        const { page, end } = waiting.shift();
        this.#timeline.loaded(page, heads.filter(({ seq }) => seq >= page.start && seq < end), end);
        heads = heads.filter(({ seq }) => seq >= end);
      }
    }
  }
}
