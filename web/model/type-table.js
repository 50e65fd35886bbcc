// The types of a store, as its tape describes them. The tape may be anybody's: what isn't as expected is unknown.
import { kindOf, numberOf } from '../json/parse.js';
import { dateText, reference } from './dates.js';

/** A larger table, or a type with more members, is nobody's. */
const mostTypes = 2000;
const mostMembers = 1000;
/** Optionals and collections in each other. */
const deepest = 32;
const typeName = /^[\p{L}\p{M}\p{N}_.<>, ]{1,300}$/u;
/** Also `_0`, and no character that could hide or reorder others. */
const identifier = /^[^\p{C}\p{Z}\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]{1,200}$/u;

/** A type: what its values have on the tape. @typedef {
 *   {kind: 'plain', name: string}|{kind: 'optional', of: Type|null}|{kind: 'array', of: Type|null}
 *   |{kind: 'dictionary', key: Type|null, of: Type|null}|{kind: 'members', name: string, members: Members}
 *   |{kind: 'cases', name: string, cases: Map<string, Members|null>}|{kind: 'payload', of: string, members: Members}
 *   |{kind: 'raw', name: string, of: Type|null}|{kind: 'rawCases', name: string, cases: Map<string, string>}} Type */

/** A stored member, or a value of a case; `label` is empty for one without. @typedef {{label: string, keys: string[], type: Type|null}} Member */
/** In the order of the declaration, and by their keys in JSON. @typedef {{all: Member[], byKey: Map<string, Member>}} Members */

export class TypeTable {
  #types;
  /** By number; null for one that isn't known. @type {Map<number, Type|null>} */
  #known = new Map();
  #json;

  /** Null for anything else. @param {unknown} json @returns {TypeTable|null} */
  static read(json) {
    const isTable = kindOf(json) === 'object' && Array.isArray(json.types) && json.types.length <= mostTypes;
    return isTable ? new TypeTable(json) : null;
  }

  constructor(json) {
    this.#json = json;
    this.#types = json.types;
  }

  /** The state's type. @returns {Type|null} */
  get state() { return this.#type(own(this.#json, 'state')); }

  /** The actions' one type. @returns {Type|null} */
  get action() { return this.#type(own(this.#json, 'action')); }

  /** The type of actions behind a protocol, by its name on the tape. @param {string} name @returns {Type|null} */
  actionNamed(name) { return this.#type(own(own(this.#json, 'actions'), name)); }

  #type(reference, depth = 0) {
    if (depth > deepest) return null;
    const kind = kindOf(reference);
    if (kind === 'string') return { kind: 'plain', name: reference };
    if (kind === 'number') return this.#numbered(numberOf(reference));
    const [name, ...others] = kind === 'object' ? Object.keys(reference) : [];
    if (others.length > 0) return null;
    const inner = (json) => this.#type(json, depth + 1);
    if (name === 'optional' || name === 'array') return { kind: name, of: inner(reference[name]) };
    const pair = name === 'dictionary' ? reference[name] : null;
    return Array.isArray(pair) && pair.length === 2 ? { kind: 'dictionary', key: inner(pair[0]), of: inner(pair[1]) } : null;
  }

  #numbered(number) {
    if (!this.#known.has(number)) {
      // A type may contain itself.
      this.#known.set(number, null);
      this.#known.set(number, Object.hasOwn(this.#types, number) ? this.#entry(this.#types[number]) : null);
    }
    return this.#known.get(number);
  }

  #entry(json) {
    const name = own(json, 'name');
    if (typeof name !== 'string' || !typeName.test(name)) return null;
    const rawCases = pairs(own(json, 'rawValues'));
    if (rawCases) return { kind: 'rawCases', name, cases: new Map(rawCases.map(([label, raw]) => [JSON.stringify(raw), label])) };
    if (Object.hasOwn(json, 'rawValue')) return this.#lazy({ kind: 'raw', name }, 'of', () => this.#type(json.rawValue));
    const cases = pairs(own(json, 'cases'));
    if (cases) return this.#lazy({ kind: 'cases', name }, 'cases', () => new Map(cases.map(([label, payload]) => [label, this.#members(pairs(payload))])));
    const members = pairs(own(json, 'members'));
    return members && this.#lazy({ kind: 'members', name }, 'members', () => this.#members(members));
  }

  /** Reads a part on its first use, when the type itself is known. */
  #lazy(type, part, read) {
    Object.defineProperty(type, part, { configurable: true, get: () => {
      const value = read();
      Object.defineProperty(type, part, { value });
      return value;
    } });
    return type;
  }

  /** A property wrapper's storage `_x` has the key `x`. */
  #members(json) {
    if (json === null) return null;
    const names = new Set(json.map(([name]) => name));
    const all = json.map(([name, reference]) => {
      const plain = name.startsWith('_') && name.length > 1 ? name.slice(1) : name;
      const keys = names.has(plain) ? [name] : [name, plain];
      return { label: /^\d+$/.test(plain) && plain !== name ? '' : plain, keys, type: this.#type(reference) };
    });
    return { all, byKey: new Map(all.flatMap((member) => member.keys.map((key) => [key, member]))) };
  }
}

/** The type of a value's member or element; null if it isn't known. @param {Type|null} type @param {unknown} value @param {string} key @returns {Type|null} */
export function inside(type, value, key) {
  const own = matched(type, value);
  switch (own?.kind) {
  case 'array': return own.of;
  case 'dictionary': return Array.isArray(value) && Number(key) % 2 === 0 ? own.key : own.of;
  case 'members': case 'payload': return own.members.byKey.get(key)?.type ?? null;
  case 'cases': return own.cases.get(key) ? { kind: 'payload', of: key, members: own.cases.get(key) } : null;
  case 'raw': return inside(own.of, value, key);
  default: return null;
  }
}

/** The type that a value has according to both the table and its JSON; null where they disagree. @param {Type|null} type @param {unknown} value @returns {Type|null} */
export function matched(type, value, depth = 0) {
  if (depth > deepest || type === null) return null;
  const kind = kindOf(value);
  switch (type.kind) {
  case 'plain': return fitsPlain(type.name, value) ? type : null;
  case 'optional': return kind === 'null' ? type : matched(type.of, value, depth + 1);
  case 'array': return kind === 'array' ? type : null;
  case 'dictionary': return kind === 'array' ? (value.length % 2 === 0 ? type : null) : kind === 'object' && keyOf(type.key) ? type : null;
  case 'raw': return kind !== 'object' && matched(type.of, value, depth + 1) ? type : null;
  case 'rawCases': return type.cases.has(JSON.stringify(value)) ? type : null;
  case 'payload': return kind === 'object' && fitsMembers(type.members, value, true) ? type : null;
  case 'members': return kind === 'object' && type.members && fitsMembers(type.members, value, false) ? type : null;
  default: return fitsCase(type, value, kind) ? type : null;
  }
}

/** Stands for a value that the app didn't record. @param {unknown} value @returns {string|null} */
export function placeholder(value) {
  if (kindOf(value) !== 'object' || Object.keys(value).length !== 1) return null;
  return Object.hasOwn(value, '$redacted') ? '<redacted>' : Object.hasOwn(value, '$unencodable') ? '<not encodable>' : null;
}

/** How a dictionary's keys are written as members; null if that isn't known. @param {Type|null} type @returns {'string'|'number'|Type|null} */
export function keyOf(type) {
  if (type?.kind === 'rawCases') return type;
  if (type?.kind !== 'plain') return null;
  return type.name === 'String' ? 'string' : type.name === 'Int' ? 'number' : null;
}

/** A case is `{"name":{…}}`, or its name where it was recorded by reflection. */
function fitsCase({ cases }, value, kind) {
  if (kind === 'string') return cases.get(value)?.all.length === 0;
  const [name, ...others] = kind === 'object' ? Object.keys(value) : [];
  if (name === undefined || others.length > 0 || !cases.has(name)) return false;
  if (placeholder(value[name]) !== null) return true;
  return cases.get(name) !== null && kindOf(value[name]) === 'object' && fitsMembers(cases.get(name), value[name], true);
}

/** Whether an object has only these members, all of them if it `isWhole`, and none whose JSON can't be of its type. */
function fitsMembers({ all, byKey }, object, isWhole) {
  const keys = Object.keys(object);
  if (keys.length > all.length || !keys.every((key) => byKey.has(key))) return false;
  const isFit = (type, value) => plainIn(type) === null || placeholder(value) !== null || matched(type, value) !== null;
  return keys.every((key) => isFit(byKey.get(key).type, object[key]))
    && (!isWhole || all.every((member) => member.type?.kind === 'optional' || keyIn(member, object) !== undefined));
}

/** The key that a member has in an object; undefined without it. @param {Member} member @param {object} object @returns {string|undefined} */
export function keyIn({ keys }, object) {
  return keys.find((key) => Object.hasOwn(object, key));
}

/** The plain type that an optional may have. */
function plainIn(type) {
  return type?.kind === 'plain' ? type : type?.kind === 'optional' ? plainIn(type.of) : null;
}

const integers = new Set(['Int', 'Int8', 'Int16', 'Int32', 'Int64', 'UInt', 'UInt8', 'UInt16', 'UInt32', 'UInt64']);
const floats = new Set(['Double', 'Float', 'CGFloat', 'Decimal']);
const texts = new Set(['String', 'Substring', 'Character']);
const patterns = {
  UUID: /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/i,
  Data: /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
  // A longer or stranger address is JSON.
  URL: /^[\x21\x23-\x27\x2a\x2b\x2d-\x5b\x5d-\x7e]{1,300}$/,
};

function fitsPlain(name, value) {
  const kind = kindOf(value);
  if (kind === 'number') {
    if (name === 'Date') return dateOfNumber(value) !== null;
    return floats.has(name) || integers.has(name) && /^-?\d+$/.test(JSON.stringify(value));
  }
  if (kind === 'string') return texts.has(name) || floats.has(name) && ['nan', 'inf', '-inf'].includes(value) || Object.hasOwn(patterns, name) && patterns[name].test(value);
  return kind === 'boolean' && name === 'Bool';
}

/** What an app's own coding may write in place of seconds since 2001: Unix seconds and milliseconds from 2007 on. */
const unixTimes = [[1.17e9, 1e10], [1.17e12, 1e13]];

/** The date of a number of seconds, in the local time zone; null where it may be another time. @returns {string|null} */
export function dateOfNumber(value) {
  const seconds = numberOf(value);
  return unixTimes.some(([from, to]) => seconds >= from && seconds < to) ? null : dateText((seconds + reference) * 1000);
}

function own(json, name) {
  return kindOf(json) === 'object' && Object.hasOwn(json, name) ? json[name] : undefined;
}

/** The members of an object with plain names; null for anything else. */
function pairs(json) {
  if (kindOf(json) !== 'object') return null;
  const all = Object.entries(json);
  return all.length <= mostMembers && all.every(([name]) => identifier.test(name)) ? all : null;
}
