// A replay of recorded actions in the running app.
import { json, request, sessionPath } from '../link/http.js';

/**
 * The server's report, as `loop` in the session's summary.
 * @typedef {{id: string, session: string, from: number, through: number, status: 'running'|'done'|'failed'|'lost'|'stopped',
 *   played: number, compared: number, tooLong?: number, divergence?: any, error?: {code: string, message: string, path?: string}}} Loop
 */

/**
 * Replays a range, and waits for the outcome.
 * @param {import('./page.js').Page} page
 * @param {string} session whose app runs the actions
 * @param {{session: string, from: number, to: number, leaveOut?: number[], edit?: Record<string, unknown>, keep?: boolean}} range
 * @param {(loop: Loop) => void} [progress]
 * @returns {Promise<Loop>}
 */
export async function replayIn(page, session, range, progress = () => {}) {
  const begun = await json(sessionPath(session, '/replay'), { method: 'POST', body: JSON.stringify(range) });
  return new Promise((resolve) => {
    const look = () => {
      const summary = page.summary?.session === session ? page.summary : page.sessions.get(session);
      const loop = summary?.loop;
      // This summary is older than the replay.
      if (loop?.id !== begun.id && summary?.live) return;
      if (loop?.id === begun.id && loop.status === 'running') return progress(loop);
      page.removeEventListener('session', look);
      page.sessions.removeEventListener('change', look);
      resolve(loop?.id === begun.id ? loop : { ...begun, status: 'lost' });
    };
    page.addEventListener('session', look);
    page.sessions.addEventListener('change', look);
    look();
  });
}

/** Stops the replay in a session's app. @param {string} session */
export function stopReplay(session) {
  return request(sessionPath(session, '/replay'), { method: 'DELETE' });
}
