// The viewer link: it reports each stored event, and reconnects.
import { parse } from '../json/parse.js';

const subprotocol = 'statetape.viewer.v1';
const firstDelay = 250;
const longestDelay = 10_000;

/** After these close codes a retry can't help. */
const final = new Set([4001, 4002]);

/**
 * Events: `status`, and one for each line of the server, with its content as `detail`:
 * `watching`, `event`, `session`, `runs`, `behind`, `error`.
 */
export class ViewerLink extends EventTarget {
  /** @type {'connecting'|'live'|'retrying'|'refused'} */
  status = 'connecting';
  #socket = null;
  #session = null;
  #failures = 0;
  #timer = 0;

  constructor() {
    super();
    addEventListener('online', () => this.#hurry());
    document.addEventListener('visibilitychange', () => document.hidden || this.#hurry());
  }

  /** Connects, or retries at once. */
  open() {
    if (this.#socket === null) this.#connect();
  }

  close() {
    clearTimeout(this.#timer);
    this.status = 'connecting';
    if (this.#socket === null) return;
    this.#socket.onclose = null;
    this.#socket.close();
  }

  /** Watches another session. @param {string|null} session */
  watch(session) {
    if (session === this.#session) return;
    if (this.#session !== null) this.#send({ unwatch: { session: this.#session } });
    this.#session = session;
    if (session !== null) this.#send({ watch: { session } });
  }

  #connect() {
    clearTimeout(this.#timer);
    const url = new URL('/v1/viewer', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url, subprotocol);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      this.#failures = 0;
      this.#send({ watch: { sessions: true } });
      if (this.#session !== null) this.#send({ watch: { session: this.#session } });
      this.#become('live');
    };
    socket.onmessage = (message) => this.#receive(message.data);
    socket.onclose = (event) => this.#closed(event.code);
  }

  #receive(data) {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
    for (const part of text.split('\n')) {
      if (part === '') continue;
      const [[name, detail]] = Object.entries(parse(part));
      this.dispatchEvent(new CustomEvent(name, { detail }));
    }
  }

  #closed(code) {
    this.#socket = null;
    if (final.has(code)) return this.#become('refused');
    const ceiling = Math.min(longestDelay, firstDelay * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#connect(), ceiling * (0.5 + Math.random() / 2));
    this.#become('retrying');
  }

  #hurry() {
    if (this.status === 'retrying') this.open();
  }

  #become(status) {
    this.status = status;
    this.dispatchEvent(new Event('status'));
  }

  #send(line) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(line));
  }
}
