// Pauses recording, and queues the app's actions.
import { request, sessionPath } from '../link/http.js';
import { openMenu } from '../ui/menu.js';
import { attempt, notice } from '../ui/notice.js';

/** The app unlocks itself after a minute: a page that shows it renews the lock this often (ms). */
const renewal = 20_000;
let renewing = 0;

/** Pauses or resumes recording. @param {import('../model/page.js').Page} page */
export function switchRecording(page) {
  const { summary, appControl: { whyNoSession } } = page;
  return whyNoSession ? notice(whyNoSession) : send(summary.session, { recording: summary.recording === false });
}

/** Queues the app's actions. @param {import('../model/page.js').Page} page */
export function switchQueue(page) {
  const { whyNoSession } = page.appControl;
  return whyNoSession ? notice(whyNoSession) : lock(page);
}

/**
 * Opens the menu that stops queueing.
 * @param {import('../model/page.js').Page} page
 * @param {HTMLElement} button
 */
export function openQueue(page, button) {
  const { whyNoSession } = page.appControl;
  return whyNoSession ? notice(whyNoSession) : openMenu(button, 'Queued actions', queueItems(page, ''));
}

/**
 * What can be done with queued actions.
 * @param {import('../model/page.js').Page} page
 * @param {string} why nothing, or an empty string
 * @returns {import('../ui/menu.js').Item[]}
 */
export function queueItems(page, why) {
  return [
    { label: 'Run queued actions', note: 'In order, on the current state.', why, run: () => unlock(page, 'replay') },
    { label: 'Discard queued actions', note: 'The app continues with the current state.', why, run: () => unlock(page, 'discard') },
  ];
}

async function lock(page) {
  const { session } = page.summary;
  if (await send(session, { locked: true }) === undefined) return;
  clearInterval(renewing);
  renewing = setInterval(() => {
    if (page.summary?.session !== session || !page.summary.locked) return clearInterval(renewing);
    // A lost connection shows elsewhere.
    return request(sessionPath(session, '/control'), { method: 'POST', body: '{"locked":true}' }).catch(() => {});
  }, renewal);
}

const unlock = (page, queue) => send(page.summary.session, { locked: false, queue });

function send(session, order) {
  const what = 'recording' in order ? (order.recording ? 'Can’t resume recording' : 'Can’t pause recording')
    : order.locked ? 'Can’t queue the app’s actions' : 'Can’t stop queueing';
  return attempt(what, () => request(sessionPath(session, '/control'), { method: 'POST', body: JSON.stringify(order) }));
}

/**
 * Announces a change, made here or on another page.
 * @param {import('../model/page.js').Page} page
 * @param {{recording: boolean, locked: boolean}} before
 */
export function announce(page, before) {
  const { session, recording = true, locked = false } = page.summary ?? {};
  if (recording !== before.recording) {
    if (recording) return notice('Recording resumed.');
    return notice('Recording paused. New events are not recorded.', { action: 'Resume', run: () => send(session, { recording: true }) });
  }
  return notice(locked ? 'The app’s actions are queued until you run or discard them.' : 'The app’s actions run again.');
}
