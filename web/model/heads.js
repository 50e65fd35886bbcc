// The heads of a range of events of any session.
import { head } from './head.js';
import { request, sessionPath } from '../link/http.js';

/**
 * @param {string} session
 * @param {number} from
 * @param {number} to exclusive
 * @param {AbortSignal} signal
 * @returns {Promise<import('./head.js').Head[]>}
 */
export async function heads(session, from, to, signal) {
  const found = [];
  while (from < to) {
    const response = await request(sessionPath(session, `/events?from=${from}&limit=${Math.min(1000, to - from)}&fields=head`), { signal });
    for (const line of (await response.text()).split('\n')) if (line !== '') found.push(head(JSON.parse(line)));
    const next = Number(response.headers.get('StateTape-Next'));
    from = next > from ? next : to;
  }
  return found.filter(({ seq }) => seq < to);
}
