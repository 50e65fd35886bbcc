// One session's lines and states, fetched when asked for and kept while there is room. The state after an event
// is made here, by the event's own patch, when the state before it is at hand.
import { request, sessionPath } from '../link/http.js';
import { parse } from '../json/parse.js';

/** Characters of JSON kept, lines and fetched states together. */
const room = 32_000_000;
/** So many steps from a state at hand, the lines between cost less than another whole state. */
const near = 16;
/** Lines that came live and are kept: those that someone who follows the tail may look back at. */
const mostLive = 2000;
/** Lines fetched at once before anyone asks for them. */
const batch = 16;
/** Patches lead forward only. For steps back a state is fetched from so far before; so many steps early. */
const back = 12;
const early = 4;
/** Characters of a state that is worth it. */
const light = 3_000_000;

/** What a state costs beside the one that it was made from. */
const derived = 256;

/** Comes when it is first needed. @type {typeof import('../json/patch.js').apply|null} */
let apply = null;

/** Source text and value of one event line. @typedef {{text: string, line: any}} Line */

export class Tape {
  #kept = new Map();
  #used = 0;
  #version;
  /** What is being fetched before anyone asks for it. */
  #ahead = new Set();
  #live = [];

  /** @param {string} session @param {number} [version] with it, answers may be cached for ever */
  constructor(session, version = 0) {
    this.session = session;
    this.#version = version;
  }

  /**
   * Keeps a whole line that arrived live.
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
   * Fetches the lines around one, so that a step finds them here.
   * @param {string} store
   * @param {number} seq
   * @param {number} end of what there is
   * @param {(from: number, to: number) => boolean} cheap whether lines are known to be small
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
   * Fetches a state before one, so that a step back finds it here.
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

  /** Whether the lines at hand tell that the store has a state all the way. */
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
   * The state of a store after an event; throws the server's `Problem` where there is none.
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

  /** The state after `seq` by the lines since a state that is at hand, or null if only the server can tell. */
  async #advance(store, seq, signal) {
    let from = seq;
    let made = this.#whole(store, from);
    while (made === null && from > seq - near) {
      from -= 1;
      made = this.#get(`state ${store} ${from}`) ?? this.#whole(store, from);
    }
    if (made === null) return null;
    const base = made.base ?? `state ${store} ${from}`;
    // Once it is there it must not cost a frame.
    apply ??= (await import('../json/patch.js')).apply;
    const seqs = Array.from({ length: seq - from }, (_, index) => from + 1 + index);
    for (const { line } of await Promise.all(seqs.map((one) => this.line(one, signal)))) {
      made = made && after(made, line, store, base);
    }
    return made;
  }

  /** The state that a line at hand carries as a whole. */
  #whole(store, seq) {
    const { line } = this.#kept.get(`line ${seq}`)?.value ?? {};
    return line?.state !== undefined && line.seq === seq && (line.store ?? 'main') === store ? { state: line.state, base: `line ${seq}` } : null;
  }

  /** Characters of the text that a state came as, or was made from. */
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
      // A state that was made from this one holds most of it: they go together.
      for (const [made, { value: { base } }] of this.#kept) {
        if (base === oldest && made !== name) this.#forget(made);
      }
    }
    return value;
  }
}

/** The state after a line, or null if the line alone doesn't tell. */
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
