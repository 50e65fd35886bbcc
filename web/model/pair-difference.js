// Differences between two events of two sessions, and the search for the next pair that differs.
import { Problem } from '../link/http.js';
import { equal } from '../json/value.js';
import { changesBetween } from './state-diff.js';
import { inAction } from './ignored-paths.js';
import { Tape } from './tape.js';

export class PairDifferences {
  #tapes;
  #ignored;
  /** The answers of `differs`, by the events' numbers. @type {Map<string, boolean>} */
  #known = new Map();

  /**
   * @param {import('./session-comparison.js').SessionComparison} comparison
   * @param {import('./ignored-paths.js').IgnoredPaths} ignored
   */
  constructor({ a, b }, ignored) {
    this.#tapes = [a, b].map(({ session, version }) => new Tape(session, version));
    this.#ignored = ignored;
    ignored.addEventListener('change', () => { this.#known = new Map(); });
  }

  /** Whether a row differs, if that is known. */
  known({ a, b }) {
    return this.#known.get(`${a.seq} ${b.seq}`);
  }

  /**
   * The changes from the left event to the right one: of the action and of the state after it. `hidden` counts those
   * that are ignored; `note` says why there are no states.
   * @param {number} a @param {number} b
   * @param {AbortSignal} signal
   * @returns {Promise<{changes: import('./diff.js').Change[], hidden: number, note: string}>}
   */
  async between(a, b, signal) {
    const lines = await this.#lines(a, b, signal);
    const [left, right] = lines.map(({ action }) => action);
    const all = left === undefined && right === undefined ? [] : changesBetween(left ?? null, right ?? null)
      .map((change) => ({ ...change, path: inAction + change.path }));
    const states = await this.#states(lines, signal);
    if (states !== null) all.push(...changesBetween(...states));
    const changes = all.filter(({ path }) => !this.#ignored.has(path));
    const note = states === null ? lines[0].store !== lines[1].store ? 'The events are of different stores.' : 'No states to compare: at least one session has none here.' : '';
    return { changes, hidden: all.length - changes.length, note };
  }

  /** Whether a row is a difference: one side has no such event, or the events do different things. */
  async differs(row, signal) {
    const { a, b } = row;
    if (a === null || b === null) return (a ?? b).event !== 'note';
    // Ignoring another path begins a new map.
    const known = this.#known;
    const differs = this.known(row) ?? await this.#compare(row, signal);
    if (!signal.aborted) known.set(`${a.seq} ${b.seq}`, differs);
    return differs;
  }

  async #compare({ a, b }, signal) {
    const [left, right] = await this.#lines(a.seq, b.seq, signal);
    if (!equal(left.action ?? null, right.action ?? null)) {
      const changes = changesBetween(left.action ?? null, right.action ?? null);
      if (changes.some(({ path }) => !this.#ignored.has(inAction + path))) return true;
    }
    if (Array.isArray(left.patch) && Array.isArray(right.patch)) return !equal(this.#counted(left.patch), this.#counted(right.patch));
    if ([left, right].some((line) => line.patch === undefined && line.state === undefined)) return false;
    const states = await this.#states([left, right], signal);
    return states !== null && changesBetween(...states).some(({ path }) => !this.#ignored.has(path));
  }

  /**
   * The row of the next difference in a direction, or null.
   * @param {import('./alignment.js').Row[]} rows
   * @param {number} from exclusive
   * @param {1|-1} step
   * @param {AbortSignal} signal
   * @param {(row: number) => void} progress
   */
  async next(rows, from, step, signal, progress) {
    for (let row = from + step; row >= 0 && row < rows.length; row += step) {
      if (row % 50 === 0) progress(row);
      if (await this.differs(rows[row], signal)) return row;
    }
    return null;
  }

  #counted(patch) {
    return patch.filter(({ path }) => !this.#ignored.has(path));
  }

  async #lines(a, b, signal) {
    return Promise.all(this.#tapes.map(async (tape, side) => {
      const seq = [a, b][side];
      const { line } = await tape.line(seq, signal);
      // The next rows are probably wanted too.
      tape.ahead(line.store ?? 'main', seq, Infinity, () => true).catch(() => {});
      return line;
    }));
  }

  async #states([left, right], signal) {
    if ((left.store ?? 'main') !== (right.store ?? 'main')) return null;
    try {
      return await Promise.all([left, right].map((line, side) => this.#tapes[side].state(line.store ?? 'main', line.seq, signal)));
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.status === 0) throw error;
      return null;
    }
  }
}
