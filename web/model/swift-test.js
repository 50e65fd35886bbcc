// The source of a Swift test that replays a tape.

/** Words that can't name a module. */
const reserved = new Set(('Any Protocol Self Type as associatedtype break case catch class continue default defer deinit do else enum extension '
  + 'fallthrough false fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private protocol '
  + 'public repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while').split(' '));
/** The longest name of a test, in characters. */
const longest = 60;

/**
 * `stores` are those of the tape; `gap` is the first one, or null; `secrets` are the actions that hold some.
 * @typedef {{app: {id: string, name?: string}, tape: string, line: any, store: string, stores: string[], first: number,
 *   gap: {from: number, to: number}|null, secrets: {seq: number, type: string, places: string[]}[]}} ReplayedRange
 */

/**
 * The source of a file with the test.
 * @param {ReplayedRange} range
 * @returns {string}
 */
export function swiftTest({ app, tape, line, store, stores, first, gap, secrets }) {
  const part = `.events(${first}...${line.seq})`;
  return [
    'import StateTapeTesting',
    'import Testing',
    '',
    `@testable import ${moduleName(app)}`,
    '',
    ...remarks(gap, secrets),
    `@Test func ${testName(line)}() {`,
    ...stores.length > 1 ? [`    Replay(${literal(tape)})`, `        .store(${literal(store)})`, `        ${part}`] : [`    Replay(${literal(tape)})${part}`],
    ...[...new Set(secrets.flatMap((one) => one.places))].map((place) => `        .secret(${literal(place)}, <#value#>)`),
    '        .verify(<#AppState#>.self, <#AppAction#>.self, reducer: <#appReducer#>)',
    '}',
    '',
  ].join('\n');
}

function remarks(gap, secrets) {
  const lost = gap && (gap.from === gap.to ? `Event ${gap.to} is missing` : `Events ${gap.from} to ${gap.to} are missing`);
  const [first, ...rest] = secrets;
  const more = rest.length === 0 ? 'holds a secret' : `and ${rest.length} more hold secrets`;
  return [
    lost && `// ${lost}: the next state replaces ${gap.from === gap.to ? 'it' : 'them'}.`,
    first && `// Event ${first.seq} ${more}: supply the value, or skip the action with .skippingSecrets().`,
  ].filter(Boolean);
}

/** `cart/applyCoupon` is `replaysCartApplyCoupon`. */
function testName({ seq, action }) {
  const words = String(action?.type ?? '').normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '').match(/\p{L}[\p{L}\p{M}\p{Nd}]*|\p{Nd}+/gu) ?? [];
  const name = words.map((word) => word.replace(/^./u, (letter) => letter.toUpperCase())).join('');
  return name === '' ? `replaysEvent${seq}` : `replays${[...name].slice(0, longest).join('')}`;
}

/** Guesses the app's module: its name as Xcode makes a module's of it, or the end of its id. */
function moduleName({ id, name = '' }) {
  const guesses = [name, String(id).split('.').at(-1)].map((text) => text.trim().replace(/[ .-]/g, '_'));
  return guesses.find((guess) => /^[A-Za-z_]\w*$/.test(guess) && !reserved.has(guess) && !/^_+$/.test(guess)) ?? '<#App#>';
}

/** A string literal; it shows no character that could hide or reorder others. */
function literal(text) {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(/\p{Cs}/gu, '\ufffd')
    .replace(/(?! )[\p{C}\p{Z}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
  return `"${escaped}"`;
}
