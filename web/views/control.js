// Pausing the recording, and locking the app.
import { request, sessionPath } from '../link/http.js';
import { openMenu } from '../ui/menu.js';
import { attempt, notice } from '../ui/notice.js';

/**
 * Turns one of the two over.
 * @param {import('../model/page.js').Page} page
 * @param {'recording'|'locked'} name
 * @param {HTMLElement} button
 */
export function control(page, name, button) {
  const { summary, playback: { unplayable } } = page;
  if (unplayable) return notice(unplayable);
  if (name === 'recording') return send(page, { recording: summary.recording === false });
  if (!summary.locked) return send(page, { locked: true });
  return openMenu(button, 'Unlock', [
    { label: 'Unlock and do what was held', note: 'What was done in the app meanwhile happens now, in its order.', run: () => unlock(page, 'replay') },
    { label: 'Unlock and forget what was held', note: 'The app goes on from the state that it shows.', run: () => unlock(page, 'discard') },
  ]);
}

const unlock = (page, queue) => send(page, { locked: false, queue });

function send(page, order) {
  const what = 'recording' in order ? (order.recording ? 'Recording was not resumed' : 'Recording was not paused')
    : order.locked ? 'The app was not locked' : 'The app was not unlocked';
  const { session } = page.summary;
  return attempt(what, () => request(sessionPath(session, '/control'), { method: 'POST', body: JSON.stringify(order) }));
}

/**
 * Tells what has changed, here or on another page.
 * @param {import('../model/page.js').Page} page
 * @param {{recording: boolean, locked: boolean}} before
 */
export function changed(page, before) {
  const { recording = true, locked = false } = page.summary ?? {};
  if (recording !== before.recording) {
    if (recording) return notice('Recording goes on. The next event has the whole state.');
    return notice('Recording is paused: what the app does now is not kept.', { action: 'Resume', run: () => send(page, { recording: true }) });
  }
  return notice(locked ? 'The app is locked: what is done in it is held until it is unlocked.' : 'The app is unlocked.');
}
