// What the page shows: which session, which event, and everything behind that. Views listen and render.
import { Backfill } from '../link/backfill.js';
import { json, Problem, request, sessionPath } from '../link/http.js';
import { ViewerLink } from '../link/viewer.js';
import * as address from './address.js';
import { head, headLine } from './head.js';
import { Sessions } from './sessions.js';
import { Timeline } from './timeline.js';

const fromFile = 'This tape was opened from a file: nothing but bookmarks can be kept with it here, and nothing played into an app.';
/** How a host of static files refuses the API. */
const unserved = [403, 404, 405, 501];

/**
 * Events: `place` (the address), `session` (another one, or its summary changed), `rows` (of the timeline), `reveal`
 * (an event to bring into view), `path` (of the state, likewise), `bookmarks`, `connection`, `login`, `serverless`
 * (it is static files alone). `sessions` and `playback` have their own.
 */
export class Page extends EventTarget {
  place = address.read();
  sessions = new Sessions();
  /** Comes with what is around the rows of a session. @type {import('./playback.js').Playback|null} */
  playback = null;
  /** By seq. @type {Map<number, import('./bookmarks.js').Bookmark>} */
  bookmarks = new Map();
  link = new ViewerLink();
  /** The open session's; null while there is none. */
  timeline = null;
  /** Its lines and states, which come with what shows them. @type {import('./tape.js').Tape|null} */
  tape = null;
  /** Null until the session is known to be there. @type {any} */
  summary = null;
  /** Why the session can't be shown. @type {Problem|null} */
  problem = null;
  /** Why the server can't keep anything now. @type {string|null} */
  trouble = null;
  /** What the server lets this page do. @type {'view'|'control'} */
  role = 'control';
  /** @type {{needed: boolean, error: string}} */
  login = { needed: false, error: '' };
  #tapeOf = () => null;
  #backfill = null;
  #isServerless = false;
  #wasLost = false;

  constructor() {
    super();
    addEventListener('popstate', () => {
      address.forget();
      this.#arrive(address.read());
    });
    this.#follow(this.link);
  }

  /** Logs in with the address's token, if it has one, and connects. */
  async start() {
    const token = address.takeToken();
    if (token !== null && !(await this.logIn(token))) return;
    await this.#open();
    await this.refresh();
    if (!this.login.needed && !this.#isServerless) this.link.open();
  }

  /**
   * Shows what was opened from files from now on, instead of what a server holds.
   * @param {import('../file/opened.js').OpenedFiles} files
   * @param {string|null} session
   * @param {string|null} [tape] the address that it came from
   */
  async showFile(files, session, tape = null) {
    if (this.link !== files) {
      this.link.close();
      this.link = files;
      this.#follow(files);
      this.#emit('connection');
    }
    await this.refresh();
    if (session === null) return;
    if (this.place.session !== null && this.place.session !== session) return this.go({ session, tape });
    this.place.tape = tape;
    this.#rename(session);
    this.#open();
    this.#emit('place');
  }

  #follow(link) {
    const on = (name, act) => link.addEventListener(name, ({ detail }) => this.link === link && act(detail));
    on('status', () => this.#connection());
    on('session', (summary) => this.#summary(summary));
    on('watching', (end) => {
      this.#committed(end);
      // From here on every change is told, and may overtake this answer; one before may have been missed.
      this.#guard(async () => {
        const { summary } = this;
        const answer = await json(sessionPath(end.session));
        if (this.summary === summary) this.#summary(answer);
      });
    });
    on('behind', (end) => this.#committed(end));
    on('event', (event) => this.#event(event));
    on('archive', ({ error = null }) => {
      this.trouble = error;
      this.#emit('connection');
    });
  }

  /**
   * Exchanges a token for the cookie.
   * @param {string} token
   * @returns {Promise<boolean>}
   */
  async logIn(token) {
    try {
      await request('/api/v1/login', { method: 'POST', body: JSON.stringify({ token }) });
    } catch (error) {
      const wrong = error.status === 401 || error.status === 403;
      this.#needLogin(wrong ? 'This token is not known to the server.' : error.message, this.login.needed || !this.sessions.known);
      return false;
    }
    const again = this.login.needed;
    this.#needLogin('', false);
    if (again) this.#open();
    if (again || this.sessions.known) await this.refresh();
    if (again) this.link.open();
    return !this.login.needed;
  }

  /**
   * Takes what is behind more than rows, and reads what it holds.
   * @param {{playback: import('./playback.js').Playback, bookmarks: import('./bookmarks.js').Bookmarks,
   *   tapeOf: (summary: any) => import('./tape.js').Tape}} parts
   */
  bring({ playback, bookmarks, tapeOf }) {
    Object.assign(this, { playback, bookmarks });
    this.#tapeOf = tapeOf;
    this.tape = this.summary && tapeOf(this.summary);
    const read = async () => await bookmarks.read(this.summary) && this.#emit('bookmarks');
    this.addEventListener('session', read);
    read();
    this.#guard(() => playback.refresh());
  }

  /** Reads again what the viewer link doesn't bring. */
  async refresh() {
    const role = async () => { this.role = (await json('/api/v1/login')).role; };
    await this.#guard(() => Promise.all([this.sessions.refresh(), this.playback?.refresh(), role()]));
    this.#emit('connection');
  }

  /**
   * Goes to another place; what is not named stays, except that another session begins without event.
   * @param {Partial<import('./address.js').Place>} change
   * @param {boolean} [isTyped] whether the filter is still being typed
   */
  go(change, isTyped = false) {
    const elsewhere = 'session' in change && change.session !== this.place.session;
    const fresh = { event: null, filter: '', against: null, view: '', other: null };
    const place = { ...this.place, ...(elsewhere ? fresh : {}), ...change };
    const step = elsewhere || place.view !== this.place.view || (this.place.event === null) !== (place.event === null);
    address.write(place, step);
    this.#arrive(place, isTyped);
  }

  /** Goes to an event and asks for it to be brought into view. @param {number} seq */
  reveal(seq) { this.dispatchEvent(new CustomEvent('reveal', { detail: seq })); }

  /** Asks for a path to be shown in the state. @param {string} path a JSON pointer */
  showPath(path) { this.dispatchEvent(new CustomEvent('path', { detail: path })); }

  get selected() { return this.place.event === null ? null : this.timeline?.head(this.place.event) ?? null; }

  /** Why nothing can be kept on the server, or an empty string. */
  get readOnly() {
    if (this.link.status === 'file') return fromFile;
    return this.role === 'control' ? '' : 'You are logged in to look only. Log in with a control token.';
  }

  #arrive(place, isTyped = false) {
    const before = this.place;
    this.place = place;
    if (place.session !== before.session) this.#open();
    if (place.filter !== before.filter) this.timeline?.filter(place.filter, isTyped);
    if (place.event !== before.event) this.playback?.clear();
    this.#emit('place');
  }

  async #open() {
    const { session, filter } = this.place;
    this.#backfill?.stop();
    this.#backfill = this.timeline = this.tape = this.summary = this.problem = null;
    this.link.watch(null);
    this.playback?.clear();
    this.#emit('session');
    if (session === null) return;
    const timeline = new Timeline();
    timeline.filter(filter);
    timeline.addEventListener('rows', () => this.#rows());
    this.timeline = timeline;
    this.#emit('session');
    await this.#guard(async () => {
      const summary = await json(sessionPath(session));
      if (this.timeline !== timeline) return;
      this.tape = this.#tapeOf(summary);
      this.#backfill = new Backfill(timeline, summary.session, (error) => this.#failed(error));
      this.sessions.update(summary);
      this.summary = summary;
      if (summary.session !== session) this.#rename(summary.session);
      this.#emit('session');
      // So much is there for certain: its heads need not wait for the link.
      if (summary.events > 0) timeline.committed(summary.events);
      this.link.watch(summary.session);
    });
  }

  /** The address named the session by the start of its id. */
  #rename(session) {
    this.place = { ...this.place, session };
    address.write(this.place, false);
  }

  #summary(summary) {
    if (summary.deleted === true) return this.#deleted(summary.session);
    this.sessions.update(summary);
    if (summary.session !== this.place.session || this.summary === null) return;
    this.summary = summary;
    this.#emit('session');
  }

  #deleted(session) {
    this.sessions.remove(session);
    if (session !== this.summary?.session) return;
    this.#backfill.stop();
    this.link.watch(null);
    this.#failed(new Problem(404, {}));
  }

  #rows() {
    const { selected } = this;
    // The address names an event inside a gap.
    if (selected !== null && selected.seq !== this.place.event) this.go({ event: selected.seq });
    this.#emit('rows');
  }

  #committed({ session, next }) {
    if (session === this.summary?.session) this.timeline.committed(next);
  }

  #event({ session, line, large = [] }) {
    if (session !== this.summary?.session) return;
    if (large.length === 0) this.tape?.keep(line);
    // Without its action an event has no type: its head is fetched.
    if (large.includes('action')) this.timeline.committed(line.seq + 1);
    else this.timeline.append(head(headLine(line, large)));
  }

  #connection() {
    // A server that still can't write says so again.
    this.trouble = null;
    const { status } = this.link;
    // What the link doesn't bring is read again, at first only the list; a link that is refused may want a login.
    if (status === 'live' && !this.#wasLost) this.#guard(() => this.sessions.refresh());
    else if (this.sessions.known && status !== 'connecting') this.refresh();
    this.#wasLost ||= status === 'retrying';
    if (status === 'live') {
      if (this.place.session !== null && this.summary === null && this.problem === null) this.#open();
      this.#backfill?.resume();
    }
    this.#emit('connection');
  }

  async #guard(work) {
    try {
      await work();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error) {
    // What answers there is no StateTape server: a static host.
    if (!this.sessions.known && (error instanceof SyntaxError || unserved.includes(error.status) && error.code === undefined)) {
      this.#isServerless = true;
      return this.#emit('serverless');
    }
    if (!(error instanceof Problem)) throw error;
    if (error.status === 401) return this.#needLogin(this.sessions.known ? 'Your token is no longer valid here.' : '');
    if (error.code === 'role') return this.#needLogin('This token is an app’s: it records, and does no more. Log in with one that may look.');
    // A server that is away is the connection's affair: what is shown stays, and it is tried again.
    if (error.status === 0) return;
    this.problem = error;
    this.#emit('session');
  }

  #needLogin(error, needed = true) {
    this.login = { needed, error };
    this.#emit('login');
  }

  #emit(name) { this.dispatchEvent(new Event(name)); }
}
