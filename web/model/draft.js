// An edited state, with undo and redo.
import { changesBetween } from './state-diff.js';
import { at, step } from '../json/patch.js';
import { tokens } from '../json/pointer.js';

/** Events: `change`. */
export class Draft extends EventTarget {
  /** The recorded state, and the state after each edit; unchanged parts are shared. */
  #states;
  #now = 0;
  #changed = null;

  /**
   * @param {import('../views/state.js').Where} where
   * @param {unknown} state
   */
  constructor(where, state) {
    super();
    this.where = where;
    this.#states = [state];
  }

  get state() {
    return this.#states[this.#now];
  }

  /** The number of edits. */
  get count() {
    return this.#now;
  }

  /** The number of edits to redo. */
  get undone() {
    return this.#states.length - 1 - this.#now;
  }

  /** The paths that differ from the recorded state. @returns {string[]} */
  get changed() {
    this.#changed ??= changesBetween(this.#states[0], this.state).map((change) => change.path);
    return this.#changed;
  }

  /**
   * Adds an edit.
   * @param {{op: 'add'|'replace'|'remove', path: string, value?: unknown}} operation
   */
  edit(operation) {
    this.#become([...this.#states.slice(0, this.#now + 1), step(this.state, operation)], this.#now + 1);
  }

  /**
   * Renames a member, and keeps its position.
   * @param {string} path of the member
   * @param {string} name
   */
  rename(path, name) {
    const parent = path.slice(0, path.lastIndexOf('/'));
    const old = tokens(path).at(-1);
    const members = Object.entries(at(this.state, parent)).map(([key, value]) => [key === old ? name : key, value]);
    this.edit({ op: 'replace', path: parent, value: Object.fromEntries(members) });
  }

  undo() {
    if (this.#now > 0) this.#become(this.#states, this.#now - 1);
  }

  redo() {
    if (this.undone > 0) this.#become(this.#states, this.#now + 1);
  }

  #become(states, now) {
    this.#states = states;
    this.#now = now;
    this.#changed = null;
    this.dispatchEvent(new Event('change'));
  }
}
