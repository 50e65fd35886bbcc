// All keyboard shortcuts: the page listens to them, and `?` shows them.

/**
 * `group` starts a group with this heading.
 * @typedef {{keys: string[], shown: string, does: string, name: string, group?: string}} Key
 */

/** @type {Key[]} */
export const keys = [
  { group: 'Timeline', keys: ['ArrowDown', 'j'], shown: '↓ j', does: 'Next event', name: 'next' },
  { keys: ['ArrowUp', 'k'], shown: '↑ k', does: 'Previous event', name: 'previous' },
  { keys: ['PageDown'], shown: 'Page Down', does: 'Next page', name: 'pageDown' },
  { keys: ['PageUp'], shown: 'Page Up', does: 'Previous page', name: 'pageUp' },
  { keys: ['Home'], shown: 'Home', does: 'First event', name: 'first' },
  { keys: ['End'], shown: 'End', does: 'Last event, and follow new ones', name: 'last' },
  { keys: ['ArrowRight'], shown: '→', does: 'Expand group', name: 'expand' },
  { keys: ['ArrowLeft'], shown: '←', does: 'Collapse group', name: 'collapse' },
  { keys: ['f'], shown: 'f', does: 'Group repeats', name: 'group' },
  { keys: [' '], shown: 'Space', does: 'Play or pause', name: 'playTape' },
  { keys: ['['], shown: '[', does: 'Step back', name: 'stepBack' },
  { keys: [']'], shown: ']', does: 'Step forward', name: 'stepForward' },
  { keys: ['/'], shown: '/', does: 'Filter the timeline, or search the state', name: 'filter' },
  { keys: ['m'], shown: 'm', does: 'Hide or dim other events', name: 'dim' },
  { group: 'Inspector', keys: ['Enter'], shown: 'Enter', does: 'Go to inspector', name: 'inspect' },
  { keys: ['1'], shown: '1', does: 'Action', name: 'action' },
  { keys: ['2'], shown: '2', does: 'Diff', name: 'diff' },
  { keys: ['3'], shown: '3', does: 'State', name: 'state' },
  { keys: ['4'], shown: '4', does: 'Raw', name: 'raw' },
  { keys: ['x'], shown: 'x', does: 'Compare other events with this one', name: 'against' },
  { keys: ['l'], shown: 'l', does: 'Last change of the selected value', name: 'lastChange' },
  { keys: ['e'], shown: 'e', does: 'Edit the selected value', name: 'edit' },
  { group: 'App', keys: ['p'], shown: 'p', does: 'Apply this state', name: 'apply' },
  { keys: ['d'], shown: 'd', does: 'Dispatch again', name: 'dispatch' },
  { keys: ['D'], shown: 'Shift D', does: 'Edit and dispatch', name: 'editAction' },
  { keys: ['a'], shown: 'a', does: 'New action', name: 'newAction' },
  { keys: ['n'], shown: 'n', does: 'Launch from this state', name: 'launch' },
  { group: 'Session and page', keys: ['b'], shown: 'b', does: 'Bookmark this event', name: 'bookmark' },
  { keys: ['y'], shown: 'y', does: 'Copy link', name: 'share' },
  { keys: ['s'], shown: 's', does: 'Go to sessions', name: 'sessions' },
  { keys: ['o'], shown: 'o', does: 'Overview', name: 'overview' },
  { keys: ['c'], shown: 'c', does: 'Compare with another session', name: 'compare' },
  { keys: ['Escape'], shown: 'Esc', does: 'Leave the field, filter or inspector', name: 'back' },
  { keys: ['?'], shown: '?', does: 'Keyboard shortcuts', name: 'help' },
];

/** Elements that use Enter. */
const own = 'button, a, summary, [role=tree], [role=tab], [role=separator], [role=grid], #session-list';
/** Elements that use Space. */
const pressed = 'button, summary, input';

/**
 * Runs the commands of keys that no element uses.
 * @param {Record<string, () => void>} commands by name
 */
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
