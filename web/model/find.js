// Searches keys and values inside a state, a slice of time at a time: a state of any size leaves the page its frames.
import { kindOf } from '../json/parse.js';
import { below } from '../json/pointer.js';

/** More matches than anyone steps through. */
const most = 100_000;
/** Milliseconds in a slice, and nodes between two looks at the clock. */
const slice = 8;
const nodes = 500;

/** One search, which `stop` ends. `matches` are pointers, in the tree's order. */
export class Find {
  /** @type {string[]} */
  matches = [];
  done = false;
  #stopped = false;
  #query;
  /** The containers on the way to where the search stands. */
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

/** Lets the browser draw and listen. */
function pause() {
  return globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}
