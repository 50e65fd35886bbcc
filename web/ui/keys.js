// The one table of keys: what the page listens to, and what `?` shows.

/**
 * `group` begins a group of the table, with this heading.
 * @typedef {{keys: string[], shown: string, does: string, name: string, group?: string}} Key
 */

/** @type {Key[]} */
export const keys = [
  { group: 'Timeline', keys: ['ArrowDown', 'j'], shown: '↓ j', does: 'Next event', name: 'next' },
  { keys: ['ArrowUp', 'k'], shown: '↑ k', does: 'Previous event', name: 'previous' },
  { keys: ['PageDown'], shown: 'Page Down', does: 'A screen further', name: 'pageDown' },
  { keys: ['PageUp'], shown: 'Page Up', does: 'A screen back', name: 'pageUp' },
  { keys: ['Home'], shown: 'Home', does: 'First event', name: 'first' },
  { keys: ['End'], shown: 'End', does: 'Last event, and follow what comes', name: 'last' },
  { keys: ['ArrowRight'], shown: '→', does: 'Unfold repeats', name: 'unfold' },
  { keys: ['ArrowLeft'], shown: '←', does: 'Fold them again', name: 'refold' },
  { keys: ['f'], shown: 'f', does: 'Fold repeats, or show each', name: 'fold' },
  { keys: [' '], shown: 'Space', does: 'Play the tape, or pause', name: 'playTape' },
  { keys: ['['], shown: '[', does: 'Step back', name: 'stepBack' },
  { keys: [']'], shown: ']', does: 'Step forward', name: 'stepForward' },
  { keys: ['/'], shown: '/', does: 'Filter the timeline; in the inspector, search the state', name: 'filter' },
  { keys: ['m'], shown: 'm', does: 'Hide or dim what doesn’t match', name: 'dim' },
  { group: 'Inspector', keys: ['Enter'], shown: 'Enter', does: 'Into the inspector', name: 'inspect' },
  { keys: ['1'], shown: '1', does: 'Action', name: 'action' },
  { keys: ['2'], shown: '2', does: 'Diff', name: 'diff' },
  { keys: ['3'], shown: '3', does: 'State', name: 'state' },
  { keys: ['4'], shown: '4', does: 'Raw', name: 'raw' },
  { keys: ['x'], shown: 'x', does: 'Compare other events with this one', name: 'against' },
  { keys: ['l'], shown: 'l', does: 'When what is selected in the state changed last', name: 'lastChange' },
  { keys: ['e'], shown: 'e', does: 'Edit the state: what is selected there', name: 'edit' },
  { group: 'App', keys: ['p'], shown: 'p', does: 'Play this state into the app', name: 'play' },
  { keys: ['d'], shown: 'd', does: 'Dispatch this action again', name: 'dispatch' },
  { keys: ['D'], shown: 'Shift D', does: 'Edit this action, and dispatch it', name: 'editAction' },
  { keys: ['a'], shown: 'a', does: 'New action', name: 'newAction' },
  { keys: ['n'], shown: 'n', does: 'New runs start here from now on', name: 'start' },
  { group: 'Session and page', keys: ['b'], shown: 'b', does: 'Bookmark the event', name: 'bookmark' },
  { keys: ['y'], shown: 'y', does: 'Copy a link to here', name: 'share' },
  { keys: ['s'], shown: 's', does: 'To the sessions', name: 'sessions' },
  { keys: ['o'], shown: 'o', does: 'Overview', name: 'overview' },
  { keys: ['c'], shown: 'c', does: 'Compare with another session', name: 'compare' },
  { keys: ['Escape'], shown: 'Esc', does: 'Back: out of a field, the filter, the inspector', name: 'back' },
  { keys: ['?'], shown: '?', does: 'These keys', name: 'help' },
];

/** Elements that use Enter and the arrow keys themselves. */
const own = 'button, a, summary, [role=tree], [role=tab], [role=separator], [role=grid], #session-list';
/** Those that Space presses. */
const pressed = 'button, summary, input';

/**
 * Runs the table's commands for keys that nothing else takes.
 * @param {Record<string, () => void>} commands by the table's names
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
