// Values as Swift people write them: `.paying(Address(street: "Main St"))`. What the types don't explain stays JSON.
import { kindOf } from '../json/parse.js';
import { preview } from '../json/value.js';
import { tokens } from '../json/pointer.js';
import { count } from '../ui/format.js';
import { dateOfNumber, keyIn, keyOf, matched, placeholder } from './type-table.js';

/** Elements of a collection that are shown, and characters of a string. */
const shown = 3;
const longString = 60;
const deepest = 12;
/** With less room, in characters, a value is short JSON. */
const least = 16;

/**
 * A value in one line; null where its JSON is all that is known.
 * @param {import('./type-table.js').Type|null} type
 * @param {unknown} value
 * @param {number} [room] characters, about
 * @returns {string|null}
 */
export function swiftText(type, value, room = 160) {
  const own = matched(type, value);
  return own === null ? null : text(own, value, room, 0);
}

/** An action, by its type and payload on the tape. @param {import('./type-table.js').TypeTable} table @param {any} action @returns {string|null} */
export function actionText(table, action, room = 2000) {
  if (typeof action?.type !== 'string') return null;
  const path = split(action.type);
  const named = table.actionNamed(path[0]);
  const type = named ?? table.action;
  if (type === null) return null;
  const [start, cases] = named === null ? ['', path] : [named.name ?? '', path.slice(1)];
  if (type.kind === 'rawCases') return type.cases.has(JSON.stringify(cases[0])) && cases.length === 1 && action.payload === undefined ? `${start}.${type.cases.get(JSON.stringify(cases[0]))}` : null;
  if (type.kind !== 'cases') return (named === null) === (path.length === 1) || cases.length === 0 ? swiftText(type, action.payload ?? {}, room) : null;
  const inner = caseText(type, cases, action.payload ?? {}, room);
  return inner && start + inner;
}

/** A case whose payload may be cases again: `.todos(.add(title: "Milk"))`. */
function caseText({ cases }, [name, ...others], payload, room) {
  const members = cases.get(name);
  if (!members) return null;
  if (others.length === 0) return swiftText({ kind: 'cases', cases }, { [name]: payload }, room);
  const only = members.all.length === 1 ? members.byKey.get('_0')?.type : null;
  const inner = only?.kind === 'cases' ? caseText(only, others, payload, room) : null;
  return inner && `.${name}(${inner})`;
}

function text(type, value, room, depth) {
  const unrecorded = placeholder(value);
  if (unrecorded !== null) return unrecorded;
  const { kind } = type;
  if (kind === 'plain') return plain(type.name, value);
  if (kind === 'optional') return 'nil';
  if (kind === 'array') return list(type, value, room, depth);
  if (kind === 'dictionary') return dictionary(type, value, room, depth);
  if (kind === 'raw') return `${type.name}(rawValue: ${child(type.of, value, room, depth)})`;
  if (kind === 'rawCases') return `.${type.cases.get(JSON.stringify(value))}`;
  if (kind === 'members') return type.name + parts(type.members, value, room, depth, false);
  if (kind === 'payload') return caseOf(type.of, type.members, value, room, depth);
  const name = typeof value === 'string' ? value : Object.keys(value)[0];
  return caseOf(name, type.cases.get(name), typeof value === 'string' ? {} : value[name], room, depth);
}

function caseOf(name, members, value, room, depth) {
  const unrecorded = placeholder(value);
  if (unrecorded !== null) return `.${name}(${unrecorded})`;
  return members.all.length === 0 ? `.${name}` : `.${name}${parts(members, value, room - name.length, depth, true)}`;
}

/**
 * Members in the order of the declaration. A missing optional is `nil` in a case, whose values are all coded; a struct
 * may keep it from coding. Another one that is missing leaves a mark.
 */
function parts(members, object, room, depth, isCase) {
  const found = [];
  let [length, misses] = [0, false];
  for (const member of members.all) {
    const { label, type } = member;
    const key = keyIn(member, object);
    const isNil = key === undefined && type?.kind === 'optional';
    misses ||= key === undefined && !isNil;
    if (key === undefined && !(isNil && isCase)) continue;
    const value = isNil ? 'nil' : child(type, object[key], room - length, depth);
    const part = label === '' ? value : `${label}: ${value}`;
    length += part.length + 2;
    misses ||= length > room && found.length > 0;
    if (length > room && found.length > 0) break;
    found.push(part);
  }
  return `(${[...found, ...misses ? ['…'] : []].join(', ')})`;
}

function list({ of }, value, room, depth) {
  if (value.length > shown) return `[${count(value.length)} items]`;
  return `[${value.map((element) => child(of, element, room / value.length, depth)).join(', ')}]`;
}

function dictionary({ key, of }, value, room, depth) {
  const keys = Array.isArray(value) ? value.filter((_, index) => index % 2 === 0) : Object.keys(value);
  if (keys.length === 0) return '[:]';
  if (keys.length > shown) return `[${count(keys.length)} items]`;
  const share = room / keys.length / 2;
  const pairs = Array.isArray(value) ? keys.map((one, index) => [child(key, one, share, depth), value[2 * index + 1]])
    : keys.map((one) => [keyText(key, one), value[one]]);
  return `[${pairs.map(([name, one]) => `${name}: ${child(of, one, share, depth)}`).join(', ')}]`;
}

function keyText(type, key) {
  const way = keyOf(type);
  if (way === 'number' && /^-?\d+$/.test(key)) return key;
  const name = type.cases?.get(JSON.stringify(key));
  return name ? `.${name}` : literal(key);
}

/** A value inside another one: one that isn't as its type says is short JSON. */
function child(type, value, room, depth) {
  const unrecorded = placeholder(value);
  if (unrecorded !== null) return unrecorded;
  const own = depth < deepest && room > least ? matched(type, value) : null;
  if (own !== null) return text(own, value, room, depth + 1);
  const kind = kindOf(value);
  return kind === 'array' ? '[…]' : kind === 'object' ? '{…}' : kind === 'string' ? literal(value) : kind === 'null' ? 'nil' : preview(value, longString);
}

function plain(name, value) {
  if (name === 'Date') return dateOfNumber(value);
  if (name === 'UUID' || name === 'URL') return value;
  if (name === 'Data') return `Data(${count(value.length / 4 * 3 - (value.match(/=+$/)?.[0].length ?? 0))} bytes)`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return { Double: 1, Float: 1, CGFloat: 1, Decimal: 1 }[name] ? { nan: '.nan', inf: '.infinity', '-inf': '-.infinity' }[value] : literal(value);
}

/** A string literal; it shows no character that could hide or reorder others. */
function literal(string) {
  const start = string.length > longString ? [...string.slice(0, longString)].slice(0, -1).join('') : string;
  const escaped = start.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\p{Cs}/gu, '\ufffd')
    .replace(/(?![ \u200d])[\p{C}\p{Z}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
  return `"${escaped}"${start === string ? '' : '…'}`;
}

function split(type) {
  try {
    return tokens(`/${type}`);
  } catch {
    return [type];
  }
}
