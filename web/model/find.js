// Searches keys and values in a state, in time slices: the page keeps drawing with states of any size.
import { kindOf } from '../json/parse.js';
import { below } from '../json/pointer.js';

/** The most matches. */
const most = 100_000;
/** Milliseconds in a slice, and nodes between two reads of the clock. */
const slice = 8;
const nodes = 500;

/** A search. `matches` are pointers, in the tree's order. */
export class Find {
  /** @type {string[]} */
  matches = [];
  done = false;
  #stopped = false;
  #query;
  /** The containers from the root to the current position. */
  #stack;

  /**
   * @param {unknown} value
   * @param {string} query in lower case
   */
  constructor(value, query) {
    this.#query = query;
    this.#stack = [{ path: '', value: [value], keys: null, next: 0, size: 1, root: true }];
  }

  stop() {
    this.#stopped = true;
  }

  /**
   * Searches to the end.
   * @param {() => void} progress after each slice
   */
  async run(progress) {
    while (!this.#stopped && !this.done) {
      const end = performance.now() + slice;
      while (!this.done && performance.now() < end) this.#some();
      progress();
      if (!this.done) await pause();
    }
  }

  #some() {
    for (let left = nodes; left > 0; left -= 1) {
      const top = this.#stack.at(-1);
      if (top === undefined || this.matches.length >= most) {
        this.done = true;
        return;
      }
      if (top.next === top.size) {
        this.#stack.pop();
        continue;
      }
      const key = top.keys === null ? top.next : top.keys[top.next];
      top.next += 1;
      this.#look(top, key, top.value[key]);
    }
  }

  #look(parent, key, value) {
    const kind = kindOf(value);
    const nested = kind === 'array' || kind === 'object';
    const named = parent.keys !== null && key.toLowerCase().includes(this.#query);
    if (!named && !nested && !textOf(value, kind).includes(this.#query)) return;
    const path = parent.root ? '' : below(parent.path, key);
    if (named || !nested) this.matches.push(path);
    if (!nested) return;
    const keys = kind === 'object' ? Object.keys(value) : null;
    this.#stack.push({ path, value, keys, next: 0, size: keys === null ? value.length : keys.length, root: false });
  }
}

function textOf(value, kind) {
  return kind === 'string' ? value.toLowerCase() : kind === 'number' ? JSON.stringify(value) : String(value);
}

/** Lets the browser draw and handle input. */
function pause() {
  return globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}
