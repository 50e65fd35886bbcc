// How to connect an app: the server's addresses, the app's code, a QR code for phones, and the last attempts.
import { json, Problem } from '../link/http.js';
import { openDialog } from '../ui/dialog.js';
import { copyButton } from '../ui/copy.js';
import { h, set, setText } from '../ui/dom.js';
import { Attempts } from './attempts.js';

const remembered = 'statetape-scheme';
const loopback = /^(localhost|127\..*|\[::1\])(:\d+)?$/;
const swift = `import StateTape
import StateTapeStore

let tape = Recorder()
let store = Store(initial: AppState(), reducer: appReducer).taped(by: tape)`;
const manifest = `// the package's dependencies
.package(name: "StateTape", path: "../StateTape", traits: [])
// the target's dependencies
.product(name: "StateTape", package: "StateTape"),
.product(name: "StateTapeStore", package: "StateTape")`;

/**
 * Opens the dialog.
 * @param {import('../model/page.js').Page} page
 */
export async function connectDialog(page) {
  const connect = await Connect.load(page);
  const dialog = await openDialog('Connect an app', { class: 'connect-dialog' }, connect.element);
  dialog.addEventListener('close', () => connect.stop());
  connect.start();
}

/** @typedef {{interface?: string, host: string, url: string, link: string, appLink: string}} Address */

export class Connect {
  element;
  #attempts;
  #chosen;
  #scheme = recall();
  #variable = h('pre');
  #example = h('pre');
  #code = h('img', { class: 'code-image', width: 200, height: 200 });
  #link = h('pre');
  #phone = h('div', { class: 'phone' });
  #unreachable = h('div', { class: 'unreachable' });

  /**
   * Asks the server for its addresses.
   * @param {import('../model/page.js').Page} page
   * @returns {Promise<Connect>}
   */
  static async load(page) {
    return new Connect(page, await ask());
  }

  /** @param {import('../model/page.js').Page} page @param {Address[]} addresses */
  constructor(page, addresses) {
    this.#attempts = new Attempts(page);
    // The server lists an address for other machines first, if it has one.
    this.#chosen = addresses[0];
    const onlyHere = addresses.every(({ host }) => loopback.test(host));
    this.element = h('div', { class: 'connect' },
      this.#attempts.element,
      h('section', {}, h('h3', {}, '1 · Choose the server address'), this.#choice(addresses),
        page.login.role === 'view' && h('p', { class: 'hint' }, 'View only: these links have no token. Log in with a control token to get one.')),
      h('section', {}, h('h3', {}, '2 · Set up the app'), h('p', {}, 'Add the StateTape package, with the path of its folder, to ', h('code', {}, 'Package.swift'), ':'), snippet(h('pre', {}, manifest)),
        h('p', {}, 'Then connect the store:'), snippet(h('pre', {}, swift)),
        h('p', { class: 'hint' }, 'For a store of your own or of another library, run ', h('code', {}, 'statetape init'), ' in the app’s package, or copy the code from ', h('code', {}, 'Sources/StateTape/StateTape.docc/Recipes.md'), ' in the StateTape folder.'),
        h('p', {}, 'Set the address in the app’s environment (Xcode: Product › Scheme › Edit Scheme › Run › Arguments):'), snippet(this.#variable),
        h('p', {}, 'Or run the example app in the StateTape folder, which takes some minutes to build the first time:'), snippet(this.#example)),
      h('section', {}, h('h3', {}, '3 · Connect a phone or tablet'), onlyHere ? this.#local() : this.#unreachable, this.#phone));
    this.#fillPhone();
    this.#render();
  }

  /** Starts polling for attempts. */
  start() { this.#attempts.start(); }

  stop() { this.#attempts.stop(); }

  #choice(addresses) {
    return h('fieldset', { class: 'addresses' }, h('legend', { class: 'offscreen' }, 'Address'), ...addresses.map((address, index) => {
      const radio = h('input', { type: 'radio', name: 'address', checked: index === 0, on: { change: () => { this.#chosen = address; this.#render(); } } });
      return h('label', {}, radio, h('code', {}, address.url),
        h('span', { class: 'hint' }, loopback.test(address.host) ? 'this machine only' : address.interface ? `network ${address.interface}` : 'host name'));
    }));
  }

  #local() {
    return h('div', { class: 'warning', role: 'note' },
      h('p', {}, h('strong', {}, 'Phones can’t connect: '), 'the server is local only. The simulator can connect. For devices, restart the server with'),
      snippet(h('pre', {}, `statetape serve --listen 0.0.0.0:${location.port || 80}`)),
      h('p', {}, 'The server then prints an address with a token, and this page shows links for devices.'));
  }

  #fillPhone() {
    const field = h('input', { placeholder: 'myapp', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' });
    const error = h('p', { class: 'failure', role: 'alert' });
    field.value = this.#scheme;
    field.addEventListener('input', () => {
      const text = field.value.trim().replace(/:?\/*$/, '');
      const wrong = text !== '' && !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(text);
      setText(error, wrong ? 'A scheme starts with a letter and has only letters, digits, “+”, “-” and “.”.' : '');
      set(field, 'aria-invalid', wrong ? 'true' : null);
      if (wrong) return;
      this.#scheme = text;
      remember(text);
      this.#render();
    });
    this.#phone.append(this.#code, h('div', { class: 'beside' },
      h('label', {}, 'URL scheme of the app (from its Info.plist)', field), error,
      h('p', { class: 'does' }), snippet(this.#link),
      h('p', { class: 'hint' }, 'Ask the user, then pass the URL that opened the app to ', h('code', {}, 'tape.open(url)'), '. For the local network, iOS also needs ',
        h('code', {}, 'NSLocalNetworkUsageDescription'), ' and ', h('code', {}, 'NSAllowsLocalNetworking'), ' in the debug build’s Info.plist.')));
  }

  #render() {
    const { link, url, host, appLink } = this.#chosen;
    setText(this.#variable, `STATETAPE_URL=${link}`);
    setText(this.#example, `STATETAPE_URL=${link} swift run todo-example`);
    const reaches = !loopback.test(host);
    this.#phone.hidden = !reaches;
    this.#unreachable.hidden = reaches;
    setText(this.#unreachable, reaches ? '' : 'A phone can’t reach this address. Choose another one above.');
    if (!reaches) return;
    const shown = this.#scheme ? appLink.replace(/^APP-SCHEME(?=:)/, this.#scheme) : link;
    const query = new URLSearchParams({ format: 'svg', address: host, ...(this.#scheme ? { scheme: this.#scheme } : {}) });
    set(this.#code, 'src', `/api/v1/connect?${query}`);
    set(this.#code, 'alt', this.#scheme ? `QR code of the link that opens ${this.#scheme}:` : `QR code of ${url}`);
    setText(this.#phone.querySelector('.does'), this.#scheme
      ? 'Scan the code with the phone’s camera to open the app and connect it.'
      : 'Enter the scheme, and the code opens the app. Without it, the code has the address for Recorder.Configuration.');
    setText(this.#link, shown);
  }
}

/** Falls back to the page's own address. */
async function ask() {
  try {
    const { addresses } = await json('/api/v1/connect');
    if (addresses.length > 0) return addresses;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  const url = `${location.origin}/`;
  return [{ host: location.hostname, url, link: url, appLink: `APP-SCHEME://statetape?url=${encodeURIComponent(url)}` }];
}

function snippet(block) {
  return h('div', { class: 'snippet' }, block, copyButton('Copy', () => block.textContent));
}

// A browser may refuse storage altogether.
function recall() {
  try { return localStorage.getItem(remembered) ?? ''; } catch { return ''; }
}

function remember(scheme) {
  try { localStorage.setItem(remembered, scheme); } catch { /* forgotten */ }
}
