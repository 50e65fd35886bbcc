// The worker that reads files and answers requests. In: `{open}`, `{arrived}` of a download, `{cancel}`, `{abort}`,
// `{bookmarks}` from the browser's storage, and requests. Out: a file's `{number}` with its summary or `{failed}`,
// `{id, answer}`, `{keep}`.
import { Answers } from './answers.js';
import { startSlice } from './yield.js';
import { Arrivals, SourceError } from './pieces.js';
import { Reading } from './reading.js';
import { Refusal } from './problem.js';

/** The least time between summaries (ms): the page must draw the new rows in between. */
const toldEvery = 300;

const answers = new Answers((session) => {
  postMessage({ keep: session, bookmarks: answers.bookmarks(session).kept });
  tell(answers.sessions.get(session).reading);
});
/** By number. */
const readings = new Map();
/** The downloads. @type {Map<number, Arrivals>} */
const incoming = new Map();
const aborts = new Map();

onmessage = ({ data }) => {
  startSlice();
  if (data.open !== undefined) open(data.open, data.source);
  else if (data.arrived !== undefined) arrive(data.arrived, data);
  else if (data.cancel !== undefined) readings.get(data.cancel)?.cancel();
  else if (data.bookmarks !== undefined) take(data.session, data.bookmarks);
  else if (data.abort !== undefined) aborts.get(data.abort)?.abort();
  else request(data);
};

async function request({ id, method, address, body }) {
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    postMessage({ id, answer: await answers.answer(method, address, body, abort.signal) });
  } catch (error) {
    postMessage({ id, error: String(error?.stack ?? error) });
  } finally {
    aborts.delete(id);
  }
}

/** @param {number} number @param {{name: string, size: number, modified?: number, blob?: Blob, url?: string}} source */
async function open(number, source) {
  let told = -Infinity;
  const reading = new Reading(source.name, source.size, () => {
    const now = performance.now();
    if (reading.tape !== null) add(reading, source);
    if (!reading.done && now < told + toldEvery) return;
    told = now;
    tell(reading);
  });
  reading.number = number;
  reading.isDownload = source.url !== undefined;
  readings.set(number, reading);
  try {
    await reading.run(arrivalsOf(number, source));
    await reading.states.follow();
  } catch (error) {
    readings.delete(number);
    postMessage({ number, failed: error.document ?? { title: 'Can’t read the file', detail: String(error?.message ?? error) } });
  } finally {
    incoming.delete(number);
  }
}

/** Adds a file after its header was read, in place of an earlier one of the same session. */
function add(reading, source) {
  const before = answers.sessions.get(reading.tape.header.session)?.reading;
  if (before === reading || readings.get(reading.number) !== reading) return;
  before?.cancel();
  if (before !== undefined) readings.delete(before.number);
  reading.modified = source.modified;
  answers.add(reading);
}

/** Replaces the bookmarks, also with those of another page of this browser. */
function take(session, bookmarks) {
  answers.bookmarks(session).take(bookmarks);
  const opened = answers.sessions.get(session);
  if (opened !== undefined) tell(opened.reading);
}

function tell(reading) {
  const { number, read, size, done } = reading;
  const session = reading.tape?.header.session;
  if (session !== undefined && answers.sessions.get(session)?.reading !== reading) return;
  postMessage({ number, read, size, done, summary: session === undefined ? null : answers.summary(session) });
}

/** The bytes of a file; the page sends those of an address. */
function arrivalsOf(number, { blob }) {
  const arrivals = new Arrivals();
  if (blob !== undefined) arrivals.read(blob.stream());
  else incoming.set(number, arrivals);
  return arrivals;
}

/** @param {number} number @param {import('./download.js').Report} report */
function arrive(number, { size, piece, failure, refusal }) {
  const arrivals = incoming.get(number);
  if (arrivals === undefined) return;
  if (size !== undefined) Object.assign(readings.get(number) ?? {}, { size });
  else if (piece !== undefined) arrivals.add(piece);
  else {
    incoming.delete(number);
    arrivals.end(refusal ? new Refusal(refusal.status, refusal.code, refusal.detail) : failure === undefined ? null : new SourceError(failure));
  }
}
