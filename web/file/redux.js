// Converts a Redux DevTools export to a tape. No reducer runs: the states are those in the file.
// It is a lifted state, `{"actionsById":…,"stagedActionIds":…,"computedStates":…}`; or what the browser extension
// saves, `{"payload":"[…]","preloadedState":"…"}`, whose payload is JSON text of the actions or of a lifted state.
import { kindOf, numberOf, parse } from '../json/parse.js';
import { member, utf8Length } from '../json/value.js';
import { patchBetween } from '../json/patch-between.js';

/** The type of a state set outside a reducer, as in our own export. */
export const replaced = '@@STATETAPE/replace';
const lastTime = 8.64e15;

/**
 * The header and lines of a file; null for another format.
 * @param {any} json
 * @param {string} session
 * @returns {{header: any, lines: Generator<string>}|null}
 */
export function readRedux(json, session) {
  const payload = member(json, 'payload') === undefined ? undefined : content(json.payload);
  const lifted = payload ?? json;
  const actions = member(lifted, 'actionsById');
  if (!Array.isArray(payload) && kindOf(actions) !== 'object') return null;
  const times = Object.values(kindOf(actions) === 'object' ? actions : {}).map(timeOf).filter((time) => time !== null);
  const started = times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : Date.now();
  const header = { tape: 1, session, app: { id: 'redux-devtools', name: 'Redux DevTools' }, started: new Date(started).toISOString() };
  const preloaded = member(json, 'preloadedState') === undefined ? undefined : content(json.preloadedState);
  const events = Array.isArray(payload) ? plain(payload, preloaded) : computed(lifted, preloaded);
  return { header, lines: lines(events, started) };
}

/**
 * The session id of a file: equal for equal bytes.
 * @param {Uint8Array} bytes
 * @returns {Promise<string>}
 */
export async function nameOf(bytes) {
  // Browsers have no digests on plain-HTTP addresses: there the id is random.
  if (!globalThis.crypto?.subtle) return `redux-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, 16);
  return `redux-${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The extension writes JSON inside a JSON string. */
function content(value) {
  return typeof value === 'string' ? parse(value) : value;
}

/** The time of an action, or null. */
function timeOf(entry) {
  const time = numberOf(member(entry, 'timestamp') ?? null);
  return time !== null && time >= 0 && time <= lastTime ? time : null;
}

function* plain(actions, preloaded) {
  if (preloaded !== undefined) yield { event: 'init', state: preloaded };
  for (const action of actions) yield { event: 'action', action: tapeAction(action), skipped: true };
}

function* computed(lifted, preloaded) {
  const ids = Array.isArray(lifted.stagedActionIds) ? lifted.stagedActionIds : [];
  const states = Array.isArray(lifted.computedStates) ? lifted.computedStates : [];
  let before;
  for (const [position, id] of ids.entries()) {
    const entry = member(lifted.actionsById, typeof id === 'string' ? id : JSON.stringify(id));
    const time = timeOf(entry);
    // A failed computation repeats the state before it.
    const state = typeof member(states[position], 'error') === 'string' ? undefined : member(states[position], 'state');
    if (position === 0) {
      // The first action represents the initial state.
      before = state ?? member(lifted, 'committedState') ?? preloaded;
      if (before !== undefined) yield { time, event: 'init', state: before };
      continue;
    }
    const action = member(entry, 'action');
    if (action === undefined) continue;
    const outcome = outcomeOf(before, state);
    before = state === undefined ? before : state;
    const cause = member(member(action, 'payload'), 'cause');
    if (cause !== undefined && member(action, 'type') === replaced && state !== undefined) yield { time, event: 'replace', ...outcome, cause };
    else yield { time, event: 'action', action: tapeAction(action), ...outcome };
  }
}

/** The members of a line for the state after it. */
function outcomeOf(before, state) {
  if (state === undefined) return { skipped: true };
  if (before === undefined) return { state };
  const patch = patchBetween(before, state);
  return utf8Length(JSON.stringify(patch)) < utf8Length(JSON.stringify(state)) ? { patch } : { state };
}

function* lines(events, started) {
  let seq = 0;
  for (const { time = null, event, ...members } of events) {
    const at = Math.max(0, Math.round(((time ?? started) - started) * 1000) / 1000);
    yield JSON.stringify({ seq, at, event, ...members });
    seq += 1;
  }
}

/** An action with a type and a payload. Members of any other name become the payload. */
function tapeAction(action) {
  if (kindOf(action) !== 'object') return { type: JSON.stringify(action) };
  const { type = '', ...rest } = action;
  const names = Object.keys(rest);
  const named = { type: typeof type === 'string' ? type : JSON.stringify(type) };
  if (names.length === 0) return named;
  return { ...named, payload: names.length === 1 && names[0] === 'payload' ? rest.payload : rest };
}
