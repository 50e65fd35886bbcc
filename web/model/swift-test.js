// The source of a Swift test that replays a tape.
import { TestedStores } from './tested-stores.js';

/** The longest name of a test, in characters. */
const longest = 60;

/**
 * `header` is the tape's, `types` are those of the store, if the tape has them; `stores` are those of the tape; `gap` is
 * the first one, or null; `secrets` are the actions that hold some.
 * @typedef {{header: any, types: any, tape: string, line: any, store: string, stores: string[], first: number,
 *   gap: {from: number, to: number}|null, secrets: {seq: number, type: string, places: string[]}[]}} ReplayedRange
 */

/**
 * The source of a file with the test.
 * @param {ReplayedRange} range
 * @returns {string}
 */
export function swiftTest({ header, types, tape, line, store, stores, first, gap, secrets }) {
  const tested = new TestedStores(header, [{ name: store, types }]);
  return [
    ...tested.imports,
    `@Test func ${testName(line)}() {`,
    // Above the test, Swift Testing would print them with each of its failures.
    ...[
      '// The tape belongs in the folder Tapes beside Package.swift; in Xcode, beside this file.',
      ...tested.remarks,
      ...line.event === 'init' ? ['// This is the first state, which no action made: select a later event for a test of some.'] : [],
      ...remarks(gap, secrets),
    ].map((remark) => `    ${remark}`),
    `    Replay(${literal(tape)})`,
    ...stores.length > 1 ? [`        .store(${literal(store)})`] : [],
    `        .events(${first}...${line.seq})`,
    ...secrets.length > 0 ? ['        .skippingSecrets()'] : [],
    `        ${tested.verify(store)}`,
    '}',
    '',
  ].join('\n');
}

function remarks(gap, secrets) {
  const lost = gap && (gap.from === gap.to ? `Event ${gap.to} is missing` : `Events ${gap.from} to ${gap.to} are missing`);
  const places = [...new Set(secrets.flatMap((one) => one.places))].sort();
  return [
    ...gap ? [`// ${lost}: the next state replaces ${gap.from === gap.to ? 'it' : 'them'}.`] : [],
    ...places.length > 0 ? ['// The tape lacks secrets. To replay their actions, replace .skippingSecrets() by'] : [],
    ...places.map((place) => `// .secret(${literal(place)}, VALUE)`),
  ];
}

/** `cart/applyCoupon` is `replaysCartApplyCoupon`. */
function testName({ seq, action }) {
  const words = String(action?.type ?? '').normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '').match(/\p{L}[\p{L}\p{M}\p{Nd}]*|\p{Nd}+/gu) ?? [];
  const name = words.map((word) => word.replace(/^./u, (letter) => letter.toUpperCase())).join('');
  return name === '' ? `replaysEvent${seq}` : `replays${[...name].slice(0, longest).join('')}`;
}

/** A string literal; it shows no character that could hide or reorder others. */
function literal(text) {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(/\p{Cs}/gu, '\ufffd')
    .replace(/(?! )[\p{C}\p{Z}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
  return `"${escaped}"`;
}
