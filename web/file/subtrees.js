// The largest parts of a state.
import { kindOf } from '../json/parse.js';
import { below } from '../json/pointer.js';
import { utf8Length } from '../json/value.js';

const mostParts = 10;
const mostOpened = 256;
/** Limits the work, as a multiple of the state's size. */
const mostMeasured = 16;

/**
 * The largest parts, none inside another. A value is divided while one of its parts is at least a tenth of it.
 * @param {unknown} state
 * @returns {{path: string, bytes: number}[]}
 */
export function largest(state) {
  const part = (path, value) => ({ path, value, bytes: utf8Length(JSON.stringify(value)), whole: false });
  let parts = [part('', state)];
  const all = parts[0].bytes;
  let measured = 0;
  for (let opened = 0; opened < mostOpened && measured < mostMeasured * all; opened += 1) {
    const index = parts.findIndex((one) => !one.whole);
    if (index < 0) break;
    const one = parts[index];
    measured += one.bytes;
    const kind = kindOf(one.value);
    const children = kind === 'object' || kind === 'array'
      ? Object.keys(one.value).map((key) => part(below(one.path, key), one.value[key])) : [];
    if (children.some((child) => child.bytes * 10 >= one.bytes)) {
      parts.splice(index, 1);
      parts = [...parts, ...children].sort((a, b) => b.bytes - a.bytes).slice(0, mostParts);
    } else {
      one.whole = true;
    }
  }
  return parts.map(({ path, bytes }) => ({ path, bytes }));
}
