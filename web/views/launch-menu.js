// Where new runs of the app start: here, for whom, or where they left off.
import { describe } from '../model/playback.js';
import { confirm } from '../ui/dialog.js';
import { openMenu } from '../ui/menu.js';
import { count } from '../ui/format.js';
import { sessionName } from '../model/session-name.js';

/**
 * Opens the menu.
 * @param {import('../model/page.js').Page} page
 * @param {HTMLElement} button
 * @param {string} why no run can start after the selected event, or an empty string
 */
export function openStarts(page, button, why) {
  const { playback, summary, selected } = page;
  const seq = selected?.seq ?? 0;
  const device = summary.device?.nickname || summary.device?.name || 'this device';
  const start = playback.startOf(summary);
  openMenu(button, 'Where new runs start', [
    ...summary.device?.id ? [{ label: `After #${count(seq)}, on ${device}`, key: 'n', why, run: () => playback.startHere(summary, seq) }] : [],
    { label: `After #${count(seq)}, on all devices…`, why, run: () => everyone(page, seq) },
    null,
    ...summary.device?.id ? [{
      label: `Always where ${device} left off`, note: 'Each run goes on at the last state of the run before.',
      run: () => playback.startHere(summary, seq, { latest: true }),
    }] : [],
    ...start ? [null, { label: 'As the app says again', note: `Now: ${describe(start, summary)}`, run: () => playback.removeStart(start.id) }] : [],
  ]);
}

async function everyone(page, seq) {
  const { playback, summary } = page;
  const app = sessionName(summary);
  const sure = await confirm(`Start every run of ${app} here?`, [
    `All new runs of ${summary.app.name ?? summary.app.id}, on every device and of everyone who uses this server, begin with the state after #${count(seq)}, until you take it back.`,
    'Runs labelled ci never do.',
  ], 'Start all runs here');
  if (sure) playback.startHere(summary, seq, { everyone: true });
}
