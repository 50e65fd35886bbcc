// The HTTP API. Errors are problem documents.
import { parse } from '../json/parse.js';

/** A failed request; `code`, `detail` and `path` are the server's. */
export class Problem extends Error {
  /** @param {number} status 0: the server was not reached @param {object} document */
  constructor(status, document) {
    super(document.detail ?? document.title ?? `The server answered ${status}`);
    this.status = status;
    this.code = document.code;
    this.title = document.title;
    this.path = document.path;
    this.document = document;
  }
}

/** The server, or a worker that has read a file. @type {typeof fetch} */
let ask = (path, options) => fetch(path, options);

/** @param {typeof fetch} other replaces the server */
export function answerBy(other) {
  ask = other;
}

/**
 * Sends a request to the page's own origin.
 * @param {string} path
 * @param {{method?: string, body?: string, signal?: AbortSignal, keepalive?: boolean}} [options] `body` is JSON text;
 *   `keepalive`: also if the page closes
 * @returns {Promise<Response>}
 * @throws {Problem}
 */
export async function request(path, options = {}) {
  const { method = 'GET', body, signal, keepalive } = options;
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const failed = (error) => { throw signal?.aborted ? error : new Problem(0, { title: 'Can’t reach the server' }); };
  const response = await ask(path, { method, body, headers, signal, keepalive }).catch(failed);
  if (!response.ok) throw new Problem(response.status, await problem(response));
  // A body can be cut.
  const { text } = response;
  response.text = () => text.call(response).catch(failed);
  return response;
}

async function problem(response) {
  try {
    const document = JSON.parse(await response.text());
    return document !== null && typeof document === 'object' ? document : {};
  } catch {
    return { title: `The server answered ${response.status}` };
  }
}

/**
 * Requests JSON; numbers keep their source text.
 * @param {string} path
 * @param {Parameters<typeof request>[1]} [options]
 * @returns {Promise<any>}
 */
export async function json(path, options) {
  const text = await (await request(path, options)).text();
  return text === '' ? {} : parse(text);
}

/**
 * The path of a session's resource.
 * @param {string} session
 * @param {string} [rest] begins with `/`
 * @returns {string}
 */
export function sessionPath(session, rest = '') {
  return `/api/v1/sessions/${encodeURIComponent(session)}${rest}`;
}
