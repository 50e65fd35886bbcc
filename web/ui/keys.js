// All keyboard shortcuts. Their words are in views/keys.js.

/** By command. @type {Record<string, string[]>} */
export const keys = {
  next: ['ArrowDown', 'j'],
  previous: ['ArrowUp', 'k'],
  pageDown: ['PageDown'],
  pageUp: ['PageUp'],
  first: ['Home'],
  last: ['End'],
  expand: ['ArrowRight'],
  collapse: ['ArrowLeft'],
  group: ['f'],
  playTape: [' '],
  stepBack: ['['],
  stepForward: [']'],
  filter: ['/'],
  dim: ['m'],
  inspect: ['Enter'],
  action: ['1'],
  diff: ['2'],
  state: ['3'],
  raw: ['4'],
  test: ['5'],
  against: ['x'],
  lastChange: ['l'],
  edit: ['e'],
  apply: ['p'],
  dispatch: ['d'],
  editAction: ['D'],
  newAction: ['a'],
  debug: ['g'],
  replay: ['r'],
  replayAgain: ['R'],
  launch: ['n'],
  bookmark: ['b'],
  share: ['y'],
  report: ['B'],
  sessions: ['s'],
  overview: ['o'],
  compare: ['c'],
  back: ['Escape'],
  help: ['?'],
};

/** Elements that use Enter. */
const own = 'button, a, summary, [role=tree], [role=tab], [role=separator], [role=grid], #session-list';
/** Elements that use Space, if the focus came by keyboard. */
const pressed = 'button, summary, input';

/** Runs the commands of keys that no element uses. @param {Record<string, () => void>} commands by name */
export function listen(commands) {
  let isKey = true;
  let isByKey = true;
  let isTaken = false;
  addEventListener('pointerdown', () => { isKey = isByKey = false; }, true);
  addEventListener('keydown', () => { isKey = true; isTaken = false; }, true);
  addEventListener('focusin', () => { isByKey = isKey; });
  // In Firefox a button is pressed when Space is released.
  addEventListener('keyup', (event) => event.key === ' ' && isTaken && event.preventDefault());
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector('dialog[open]')) return;
    if (target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') && event.key !== 'Escape') return;
    if (event.key === 'Enter' && target.closest(own) || event.key === ' ' && isByKey && target.closest(pressed)) return;
    const name = Object.keys(keys).find((one) => keys[one].includes(event.key));
    if (name === undefined) return;
    event.preventDefault();
    isTaken = event.key === ' ';
    commands[name]?.();
  });
}
