// The menu of what is done less often: views of the session, and the app's recording and queue.
import { openMenu } from '../ui/menu.js';
import { listBookmarks } from './bookmarks.js';
import { queueItems, switchQueue, switchRecording } from './control.js';
import { showKeys } from './keys.js';

/**
 * Opens the menu.
 * @param {import('../model/page.js').Page} page
 * @param {HTMLElement} button
 * @param {{panels: import('./panels.js').Panels, actions: import('./app-actions.js').AppActionsView}} views
 */
export function openMore(page, button, { panels, actions }) {
  const { summary, place, bookmarks, appControl: { whyNoSession, whyNoTarget } } = page;
  if (!summary) return;
  const view = (name, label, note) => ({ label: place.view === name ? `Close ${label.toLowerCase()}` : label, key: name[0], note: place.view === name ? '' : note, run: () => panels.toggle(name) });
  openMenu(button, 'More', [
    view('overview', 'Overview', 'Actions by type, state sizes, slow and busy moments.'),
    view('compare', 'Compare', 'This session with another one.'),
    { label: `Bookmarks (${bookmarks.all.length})…`, run: () => listBookmarks(page) },
    null,
    { label: 'New action…', key: 'a', why: whyNoTarget, run: () => actions.newAction() },
    ...summary.live && summary.locked ? queueItems(page, whyNoSession) : [{
      label: 'Queue actions', why: whyNoSession, note: 'The app’s own actions wait, so that its state stays.', run: () => switchQueue(page),
    }],
    summary.live && summary.recording === false ? { label: 'Resume recording', why: whyNoSession, run: () => switchRecording(page) }
      : { label: 'Pause recording', why: whyNoSession, run: () => switchRecording(page) },
    null,
    { label: 'Keyboard shortcuts', key: '?', run: showKeys },
  ]);
}
