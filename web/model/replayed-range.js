// What a test replays: the stores up to an event, and what can't be replayed as it was recorded.
import { EventSearch } from './event-search.js';
import { typesOf } from './types-of.js';

/** Searches by tape, which continue at later events. @type {WeakMap<import('./tape.js').Tape, Map<string, EventSearch>>} */
const searches = new WeakMap();

/**
 * The range that replays an event; null before its store's first state.
 * @param {import('./page.js').Page} page
 * @param {any} line the event's
 * @param {AbortSignal} signal
 * @returns {Promise<Pick<import('./swift-test.js').ReplayedRange, 'store'|'types'|'stores'|'first'|'gap'|'secrets'>|null>}
 */
export async function replayedRange(page, line, signal) {
  const { tape, summary } = page;
  const { complete, from: first = 0, stores: named = [] } = summary;
  const isPart = first > 0 || !complete;
  const { seq } = line;
  const search = (name, query, wants, one) => {
    if (!searches.has(tape)) searches.set(tape, new Map());
    const all = searches.get(tape);
    if (!all.has(name)) all.set(name, new EventSearch(tape.session, query, wants, one));
    return all.get(name).upTo(seq, signal);
  };
  const ofKind = (event, one) => search(event, { '-type': '*', q: `"${event}"`, fields: 'head' }, (found) => found.event === event, one);
  const starts = await ofKind('init', false);
  const stores = [...new Set([...starts.map(({ store = 'main' }) => store), ...(isPart ? named : [])])];
  // A note belongs to no store.
  const own = line.store ?? 'main';
  const store = line.event === 'action' || stores.includes(own) || stores.length === 0 ? own : stores[0];
  const isStarted = starts.some((start) => (start.store ?? 'main') === store) || isPart && await isKnown(tape, store, seq, signal);
  if (!isStarted) return null;
  const [gap] = complete ? [] : await ofKind('gap', true);
  const redacted = await search(`redacted ${store}`, { type: '*', q: '"$redacted"', limit: '100' },
    (found) => (found.store ?? 'main') === store && secretPlaces(found.action).length > 0, false);
  const secrets = redacted.map((found) => ({ seq: found.seq, type: found.action.type, places: secretPlaces(found.action) }));
  // The header has the types of the stores that were attached first, and a later one's are on its own line.
  const types = summary.types?.[store] ?? (await typesOf(page, store, seq, signal))?.types;
  return { store, types, stores, first, gap: gap ? { from: gap.seq - (gap.count ?? 1) + 1, to: gap.seq } : null, secrets };
}

/** Whether a state is known after an event or some time before it. */
async function isKnown(tape, store, seq, signal) {
  try {
    await tape.state(store, seq, signal);
    return true;
  } catch (error) {
    if (error.status !== 404 && error.status !== 409) throw error;
    return Number.isInteger(error.document.before);
  }
}

/** The pointers of the values that were left out. @returns {string[]} */
function secretPlaces(value, path = '') {
  if (value === null || typeof value !== 'object') return [];
  const members = Object.entries(value);
  if (members.length === 1 && (value.$redacted === true || typeof value.$redacted === 'string')) return [path];
  return members.flatMap(([name, member]) => secretPlaces(member, `${path}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`));
}
