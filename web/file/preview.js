// The values that a row of a timeline shows of an event, as the API's `fields=preview` has them.
import { kindOf } from '../json/parse.js';

/** The maximum size of an action or a patch that is parsed, in bytes. */
const mostParsed = 64 << 10;
const mostChanges = 3;
/** The maximum lengths, in code points. */
const [longestText, longestPath] = [60, 200];
const mostMembers = 32;
const deepest = 2;
/** Members that keep earlier states or count changes: the user did not act on them. */
const bookkeeping = new Set(['history', 'undo', 'redo', 'undoStack', 'redoStack', 'past', 'future', 'revision', 'updatedAt']);
/** Members by which people know a thing. */
const titles = ['title', 'name', 'label', 'text', 'message', 'query', 'email'];
const names = [...titles, 'id', '_0'];
const operations = ['add', 'replace', 'remove', 'move', 'copy', 'splice'];

/** @param {import('./line.js').Line} line @returns {{seq: number, payload?: string, changes?: {path: string, value: string}[], more?: number}} */
export function preview(line) {
  const small = (name) => (line.has(name) && line.size(name) <= mostParsed ? line.value(name) : undefined);
  const result = { seq: line.seq };
  const payload = member(small('action'), 'payload');
  const telling = payload === undefined ? null : payloadText(payload);
  if (telling !== null) result.payload = telling;
  const changes = (small('patch') ?? []).filter(isChange);
  const sorted = [...changes.filter((one) => !isBookkeeping(one)), ...changes.filter(isBookkeeping)].slice(0, mostChanges);
  if (sorted.length > 0) result.changes = sorted.map(change);
  if (changes.length > sorted.length) result.more = changes.length - sorted.length;
  return result;
}

function isChange(operation) {
  return typeof member(operation, 'path') === 'string' && operations.includes(member(operation, 'op'));
}

function isBookkeeping({ path }) {
  return path.split('/').some((token) => bookkeeping.has(token));
}

function change(operation) {
  const { op } = operation;
  const value = member(operation, 'value');
  const inserted = text(member(operation, 'insert') ?? '', deepest);
  const shown = value === undefined ? '…' : text(value, deepest);
  const how = { add: `+ ${shown}`, replace: `= ${shown}`, remove: '−', move: 'moved', copy: 'copied',
    splice: inserted === '""' ? 'shortened' : `… ${inserted} …` };
  return { path: clipped(operation.path, longestPath), value: how[op] };
}

/** The most telling value of a payload; null if it has none. */
function payloadText(value) {
  const payload = unwrapped(value);
  if (kindOf(payload) !== 'object' || isRedacted(payload) || isUnencodable(payload)) return text(payload, deepest);
  const title = titleOf(payload) ?? membersOf(payload).map((key) => titleOf(unwrapped(payload[key]))).find((one) => one !== undefined);
  if (title !== undefined) return text(title, deepest);
  const key = telling(payload);
  if (key === undefined) return null;
  const shown = text(payload[key], deepest);
  return names.includes(key) ? shown : `${clipped(key)}: ${shown}`;
}

function text(wrapped, depth) {
  const value = unwrapped(wrapped);
  const kind = kindOf(value);
  if (kind === 'string') return `"${clipped(value)}"`;
  if (kind === 'array') {
    if (value.length === 0) return '[]';
    return depth === 0 ? '[…]' : `[${text(value[0], depth - 1)}${value.length > 1 ? `, +${value.length - 1}` : ''}]`;
  }
  if (kind !== 'object') return clipped(JSON.stringify(value));
  const { length } = Object.keys(value);
  if (length === 0) return '{}';
  if (isRedacted(value)) return 'secret';
  if (isUnencodable(value)) return 'not encodable';
  const key = depth > 0 ? telling(value) : undefined;
  return key === undefined ? '{…}' : `{${clipped(key)}: ${text(value[key], depth - 1)}${length > 1 ? ', …' : ''}}`;
}

/** The key of the member that says most about an object: a name, else a scalar, else any. */
function telling(object) {
  const keys = membersOf(object);
  const scalars = keys.filter((key) => isScalar(object[key]));
  return names.find((name) => scalars.includes(name)) ?? scalars[0] ?? keys.find((key) => object[key] !== null) ?? keys[0];
}

/** The value by which people know an object, without its id. */
function titleOf(value) {
  if (kindOf(value) !== 'object') return undefined;
  const keys = membersOf(value);
  const key = titles.find((name) => keys.includes(name) && isScalar(value[name]));
  return key === undefined ? undefined : value[key];
}

function membersOf(object) {
  // JavaScript moves indices to the front.
  return Object.keys(object).filter((key) => !/^\d+$/.test(key)).slice(0, mostMembers);
}

function isScalar(value) {
  return ['boolean', 'number', 'string'].includes(kindOf(value));
}

/** The value inside an enum case's only, unnamed value. */
function unwrapped(value) {
  while (isOnly(value, '_0')) value = value._0;
  return value;
}

function isRedacted(value) {
  return isOnly(value, '$redacted');
}

function isUnencodable(value) {
  return isOnly(value, '$unencodable') && kindOf(value.$unencodable) === 'string';
}

function isOnly(value, key) {
  return kindOf(value) === 'object' && Object.hasOwn(value, key) && Object.keys(value).length === 1;
}

function member(value, key) {
  return kindOf(value) === 'object' && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The start of a text, in one line. */
function clipped(text, most = longestText) {
  const start = [...text.slice(0, 2 * most + 2)];
  const line = start.slice(0, most).join('').replace(/[\0-\x1f\x7f]/g, ' ');
  return line + (start.length > most ? '…' : '');
}
