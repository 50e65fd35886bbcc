// Downloads a session as a file.
import { request, sessionPath } from '../link/http.js';
import { h } from '../ui/dom.js';
import { attempt } from '../ui/notice.js';

/**
 * Downloads a tape. A first request finds errors, which a download would not show.
 * @param {string} session
 * @param {Record<string, string|number>} query
 */
export function download(session, query) {
  const path = sessionPath(session, `/tape?${new URLSearchParams(Object.entries(query))}`.replace(/\?$/, ''));
  return attempt('Can’t download this', async () => {
    const asking = new AbortController();
    const response = await request(path, { signal: asking.signal });
    // Answers for opened files have no address.
    if (response.url === '') return save(URL.createObjectURL(await response.blob()), name(session, query));
    asking.abort();
    return save(path, '');
  });
}

function save(address, name) {
  h('a', { href: address, download: name }).click();
}

/** The name of a session's file. @param {string} session @param {{format?: string}} [query] */
export function name(session, { format } = {}) {
  return session + (format === 'html' ? '.html' : format === 'redux-devtools' ? '.redux.json' : '.tape');
}
