// What this page's token allows, and whether the server asks for another one.
import { json, request } from '../link/http.js';

const path = '/api/v1/login';

/** Event: `change` (of `needed` or `error`). */
export class Login extends EventTarget {
  /** @type {'view'|'control'} */
  role = 'control';
  needed = false;
  /** Whether the server has tokens: without them, whoever reaches it has control. */
  hasTokens = true;
  /** Why the last token was refused, or an empty string. */
  error = '';

  async refresh() {
    const { role, hasTokens } = await json(path);
    Object.assign(this, { role, hasTokens: hasTokens !== false });
  }

  /**
   * Exchanges a token for the cookie.
   * @param {string} token
   * @param {boolean} isFirst whether nothing can be shown without it
   * @returns {Promise<boolean>} whether the server accepts it
   */
  async send(token, isFirst) {
    try {
      await request(path, { method: 'POST', body: JSON.stringify({ token }) });
    } catch (error) {
      const isWrong = error.status === 401 || error.status === 403;
      this.ask(isWrong ? 'The server doesn’t know this token.' : error.message, this.needed || isFirst);
      return false;
    }
    this.ask('', false);
    return true;
  }

  /** @param {string} error @param {boolean} [needed] */
  ask(error, needed = true) {
    Object.assign(this, { error, needed });
    this.dispatchEvent(new Event('change'));
  }
}
