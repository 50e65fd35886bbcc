// Copies text. If the browser refuses, a dialog has the text selected.
import { h } from './dom.js';
import { part } from './lazy.js';

const dialogs = part(() => import('./dialog.js'));

/**
 * A button that copies text.
 * @param {string} label
 * @param {() => string|Promise<string>} text
 * @returns {HTMLElement}
 */
export function copyButton(label, text) {
  const button = h('button', { class: 'quiet' }, label);
  button.addEventListener('click', async () => {
    if (!await copy(await text())) return;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

/**
 * Copies text.
 * @param {string} text
 * @returns {Promise<boolean>} whether the browser allowed it
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers have no clipboard API on plain-HTTP addresses, and may refuse it elsewhere.
    if (copyField(text)) return true;
  }
  await refused(text);
  return false;
}

/** Copies with a text field. @returns {boolean} whether the browser allowed it */
function copyField(text) {
  const field = h('textarea', { class: 'offscreen', readonly: true });
  const focused = document.activeElement;
  field.value = text;
  // Below an open dialog, nothing can be selected.
  ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return isCopied;
}

async function refused(text) {
  const field = h('textarea', { readonly: true, rows: 6, spellcheck: 'false', 'aria-label': 'Text to copy' });
  field.value = text;
  const { openDialog } = await dialogs();
  const dialog = await openDialog('The browser refused to copy', { class: 'uncopied' },
    h('p', {}, 'The text is selected: copy it with Ctrl+C, ⌘C or the browser’s menu.'), field);
  field.addEventListener('copy', () => setTimeout(() => dialog.close()));
  field.focus();
  field.select();
  field.scrollTop = 0;
}
