// A dialog for JSON text, with the position of errors.
import { describe, findInvalid } from '../json/invalid-json.js';
import { parse } from '../json/parse.js';
import { indent } from '../json/value.js';
import { h } from '../ui/dom.js';
import { style } from '../ui/lazy.js';

/** Longer text, in characters, is checked only on submit. */
const quick = 200_000;
/** Characters shown before an error. */
const before = 60;
const after = 30;

/**
 * @typedef {{title: string, text: string, label: string, submitLabel: string, above?: (Node|null)[], note?: string,
 *   isReady?: () => boolean, submit: (value: unknown, dialog: JSONDialog) => unknown, closed?: (text: string) => void}} Options
 *   `isReady` says whether the form above the text may be submitted; `submit` gets the value, and closes the dialog or
 *   shows the outcome.
 */

export class JSONDialog {
  #dialog;
  #area;
  #outcome = h('div', { class: 'outcome', role: 'status' });
  #check = h('div', { class: 'check', id: 'json-check', role: 'status' });
  #main;

  /** @param {Options} options */
  static async open(options) {
    await Promise.all([style('ui/controls.css'), style('views/editing.css')]);
    return new JSONDialog(options);
  }

  constructor({ title, text, label, submitLabel, above = [], note = '', isReady = () => true, submit, closed }) {
    this.#main = h('button', { class: 'main', 'aria-keyshortcuts': 'Control+Enter' }, submitLabel);
    this.#area = h('textarea', { 'aria-label': label, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', rows: 14, 'aria-describedby': 'json-check' });
    this.#area.value = text;
    const form = h('form', { method: 'dialog' },
      h('header', {}, h('h2', { id: 'json-title' }, title), h('button', { type: 'button', class: 'close', 'aria-label': 'Close', on: { click: () => this.close() } }, '✕')),
      ...above.filter(Boolean), this.#area, this.#check, this.#outcome,
      h('footer', {}, h('p', { class: 'hint' }, note || 'Press Ctrl+Enter to submit.'),
        h('button', { type: 'button', class: 'indent', on: { click: () => this.#indent() } }, 'Indent'), this.#main));
    this.#dialog = h('dialog', { class: 'json-dialog', 'aria-labelledby': 'json-title' }, form);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!isReady()) return undefined;
      const found = findInvalid(this.text);
      if (found) return this.show(found);
      this.#main.disabled = true;
      try {
        await submit(parse(this.text), this);
      } finally {
        this.#main.disabled = false;
      }
    });
    this.#area.addEventListener('input', () => this.#showError(this.text.length < quick ? findInvalid(this.text) : null));
    form.addEventListener('keydown', (event) => this.#key(event, form));
    this.#dialog.addEventListener('close', () => {
      closed?.(this.text);
      this.#dialog.remove();
    });
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#area.focus();
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTop = 0;
  }

  get area() {
    return this.#area;
  }

  get text() {
    return this.#area.value;
  }

  /** Replaces the text; the browser's undo restores it. */
  replace(text) {
    if (this.#dialog.classList.contains('is-form')) {
      this.#area.value = text;
      this.#area.dispatchEvent(new Event('input'));
      return;
    }
    this.#area.focus();
    this.#area.select();
    insert(this.#area, text);
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTop = 0;
  }

  /** Hides the text while a form above it is edited. @param {boolean} isHidden */
  hideText(isHidden) {
    this.#dialog.classList.toggle('is-form', isHidden);
  }

  /** Shows the outcome. @param {''|'waiting'|'done'|'failed'} status @param {...(Node|string)} content */
  report(status, ...content) {
    this.#outcome.className = `outcome is-${status}`;
    this.#outcome.replaceChildren(...(content.length > 0 ? [h('div', { class: 'report' }, ...content)] : []));
  }

  close() {
    this.#dialog.close();
  }

  #showError(found) {
    this.#check.replaceChildren(...(found ? [h('p', {}, describe(found)), this.#pointTo(found)] : []));
    // One error at a time: the app's was about another text.
    if (found) this.report('');
    this.#area.setAttribute('aria-invalid', String(found !== null));
  }

  /** The line with a caret below the error. Hidden text moves the caret, so that letters of any width align. */
  #pointTo({ offset, column }) {
    const start = offset - Math.min(column - 1, before);
    const [line] = this.text.slice(start, offset + after).split('\n', 1);
    const lead = this.text.slice(start, offset);
    return h('pre', { 'aria-hidden': 'true' }, `${line}\n`, h('span', { class: 'lead' }, lead), h('span', { class: 'caret' }, '^'));
  }

  /** Shows an error in the text. @param {any} found by `findInvalid` */
  show(found) {
    this.#showError(found);
    this.#area.focus();
    this.#area.setSelectionRange(found.offset, found.offset + 1);
  }

  #indent() {
    const found = findInvalid(this.text);
    if (found) return this.show(found);
    this.replace(indent(this.text));
  }

  #key(event, form) {
    if (event.key !== 'Enter') return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      if (!this.#main.disabled) form.requestSubmit();
    } else if (event.target.matches('input')) {
      // It would dispatch by mistake.
      event.preventDefault();
    } else if (event.target === this.#area && !event.shiftKey && !event.isComposing) {
      // A new line keeps the indent, and adds one after a bracket.
      const before = this.text.slice(0, this.#area.selectionStart);
      const [margin] = /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1));
      event.preventDefault();
      insert(this.#area, `\n${margin}${/[[{]\s*$/.test(before) ? '  ' : ''}`);
    }
  }
}

/** Inserts text like typing, so that it can be undone. */
function insert(area, text) {
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input'));
}
