// The values of a session's events that rows show. Only those of visible rows are asked for.
import { request, sessionPath } from '../link/http.js';

/** Events per request. */
const mostAsked = 200;
const mostKept = 4000;
/** For an event without values. */
const none = {};

/**
 * `more` is the number of further changes.
 * @typedef {{payload?: string, changes?: {path: string, value: string}[], more?: number}} Preview
 */

/** Event: `change` (more are known). */
export class Previews extends EventTarget {
  #session;
  #version;
  /** The oldest answers are dropped first. @type {Map<number, Preview>} */
  #known = new Map();
  /** From the newest on. @type {number[]} */
  #missing = [];
  #isAsking = false;
  #hasFailed = false;
  #abort = new AbortController();

  /** @param {string} session @param {number} version another one has other events */
  constructor(session, version) {
    super();
    this.#session = session;
    this.#version = version;
  }

  /** Whether they are of this session and version. @param {any} summary */
  areOf(summary) {
    return summary?.session === this.#session && summary.version === this.#version;
  }

  /** @param {number} seq @returns {Preview|null} null until it is known */
  get(seq) {
    return this.#known.get(seq) ?? null;
  }

  /** Asks for those that aren't known yet. @param {import('./head.js').Head[]} heads visible, from the newest on */
  want(heads) {
    this.#missing = heads.filter(({ seq, hasAction, hasChange }) => (hasAction || hasChange) && !this.#known.has(seq)).map(({ seq }) => seq);
    this.#ask();
  }

  /** Asks again after a failure. */
  resume() {
    this.#hasFailed = false;
    this.#ask();
  }

  /** Drops what is on its way. */
  stop() {
    this.#abort.abort();
  }

  async #ask() {
    if (this.#isAsking || this.#hasFailed || this.#missing.length === 0) return;
    this.#isAsking = true;
    const newest = this.#missing[0];
    const oldest = this.#missing.findLast((seq) => seq > newest - mostAsked);
    let isAnswered = false;
    try {
      isAnswered = await this.#read(oldest, newest);
    } catch {
      // The rows stay as they are.
      this.#hasFailed = true;
    }
    this.#isAsking = false;
    // Events that aren't stored yet come with the next drawing.
    if (!isAnswered || this.#abort.signal.aborted) return;
    this.#missing = this.#missing.filter((seq) => !this.#known.has(seq));
    this.dispatchEvent(new Event('change'));
    this.#ask();
  }

  /** Returns whether the first event is stored. */
  async #read(oldest, newest) {
    const { signal } = this.#abort;
    const query = `/events?from=${oldest}&limit=${newest - oldest + 1}&fields=preview`;
    const response = await request(sessionPath(this.#session, query), { signal });
    const text = await response.text();
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const { seq, ...preview } = JSON.parse(line);
      this.#known.set(seq, preview);
    }
    const next = Number(response.headers.get('StateTape-Next'));
    for (const seq of this.#missing) if (seq >= oldest && seq < next && !this.#known.has(seq)) this.#known.set(seq, none);
    for (const seq of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(seq);
    }
    return next > oldest;
  }
}
