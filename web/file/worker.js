// The worker that reads files and answers requests. In: `{open}`, `{cancel}`, `{abort}`, `{bookmarks}` from the
// browser's storage, and requests. Out: a file's `{number}` with its summary or `{failed}`, `{id, answer}`, `{keep}`.
import { Answers } from './answers.js';
import { startSlice } from './yield.js';
import { Arrivals } from './pieces.js';
import { Reading } from './reading.js';
import { refuse } from './problem.js';

/** The least time between summaries (ms): the page must draw the new rows in between. */
const toldEvery = 300;
/** How often an address is asked that answers, and then sends nothing. */
const mostTries = 5;

const answers = new Answers((session) => {
  postMessage({ keep: session, bookmarks: answers.bookmarks(session).kept });
  tell(answers.sessions.get(session).reading);
});
/** By number. */
const readings = new Map();
const aborts = new Map();

onmessage = ({ data }) => {
  startSlice();
  if (data.open !== undefined) open(data.open, data.source);
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
    await reading.run(await arrivalsOf(source, reading));
    await reading.states.follow();
  } catch (error) {
    readings.delete(number);
    postMessage({ number, failed: error.document ?? { title: 'Can’t read the file', detail: String(error?.message ?? error) } });
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

async function arrivalsOf({ name, blob, url }, reading) {
  if (blob !== undefined) return new Arrivals(blob.stream());
  for (let tries = 1; ; tries += 1) {
    const arrivals = new Arrivals(await download(name, url, reading));
    // A browser may drop the first bytes if the connection breaks off right after them.
    if (await arrivals.begin() || tries === mostTries) return arrivals;
  }
}

async function download(name, url, reading) {
  let response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch {
    return refuse(404, 'unreached', `Can’t reach ${name}. The page can only load files from its own address.`);
  }
  if (!response.ok) refuse(response.status, 'absent', `Can’t load ${name}: the address answered ${response.status}.`);
  const length = Number(response.headers.get('content-length'));
  // A compressed response has another length.
  if (length > 0 && !response.headers.get('content-encoding')) reading.size = length;
  return response.body;
}
