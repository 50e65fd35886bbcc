// Into which run something is played, and why that can't be done.
import { deviceName, sessionName } from './session-name.js';

/**
 * This session's own run; once it has ended, one of the same app that is live, best on the same device.
 * @param {any} summary the open session's
 * @param {import('./sessions.js').Sessions} sessions
 */
export function targetOf(summary, sessions) {
  if (!summary || summary.live) return summary;
  const live = sessions.list.filter((one) => one.live && one.app.id === summary.app.id);
  return live.find((one) => one.device?.id === summary.device?.id) ?? live[0] ?? summary;
}

/**
 * Why nothing can be played into a run, or an empty string.
 * @param {import('./page.js').Page} page
 * @param {any} summary the run's
 * @returns {string}
 */
export function obstacle({ readOnly, link }, summary) {
  if (readOnly) return readOnly;
  if (link.status !== 'live') return 'Not connected to the server.';
  return summary?.live ? '' : 'The app is not running. Start it first.';
}

/**
 * Where what is played goes when that isn't the session that is shown.
 * @param {any} from the summary of the tape's session
 * @param {any} to that of the run
 * @returns {string}
 */
export function targetNote(from, to) {
  const build = ({ app }) => [app.version, app.build && `(${app.build})`].filter(Boolean).join(' ') || 'unnamed';
  const differs = build(from) !== build(to);
  return `This session has ended. States and actions go to ${sessionName(to)} on ${deviceName(to)}, which is live.${
    differs ? ` It runs build ${build(to)}, the tape is of ${build(from)}: some values may not decode.` : ''}`;
}
