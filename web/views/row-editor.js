// The form inside a tree row: edits a value or a key, or adds a member.
import { describe, findInvalid } from '../json/invalid-json.js';
import { kindOf, parse } from '../json/parse.js';
import { h } from '../ui/dom.js';

/**
 * @typedef {{name?: string, taken?: (name: string) => boolean, value?: unknown, label: string,
 *   showError: (message: string) => void, save: (result: {name?: string, value?: unknown}) => void, close: () => void}} Task
 *   `name` is set to ask for a key, `value` to ask for a value.
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

  /** Reads the fields; throws the error of an invalid one. */
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
    // Converts the value to the other notation, if possible.
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

/** Whether a single-line field can hold a text. */
function isLine(value) {
  return kindOf(value) === 'string' && !/[\n\r]/.test(value);
}

function wrong(field, message) {
  return Object.assign(new Error(message), { field });
}
