// The form inside a row of the tree: a value, a name, or a new member, typed in place.
import { describe, findInvalid } from '../json/invalid-json.js';
import { kindOf, parse } from '../json/parse.js';
import { h } from '../ui/dom.js';

/**
 * @typedef {{name?: string, taken?: (name: string) => boolean, value?: unknown, label: string,
 *   showError: (flaw: string) => void, save: (result: {name?: string, value?: unknown}) => void, close: () => void}} Task
 *   `name` is there when a name is asked for, `value` when a value is; `showError` shows what is wrong.
 */

/**
 * The form.
 * @param {Task} task
 * @returns {HTMLFormElement}
 */
export function rowEditor(task) {
  const { name, taken, label, showError, save, close } = task;
  const asksValue = 'value' in task;
  const isText = isLine(task.value);
  const field = name === undefined ? null : h('input', { 'aria-label': 'Name', value: name, spellcheck: 'false', autocomplete: 'off', class: 'key' });
  const type = h('select', { 'aria-label': 'Type' }, h('option', { value: 'text', selected: isText }, 'Text'), h('option', { value: 'json', selected: !isText }, 'JSON'));
  const value = asksValue ? h('input', { 'aria-label': 'Value', spellcheck: 'false', autocomplete: 'off' }) : null;
  if (value) value.value = isText ? task.value : JSON.stringify(task.value);
  const form = /** @type {HTMLFormElement} */ (h('form', { class: field ? 'row-editor named' : 'row-editor', 'aria-label': label }, field, value && type, value,
    h('button', { class: 'main' }, 'Set'), h('button', { type: 'button', on: { click: close } }, 'Cancel')));

  /** What was typed; throws what is wrong with it. */
  const read = () => {
    const result = {};
    if (field) {
      if (field.value !== name && taken?.(field.value)) throw wrong(field, 'This key exists already.');
      result.name = field.value;
    }
    if (value) {
      if (type.value === 'text') result.value = value.value;
      else {
        const found = findInvalid(value.value);
        if (found) {
          value.setSelectionRange(found.offset, found.offset);
          throw wrong(value, describe(found));
        }
        result.value = parse(value.value);
      }
    }
    return result;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    try {
      save(read());
    } catch (problem) {
      if (!problem.field) throw problem;
      showError(problem.message);
      problem.field.focus();
    }
  });
  form.addEventListener('input', () => showError(''));
  type.addEventListener('change', () => {
    // The same value in the other way of writing, as far as there is one.
    if (type.value === 'json') value.value = JSON.stringify(value.value);
    else if (findInvalid(value.value) === null && isLine(parse(value.value))) value.value = parse(value.value);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
    }
  });
  for (const name of ['click', 'dblclick']) form.addEventListener(name, (event) => event.stopPropagation());
  return form;
}

/** A text that a field of one line holds as it is. */
function isLine(value) {
  return kindOf(value) === 'string' && !/[\n\r]/.test(value);
}

function wrong(field, message) {
  return Object.assign(new Error(message), { field });
}
