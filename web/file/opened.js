// The open files. A worker reads them and answers link/http.js in place of the server. For the page this is a link
// like the viewer link, which reports the reading progress.
import { answerBy, Problem } from '../link/http.js';
import { recall, remember } from '../ui/memory.js';
import { download } from './download.js';

/** Time limit for a regular expression (ms): it can't be interrupted, so the worker is replaced. */
const expressionLimit = 5000;

/** The storage key of a session's bookmarks. */
const keyOf = (session) => `--bookmarks:${session}`;

/** The bookmarks inside a page in one file. */
function bookmarksInPage(session) {
  const text = document.getElementById('tape-bookmarks')?.textContent ?? null;
  return text !== null && JSON.parse(text).session === session ? text : null;
}

const startWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/**
 * The progress of a file; `read` and `size` in bytes.
 * @typedef {{number: number, name: string, read: number, size: number, done: boolean, session: string|null}} Progress
 */

/** Events: those of the viewer link (`watching`, `session`), and `progress`. */
export class OpenedFiles extends EventTarget {
  status = 'file';
  /** By number. @type {Map<number, Progress>} */
  files = new Map();
  /** @type {Worker} */
  #worker;
  #numbers = 0;
  #waiting = new Map();
  #opening = new Map();
  #watched = null;
  /** Ends the downloads, by the number of the file. @type {Map<number, AbortController>} */
  #downloads = new Map();
  /** Files that a new worker reads again. */
  #again = new Set();
  /** The bookmarks of sessions, as JSON; the browser may refuse to keep them. */
  #bookmarks = new Map();
  /** Whether the browser stored the last bookmark. */
  keeps = true;

  constructor() {
    super();
    this.#start();
    // Another page of this browser has changed bookmarks.
    addEventListener('storage', ({ key, newValue }) => {
      const session = [...this.files.values()].map((file) => file.session).find((one) => key === `statetape${keyOf(one)}`);
      if (session !== undefined && newValue !== null) this.#sendBookmarks(session, newValue);
    });
    answerBy((address, options) => this.#answer(address, options));
  }

  /** There is nothing to connect. */
  open() {}

  close() {}

  /** @param {string|null} session whose events to report */
  watch(session) {
    this.#watched = session;
    const file = [...this.files.values()].find((one) => one.session === session);
    if (file?.summary) this.#emit('watching', { session, next: file.summary.events });
  }

  /**
   * Opens a file or an address of this page's own origin; its session opens before all is read.
   * @param {Blob & {name?: string, lastModified?: number}|string} source
   * @param {string} name
   * @returns {Promise<string>} its session
   * @throws {Problem} if it is not a tape
   */
  add(source, name) {
    const number = this.#numbers += 1;
    const isURL = typeof source === 'string';
    const what = isURL ? { url: source, name, size: 0 } : { blob: source, name, size: source.size, modified: source.lastModified };
    this.files.set(number, { number, name, read: 0, size: what.size, done: false, session: null, summary: null, source: what });
    this.#read(number, what);
    this.#emit('progress');
    return new Promise((resolve, reject) => this.#opening.set(number, { resolve, reject }));
  }

  /** @param {number} number of the file to stop reading */
  cancel(number) {
    this.#worker.postMessage({ cancel: number });
    this.#downloads.get(number)?.abort();
  }

  /** Has the worker read a file. */
  #read(number, source) {
    const worker = this.#worker;
    worker.postMessage({ open: number, source });
    if (source.url === undefined) return;
    this.#downloads.get(number)?.abort();
    const abort = new AbortController();
    this.#downloads.set(number, abort);
    download(source, abort.signal, (report) => worker.postMessage({ arrived: number, ...report }, report.piece ? [report.piece.buffer] : []));
  }

  #start() {
    this.#worker = startWorker();
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#broken(event.message);
  }

  /** Replaces a worker that is busy with an expression; the new one reads the files, then answers. */
  #restart() {
    this.#worker.terminate();
    this.#start();
    for (const [id, { timer, resolve }] of this.#waiting) {
      if (timer === undefined) continue;
      clearTimeout(timer);
      this.#waiting.delete(id);
      const detail = '“re” can’t be used: it takes too long here, try a simpler one';
      resolve(new Response(JSON.stringify({ title: 'Bad Request', code: 'bad-query', detail }), { status: 400 }));
    }
    for (const [session, text] of this.#bookmarks) this.#sendBookmarks(session, text);
    for (const { number, source } of this.files.values()) {
      this.#again.add(number);
      this.#read(number, source);
    }
  }

  /** Sends the waiting requests after all files are read again. */
  #reread(number) {
    if (!this.#again.delete(number) || this.#again.size > 0) return;
    for (const waiting of this.#waiting.values()) this.#ask(waiting);
  }

  /** Sends stored bookmarks to the worker. */
  #sendBookmarks(session, text = recall(keyOf(session)) ?? bookmarksInPage(session)) {
    this.#bookmarks.set(session, text);
    try {
      if (text !== null) this.#worker.postMessage({ session, bookmarks: JSON.parse(text) });
    } catch { /* It was not written by this page. */ }
  }

  #keep({ keep: session, bookmarks }) {
    const text = JSON.stringify(bookmarks);
    this.#bookmarks.set(session, text);
    remember(keyOf(session), text);
    this.keeps = recall(keyOf(session)) === text;
  }

  #receive(data) {
    if (data.id !== undefined) return this.#answered(data);
    if (data.keep !== undefined) return this.#keep(data);
    const file = this.files.get(data.number);
    // Nobody reads what would still arrive.
    if (data.failed || data.done) this.#downloads.get(data.number)?.abort();
    if (data.failed) {
      this.#reread(data.number);
      this.files.delete(data.number);
      this.#opening.get(data.number)?.reject(new Problem(data.failed.status ?? 422, data.failed));
      this.#opening.delete(data.number);
      return this.#emit('progress');
    }
    const { read, size, done, summary } = data;
    if (this.#again.has(data.number) && !done) {
      Object.assign(file, { read, size, done });
      return this.#emit('progress');
    }
    this.#reread(data.number);
    Object.assign(file, { read, size, done, summary, session: summary?.session ?? null });
    this.#emit('progress');
    if (summary === null) return undefined;
    if (!this.#bookmarks.has(file.session)) this.#sendBookmarks(file.session);
    for (const [number, other] of this.files) {
      if (number >= data.number || other.session !== file.session) continue;
      this.#downloads.get(number)?.abort();
      this.files.delete(number);
    }
    this.#opening.get(data.number)?.resolve(file.session);
    this.#opening.delete(data.number);
    this.#emit('session', summary);
    if (file.session === this.#watched) this.#emit('watching', { session: file.session, next: summary.events });
    return undefined;
  }

  #answer(address, { method = 'GET', body, signal }) {
    const id = this.#numbers += 1;
    return new Promise((resolve, reject) => {
      const waiting = { message: { id, method, address, body }, resolve, reject, timer: undefined };
      this.#waiting.set(id, waiting);
      if (this.#again.size === 0) this.#ask(waiting);
      signal?.addEventListener('abort', () => {
        if (!this.#waiting.has(id)) return;
        this.#worker.postMessage({ abort: id });
        reject(signal.reason);
      });
    });
  }

  #ask(waiting) {
    if (/[?&]-?re=/.test(waiting.message.address)) waiting.timer = setTimeout(() => this.#restart(), expressionLimit);
    this.#worker.postMessage(waiting.message);
  }

  #answered({ id, answer, error }) {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timer);
    this.#waiting.delete(id);
    if (error !== undefined) waiting?.reject(new Error(error));
    else waiting?.resolve(new Response(answer.body, answer));
  }

  #broken(message) {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    for (const { reject } of [...this.#waiting.values(), ...this.#opening.values()]) reject(new Problem(500, { title: 'Can’t read the file', detail: message }));
    this.#waiting.clear();
    this.#opening.clear();
  }

  #emit(name, detail = undefined) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
