// What the page shows and where the user is in it. Views listen and render.
import { Problem } from '../link/http.js';
import * as address from './address.js';
import { Connection } from './connection.js';
import { Login } from './login.js';
import { OpenSession } from './open-session.js';
import { Sessions } from './sessions.js';

const fromFile = 'This tape is a file: you can only bookmark its events.';
/** How a host of static files refuses the API. */
const unserved = [403, 404, 405, 501];

/**
 * Events: `place` (the address), `session` (another one, or its summary changed), `rows` (of the timeline), `reveal`
 * (an event to scroll to), `path` (of the state, likewise), `bookmarks`, `connection`, `serverless` (only static files
 * are served), `runs` (of `statetape run`). `sessions`, `login` and `appControl` have their own.
 */
export class Page extends EventTarget {
  place = address.read();
  login = new Login();
  sessions = new Sessions();
  session = new OpenSession(this);
  connection = new Connection(this);
  /** Loaded after the first rows. @type {import('./app-control.js').AppControl|null} */
  appControl = null;
  /** By seq. @type {Map<number, import('./bookmarks.js').Bookmark>} */
  bookmarks = new Map();
  /** The event whose tab the user chose. @type {number|null} */
  chosenTabOf = null;
  #isServerless = false;

  constructor() {
    super();
    addEventListener('popstate', () => {
      address.forget();
      this.#arrive(address.read());
    });
    // A pasted address with a token.
    addEventListener('hashchange', () => this.guard(() => this.#enter()));
  }

  get link() { return this.connection.link; }
  get timeline() { return this.session.timeline; }
  get tape() { return this.session.tape; }
  get summary() { return this.session.summary; }
  get problem() { return this.session.problem; }
  get selected() { return this.place.event === null ? null : this.timeline?.head(this.place.event) ?? null; }

  /** Why nothing can be stored on the server, or an empty string. */
  get readOnly() {
    if (this.link.status === 'file') return fromFile;
    return this.login.role === 'control' ? '' : 'View only. Log in with a control token.';
  }

  /** Logs in with the address's token, if it has one, and connects. */
  async start() {
    if (!(await this.#enter())) return;
    await this.session.open();
    await this.refresh();
    if (!this.login.needed && !this.#isServerless) this.link.open();
  }

  async #enter() {
    const token = address.takeToken();
    return token === null || this.logIn(token);
  }

  /** @param {string} token @returns {Promise<boolean>} whether the server accepts it */
  async logIn(token) {
    const again = this.login.needed;
    if (!await this.login.send(token, !this.sessions.known)) return false;
    if (again) this.session.open();
    if (again || this.sessions.known) await this.refresh();
    if (again) this.link.open();
    return !this.login.needed;
  }

  /** Reads again what the link doesn't send. */
  async refresh() {
    await this.guard(() => Promise.all([this.sessions.refresh(), this.appControl?.refresh(), this.login.refresh()]));
    this.emit('connection');
  }

  /**
   * Goes to another place; members that are left out stay, except that another session starts without an event.
   * @param {Partial<import('./address.js').Place>} change
   * @param {boolean} [isTyped] whether the filter is still being typed
   */
  go(change, isTyped = false) {
    const elsewhere = 'session' in change && change.session !== this.place.session;
    const fresh = { event: null, filter: '', range: '', against: null, view: '', other: null };
    const place = { ...this.place, ...(elsewhere ? fresh : {}), ...change };
    if (change.tab) this.chosenTabOf = place.event;
    const step = elsewhere || place.view !== this.place.view || (this.place.event === null) !== (place.event === null);
    address.write(place, step);
    this.#arrive(place, isTyped);
  }

  /** Selects an event that the address does not name. @param {number} seq */
  preselect(seq) {
    this.place = { ...this.place, event: seq };
    this.emit('place');
  }

  /** Selects an event and scrolls to it. @param {number} seq */
  reveal(seq) { this.emit('reveal', seq); }

  /** Shows a path in the state. @param {string} path a JSON pointer */
  showPath(path) { this.emit('path', path); }

  /** Writes a session's whole id into the address. @param {string} session */
  rename(session) {
    this.place = { ...this.place, session };
    address.write(this.place, false);
  }

  /** Does work whose failure the page shows. @param {() => Promise<unknown>} work */
  async guard(work) {
    const { timeline } = this;
    try {
      await work();
    } catch (error) {
      this.failed(error, timeline);
    }
  }

  /** @param {Error} error @param {object|null} [timeline] that was open when the work began */
  failed(error, timeline = this.timeline) {
    // Not a StateTape server answers, but a static host.
    if (!this.sessions.known && (error instanceof SyntaxError || unserved.includes(error.status) && error.code === undefined)) {
      this.#isServerless = true;
      return this.emit('serverless');
    }
    if (!(error instanceof Problem)) throw error;
    if (error.status === 401) return this.login.ask(this.sessions.known ? 'Your token is no longer valid.' : '');
    if (error.code === 'role') return this.login.ask('This token is for apps: it can only record. Log in with a view or control token.');
    // The connection reports a server that can't be reached, also behind a proxy, and retries: what is shown stays.
    if (error.status === 0 || error.status >= 500 && this.link.status === 'retrying') return;
    if (timeline === this.timeline) this.session.fail(error);
  }

  /** The timeline has other rows. */
  rowsChanged() {
    const { selected } = this;
    // The address names an event inside a gap.
    if (selected !== null && selected.seq !== this.place.event) this.go({ event: selected.seq });
    this.emit('rows');
  }

  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  #arrive(place, isTyped = false) {
    const before = this.place;
    this.place = place;
    if (place.session !== before.session) this.session.open();
    if (place.filter !== before.filter) this.timeline?.filter(place.filter, isTyped);
    if (place.event !== before.event) this.appControl?.clear();
    this.emit('place');
  }
}
