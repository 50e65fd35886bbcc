// The login dialog: the server needs a token, or the user has one with more rights.
import { openDialog } from '../ui/dialog.js';
import { h, set, setText } from '../ui/dom.js';

let shown = null;

/**
 * Opens the dialog, or shows in it why the last token was refused.
 * @param {import('../model/page.js').Page} page
 */
export function login(page) {
  shown ??= new Login(page);
  shown.show();
}

class Login {
  #page;
  #dialog = null;
  #error = h('p', { class: 'failure', role: 'alert' });
  #field = h('input', { type: 'password', id: 'token', autocomplete: 'current-password', required: true, autofocus: true });
  #button = h('button', { class: 'main' }, 'Log in');

  constructor(page) {
    this.#page = page;
    // A pasted address may have logged in.
    page.login.addEventListener('change', async () => page.login.needed || page.login.error || (await this.#dialog)?.close());
  }

  show() {
    setText(this.#error, this.#page.login.error);
    this.#dialog ??= this.#open();
  }

  async #open() {
    const { needed } = this.#page.login;
    const form = h('form', {},
      h('p', {}, ...needed
        ? ['Enter the server’s token. The server printed it at its first start, at the end of the page’s address. It is also in the file ',
          h('code', {}, 'token'), ' in the server’s data folder. Or ask the person who runs the server.']
        : ['You have view access only. A control token also lets you apply states, add bookmarks, and rename or delete sessions.']),
      h('input', { type: 'text', autocomplete: 'username', hidden: true, value: 'statetape' }),
      h('label', { for: 'token' }, 'Token'), this.#field, this.#error,
      h('div', { class: 'buttons' }, this.#button));
    form.addEventListener('submit', (event) => this.#submit(event));
    const dialog = await openDialog('Log in', { id: 'login', must: needed }, form);
    dialog.addEventListener('close', () => {
      this.#dialog = null;
      this.#field.value = '';
      this.#page.login.error = '';
    });
    return dialog;
  }

  async #submit(event) {
    event.preventDefault();
    set(this.#button, 'disabled', true);
    setText(this.#error, '');
    // A pasted address contains the token.
    const token = this.#field.value.trim().replace(/^.*[#&]token=([^&]*).*$/, (_, value) => decodeURIComponent(value));
    const done = await this.#page.logIn(token);
    set(this.#button, 'disabled', null);
    if (done) return undefined;
    this.#field.select();
    return setText(this.#error, this.#page.login.error);
  }
}
