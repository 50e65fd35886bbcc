// A part of one store's tape as a lifted state of the Redux DevTools, as the server writes it, with all computed
// states in full.
import { dateTime } from '../json/date.js';
import { errorOf } from './tape.js';
import { yieldIfDue } from './yield.js';
import { refuse } from './problem.js';
import { parse } from '../json/parse.js';
import { escapedJsan } from './jsan.js';
import { replaced, unrecorded } from './redux.js';

/** Limits of a file: events, and approximate bytes of all states. */
const mostEvents = 10_000;
const mostBytes = 256 << 20;

/**
 * @param {import('./reading.js').Reading} reading
 * @param {string|null} name of the store; null: the only one, or “main”
 * @param {number} from a seq
 * @param {number} end after the last seq
 * @returns {Promise<Blob>}
 * @throws {import('./problem.js').Refusal}
 */
export async function reduxFile({ tape, states }, name, from, end) {
  const store = tape.stores.find(name ?? onlyStore(tape));
  const start = await startOf(tape, states, store, from) ?? refuse(404, 'store-absent',
    `The tape has no state of store “${name ?? 'main'}” from event ${from} on.${storesBesides(tape, name ?? 'main')}`);
  const started = Math.round(dateTime(tape.header.started)) || 0;
  const time = (row) => Math.round((started + tape.at(row) / 1000) * 1000) / 1000;
  const lift = (id, action, row) => `"${id}":{"type":"PERFORM_ACTION","action":${action},"timestamp":${time(row)}}`;
  const committed = written(start.value);
  const actions = [lift(0, '{"type":"@@INIT"}', Math.max(0, start.row))];
  const computed = [`{"state":${committed}}`];
  let bytes = committed.length;
  let last = start.row < 0 ? tape.first - 1 : tape.seq(start.row);
  for (let row = start.row + 1; row < tape.rows && tape.seq(row) - tape.count(row) + 1 < end; row += 1) {
    const action = actionOf(tape, store, row);
    if (action === null) continue;
    const { status, value } = await states.after(store, row);
    const error = errorOf(tape, row) ?? (status === 'known' ? undefined : unrecorded);
    const state = `{${[status === 'known' ? `"state":${written(value)}` : [], error === undefined ? [] : `"error":${JSON.stringify(error)}`].flat()}}`;
    bytes += state.length;
    if (actions.length > mostEvents || bytes > mostBytes) {
      refuse(413, 'too-large', `Such a file may have ${mostEvents} events and about ${mostBytes >> 20} MiB of states; up to event ${last} it fits: see “from” and “to”.`, { to: last });
    }
    actions.push(lift(actions.length, action, row));
    computed.push(state);
    last = tape.seq(row);
    await yieldIfDue();
  }
  return new Blob([`{"monitorState":{},"actionsById":{${actions}},"nextActionId":${actions.length},`,
    `"stagedActionIds":[${[...actions.keys()]}],"skippedActionIds":[],"currentStateIndex":${actions.length - 1},`,
    `"committedState":${committed},"computedStates":[`, ...computed.flatMap((state, index) => (index > 0 ? [',', state] : [state])),
    '],"isLocked":false,"isPaused":false}\n']);
}

function onlyStore(tape) {
  const attached = attachedStores(tape);
  if (attached.length === 0 || attached.includes('main')) return 'main';
  return attached.length === 1 ? attached[0] : refuse(400, 'bad-query', 'The session has several stores; “store” names one of them.', { stores: attached });
}

function attachedStores({ stores: { names }, bases, header }) {
  return names.filter((name, store) => bases[store] || Object.hasOwn(header.states ?? {}, name));
}

/**
 * Which stores the tape has in place of an unknown one, as the server says it; empty if it has that one.
 * @param {import('./tape.js').FileTape} tape
 * @param {string} name
 * @returns {string}
 */
export function storesBesides(tape, name) {
  const names = attachedStores(tape).sort();
  if (names.includes(name)) return '';
  return names.length === 0 ? ' It has no store.' : ` It has ${names.slice(0, 10).map((one) => `“${one}”`).join(', ')}${names.length > 10 ? ' and others' : ''}.`;
}

/** The row before a seq if the store has a state there, else its next snapshot. */
async function startOf(tape, states, store, from) {
  const row = tape.rowOf(from);
  const isWhole = row >= tape.rows || tape.seq(row) - tape.count(row) + 1 === from;
  const before = isWhole && from > 0 ? await states.after(store, row - 1) : null;
  if (before?.status === 'known') return { row: row - 1, value: before.value };
  const next = tape.bases[store]?.find((one) => one >= row && tape.kind(one) !== 'detach');
  return next === undefined ? null : { row: next, value: (await states.after(store, next)).value };
}

/** JSON text in which a reader of `$jsan` finds the same. */
function written(value) {
  const text = JSON.stringify(value);
  return text.includes('"$jsan"') ? JSON.stringify(escapedJsan(value)) : text;
}

/** The action of a row as JSON, or null. */
function actionOf(tape, store, row) {
  const kind = tape.kind(row);
  if (kind === 'gap') return JSON.stringify({ type: '@@STATETAPE/gap', payload: { count: tape.count(row) } });
  if (tape.store(row) !== store) return null;
  const line = tape.line(row);
  if (kind === 'action') return line.raw('action').includes('"$jsan"') ? written(parse(line.raw('action'))) : line.raw('action');
  if (kind !== 'replace' && kind !== 'init') return null;
  return JSON.stringify({ type: replaced, payload: { cause: line.value('cause') ?? { attached: true } } });
}
