// What the source of a test says of the stores that it replays: imports, remarks and calls. `statetape export` makes the
// same text, in Sources/StateTapeCommand/TestedStores.swift.
import { isModule, SwiftName } from './swift-name.js';

/** Names of Testing and StateTapeTesting, which a test imports as well. */
const taken = new Set(('Attachable Attachment Bug Comment Confirmation ExitTest Issue Replay Runner SourceLocation Tag Tape TapedTestCase '
  + 'TapedTrait Test TimeLimitTrait Trait').split(' '));
/** Modules of the toolchain that no test needs to import. */
const known = new Set(['Swift', 'StateTapeTesting', 'Testing']);
const isText = (value) => typeof value === 'string';
const quoted = (names) => [...new Set(names)].sort().map((name) => `“${name}”`).join(', ');

/** @typedef {{state: string, action: string, decoding?: string[]}} StoreTypes */

export class TestedStores {
  /** @type {{name: string, types: {state: SwiftName, action: SwiftName, decoding: SwiftName[]}|null}[]} */
  #stores;
  #header;

  /**
   * @param {{types?: any, target?: any, labels?: Record<string, string>}} header
   * @param {{name: string, types: StoreTypes|undefined}[]} stores the replayed ones, with their types, if the tape has them
   */
  constructor(header, stores) {
    this.#header = header;
    this.#stores = stores.map(({ name, types }) => ({ name, types: parsed(types) }));
  }

  get #names() {
    return this.#stores.flatMap(({ types }) => types === null ? [] : [types.state, types.action, ...types.decoding]);
  }

  /** The test target that has the types, which a file of that target can't import. */
  get #ownModule() {
    const modules = new Set(this.#names.flatMap(({ mentions }) => mentions).map(({ module }) => module));
    const test = this.#header.labels?.module;
    if (test !== undefined) return modules.has(test) ? test : undefined;
    return [...modules].sort().find((name) => name.endsWith('Tests'));
  }

  /** The import lines of a file. @returns {string[]} */
  get imports() {
    const own = this.#ownModule;
    const modules = (found) => new Set(found.filter((name) => name !== own && !known.has(name) && !name.startsWith('_')));
    const { target } = this.#header;
    const named = isModule(target) && this.#stores.some(({ types }) => types !== null) ? [target] : [];
    // A test sees internal types of these modules. A protocol's module may be one that isn't built for tests.
    const heads = this.#names.filter(({ isProtocol }) => !isProtocol).flatMap(({ mentions }) => mentions.slice(0, 1));
    const tested = modules([...heads.map(({ module }) => module), ...named]);
    tested.delete('Foundation');
    const others = [...modules(this.#names.flatMap(({ mentions }) => mentions).map(({ module }) => module))].filter((name) => !tested.has(name));
    const lines = [...others, 'StateTapeTesting', 'Testing'].sort().map((name) => `import ${name}`);
    if (own !== undefined && tested.size === 0) return [...lines, ''];
    return [...lines, '', ...(tested.size === 0 ? ['<#App#>'] : [...tested].sort()).map((name) => `@testable import ${name}`), ''];
  }

  /** Comments on what is left to do. @returns {string[]} */
  get remarks() {
    const own = this.#ownModule;
    const hidden = quoted(this.#names.map((name) => name.hidden).filter(isText));
    const guesses = quoted(this.#stores.map(({ types }) => guess(types)).filter(isText));
    return [
      this.#stores.some(({ types }) => types === null) && '// The tape doesn\'t name all types: replace each <#…#> with a name of your app.',
      own && `// The test target ${own} has the types: this file belongs there.`,
      hidden && `// Private to a file or a function: ${hidden}. Make it internal, so that a test can name it.`,
      ...guesses ? [
        `// A tape names no reducers. Guessed from the state's type: ${guesses}.`,
        '// If a method such as `send` reduces, make the test `@MainActor` and `async`, begin it with `let model = …`,',
        '// await Replay(…).verify(…, start: { model.state = $0 }, apply: { model.send($0); return model.state }), and',
        '// take `private(set)` off the state: see “A first test from a tape” (FirstTest.md in StateTapeTesting.docc).',
      ] : [],
    ].filter(Boolean);
  }

  /** The call that replays a store. @param {string} store @returns {string} */
  verify(store) {
    const types = this.#stores.find(({ name }) => name === store)?.types ?? null;
    if (types === null) return '.verify(<#AppState#>.self, <#AppAction#>.self, reducer: <#appReducer#>)';
    const list = types.decoding.map((name) => this.#type(name)).join(', ') || '<#the actions\' types#>';
    const decoding = types.action.isProtocol ? [`decoding: [${list}]`] : [];
    const reducer = `reducer: ${guess(types) ?? '{ $1.reduce(&$0) }'}`;
    return `.verify(${[this.#type(types.state), this.#type(types.action), ...decoding, reducer].join(', ')})`;
  }

  /** @param {SwiftName} name */
  #type(name) {
    const all = this.#names.flatMap(({ mentions }) => mentions);
    const source = name.source(({ module, top }) => module !== 'Swift'
      && (taken.has(top) || all.some((other) => other.top === top && other.module !== module)));
    return name.isProtocol ? `(${source}).self` : `${source}.self`;
  }
}

function parsed(types) {
  const [state, action] = [SwiftName.parse(types?.state), SwiftName.parse(types?.action)];
  if (state === null || action === null) return null;
  const decoding = Array.isArray(types.decoding) ? types.decoding.map((name) => SwiftName.parse(name)) : [];
  return { state, action, decoding: decoding.filter((name) => name !== null) };
}

/** `appReducer` for `AppState`, `cartReducer` for `Cart` and `Cart.State`; null for actions that reduce themselves. */
function guess(types) {
  if (types === null || types.action.isProtocol && types.action.mentions[0]?.module === 'StateTapeStore') return null;
  const path = types.state.source(() => false).replace(/<.*/, '').split('.');
  let name = path.at(-1);
  if (name === 'State' && path.length > 1) name = path.at(-2);
  if (name.endsWith('State') && name !== 'State') name = name.slice(0, -'State'.length);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Reducer`;
}
