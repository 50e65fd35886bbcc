// The last connection attempts: accepted or refused, why, and what to do.
import { json, Problem } from '../link/http.js';
import { href } from '../model/address.js';
import { h, linkTo, setText } from '../ui/dom.js';
import { ago, count } from '../ui/format.js';
import { deviceName, sessionName } from '../model/session-name.js';

const every = 2_000;
const most = 6;

/** What to do, by the server's error code. */
const advice = new Map(Object.entries({
  'host': 'The request used a host name that the server doesn’t allow. Use an address below, or start the server with --allow-host and that name.',
  'not-authorised': 'The token is missing or wrong. Copy a whole address below: the token follows #token=.',
  'role': 'The token only allows viewing. Use an address below: it has the token for apps.',
  'version': 'The app’s StateTape package and this server use different protocol versions. Update the older one.',
  'subprotocol': 'The app uses another protocol. Update its StateTape package. A proxy must forward Sec-WebSocket-Protocol.',
  'foreign-origin': 'The request came from a page of another site. Open this page at an address below. A proxy must forward Host and Origin unchanged.',
  'no-origin': 'The server ignores a cookie without an Origin header. In scripts, send the token as Authorization: Bearer.',
  'bad-line': 'The message is not one of a StateTape app. Check that the client is one, and that its version matches the server.',
  'header-too-large': 'The app’s labels and device name are too long. Shorten them.',
  'too-big': 'An event exceeds the size limit. Start the server with a larger --max-line, or record a smaller state.',
  'other-key': 'Another app uses this session. Restart the app.',
  'no-hello': 'The app sent nothing in time. The network may be slow. The app retries.',
  'full': 'The connection limit is reached. Start the server with a larger --max-apps or --max-viewers.',
  'spool': 'The server can’t write a long message into its data folder. Free disk space, or let it write there.',
  'archive': 'The server can’t write to its archive. See its log.',
}));

/** A page that is not logged in asks the API for data until it has a token: that is not an attempt to connect. */
const isLogin = ({ path, code }) => code === 'not-authorised' && path !== '/v1/app';

export class Attempts {
  element = h('div', { class: 'attempts' });
  #page;
  #line = h('p', { class: 'latest', role: 'status' }, 'Loading connection attempts…');
  #list = h('ul');
  #timer = 0;
  #shown = '';
  #stopping = new AbortController();

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.element.append(this.#line, this.#list);
  }

  start() {
    const { signal } = this.#stopping;
    this.#page.sessions.addEventListener('change', () => this.#refresh(), { signal });
    this.#refresh();
    this.#timer = setInterval(() => document.hidden || this.#refresh(), every);
  }

  stop() {
    this.#stopping.abort();
    clearInterval(this.#timer);
  }

  async #refresh() {
    let refusals;
    try {
      ({ refusals } = await json('/api/v1/refusals', { signal: this.#stopping.signal }));
    } catch (error) {
      if (error instanceof Problem) this.#render('Can’t reach the server.', []);
      return;
    }
    this.#render(null, refusals.filter((one) => !isLogin(one)).slice(0, most));
  }

  #render(error, refusals) {
    const live = this.#page.sessions.list.filter((summary) => summary.live);
    const newest = live.reduce((found, one) => (found && found.received >= one.received ? found : one), undefined);
    const shown = JSON.stringify([error, refusals.map((one) => [one, ago(one.time)]), newest?.session]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const apps = refusals.filter(({ path }) => path === '/v1/app');
    this.element.classList.toggle('refused', error === null && apps.length > 0 && !newest);
    if (error !== null) setText(this.#line, error);
    else if (newest) {
      const { session } = newest;
      this.#line.replaceChildren(linkTo(h('a', { href: href({ session }) }, sessionName(newest)), () => {
        this.element.closest('dialog')?.close();
        this.#page.go({ session });
      }), ` on ${deviceName(newest)} is connected.`);
    } else setText(this.#line, apps.length > 0 ? 'An app tried to connect. The server refused it.' : 'Waiting for an app. It appears here as soon as it connects.');
    this.#list.replaceChildren(...refusals.map(item));
  }
}

function item({ time, peer, path, code, detail, count: times }) {
  const who = path === '/v1/app' ? 'An app' : path === '/v1/viewer' ? 'A page' : `A request to ${path}`;
  return h('li', {},
    h('p', {}, h('strong', {}, `${who} from ${peer}`), ` was refused ${ago(time)}${times > 1 ? `, ${count(times)} times` : ''}: ${detail.replace(/\.$/, '')} (`, h('code', {}, code), ').'),
    advice.has(code) && h('p', { class: 'help' }, advice.get(code)));
}
