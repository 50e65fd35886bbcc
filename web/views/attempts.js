// What became of the last attempts to connect: who came in, who was refused, why, and what helps.
import { json, Problem } from '../link/http.js';
import { href } from '../model/address.js';
import { h, say, within } from '../ui/dom.js';
import { ago, count } from '../ui/format.js';
import { deviceName, sessionName } from '../model/session-name.js';

const every = 2_000;
const most = 6;

/** What helps, by the server's reason. */
const advice = new Map(Object.entries({
  'host': 'It called the server by a name that the server doesn’t know. Use an address from below, or start the server with --allow-host and that name.',
  'not-authorised': 'Its token is missing or wrong. Copy the address from below whole: what follows #token= is the token.',
  'role': 'Its token is for looking only. Use the address from below, which has the token for apps.',
  'version': 'The app’s StateTape package and this server are of different ages. Update the older one.',
  'subprotocol': 'It doesn’t speak this server’s language. Update the app’s StateTape package; a proxy between them must pass Sec-WebSocket-Protocol on.',
  'foreign-origin': 'A page of another site asked. Open this page at one of the addresses below; a proxy must pass Host and Origin on as they are.',
  'no-origin': 'A request with a cookie and without Origin counts for nothing. Scripts send their token as Authorization: Bearer.',
  'bad-line': 'What it sent is not what a StateTape app sends. Is it one, and of a version like the server’s?',
  'header-too-large': 'The app’s labels and device name are too long.',
  'too-big': 'One event is larger than the server takes: start it with a larger --max-line, or keep such states out of the tape.',
  'other-key': 'Another app has this session already. Start the app anew.',
  'no-hello': 'The network may be slow. The app tries again by itself.',
  'full': 'Too many are connected: start the server with a larger --max-apps or --max-viewers.',
  'archive': 'The server can’t write. See its log.',
}));

export class Attempts {
  element = h('div', { class: 'attempts' });
  #page;
  #line = h('p', { class: 'latest', role: 'status' }, 'Asking the server who has tried to connect…');
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
    this.#page.sessions.addEventListener('change', () => this.#look(), { signal });
    this.#look();
    this.#timer = setInterval(() => document.hidden || this.#look(), every);
  }

  stop() {
    this.#stopping.abort();
    clearInterval(this.#timer);
  }

  async #look() {
    let refusals;
    try {
      ({ refusals } = await json('/api/v1/refusals', { signal: this.#stopping.signal }));
    } catch (error) {
      if (error instanceof Problem) this.#tell('The server can’t be reached just now.', []);
      return;
    }
    this.#tell(null, refusals.slice(0, most));
  }

  #tell(trouble, refusals) {
    const live = this.#page.sessions.list.filter((summary) => summary.live);
    const newest = live.reduce((found, one) => (found && found.received >= one.received ? found : one), undefined);
    const shown = JSON.stringify([trouble, refusals.map((one) => [one, ago(one.time)]), newest?.session]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const apps = refusals.filter(({ path }) => path === '/v1/app');
    this.element.classList.toggle('refused', trouble === null && apps.length > 0 && !newest);
    if (trouble !== null) say(this.#line, trouble);
    else if (newest) {
      const { session } = newest;
      this.#line.replaceChildren(within(h('a', { href: href({ session }) }, sessionName(newest)), () => {
        this.element.closest('dialog')?.close();
        this.#page.go({ session });
      }), ` on ${deviceName(newest)} is connected.`);
    } else say(this.#line, apps.length > 0 ? 'An app has tried to connect, and was refused.' : 'Waiting for an app. This page fills by itself as soon as one connects.');
    this.#list.replaceChildren(...refusals.map(item));
  }
}

function item({ time, peer, path, code, detail, count: times }) {
  const who = path === '/v1/app' ? 'An app' : path === '/v1/viewer' ? 'A page' : `A request to ${path}`;
  return h('li', {},
    h('p', {}, h('strong', {}, `${who} from ${peer}`), ` was refused ${ago(time)}${times > 1 ? `, ${count(times)} times` : ''}: ${detail.replace(/\.$/, '')} (`, h('code', {}, code), ').'),
    advice.has(code) && h('p', { class: 'help' }, advice.get(code)));
}
