// What a tape says about a store's types: on the line of its first state.
import { EventSearch } from './event-search.js';
import { TypeTable } from './type-table.js';

/** Events whose heads are looked at in place of a search. */
const near = 500;
/** By tape and store. @type {WeakMap<import('./tape.js').Tape, Map<string, EventSearch>>} */
const searches = new WeakMap();
/** By line. @type {WeakMap<object, TypeTable|null>} */
const tables = new WeakMap();

/**
 * The members `types` and `swift` of the store's last `init` up to an event; null without one.
 * @param {import('./page.js').Page} page
 * @param {string} store
 * @param {number} seq
 * @param {AbortSignal} [signal]
 * @returns {Promise<{seq: number, types?: any, swift?: any}|null>}
 */
export async function typesOf({ tape, timeline }, store, seq, signal) {
  if (!searches.has(tape)) searches.set(tape, new Map());
  const all = searches.get(tape);
  if (!all.has(store)) {
    const query = { '-type': '*', store, fields: 'types', limit: '10000' };
    all.set(store, new EventSearch(tape.session, query, (line) => line.event === 'init' && line.store === store, false));
  }
  const search = all.get(store);
  // Rows that follow a running app are known already.
  if (search.next > 0 && hasNoStart(timeline, search.next, seq)) search.skip(seq + 1);
  return (await search.upTo(seq, signal)).at(-1) ?? null;
}

/**
 * The table of a store's types at an event; null without one.
 * @param {import('./page.js').Page} page
 * @param {string} store
 * @param {number} seq
 * @param {AbortSignal} [signal]
 * @returns {Promise<TypeTable|null>}
 */
export async function tableOf(page, store, seq, signal) {
  const start = await typesOf(page, store, seq, signal);
  if (start === null) return null;
  if (!tables.has(start)) tables.set(start, TypeTable.read(await shared(page.tape, start, signal)));
  return tables.get(start);
}

function hasNoStart(timeline, from, to) {
  if (to - from >= near) return false;
  for (let seq = from; seq <= to; seq += 1) {
    if ((timeline.head(seq)?.event ?? 'init') === 'init') return false;
  }
  return true;
}

/** Stores of the same types have one table, on the line of the first. */
async function shared(tape, { seq, swift }, signal) {
  const first = swift?.seq;
  return Number.isSafeInteger(first) && first >= 0 && first < seq ? (await tape.line(first, signal)).line.swift : swift;
}
