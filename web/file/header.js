// The first line of a tape.
import { kindOf, parse } from '../json/parse.js';
import { FormatError, textOf } from './bytes.js';
import { check } from './scan.js';

const largest = 16 << 10;

/**
 * Reads a header; null for another format.
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 * @returns {any}
 * @throws {FormatError} if it is an invalid header
 */
export function readHeader(bytes, from, to) {
  const isMeant = textOf(bytes, from, Math.min(to, from + 7)) === '{"tape"';
  let header;
  try {
    check(bytes, from, to);
    header = parse(textOf(bytes, from, to));
  } catch (error) {
    if (isMeant) throw error;
    return null;
  }
  if (kindOf(header) !== 'object' || header.tape === undefined) return null;
  checkHeader(header, to - from);
  return header;
}

function checkHeader(header, size) {
  const must = (holds, name, what) => {
    if (!holds) throw new FormatError(`member “${name}” of the header must be ${what}`);
  };
  const isText = (value) => typeof value === 'string';
  // Names that people gave; other recorders may use the members for something else.
  if (!isText(header.title)) delete header.title;
  if (!isText(header.device?.nickname)) delete header.device?.nickname;
  const isMap = (value) => kindOf(value) === 'object';
  const { tape, session, app, device, started, stores, labels, from, states } = header;
  must(Number.isInteger(tape), 'tape', 'a whole number');
  if (tape !== 1) throw new FormatError(`the tape is of format version ${tape}, and only 1 is known here`);
  must(isText(session) && /^[\w-]{10,64}$/.test(session), 'session', '10 to 64 letters, digits, “-” and “_”');
  must(isMap(app) && isText(app.id), 'app', 'an object with a string “id”');
  must(isText(started), 'started', 'a string');
  for (const name of ['name', 'version', 'build']) must(app[name] === undefined || isText(app[name]), `app.${name}`, 'a string');
  must(device === undefined || isMap(device), 'device', 'an object');
  for (const [name, value] of Object.entries(device ?? {})) {
    must(!['id', 'name', 'model', 'os'].includes(name) || isText(value), `device.${name}`, 'a string');
  }
  must(stores === undefined || Array.isArray(stores) && stores.every(isText), 'stores', 'an array of strings');
  must(labels === undefined || isMap(labels) && Object.values(labels).every(isText), 'labels', 'an object of strings');
  must(from === undefined || Number.isSafeInteger(from) && from >= 0, 'from', 'a whole number');
  must(states === undefined || isMap(states), 'states', 'an object');
  const more = states === undefined ? 0 : new TextEncoder().encode(JSON.stringify(states)).length;
  if (size - more > largest) throw new FormatError(`the header is longer than ${largest} bytes, without its states`);
}
