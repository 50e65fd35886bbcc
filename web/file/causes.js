// What started an event, and what it started: the chain of causes up to the root, and the tree of effects.
import { numberOf } from '../json/parse.js';
import { equal } from '../json/value.js';
import { yieldIfDue } from './yield.js';

// The server's limits: the chain, the listed effects, the counted ones, and the bytes of each list.
const mostCauses = 100;
const mostEffects = 1000;
const mostCounted = 100_000;
const longest = 1 << 20;
const encoder = new TextEncoder();

/** The seq of the earlier event that started a line's; -1 if it names none. @param {import('./line.js').Line} line */
export function causeOf(line) {
  const value = line.value('cause')?.seq;
  const seq = numberOf(value);
  const isEarlier = line.kind !== 'gap' && Number.isInteger(seq) && seq >= 0 && seq < line.seq && equal(value, seq);
  return isEarlier ? seq : -1;
}

/** Heads, up to a number and a size. */
class Heads {
  all = [];
  #most;
  #bytes = 0;

  constructor(most) {
    this.#most = most;
  }

  get isFull() { return this.all.length >= this.#most || this.#bytes >= longest; }

  add(head) {
    this.all.push(head);
    this.#bytes += encoder.encode(JSON.stringify(head)).length;
  }
}

/**
 * @param {import('./tape.js').FileTape} tape
 * @param {number} seq
 * @param {() => void} check throws when the request was cancelled
 * @returns {Promise<object>} the server's answer
 */
export async function causeTree(tape, seq, check) {
  const own = tape.rowOf(seq);
  const first = tape.seq(own) - tape.count(own) + 1;
  const { causes, earlier } = chain(tape, own);
  const effects = new Heads(mostEffects);
  const known = new Set();
  let row = own + 1;
  for (; row < tape.rows && known.size < mostCounted; row += 1) {
    const cause = tape.cause(row);
    if (cause >= 0 && (cause >= first && cause <= tape.seq(own) || known.has(cause))) {
      if (!effects.isFull) effects.add(tape.line(row).head());
      known.add(tape.seq(row));
    }
    if ((row & 1023) === 0) {
      check();
      await yieldIfDue();
    }
  }
  const next = row < tape.rows ? tape.seq(row - 1) + 1 : null;
  return { seq: tape.seq(own), causes: causes.all.reverse(), earlier, effects: effects.all, count: known.size, next, committed: tape.next };
}

/** The causes, the direct one first, and the event before them if the chain doesn't begin at a root. */
function chain(tape, own) {
  const causes = new Heads(mostCauses);
  for (let cause = tape.cause(own); cause >= 0;) {
    const row = tape.holds(cause) ? tape.rowOf(cause) : -1;
    const isRecorded = row >= 0 && tape.kind(row) !== 'gap';
    if (!isRecorded || causes.isFull) return { causes, earlier: { seq: cause, recorded: isRecorded } };
    causes.add(tape.line(row).head());
    cause = tape.cause(row);
  }
  return { causes, earlier: null };
}
