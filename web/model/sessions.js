// The loaded sessions.
import { json, Problem, sessionPath } from '../link/http.js';
import { part } from '../ui/lazy.js';

const path = '/api/v1/sessions?limit=100';
/** Pause in typing, in ms, before a search. */
const rest = 200;
const searching = part(() => import('./session-search.js'));

/** Event: `change`. Live sessions come first, then the newest received. */
export class Sessions extends EventTarget {
  known = false;
  search = '';
  /** Whether a request is running. */
  asking = false;
  /** Why the last request failed, or an empty string. */
  error = '';
  /** By id, with sort key. @type {Map<string, {summary: any, received: number}>} */
  #byID = new Map();
  /** @type {import('./session-search.js').SessionSearch|null} */
  #finder = null;
  #older = null;
  #hidden = new Set();
  #list = null;
  #timer = 0;
  /** For each request that runs, the ids of which the link has told since. @type {Set<Set<string>>} */
  #requests = new Set();
  /** Requests for the list, and the last one that was answered. */
  #asked = 0;
  #taken = 0;

  async refresh() {
    const asked = this.#asked += 1;
    const { answer, told } = await this.#read(path);
    if (asked < this.#taken) return;
    this.#taken = asked;
    // Without older ones these are all sessions: others were deleted.
    if (!answer.next) for (const id of this.#byID.keys()) if (!told.has(id)) this.#byID.delete(id);
    this.#take(answer.sessions, told);
    if (!this.known) this.#older = answer.next ?? null;
    this.known = true;
    this.#changed();
  }

  /** Whether the server has more. */
  get more() {
    return this.#finder?.words.length > 0 ? this.#finder.unread.length > 0 : this.#older !== null;
  }

  older() {
    return this.#ask(async () => {
      if (this.#finder?.words.length > 0) return this.#finder.look(this.#finder.unread);
      const answer = await this.#more(`&before=${encodeURIComponent(this.#older)}`);
      this.#older = answer.next ?? null;
      return answer;
    });
  }

  /** Reads a summary. @param {string} id or its beginning @returns {Promise<any>} the summary */
  async one(id) {
    const { answer, told } = await this.#read(sessionPath(id));
    this.#take([answer], told);
    this.#changed();
    return answer;
  }

  /** Adds or replaces a summary that the link has told. @param {object} summary */
  update(summary) {
    if (typeof summary?.session !== 'string') return;
    this.#tell(summary.session);
    this.#take([summary]);
    this.#changed();
  }

  /** @param {string} id of a session that was deleted, as the link has told */
  remove(id) {
    this.#tell(id);
    if (this.#byID.delete(id)) this.#changed();
  }

  /** @param {string} id @param {boolean} hidden */
  hide(id, hidden) {
    this.#hidden[hidden ? 'add' : 'delete'](id);
    this.#changed();
  }

  /** @param {string|null} id @returns {any} the summary, if loaded */
  get(id) {
    return this.#byID.get(id)?.summary;
  }

  /**
   * Searches loaded sessions and the server for words. `key:value` is a label.
   * @param {string} text values with spaces are quoted
   */
  async find(text) {
    this.search = text;
    clearTimeout(this.#timer);
    try {
      const { SessionSearch } = await searching();
      this.#finder ??= new SessionSearch((query) => this.#more(query));
    } catch (error) {
      this.error = error.message;
      return this.#changed();
    }
    if (this.search !== text) return;
    this.#finder.text = text;
    const { unknown } = this.#finder;
    this.asking = unknown.length > 0;
    if (this.asking) this.#timer = setTimeout(() => this.#ask(() => this.#finder.look(unknown)), rest);
    this.#changed();
  }

  get size() {
    return this.#byID.size;
  }

  get list() {
    this.#list ??= [...this.#byID.values()].filter(({ summary }) => !this.#hidden.has(summary.session) && (this.#finder?.finds(summary) ?? true))
      .sort((a, b) => Number(b.summary.live ?? false) - Number(a.summary.live ?? false) || b.received - a.received
        || (a.summary.session < b.summary.session ? 1 : -1))
      .map(({ summary }) => summary);
    return this.#list;
  }

  async #more(query) {
    const { answer, told } = await this.#read(path + query);
    this.#take(answer.sessions, told);
    return answer;
  }

  async #ask(work) {
    const { search } = this;
    this.asking = true;
    this.error = '';
    this.#changed();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.error = error.message;
    }
    // A newer search may still be running.
    if (search === this.search) this.asking = false;
    this.#changed();
  }

  /** The link may overtake an answer: what it has told meanwhile is newer. */
  async #read(path) {
    const told = new Set();
    this.#requests.add(told);
    try {
      return { answer: await json(path), told };
    } finally {
      this.#requests.delete(told);
    }
  }

  #tell(id) {
    for (const told of this.#requests) told.add(id);
  }

  #take(sessions, told = new Set()) {
    for (const summary of sessions) {
      if (told.has(summary.session)) continue;
      this.#byID.set(summary.session, { summary, received: Date.parse(summary.received) || Number(summary.received) || 0 });
    }
  }

  #changed() {
    this.#list = null;
    this.dispatchEvent(new Event('change'));
  }
}
