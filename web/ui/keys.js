// All keyboard shortcuts: the page listens to them, and `?` shows them.

/**
 * `group` starts a group with this heading; `shown` replaces the first key's name.
 * @typedef {{keys: string[], shown?: string, does: string, name: string, group?: string}} Key
 */

/** @type {Key[]} */
export const keys = [
  { group: 'Timeline', keys: ['ArrowDown', 'j'], shown: '↓ j', does: 'Next event', name: 'next' },
  { keys: ['ArrowUp', 'k'], shown: '↑ k', does: 'Previous event', name: 'previous' },
  { keys: ['PageDown'], shown: 'Page Down', does: 'Next page', name: 'pageDown' },
  { keys: ['PageUp'], shown: 'Page Up', does: 'Previous page', name: 'pageUp' },
  { keys: ['Home'], does: 'First event', name: 'first' },
  { keys: ['End'], does: 'Last event, and follow new ones', name: 'last' },
  { keys: ['ArrowRight'], shown: '→', does: 'Expand group', name: 'expand' },
  { keys: ['ArrowLeft'], shown: '←', does: 'Collapse group', name: 'collapse' },
  { keys: ['f'], does: 'Group repeats', name: 'group' },
  { keys: [' '], shown: 'Space', does: 'Play or pause', name: 'playTape' },
  { keys: ['['], does: 'Step back', name: 'stepBack' },
  { keys: [']'], does: 'Step forward', name: 'stepForward' },
  { keys: ['/'], does: 'Filter the timeline, or search the state', name: 'filter' },
  { keys: ['m'], does: 'Hide or dim other events', name: 'dim' },
  { group: 'Inspector', keys: ['Enter'], does: 'Go to inspector', name: 'inspect' },
  { keys: ['1'], does: 'Action', name: 'action' },
  { keys: ['2'], does: 'Diff', name: 'diff' },
  { keys: ['3'], does: 'State', name: 'state' },
  { keys: ['4'], does: 'Raw', name: 'raw' },
  { keys: ['5'], does: 'Test', name: 'test' },
  { keys: ['x'], does: 'Compare other events with this one', name: 'against' },
  { keys: ['l'], does: 'Last change of the selected value', name: 'lastChange' },
  { keys: ['e'], does: 'Edit the selected value', name: 'edit' },
  { group: 'App', keys: ['p'], does: 'Apply this state', name: 'apply' },
  { keys: ['d'], does: 'Dispatch again', name: 'dispatch' },
  { keys: ['D'], shown: 'Shift D', does: 'Edit and dispatch', name: 'editAction' },
  { keys: ['a'], does: 'New action', name: 'newAction' },
  { keys: ['g'], does: 'Debug this event', name: 'debug' },
  { keys: ['r'], does: 'Replay from this event', name: 'replay' },
  { keys: ['R'], shown: 'Shift R', does: 'Replay again', name: 'replayAgain' },
  { keys: ['n'], does: 'Launch from this state', name: 'launch' },
  { group: 'Session and page', keys: ['b'], does: 'Bookmark this event', name: 'bookmark' },
  { keys: ['y'], does: 'Copy link', name: 'share' },
  { keys: ['s'], does: 'Go to sessions', name: 'sessions' },
  { keys: ['o'], does: 'Overview', name: 'overview' },
  { keys: ['c'], does: 'Compare with another session', name: 'compare' },
  { keys: ['Escape'], shown: 'Esc', does: 'Leave the field, filter or inspector', name: 'back' },
  { keys: ['?'], does: 'Keyboard shortcuts', name: 'help' },
];

/** Elements that use Enter. */
const own = 'button, a, summary, [role=tree], [role=tab], [role=separator], [role=grid], #session-list';
/** Elements that use Space. */
const pressed = 'button, summary, input';

/** Runs the commands of keys that no element uses. @param {Record<string, () => void>} commands by name */
export function listen(commands) {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector('dialog[open]')) return;
    if (target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') && event.key !== 'Escape') return;
    if (event.key === 'Enter' && target.closest(own) || event.key === ' ' && target.closest(pressed)) return;
    const key = keys.find((one) => one.keys.includes(event.key));
    if (key === undefined) return;
    event.preventDefault();
    commands[key.name]?.();
  });
}
