// The dialog of keyboard shortcuts.
import { openDialog } from '../ui/dialog.js';
import { h } from '../ui/dom.js';
import { keys } from '../ui/keys.js';

/**
 * `group` starts a group with this heading; `shown` replaces the first key's name.
 * @type {{name: string, does: string, shown?: string, group?: string}[]}
 */
const words = [
  { group: 'Timeline', name: 'next', does: 'Next event', shown: '↓ j' },
  { name: 'previous', does: 'Previous event', shown: '↑ k' },
  { name: 'pageDown', does: 'Next page', shown: 'Page Down' },
  { name: 'pageUp', does: 'Previous page', shown: 'Page Up' },
  { name: 'first', does: 'First event' },
  { name: 'last', does: 'Last event, and follow new ones' },
  { name: 'expand', does: 'Expand group', shown: '→' },
  { name: 'collapse', does: 'Collapse group', shown: '←' },
  { name: 'group', does: 'Group repeats' },
  { name: 'playTape', does: 'Play or pause', shown: 'Space' },
  { name: 'stepBack', does: 'Step back' },
  { name: 'stepForward', does: 'Step forward' },
  { name: 'filter', does: 'Filter the timeline, or search the state' },
  { name: 'dim', does: 'Hide or dim other events' },
  { group: 'Inspector', name: 'inspect', does: 'Go to inspector' },
  { name: 'action', does: 'Action' },
  { name: 'diff', does: 'Diff' },
  { name: 'state', does: 'State' },
  { name: 'raw', does: 'Raw' },
  { name: 'test', does: 'Test' },
  { name: 'against', does: 'Compare other events with this one' },
  { name: 'lastChange', does: 'Last change of the selected value' },
  { name: 'edit', does: 'Edit the selected value' },
  { group: 'App', name: 'apply', does: 'Apply this state' },
  { name: 'dispatch', does: 'Dispatch again' },
  { name: 'editAction', does: 'Edit and dispatch', shown: 'Shift D' },
  { name: 'newAction', does: 'New action' },
  { name: 'debug', does: 'Debug this event' },
  { name: 'replay', does: 'Replay from this event' },
  { name: 'replayAgain', does: 'Replay again', shown: 'Shift R' },
  { name: 'launch', does: 'Launch from this state' },
  { group: 'Compare', name: 'nextDifference', does: 'Next difference', shown: 'n' },
  { name: 'previousDifference', does: 'Previous difference', shown: 'Shift N' },
  { group: 'Session and page', name: 'bookmark', does: 'Bookmark this event' },
  { name: 'share', does: 'Copy link' },
  { name: 'report', does: 'Copy bug report', shown: 'Shift B' },
  { name: 'sessions', does: 'Go to sessions' },
  { name: 'overview', does: 'Overview' },
  { name: 'compare', does: 'Compare with another session' },
  { name: 'back', does: 'Leave the field, filter, range or inspector', shown: 'Esc' },
  { name: 'help', does: 'Keyboard shortcuts' },
];

/** Opens the dialog. */
export function showKeys() {
  const groups = [];
  for (const { name, does, shown, group } of words) {
    if (group) groups.push({ title: group, rows: [] });
    groups.at(-1).rows.push(h('dt', {}, ...(shown ?? keys[name][0]).split(/ (?=\S$)/).map((one) => h('kbd', {}, one))), h('dd', {}, does));
  }
  openDialog('Keyboard shortcuts', { id: 'keys' },
    h('div', { class: 'groups' }, ...groups.map(({ title, rows }) => h('section', {}, h('h3', {}, title), h('dl', {}, ...rows)))),
    h('p', { class: 'hint' }, 'On the handle of the time axis, + and - zoom, and 0 shows the whole session.'),
    h('p', { class: 'hint' }, 'Shortcuts don’t work while you type in a field. Press Esc to leave it.'));
}
