// Compares two sessions: their first difference, and the events around it, side by side.
import { heads } from './heads.js';
import { json, sessionPath } from '../link/http.js';
import { align } from './alignment.js';

/** Events to read on each side of the first difference, and with each request for more. */
const stretch = 1000;

export class SessionComparison {
  /** @type {import('./alignment.js').Row[]} */
  rows = [];
  /** The row of the first difference, or null. @type {number|null} */
  differenceRow = null;
  /** Events not read yet before the first row and after the last, of the longer side. */
  before = 0;
  after = 0;
  #back = 0;
  #on = 0;

  /** @param {any} a summary @param {any} b summary @param {any} difference the server's answer */
  constructor(a, b, difference) {
    this.a = a;
    this.b = b;
    this.difference = difference;
  }

  /**
   * A replay is on the right, its recording on the left: the difference leads from old to new.
   * @param {string} open session
   * @param {string} other session
   * @param {AbortSignal} signal
   * @returns {Promise<SessionComparison>}
   */
  static async read(open, other, signal) {
    const [one, two] = await Promise.all([open, other].map((id) => json(sessionPath(id), { signal })));
    const [a, b] = one.replay?.session === two.session ? [two, one] : [one, two];
    const difference = await json(sessionPath(a.session, `/diff/${encodeURIComponent(b.session)}`), { signal });
    return new SessionComparison(a, b, difference);
  }

  /** Reads events around the first difference, then further back or on. @param {'both'|'back'|'on'} where @param {AbortSignal} signal */
  async more(where, signal) {
    const further = this.#back + (where === 'on' ? 0 : stretch);
    const on = this.#on + (where === 'back' ? 0 : stretch);
    const { a, b, difference } = this;
    // A side without an event at the first difference has ended there.
    const places = difference.same ? [0, 0] : [difference.a?.seq ?? a.events, difference.b?.seq ?? b.events];
    const back = Math.min(Math.max(...places), further);
    const read = async (id, from, to) => heads(id, Math.max(0, from), to, signal);
    const [first, second] = places;
    const [aBefore, bBefore, aAfter, bAfter] = await Promise.all([
      read(a.session, first - back, first), read(b.session, second - back, second),
      read(a.session, first, Math.min(a.events, first + on)), read(b.session, second, Math.min(b.events, second + on))]);
    const pair = !difference.same && [aAfter, bAfter].every((side, index) => side[0]?.seq === places[index] && difference['ab'[index]]);
    const rows = align(aBefore, bBefore);
    this.differenceRow = difference.same ? null : rows.length;
    if (pair) rows.push({ a: aAfter.shift(), b: bAfter.shift(), is: 'difference' });
    rows.push(...align(aAfter, bAfter));
    if (this.differenceRow !== null && rows[this.differenceRow]) rows[this.differenceRow] = { ...rows[this.differenceRow], is: 'difference' };
    this.#back = further;
    this.#on = on;
    this.rows = rows;
    this.before = Math.max(0, Math.max(...places) - back);
    this.after = Math.max(0, a.events - first - on, b.events - second - on);
  }
}
