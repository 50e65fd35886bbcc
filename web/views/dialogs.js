// The two dialogs: the keys, and the login.
import { byID, h, say } from '../ui/dom.js';
import { keys } from '../ui/keys.js';

/** The table of keys. */
export class KeysView {
  #dialog = byID('keys');

  constructor() {
    const close = h('button', { class: 'close', 'aria-label': 'Close' }, '✕');
    close.addEventListener('click', () => this.#dialog.close());
    this.#dialog.append(
      h('header', {}, h('h2', { id: 'keys-title' }, 'Keys'), close),
      h('dl', {}, ...keys.flatMap(({ shown, does }) => [
        h('dt', {}, ...shown.split(/ (?=\S$)/).map((key) => h('kbd', {}, key))), h('dd', {}, does),
      ])));
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    byID('help').addEventListener('click', () => this.show());
  }

  /** Shows the table. */
  show() {
    this.#dialog.showModal();
  }
}

/** Asks for a token when the server wants one. */
export class LoginView {
  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    const dialog = byID('login');
    const field = h('input', { type: 'password', id: 'token', autocomplete: 'current-password', required: true });
    const error = h('p', { class: 'failure', role: 'alert', hidden: true });
    const form = h('form', { method: 'dialog' },
      h('h2', { id: 'login-title' }, 'Log in'),
      h('p', {}, 'This server wants a token. It was printed when the server first started, at the end of the page’s address.'),
      h('input', { type: 'text', autocomplete: 'username', hidden: true, value: 'statetape' }),
      h('label', { for: 'token' }, 'Token'), field, error,
      h('button', { class: 'main' }, 'Log in'));
    dialog.append(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      page.logIn(field.value.trim());
    });
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    page.addEventListener('login', () => {
      const { needed } = page.login;
      say(error, page.login.error);
      error.hidden = page.login.error === '';
      if (!needed) {
        dialog.close();
        field.value = '';
      } else if (!dialog.open) dialog.showModal();
    });
  }
}
