// A session's lines and states, loaded on demand and cached. The state after an event is made from a cached
// earlier state and the patches since.
import { request, sessionPath } from '../link/http.js';
import { parse } from '../json/parse.js';

/** The size of the cache, in characters of JSON. */
const room = 32_000_000;
/** Up to this many steps from a cached state, lines cost less than another state. */
const near = 16;
/** The most live lines in the cache. */
const mostLive = 2000;
/** Lines per prefetch. */
const batch = 16;
/** Patches only go forward. For steps back, a state this far before is prefetched, some steps early. */
const back = 12;
const early = 4;
/** The longest state to prefetch, in characters. */
const light = 3_000_000;

/** The cache size of a state that shares most of another one. */
const derived = 256;

/** Loaded on first use. @type {typeof import('../json/patch.js').apply|null} */
let apply = null;

/** Source text and value of a line. @typedef {{text: string, line: any}} Line */

export class Tape {
  #kept = new Map();
  #used = 0;
  #version;
  /** Running prefetches. */
  #ahead = new Set();
  #live = [];

  /** @param {string} session @param {number} [version] lets the browser cache answers forever */
  constructor(session, version = 0) {
    this.session = session;
    this.#version = version;
  }

  /**
   * Caches a live line.
   * @param {any} line
   */
  keep(line) {
    const text = JSON.stringify(line);
    this.#keep(`line ${line.seq}`, { text, line }, text.length);
    this.#live.push(`line ${line.seq}`);
    if (this.#live.length > mostLive) this.#forget(this.#live.shift());
  }

  /**
   * The line of an event.
   * @param {number} seq
   * @param {AbortSignal} [signal]
   * @returns {Promise<Line>}
   */
  async line(seq, signal) {
    const known = this.#get(`line ${seq}`);
    if (known) return known;
    const response = await request(sessionPath(this.session, `/events/${seq}?v=${this.#version}`), { signal });
    const text = (await response.text()).trim();
    return this.#keep(`line ${seq}`, { text, line: parse(text) }, text.length);
  }

  /**
   * Prefetches the lines around one.
   * @param {string} store
   * @param {number} seq
   * @param {number} end of the session
   * @param {(from: number, to: number) => boolean} cheap whether lines are small
   */
  async ahead(store, seq, end, cheap) {
    const missing = (one) => one >= 0 && one < end && !this.#kept.has(`line ${one}`);
    const steps = Array.from({ length: batch / 2 }, (_, index) => index + 1);
    const after = steps.find((step) => missing(seq + step));
    const before = steps.find((step) => missing(seq - step));
    const starts = [after && seq + after, before && Math.max(0, seq - before - batch + 1)];
    await Promise.all(starts.map((from) => from !== undefined && cheap(from, from + batch) && this.#once(from, async () => {
      const query = `/events?from=${from}&limit=${batch}&v=${this.#version}`;
      const text = await (await request(sessionPath(this.session, query))).text();
      for (const line of text.split('\n')) {
        if (line !== '') this.#keepText(line);
      }
    })));
  }

  /**
   * Prefetches an earlier state, for steps back.
   * @param {string} store
   * @param {number} seq
   * @param {(from: number, to: number) => boolean} cheap
   */
  async behind(store, seq, cheap) {
    const from = Math.max(0, seq - back);
    const here = this.#get(`state ${store} ${seq}`) ?? this.#get(`state ${store} ${seq - 1}`);
    if (seq - early < 0 || here === null || this.#sizeOf(here) > light || !cheap(from, seq)) return;
    for (let one = Math.max(0, seq - near); one <= seq - early; one += 1) {
      if (this.#kept.has(`state ${store} ${one}`) || this.#whole(store, one)) return;
    }
    if (!this.#goesOn(store, from, seq)) return;
    await this.#once(`${store} ${from}`, () => this.state(store, from));
  }

  /** Whether the cached lines show that the store has a state throughout. */
  #goesOn(store, from, to) {
    for (let seq = from; seq <= to; seq += 1) {
      const line = this.#kept.get(`line ${seq}`)?.value.line;
      if (line === undefined || line.event === 'gap' || line.skipped) return false;
      if ((line.store ?? 'main') === store && (line.event === 'detach' || (line.event === 'init' && seq > from))) return false;
    }
    return true;
  }

  async #once(what, work) {
    if (this.#ahead.has(what)) return;
    this.#ahead.add(what);
    try {
      await work();
    } finally {
      this.#ahead.delete(what);
    }
  }

  #keepText(text) {
    const line = parse(text);
    this.#keep(`line ${line.seq}`, { text, line }, text.length);
  }

  /**
   * The state of a store after an event; throws the server's `Problem` without one.
   * @param {string} store
   * @param {number} seq
   * @param {AbortSignal} [signal]
   * @returns {Promise<unknown>}
   */
  async state(store, seq, signal) {
    const name = `state ${store} ${seq}`;
    const known = this.#get(name);
    if (known) return known.state;
    const made = await this.#advance(store, seq, signal);
    if (made) return this.#keep(name, made, derived).state;
    const text = await this.#fetchState(store, seq, signal);
    return this.#keep(name, { state: parse(text) }, text.length).state;
  }

  async #fetchState(store, seq, signal) {
    const query = `/states/${seq}?store=${encodeURIComponent(store)}&v=${this.#version}`;
    return (await request(sessionPath(this.session, query), { signal })).text();
  }

  /** The state after `seq`, made from a cached state; null if that is not possible. */
  async #advance(store, seq, signal) {
    let from = seq;
    let made = this.#whole(store, from);
    while (made === null && from > seq - near) {
      from -= 1;
      made = this.#get(`state ${store} ${from}`) ?? this.#whole(store, from);
    }
    if (made === null) return null;
    const base = made.base ?? `state ${store} ${from}`;
    // Loaded only once: later calls must not wait.
    apply ??= (await import('../json/patch.js')).apply;
    const seqs = Array.from({ length: seq - from }, (_, index) => from + 1 + index);
    for (const { line } of await Promise.all(seqs.map((one) => this.line(one, signal)))) {
      made = made && after(made, line, store, base);
    }
    return made;
  }

  /** The snapshot in a cached line. */
  #whole(store, seq) {
    const { line } = this.#kept.get(`line ${seq}`)?.value ?? {};
    return line?.state !== undefined && line.seq === seq && (line.store ?? 'main') === store ? { state: line.state, base: `line ${seq}` } : null;
  }

  /** The length of a state's text, or of the state that it was made from. */
  #sizeOf({ base, state }) {
    const entry = base ? this.#kept.get(base) : [...this.#kept.values()].find(({ value }) => value.state === state);
    return entry?.size ?? Infinity;
  }

  #get(name) {
    const entry = this.#kept.get(name);
    if (entry === undefined) return null;
    this.#kept.delete(name);
    this.#kept.set(name, entry);
    if (entry.value.base !== undefined) this.#get(entry.value.base);
    return entry.value;
  }

  #forget(name) {
    this.#used -= this.#kept.get(name)?.size ?? 0;
    this.#kept.delete(name);
  }

  #keep(name, value, size) {
    this.#forget(name);
    this.#used += size;
    this.#kept.set(name, { value, size });
    for (const oldest of this.#kept.keys()) {
      if (this.#used <= room || oldest === name) break;
      this.#forget(oldest);
      // States made from this one share most of it: they are dropped with it.
      for (const [made, { value: { base } }] of this.#kept) {
        if (base === oldest && made !== name) this.#forget(made);
      }
    }
    return value;
  }
}

/** The state after a line, or null if the line doesn't determine it. */
function after(before, line, store, base) {
  if (line.event === 'gap') return null;
  if ((line.store ?? 'main') !== store) return { state: before.state, base: before.base ?? base };
  if (line.state !== undefined) return { state: line.state, base: `line ${line.seq}` };
  if (!Array.isArray(line.patch)) return line.event === 'note' ? { state: before.state, base: before.base ?? base } : null;
  try {
    return { state: apply(before.state, line.patch), base: before.base ?? base };
  } catch {
    return null;
  }
}
