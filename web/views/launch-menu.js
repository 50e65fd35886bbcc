// The menu of launch states: for which devices, and from which state.
import { describe } from '../model/app-control.js';
import { confirm } from '../ui/dialog.js';
import { openMenu } from '../ui/menu.js';
import { count } from '../ui/format.js';
import { sessionName } from '../model/session-name.js';

/**
 * Opens the menu.
 * @param {import('../model/page.js').Page} page
 * @param {HTMLElement} button
 * @param {string} why no run can start after the selected event, or an empty string
 * @param {import('./app-actions.js').AppActionsView} actions
 * @param {string} whyNoDebug why the event's action can't be dispatched, or an empty string
 */
export function openLaunchMenu(page, button, why, actions, whyNoDebug) {
  const { appControl, summary, selected } = page;
  const seq = selected?.seq ?? 0;
  const device = summary.device?.nickname || summary.device?.name || 'this device';
  const start = appControl.launchStateOf(summary);
  openMenu(button, 'Launch state', [
    ...summary.device?.id ? [{ label: `Launch from #${count(seq)} on ${device}`, key: 'n', why, run: () => appControl.setLaunchState(summary, seq) }] : [],
    { label: `Launch from #${count(seq)} on all devices…`, why, run: () => everyone(page, seq) },
    ...summary.device?.id ? [{
      label: 'Launch and replay with new code', why, note: `The next launch on ${device} runs the recorded actions up to #${count(seq)} through its reducers.`,
      run: () => appControl.setLaunchState(summary, seq, { replay: true }),
    }] : [],
    null,
    { label: 'Debug this event', key: 'g', why: whyNoDebug, note: 'Applies the state before it, then dispatches its action.', run: () => actions.debug() },
    { label: 'Replay in the app…', key: 'r', why: appControl.whyNoTarget, note: 'Runs a range of actions again in the running app.', run: () => actions.replay() },
    null,
    ...summary.device?.id ? [{
      label: `Resume the last state of ${device}`, note: 'Each launch starts with the last state of the one before.',
      run: () => appControl.setLaunchState(summary, seq, { latest: true }),
    }] : [],
    ...start ? [null, { label: 'Clear launch state', note: `Now: ${describe(start, summary)}`, run: () => appControl.clearLaunchState(start.id) }] : [],
  ]);
}

async function everyone(page, seq) {
  const { appControl, summary } = page;
  const app = sessionName(summary);
  const sure = await confirm(`Launch ${app} from #${count(seq)} on all devices?`, [
    `Every launch of ${summary.app.name ?? summary.app.id} starts with the state of #${count(seq)}, for everyone who uses this server, until you clear the launch state.`,
    'Launches with the label ci are not affected.',
  ], 'Launch all from here');
  if (sure) appControl.setLaunchState(summary, seq, { everyone: true });
}
