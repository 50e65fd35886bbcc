// The session that receives states and actions, and why it can't.
import { deviceName, sessionName } from './session-name.js';

/**
 * The session itself; after its end, a live session of the same app, preferably on the same device.
 * @param {any} summary the open session's
 * @param {import('./sessions.js').Sessions} sessions
 */
export function targetOf(summary, sessions) {
  if (!summary || summary.live) return summary;
  const live = sessions.list.filter((one) => one.live && one.app.id === summary.app.id);
  return live.find((one) => one.device?.id === summary.device?.id) ?? live[0] ?? summary;
}

/**
 * Why a session's app can't be controlled, or an empty string.
 * @param {import('./page.js').Page} page
 * @param {any} summary
 * @returns {string}
 */
export function obstacle({ readOnly, link }, summary) {
  if (readOnly) return readOnly;
  if (link.status !== 'live') return 'Not connected to the server.';
  return summary?.live ? '' : 'The app is not running. Start it first.';
}

/**
 * Says that another session receives states and actions.
 * @param {any} from summary of the open session
 * @param {any} to summary of the other one
 * @returns {string}
 */
export function targetNote(from, to) {
  const build = ({ app }) => [app.version, app.build && `(${app.build})`].filter(Boolean).join(' ') || 'unnamed';
  const differs = build(from) !== build(to);
  return `This session has ended. States and actions go to ${sessionName(to)} on ${deviceName(to)}, which is live.${
    differs ? ` It runs build ${build(to)}, the tape is of ${build(from)}: some values may not decode.` : ''}`;
}
