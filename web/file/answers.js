// The server's API for the open tapes.
import { dateTime } from '../json/date.js';
import { parse } from '../json/parse.js';
import { activity } from './activity.js';
import { TapeBookmarks } from './bookmarks.js';
import { causeTree } from './causes.js';
import { yieldIfDue } from './yield.js';
import { bucketsOf, histogram, Overview } from './figures.js';
import { EventFilter } from './filter.js';
import { diff } from './first-difference.js';
import { preview } from './preview.js';
import { Refusal, refuse } from './problem.js';
import { reduxFile, storesBesides } from './redux-export.js';

/** An answer: text, bytes or a blob. @typedef {{status: number, headers: Record<string, string>, body: any}} Answer */

const mostEvents = 10_000;
const mostMatches = 100_000;
/** Limits of a list: bytes, and time in ms. */
const longestBody = 8 << 20;
const longestScan = 50;
const shortestPrefix = 10;

/** Why the tape can't be changed. */
export const readOnly = 'This tape is a file: you can only bookmark its events.';

export class Answers {
  /** By session. @type {Map<string, {reading: import('./reading.js').Reading, overview: Overview, opened: number}>} */
  sessions = new Map();
  #bookmarks = new Map();
  #changed;

  /** @param {(session: string) => void} changed called when bookmarks have changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /**
   * @param {import('./reading.js').Reading} reading whose header was read
   */
  add(reading) {
    const { session } = reading.tape.header;
    this.sessions.set(session, { reading, overview: new Overview(reading.tape), opened: reading.modified ?? Date.now() });
  }

  /** The bookmarks stay when the session is read from another file. @param {string} session */
  bookmarks(session) {
    if (!this.#bookmarks.has(session)) this.#bookmarks.set(session, new TapeBookmarks());
    return this.#bookmarks.get(session);
  }

  /** A session's summary. @param {string} session */
  summary(session) {
    const { reading, opened } = this.sessions.get(session);
    const { tape } = reading;
    const { states, ...header } = tape.header;
    // A run ends with its last event, whenever its file is opened.
    const end = dateTime(header.started) + tape.duration;
    const reason = typeof tape.endReason === 'string' && tape.endReason !== '' ? { endReason: tape.endReason } : {};
    return {
      ...header, live: false, events: tape.next, sealed: tape.next, bytes: tape.bytes, received: timeOf(opened), lastSeen: timeOf(end <= opened ? end : opened),
      ended: tape.ended, ...reason, complete: tape.gaps.length === 0 && tape.first === 0, duration: tape.duration,
      version: 1, kept: false, bookmarks: this.bookmarks(session).figures,
      file: { name: reading.name, size: reading.size, read: reading.read, done: reading.done, stopped: reading.stopped, isBroken: reading.isBroken },
    };
  }

  /**
   * Answers a request.
   * @param {string} method
   * @param {string} address path and query
   * @param {string|undefined} body
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async answer(method, address, body, signal) {
    try {
      const url = new URL(address, 'http://file.invalid');
      if (method !== 'GET') return this.#change(method, url.pathname, body);
      return await this.#route(url.pathname, url.searchParams, signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(error.document) };
    }
  }

  #route(path, query, signal) {
    if (path === '/api/v1/login') return json({ role: 'control' });
    if (path === '/api/v1/start-states') return json({ startStates: [] });
    if (path === '/api/v1/refusals') return json({ refusals: [] });
    if (path === '/api/v1/sessions') return this.#list(query);
    const parts = path.split('/').slice(1).map(decodeURIComponent);
    if (parts[0] !== 'api' || parts[2] !== 'sessions' || parts.length < 4) refuse(404, 'absent', 'Not available without a server.');
    const id = this.#id(parts[3]);
    const [resource = '', rest, part] = parts.slice(4);
    const opened = { ...this.sessions.get(id), id };
    const answer = {
      '': () => json(this.summary(id)),
      events: () => (rest === undefined ? this.#events(opened, query, signal) : part === 'causes' ? causes(opened, rest, signal) : event(opened, rest)),
      states: () => this.#state(opened, rest, query),
      matches: () => this.#matches(opened, query, signal),
      histogram: () => this.#histogram(opened, query),
      activity: () => this.#activity(opened, query),
      overview: async () => json(await opened.overview.json(opened.reading.states)),
      bookmarks: () => json({ bookmarks: this.bookmarks(id).kept.all }),
      diff: async () => json(await diff(opened.reading, this.sessions.get(this.#id(rest)).reading)),
      tape: () => download(opened, query),
    };
    if (!Object.hasOwn(answer, resource)) refuse(404, 'absent', 'This resource of a session doesn\'t exist.');
    return answer[resource]();
  }

  /** Only bookmarks can be changed. */
  #change(method, path, body) {
    const [, name, n] = /^\/api\/v1\/sessions\/([^/]+)\/bookmarks(?:\/([^/]+))?$/.exec(path) ?? refuse(405, 'method', readOnly);
    if (method !== (n === undefined ? 'POST' : 'DELETE')) refuse(405, 'method', readOnly);
    const id = this.#id(decodeURIComponent(name));
    const bookmarks = this.bookmarks(id);
    const answer = n === undefined ? { ...json(bookmarks.mark(body, this.sessions.get(id).reading.tape)), status: 201 }
      : (bookmarks.unmark(n), { status: 204, headers: {}, body: null });
    this.#changed(id);
    return answer;
  }

  /** The session of an id, or of its unambiguous start. */
  #id(name) {
    if (this.sessions.has(name)) return name;
    const ids = name.length < shortestPrefix ? [] : [...this.sessions.keys()].filter((id) => id.startsWith(name));
    if (ids.length > 1) refuse(409, 'ambiguous', `Several session ids start with “${name}”; use more characters.`);
    return ids[0] ?? refuse(404, 'session-absent', `Session “${name}” doesn't exist.`);
  }

  #list(query) {
    const q = (query.get('q') ?? '').toLowerCase();
    const labels = query.getAll('label').map((label) => label.split(/:(.*)/s));
    const sessions = [...this.sessions.keys()].reverse().map((id) => this.summary(id)).filter((summary) => {
      const { types } = this.sessions.get(summary.session).reading.tape;
      return labels.every(([key, value]) => summary.labels?.[key] === value)
        && (!query.has('app') || summary.app.id === query.get('app')) && query.get('live') !== 'true'
        && (q === '' || JSON.stringify(summary).toLowerCase().includes(q) || types.names.some((type) => type.toLowerCase().includes(q)));
    });
    return json({ sessions });
  }

  async #events({ id, reading: { tape } }, query, signal) {
    const limit = count(query, 'limit', 0, mostEvents) ?? 1000;
    const fields = query.get('fields');
    const lines = [];
    let size = 0;
    const next = await scan(tape, count(query, 'from') ?? 0, new EventFilter(query, this.bookmarks(id)), limit, signal, (row) => {
      const line = tape.line(row);
      const views = { head: () => line.head(), preview: () => preview(line), types: () => line.types() };
      const text = Object.hasOwn(views, fields ?? '') ? JSON.stringify(views[fields]()) : line.text;
      lines.push(text, '\n');
      size += text.length;
      return lines.length / 2 < limit && size < longestBody;
    });
    const headers = { 'content-type': 'application/x-ndjson', 'statetape-next': String(next), 'statetape-committed': String(tape.next) };
    return { status: 200, headers, body: lines.join('') };
  }

  async #matches({ id, reading: { tape } }, query, signal) {
    const limit = count(query, 'limit', 0, mostMatches) ?? 10_000;
    let offset = count(query, 'offset') ?? 0;
    const seqs = [];
    const next = await scan(tape, count(query, 'from') ?? 0, new EventFilter(query, this.bookmarks(id)), limit, signal, (row) => {
      if (offset > 0) offset -= 1;
      else seqs.push(tape.seq(row));
      return seqs.length < limit;
    });
    return json({ seqs, next: next < tape.next ? next : null, offset, committed: tape.next });
  }

  async #state({ reading: { tape, states } }, rest, query) {
    const seq = seqOf(tape, rest);
    const name = query.get('store') ?? 'main';
    const store = tape.stores.find(name);
    const { status, value, before, after } = store < 0 ? { status: 'absent' } : await states.after(store, tape.rowOf(seq));
    if (status === 'known') return { ...json(value), headers: { 'content-type': 'application/json', 'statetape-seq': String(seq) } };
    if (status === 'absent') refuse(404, 'store-absent', `The tape has no store “${name}” after event ${seq}.${storesBesides(tape, name)}`);
    if (status === 'skipped') refuse(409, 'state-skipped', `The app did not record the state after event ${seq}.`, { before, after });
    return refuse(409, 'broken', `The state after event ${seq} can't be computed: its patch or one before it doesn't apply, or a state before it is missing.`, { before, after });
  }

  async #histogram({ id, reading: { tape } }, query) {
    const buckets = bucketsOf(query.get('buckets')) ?? refuse(400, 'bad-query', '“buckets” must be a whole number from 1 to 2000.');
    return json(await histogram(tape, new EventFilter(query, this.bookmarks(id)), buckets));
  }

  async #activity({ reading: { tape } }, query) {
    return json(await activity(tape, {
      buckets: count(query, 'buckets', 1, 2000) ?? 200, pause: count(query, 'pause', 1, 86_400_000) ?? 2000,
      from: count(query, 'from') ?? 0, to: count(query, 'to') ?? Infinity,
    }));
  }
}

function json(value) {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A whole number in the query. */
function count(query, name, least = 0, most = Number.MAX_SAFE_INTEGER) {
  const text = query.get(name);
  if (text === null) return null;
  return /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text)
    : refuse(400, 'bad-query', `“${name}” must be a whole number from ${least} to ${most}.`);
}

function seqOf(tape, text) {
  const seq = /^\d{1,16}$/.test(text ?? '') ? Number(text) : -1;
  return tape.holds(seq) ? seq : refuse(404, 'event-absent', `This event doesn't exist; event numbers are below ${tape.next}.`);
}

function event({ reading: { tape } }, text) {
  const row = tape.rowOf(seqOf(tape, text));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: tape.line(row).text };
}

async function causes({ reading: { tape } }, text, signal) {
  return json(await causeTree(tape, seqOf(tape, text), () => signal.aborted && refuse(400, 'aborted', 'The request was cancelled.')));
}

/** Calls `found` with each match until it returns false or the time is over; returns the seq to continue from. */
async function scan(tape, from, filter, limit, signal, found) {
  const deadline = performance.now() + longestScan;
  if (limit === 0) return Math.min(from, tape.next);
  for (let row = tape.rowOf(from); row < tape.rows; row += 1) {
    const isLast = filter.passes(tape, row) && !found(row);
    if (isLast || (row & 15) === 15 && performance.now() >= deadline) return tape.seq(row) + 1;
    if ((row & 15) === 15) await yieldIfDue();
    if (signal.aborted) refuse(400, 'aborted', 'The request was cancelled.');
  }
  return tape.next;
}

/** The tape, or a part of it with the states before it, as a file. */
async function download({ id, reading }, query) {
  const { tape, states, headerText } = reading;
  const format = query.get('format') ?? 'tape';
  const from = Math.min(Math.max(count(query, 'from') ?? 0, tape.first), tape.next);
  const end = Math.min((count(query, 'to') ?? tape.next - 1) + 1, tape.next);
  if (format === 'redux-devtools') {
    return file(await reduxFile(reading, query.get('store'), from, end), 'application/json', `${id}.redux.json`);
  }
  if (format === 'html') refuse(422, 'unsupported', 'Without a server, the page saves only tapes and Redux DevTools files.');
  if (format !== 'tape') refuse(400, 'bad-query', '“format” must be “tape” or “redux-devtools”.');
  const parts = [];
  if (from > tape.first) {
    const before = {};
    for (const [store, name] of tape.stores.names.entries()) {
      const { status, value } = await states.after(store, tape.rowOf(from - 1));
      if (status === 'known') Object.defineProperty(before, name, { value, enumerable: true });
    }
    parts.push(JSON.stringify({ ...tape.header, from, states: before }), '\n');
  } else {
    parts.push(headerText, '\n');
  }
  for (let row = tape.rowOf(from); row < tape.rows && tape.seq(row) - tape.count(row) + 1 < end; row += 1) {
    parts.push(clipped(tape, row, from, end), '\n');
    if ((row & 255) === 0) await yieldIfDue();
  }
  return file(new Blob(parts), 'application/x-ndjson', `${id}.tape`);
}

function file(body, type, name) {
  return { status: 200, headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }, body };
}

/** Clips a gap to the part. */
function clipped(tape, row, from, end) {
  const first = tape.seq(row) - tape.count(row) + 1;
  if (tape.kind(row) !== 'gap' || first >= from && tape.seq(row) < end) return tape.lineBytes(row);
  const seq = Math.min(tape.seq(row), end - 1);
  return JSON.stringify({ ...parse(tape.line(row).text), seq, count: seq - Math.max(first, from) + 1 });
}

const timeOf = (ms) => new Date(ms).toISOString();
