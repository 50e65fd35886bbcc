// The search for sessions by words: among the loaded ones, and on the server. Loaded with the first search.

/** Words; those with spaces are quoted. @param {string} text */
const wordsOf = (text) => (text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map((word) => word.replaceAll('"', '')).filter(Boolean);

export class SessionSearch {
  words = [];
  /** What the server found for each word. @type {Map<string, {ids: Set<string>, next: string|null}>} */
  #found = new Map();
  /** The texts of summaries. @type {WeakMap<object, string>} */
  #texts = new WeakMap();
  #read;

  /** @param {(query: string) => Promise<any>} read reads sessions from the server */
  constructor(read) {
    this.#read = read;
  }

  /** @param {string} text */
  set text(text) {
    this.words = wordsOf(text);
    if (this.words.length === 0) this.#found.clear();
  }

  /** The words that the server doesn't know yet. */
  get unknown() {
    return this.words.filter((word) => !this.#found.has(word));
  }

  /** The words of which the server has more. */
  get unread() {
    return this.words.filter((word) => this.#found.get(word)?.next);
  }

  /** Asks the server. @param {string[]} words */
  look(words) {
    return Promise.all(words.map((word) => this.#look(word)));
  }

  /** Whether all words are in what a session's summary says, or were found by the server. */
  finds(summary) {
    if (this.words.length === 0) return true;
    const text = this.#texts.get(summary) ?? textOf(summary);
    this.#texts.set(summary, text);
    return this.words.every((word) => text.includes(word.toLowerCase()) || this.#found.get(word)?.ids.has(summary.session));
  }

  async #look(word) {
    const label = /^[^\s:/]+:[^/]/.test(word);
    const known = this.#found.get(word) ?? { ids: new Set(), next: null };
    const before = known.next ? `&before=${encodeURIComponent(known.next)}` : '';
    const answer = await this.#read(`&${label ? 'label' : 'q'}=${encodeURIComponent(word)}${before}`);
    for (const { session } of answer.sessions) known.ids.add(session);
    known.next = answer.next ?? null;
    this.#found.set(word, known);
  }
}

function textOf({ app, device, labels, session, title, live, kept }) {
  const marks = Object.entries(labels ?? {}).map(([key, value]) => `${key}:${value}`);
  return [app?.name, app?.id, app?.version, device?.nickname, device?.name, device?.model, device?.os, title, session, live && 'live', kept && 'kept', ...marks]
    .filter(Boolean).join('\n').toLowerCase();
}
