// What started an event, and what it started.
import { numberOf } from '../json/parse.js';
import { request, sessionPath } from '../link/http.js';
import { head } from './head.js';

/** A larger tree is collapsed at first. */
const small = 30;

/**
 * The seq of the earlier event that started one, or null.
 * @param {{seq: number, event: string, cause: unknown}} head `cause` is the seq that the tape names
 * @returns {number|null}
 */
export function causeOf({ seq, event, cause }) {
  const value = numberOf(cause);
  return Number.isInteger(value) && value >= 0 && value < seq && event !== 'gap' ? value : null;
}

/**
 * `causes` begin at the root, or after the event `earlier`; `effects` are direct and indirect ones. `count` also counts
 * those that are not listed; `next` is where the search ended early; `committed` is the number of events at that time.
 * @typedef {{seq: number, causes: import('./head.js').Head[], earlier: {seq: number, recorded: boolean}|null,
 *   effects: import('./head.js').Head[], count: number, next: number|null, committed: number}} Causes
 */

/**
 * @param {string} session
 * @param {number} seq
 * @param {AbortSignal} [signal]
 * @returns {Promise<Causes>}
 */
export async function causesOf(session, seq, signal) {
  const response = await request(sessionPath(session, `/events/${seq}/causes`), { signal });
  const found = JSON.parse(await response.text());
  return { ...found, causes: found.causes.map(head), effects: found.effects.map(head) };
}

/**
 * `wait` is the time since the cause, in ms; `size` counts the listed effects, direct and indirect; `place` is the place
 * among its siblings.
 * @typedef {{head: import('./head.js').Head, parent: Effect|null, children: Effect[], level: number, place: number,
 *   wait: number, size: number}} Effect
 */

/** The listed effects of an event. No function recurses, as an app can make chains of any length. */
export class EffectTree {
  /** The direct effects. @type {Effect[]} */
  roots = [];
  /** By seq. @type {Map<number, Effect>} */
  #effects = new Map();
  /** Those that are not as at first. */
  #toggled;
  #isOpen;

  /**
   * @param {import('./head.js').Head[]} effects every cause before its effects
   * @param {number} at of the event, in ms
   * @param {EffectTree|null} before an earlier one of the same event: what is open there stays open
   */
  constructor(effects, at, before) {
    this.#isOpen = before === null ? effects.length <= small : before.#isOpen;
    this.#toggled = before === null ? new Set() : before.#toggled;
    for (const one of effects) {
      const parent = this.#effects.get(causeOf(one)) ?? null;
      const siblings = parent?.children ?? this.roots;
      const effect = { head: one, parent, children: [], level: (parent?.level ?? 0) + 1, place: siblings.length, wait: one.at - (parent?.head.at ?? at), size: 0 };
      siblings.push(effect);
      this.#effects.set(one.seq, effect);
    }
    for (const { parent, size } of [...this.#effects.values()].reverse()) if (parent) parent.size += size + 1;
  }

  /** @param {number} seq */
  has(seq) { return this.#effects.has(seq); }

  /** @param {number} seq */
  get(seq) { return this.#effects.get(seq) ?? null; }

  /** Whether the effects of an effect are shown. @param {Effect} effect */
  isOpen({ head: { seq } }) { return this.#toggled.has(seq) !== this.#isOpen; }

  /** Expands or collapses an effect. A chain of single effects expands as a whole. @param {Effect} effect */
  toggle(effect) {
    const isOpen = !this.isOpen(effect);
    for (let one = effect; one !== undefined; one = isOpen && one.children.length === 1 ? one.children[0] : undefined) {
      if (isOpen === this.#isOpen) this.#toggled.delete(one.head.seq);
      else this.#toggled.add(one.head.seq);
    }
  }

  /** The visible effects, each before its own effects. @returns {Effect[]} */
  get rows() {
    const rows = [];
    const waiting = this.roots.toReversed();
    while (waiting.length > 0) {
      const effect = waiting.pop();
      rows.push(effect);
      if (this.isOpen(effect)) for (let place = effect.children.length - 1; place >= 0; place -= 1) waiting.push(effect.children[place]);
    }
    return rows;
  }
}
