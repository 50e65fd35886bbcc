// The loaded sessions, and the search for more on the server.
import { json, Problem, sessionPath } from '../link/http.js';

const path = '/api/v1/sessions?limit=100';
/** Pause in typing, in ms, before a search. */
const rest = 200;

/** Event: `change`. Live sessions come first, then the newest received. */
export class Sessions extends EventTarget {
  known = false;
  /** The search text. */
  search = '';
  /** Whether a request is running. */
  asking = false;
  /** Why the last request failed, or an empty string. */
  error = '';
  /** By id, with sort key and search text. @type {Map<string, {summary: any, received: number, text: string|null}>} */
  #byID = new Map();
  #words = [];
  /** What the server found for each word. @type {Map<string, {ids: Set<string>, next: string|null}>} */
  #found = new Map();
  #older = null;
  #hidden = new Set();
  #list = null;
  #timer = 0;
  /** For each request that runs, the ids of which the link has told since. @type {Set<Set<string>>} */
  #requests = new Set();

  async refresh() {
    const { answer, told } = await this.#read(path);
    // Without older ones these are all sessions: others were deleted.
    if (!answer.next) for (const id of this.#byID.keys()) if (!told.has(id)) this.#byID.delete(id);
    this.#take(answer.sessions, told);
    if (!this.known) this.#older = answer.next ?? null;
    this.known = true;
    this.#changed();
  }

  /** Whether the server has more. */
  get more() {
    return this.#words.length > 0 ? this.#words.some((word) => this.#found.get(word)?.next) : this.#older !== null;
  }

  older() {
    return this.#ask(async () => {
      if (this.#words.length > 0) return Promise.all(this.#words.filter((word) => this.#found.get(word)?.next).map((word) => this.#look(word)));
      const { answer, told } = await this.#read(`${path}&before=${encodeURIComponent(this.#older)}`);
      this.#older = answer.next ?? null;
      return this.#take(answer.sessions, told);
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
  find(text) {
    this.search = text;
    this.#words = (text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map((word) => word.replaceAll('"', '')).filter(Boolean);
    clearTimeout(this.#timer);
    const unknown = this.#words.filter((word) => !this.#found.has(word));
    this.asking = unknown.length > 0;
    if (this.#words.length === 0) this.#found.clear();
    if (this.asking) this.#timer = setTimeout(() => this.#ask(() => Promise.all(unknown.map((word) => this.#look(word)))), rest);
    this.#changed();
  }

  get size() {
    return this.#byID.size;
  }

  /** The found sessions, in order. */
  get list() {
    this.#list ??= [...this.#byID.values()].filter((one) => this.#isFound(one))
      .sort((a, b) => Number(b.summary.live ?? false) - Number(a.summary.live ?? false) || b.received - a.received
        || (a.summary.session < b.summary.session ? 1 : -1))
      .map(({ summary }) => summary);
    return this.#list;
  }

  #isFound(one) {
    const { session } = one.summary;
    if (this.#hidden.has(session)) return false;
    if (this.#words.length > 0) one.text ??= textOf(one.summary);
    return this.#words.every((word) => one.text.includes(word.toLowerCase()) || this.#found.get(word)?.ids.has(session));
  }

  async #look(word) {
    const label = /^[^\s:/]+:[^/]/.test(word);
    const known = this.#found.get(word) ?? { ids: new Set(), next: null };
    const before = known.next ? `&before=${encodeURIComponent(known.next)}` : '';
    const { answer, told } = await this.#read(`${path}&${label ? 'label' : 'q'}=${encodeURIComponent(word)}${before}`);
    for (const { session } of answer.sessions) known.ids.add(session);
    known.next = answer.next ?? null;
    this.#found.set(word, known);
    this.#take(answer.sessions, told);
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

  /** The link may overtake an answer: of the sessions of which it has told meanwhile, it knows more. */
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
      this.#byID.set(summary.session, { summary, received: Date.parse(summary.received) || Number(summary.received) || 0, text: null });
    }
  }

  #changed() {
    this.#list = null;
    this.dispatchEvent(new Event('change'));
  }
}

function textOf({ app, device, labels, session, title, live, kept }) {
  const marks = Object.entries(labels ?? {}).map(([key, value]) => `${key}:${value}`);
  return [app?.name, app?.id, app?.version, device?.nickname, device?.name, device?.model, device?.os, title, session, live && 'live', kept && 'kept', ...marks]
    .filter(Boolean).join('\n').toLowerCase();
}
