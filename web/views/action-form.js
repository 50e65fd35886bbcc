// An action's payload as a form, beside its JSON text: what is edited in one carries over to the other.
import { findInvalid } from '../json/invalid-json.js';
import { kindOf, parse } from '../json/parse.js';
import { below, tokens } from '../json/pointer.js';
import { indent } from '../json/value.js';
import { h, set } from '../ui/dom.js';
import { recall, remember } from '../ui/memory.js';
import { PayloadField } from './payload-field.js';

/** A payload with more members has no form. */
const most = 40;
const payload = '/payload';

export class ActionForm {
  element = h('div', { class: 'fields', role: 'group', 'aria-label': 'Payload' });
  switch = h('div', { class: 'switch', role: 'group', 'aria-label': 'Edit as' });
  #dialog = null;
  #buttons = ['form', 'json'].map((name) => h('button', { type: 'button', class: 'toggle', 'data-name': name, on: { click: () => this.#choose(name) } }, { form: 'Form', json: 'JSON' }[name]));
  #type = h('input', { id: 'action-type', required: true, autocomplete: 'off', spellcheck: 'false' });
  /** By path. @type {Map<string, PayloadField>} */
  #fields = new Map();
  #isForm = false;

  constructor() {
    this.switch.append(...this.#buttons);
    this.#type.addEventListener('input', () => this.#write());
    this.#show(false);
  }

  /** @param {import('./json-dialog.js').JSONDialog} dialog */
  begin(dialog) {
    this.#dialog = dialog;
    this.refresh();
  }

  /** Reads the text again: the form shows it, if it has one and the user did not choose the text before. */
  refresh() {
    if (recall('--action-form') === 'json' || this.#fill() !== '') return this.#show(false);
    this.#focus();
  }

  /** Focuses the first invalid field. @returns {boolean} whether there is one */
  get isInvalid() {
    const found = this.#isForm && [...this.#fields.values()].find((field) => field.error !== '');
    if (found) found.focus();
    return Boolean(found);
  }

  /** Marks the field at a path where the app refused the action. @param {string} path a pointer into the action @param {string} message */
  mark(path, message) {
    if (!this.#isForm) return;
    const [, key] = path.startsWith(payload) ? tokens(path) : [];
    const field = this.#fields.get(key === undefined ? payload : below(payload, key)) ?? this.#fields.get(payload);
    field?.mark(message);
    field?.focus();
  }

  #choose(name) {
    remember('--action-form', name === 'json' ? 'json' : null);
    if (name === 'json') {
      if (this.isInvalid) return;
      this.#show(false);
      return this.#dialog.area.focus();
    }
    const found = findInvalid(this.#dialog.text);
    if (found) return this.#dialog.show(found);
    const why = this.#fill();
    if (why) this.#dialog.report('failed', h('p', {}, why));
    else this.#focus();
  }

  #focus() {
    const [first] = this.#fields.values();
    first.focus();
  }

  /** Makes the fields. @returns {string} why there are none */
  #fill() {
    if (findInvalid(this.#dialog.text)) return 'Correct the JSON first.';
    const action = parse(this.#dialog.text);
    if (kindOf(action) !== 'object' || Object.keys(action).some((name) => name !== 'type' && name !== 'payload') || kindOf(action.type ?? '') !== 'string') {
      return 'Only {"type": …, "payload": …} has a form.';
    }
    const value = action.payload;
    const members = kindOf(value) === 'object' ? Object.entries(value).map(([key, member]) => [below(payload, key), key, member])
      : value === undefined ? [] : [[payload, 'payload', value]];
    if (members.length === 0) return 'This action has no payload to edit in a form.';
    if (members.length > most) return `A payload of more than ${most} members has no form.`;
    this.#type.value = action.type ?? '';
    this.#fields = new Map(members.map(([path, name, member], index) => [path, new PayloadField(name, member, `payload-${index}`, () => this.#write())]));
    this.element.replaceChildren(h('div', { class: 'field' }, h('label', { for: this.#type.id }, 'type'), this.#type), ...[...this.#fields.values()].map(({ element }) => element));
    this.#show(true);
    return '';
  }

  /** Writes the fields into the text. */
  #write() {
    if (this.#dialog === null || [...this.#fields.values()].some((field) => field.error !== '')) return;
    const entries = [...this.#fields].map(([path, field]) => [tokens(path)[1], field.value]);
    const value = entries[0][0] === undefined ? entries[0][1] : Object.fromEntries(entries);
    this.#dialog.replace(indent(JSON.stringify({ type: this.#type.value, payload: value })));
  }

  #show(isForm) {
    this.#isForm = isForm;
    this.element.hidden = !isForm;
    for (const button of this.#buttons) set(button, 'aria-pressed', String((button.dataset.name === 'form') === isForm));
    this.#dialog?.hideText(isForm);
  }
}
