// A field of a payload: text, number, checkbox, or JSON for objects and arrays; each can be null.
import { describe, findInvalid } from '../json/invalid-json.js';
import { kindOf, parse } from '../json/parse.js';
import { indent } from '../json/value.js';
import { h, set, setText } from '../ui/dom.js';

/** Longer texts, in characters, get several lines. */
const short = 60;
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export class PayloadField {
  element;
  #kind;
  #input;
  #null;
  #error;
  #changed;

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {string} id
   * @param {() => void} changed
   */
  constructor(name, value, id, changed) {
    const kind = kindOf(value);
    this.#kind = kind === 'null' ? 'string' : kind;
    this.#changed = changed;
    this.#input = input(this.#kind, value, id);
    this.#error = h('p', { class: 'failure', id: `${id}-error`, role: 'alert', hidden: true });
    this.#null = h('input', { type: 'checkbox', 'aria-label': `${name} is null` });
    this.#null.checked = kind === 'null';
    this.#input.disabled = this.#null.checked;
    this.#input.addEventListener('input', () => this.#edited());
    this.#null.addEventListener('change', () => {
      this.#input.disabled = this.#null.checked;
      this.#edited();
      if (!this.#null.checked) this.focus();
    });
    this.element = h('div', { class: 'field' }, h('label', { for: id }, name), this.#input, h('label', { class: 'null' }, this.#null, 'null'), this.#error);
  }

  /** Why the input has no value, or an empty string. */
  get error() {
    if (this.#null.checked) return '';
    const text = this.#input.value;
    if (this.#kind === 'number') return number.test(text.trim()) ? '' : 'Enter a number, such as 12 or -0.5.';
    if (this.#kind !== 'object' && this.#kind !== 'array') return '';
    const found = findInvalid(text);
    return found ? describe(found) : '';
  }

  /** The value; numbers stay as they are written. */
  get value() {
    if (this.#null.checked) return null;
    if (this.#kind === 'boolean') return this.#input.checked;
    return this.#kind === 'string' ? this.#input.value : parse(this.#input.value.trim());
  }

  focus() {
    this.#input.focus();
  }

  /** Shows an error at the field; an empty one hides it. @param {string} message */
  mark(message) {
    setText(this.#error, message);
    this.#error.hidden = message === '';
    set(this.#input, 'aria-invalid', message === '' ? null : 'true');
    set(this.#input, 'aria-describedby', message === '' ? null : this.#error.id);
  }

  #edited() {
    this.mark(this.error);
    this.#changed();
  }
}

function input(kind, value, id) {
  const text = kind === 'string' ? value ?? '' : kind === 'number' ? JSON.stringify(value) : indent(JSON.stringify(value));
  const common = { id, autocomplete: 'off', spellcheck: 'false' };
  if (kind === 'boolean') {
    const box = h('input', { ...common, type: 'checkbox' });
    box.checked = value;
    return box;
  }
  const isLong = kind === 'object' || kind === 'array' || text.length > short || text.includes('\n');
  const field = isLong ? h('textarea', { ...common, rows: Math.min(8, Math.max(2, text.split('\n').length)) })
    : h('input', { ...common, inputmode: kind === 'number' ? 'decimal' : null });
  field.value = text;
  return field;
}
