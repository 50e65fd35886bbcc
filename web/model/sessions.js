// The sessions that the server holds: live ones first, then the newest received.
import { json } from '../link/http.js';

export class Sessions extends EventTarget {
  known = false;
  /** Whether older sessions are left on the server. */
  more = null;
  /** The words that a session must hold to be shown. */
  search = '';
  #byID = new Map();

  async refresh() {
    const answer = await json('/api/v1/sessions?limit=100');
    // Without older ones these are all: others have been deleted.
    if (!answer.next) this.#byID.clear();
    for (const summary of answer.sessions) this.#byID.set(summary.session, summary);
    if (!this.known) this.more = answer.next ?? null;
    this.known = true;
    this.#changed();
  }

  async older() {
    const answer = await json(`/api/v1/sessions?limit=100&before=${encodeURIComponent(this.more)}`);
    for (const summary of answer.sessions) this.#byID.set(summary.session, summary);
    this.more = answer.next ?? null;
    this.#changed();
  }

  /**
   * Takes in a summary.
   * @param {object} summary
   */
  update(summary) {
    if (typeof summary?.session !== 'string') return;
    this.#byID.set(summary.session, summary);
    this.#changed();
  }

  /** @param {string} id one that was deleted */
  remove(id) {
    if (this.#byID.delete(id)) this.#changed();
  }

  /** @param {string|null} id @returns {any} the summary, if it is here */
  get(id) {
    return this.#byID.get(id);
  }

  /** @param {string} text */
  find(text) {
    this.search = text;
    this.#changed();
  }

  get size() {
    return this.#byID.size;
  }

  /** The sessions that the search finds, in the order of the list. */
  get list() {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    return [...this.#byID.values()]
      .filter((summary) => words.every((word) => textOf(summary).includes(word)))
      .sort((a, b) => Number(b.live ?? false) - Number(a.live ?? false) || order(b, a));
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/** Newest received first; ids are ULIDs, so they order what was received at one time. */
function order(a, b) {
  const [one, other] = [a, b].map((summary) => Date.parse(summary.received) || Number(summary.received) || 0);
  return one - other || (a.session < b.session ? -1 : 1);
}

function textOf({ app, device, labels, session, title, live }) {
  const marks = Object.entries(labels ?? {}).map(([key, value]) => `${key}:${value}`);
  return [app?.name, app?.id, app?.version, device?.name, device?.model, device?.os, title, session, live ? 'live' : '', ...marks]
    .filter(Boolean).join(' ').toLowerCase();
}
