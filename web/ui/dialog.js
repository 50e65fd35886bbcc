// Dialogs: created when opened, removed when closed.
import { h } from './dom.js';
import { style } from './lazy.js';

/**
 * Opens a dialog. Its button, Escape or a click outside closes it.
 * @param {string} title
 * @param {{id?: string, class?: string, must?: boolean}} options `must`: only its content closes it
 * @param {...(Node|string|null|false)} children
 * @returns {Promise<HTMLDialogElement>}
 */
export async function openDialog(title, { id, class: name = '', must = false }, ...children) {
  await style('ui/controls.css');
  const close = h('button', { class: 'close', 'aria-label': 'Close', type: 'button' }, '✕');
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { id, class: name, 'aria-label': title },
    h('header', {}, h('h2', {}, title), must ? null : close), ...children));
  close.addEventListener('click', () => dialog.close());
  if (must) dialog.addEventListener('cancel', (event) => event.preventDefault());
  else dialog.addEventListener('mousedown', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks before a command that can't be undone.
 * @param {string} title the question
 * @param {string[]} lines what it means
 * @param {string} yes the label of the button
 * @returns {Promise<boolean>}
 */
export async function confirm(title, lines, yes) {
  const no = h('button', { autofocus: true }, 'Cancel');
  const does = h('button', { class: 'main danger' }, yes);
  const dialog = await openDialog(title, {}, ...lines.map((line) => h('p', {}, line)), h('div', { class: 'buttons' }, no, does));
  return new Promise((resolve) => {
    no.addEventListener('click', () => dialog.close());
    does.addEventListener('click', () => dialog.close('yes'));
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'));
  });
}
