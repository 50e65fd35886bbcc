// Converts a Redux DevTools export to a tape. No reducer runs: the states are those in the file.
// It is a lifted state, `{"actionsById":…,"stagedActionIds":…,"computedStates":…}`; or what the browser extension
// saves, `{"payload":"[…]","preloadedState":"…"}`, whose payload is JSON text of the actions or of a lifted state.
import { kindOf, numberOf, parse } from '../json/parse.js';
import { member, utf8Length } from '../json/value.js';
import { patchBetween } from '../json/patch-between.js';
import { textOf } from './bytes.js';
import { JsanValues } from './jsan.js';
import { check } from './scan.js';
import { replaceHalves } from './unicode.js';

/** The type of a state set outside a reducer, as in our own export. */
export const replaced = '@@STATETAPE/replace';
const lastTime = 8.64e15;

/** The error in place of a state that was not recorded, as in our own export. */
export const unrecorded = 'The state was not recorded.';

/**
 * The header and lines of a file; null for another format. Notes at the end say what JSON or a tape can't hold.
 * @param {any} json
 * @param {string} session
 * @param {{count: number, first: number|null}} halves the half characters that were replaced in the file
 * @returns {{header: any, lines: Generator<string>}|null}
 */
export function readRedux(json, session, halves) {
  const texts = [{ ...halves, place: 'the file' }];
  const whole = new JsanValues(json);
  const payload = partOf(json, 'payload', whole, texts);
  const { content, values, path } = payload ?? { content: json, values: whole, path: [] };
  const actions = member(content, 'actionsById');
  if (!(payload && Array.isArray(content)) && kindOf(actions) !== 'object') return null;
  const times = Object.values(kindOf(actions) === 'object' ? actions : {}).map(timeOf).filter((time) => time !== null);
  const started = times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : Date.now();
  const header = { tape: 1, session, app: { id: 'redux-devtools', name: 'Redux DevTools' }, started: new Date(started).toISOString() };
  const value = (one, ...tokens) => values.value(one, [...path, ...tokens]);
  const before = partOf(json, 'preloadedState', whole, texts);
  const preloaded = before?.values.value(before.content, before.path);
  const events = Array.isArray(content) ? plain(content, preloaded, value) : computed(content, preloaded, value);
  return { header, lines: lines(events, started, () => notes(texts, [values, ...before ? [before.values] : [], whole])) };
}

/** A member that may be JSON text of its own; undefined if it is absent. */
function partOf(json, name, whole, texts) {
  const value = member(json, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return { content: value, values: whole, path: [name] };
  const bytes = new TextEncoder().encode(value);
  texts.push({ ...replaceHalves(bytes), place: `the member “${name}”` });
  check(bytes, 0, bytes.length);
  const content = parse(textOf(bytes, 0, bytes.length));
  return { content, values: new JsanValues(content), path: [] };
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

/** The time of an action, or null. */
function timeOf(entry) {
  const time = numberOf(member(entry, 'timestamp') ?? null);
  return time !== null && time >= 0 && time <= lastTime ? time : null;
}

function* plain(actions, preloaded, value) {
  if (preloaded !== undefined) yield { event: 'init', state: preloaded };
  for (const [index, action] of actions.entries()) {
    const known = value(action, String(index));
    if (known !== undefined) yield { event: 'action', action: tapeAction(known), skipped: true };
  }
}

function* computed(lifted, preloaded, value) {
  const ids = Array.isArray(lifted.stagedActionIds) ? lifted.stagedActionIds : [];
  const states = Array.isArray(lifted.computedStates) ? lifted.computedStates : [];
  let before;
  for (const [position, number] of ids.entries()) {
    const id = typeof number === 'string' ? number : kindOf(number) === 'number' ? JSON.stringify(number) : '';
    const entry = member(lifted.actionsById, id);
    const time = timeOf(entry);
    const result = value(states[position], 'computedStates', String(position));
    const message = thrown(member(states[position], 'error')) ?? messageOf(member(result, 'error'));
    const error = message === unrecorded ? undefined : message;
    const state = member(result, 'state');
    if (position === 0) {
      // The first action represents the initial state.
      before = [state, value(member(lifted, 'committedState'), 'committedState'), preloaded].find((one) => one !== undefined);
      if (before !== undefined) yield { time, event: 'init', state: before };
      if (error !== undefined) yield { time, event: 'note', text: error, level: 'error' };
      continue;
    }
    const action = value(member(entry, 'action'), 'actionsById', id, 'action');
    if (action === undefined) continue;
    const outcome = outcomeOf(before, state);
    before = state === undefined ? before : state;
    const cause = member(member(action, 'payload'), 'cause');
    if (cause !== undefined && member(action, 'type') === replaced && state !== undefined) yield { time, event: 'replace', ...outcome, cause };
    else yield { time, event: 'action', action: tapeAction(action), ...outcome, ...error === undefined ? {} : { error } };
  }
}

/** The text of an error that jsan has encoded: the resolved value lacks it. */
function thrown(error) {
  const code = member(error, '$jsan');
  return typeof code === 'string' && code.startsWith('e') ? code.slice(1) : undefined;
}

/** The text of a reducer’s error: usually one already, but any value may be thrown. */
function messageOf(error) {
  if (error === undefined || error === null || error === false) return undefined;
  if (typeof error === 'string') return error;
  const message = member(error, 'message');
  return typeof message === 'string' ? message : JSON.stringify(error);
}

function* notes(texts, values) {
  const [lost, kept] = ['lost', 'kept'].map((name) => values.map((one) => one[name]).find((place) => place !== null));
  const first = texts.find((one) => one.count > 0);
  const count = texts.reduce((sum, one) => sum + one.count, 0);
  const note = (text) => ({ event: 'note', text, level: 'warning' });
  if (first !== undefined) yield note(`${count === 1 ? '1 half character was' : `${count} half characters were`} replaced by U+FFFD, the first at byte ${first.first} of ${first.place} in UTF-8.`);
  if (lost !== undefined) yield note(`JSON has no place for some values, such as the one at ${lost}: sets, maps, errors and regular expressions are {} here, NaN and infinities null, functions and symbols left out.`);
  if (kept !== undefined) yield note(`A reference that is circular, leads nowhere or too deep stays as it is in the file, such as the one at ${kept}.`);
}

/** The members of a line for the state after it. */
function outcomeOf(before, state) {
  if (state === undefined) return { skipped: true };
  if (before === undefined) return { state };
  const patch = patchBetween(before, state);
  return utf8Length(JSON.stringify(patch)) < utf8Length(JSON.stringify(state)) ? { patch } : { state };
}

function* lines(events, started, notes) {
  let seq = 0;
  let at = 0;
  const line = ({ time = null, event, ...members }) => {
    // An action may be older than the one ahead: people reorder actions.
    at = Math.max(at, Math.round(((time ?? started) - started) * 1000) / 1000);
    const text = JSON.stringify({ seq, at, event, ...members });
    seq += 1;
    return text;
  };
  for (const event of events) yield line(event);
  for (const note of notes()) yield line(note);
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
