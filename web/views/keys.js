// The dialog of keyboard shortcuts.
import { openDialog } from '../ui/dialog.js';
import { h } from '../ui/dom.js';
import { keys } from '../ui/keys.js';

/** Opens the dialog. */
export function showKeys() {
  const groups = [];
  for (const key of keys) {
    if (key.group) groups.push({ title: key.group, rows: [] });
    groups.at(-1).rows.push(h('dt', {}, ...(key.shown ?? key.keys[0]).split(/ (?=\S$)/).map((one) => h('kbd', {}, one))), h('dd', {}, key.does));
  }
  openDialog('Keyboard shortcuts', { id: 'keys' },
    h('div', { class: 'groups' }, ...groups.map(({ title, rows }) => h('section', {}, h('h3', {}, title), h('dl', {}, ...rows)))),
    h('p', { class: 'hint' }, 'Shortcuts don’t work while you type in a field. Press Esc to leave it.'));
}
