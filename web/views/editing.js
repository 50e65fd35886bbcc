// Edits a state in place: edits make a draft, which can be applied to the app. The tape stays unchanged.
import { Draft } from '../model/draft.js';
import { kindOf } from '../json/parse.js';
import { countOf, indent } from '../json/value.js';
import { below, readable, tokens } from '../json/pointer.js';
import { h, set, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { JSONDialog } from './json-dialog.js';
import { eventLink } from './link.js';
import { rowEditor } from './row-editor.js';

/** The longest text, in characters, of a row's field and of the dialog. */
const short = 300;
const longest = 2_000_000;

export class Editing {
  #page;
  #view;
  /** By session, seq and store. @type {Map<string, Draft>} */
  #drafts = new Map();
  #form = null;
  #bar = h('section', { class: 'draft', 'aria-label': 'Draft', hidden: true });
  #error = h('p', { class: 'failure', role: 'alert' });
  #elsewhere = h('p', { class: 'draft-note', hidden: true });
  #parts;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./state.js').StateView} view
   */
  constructor(page, view) {
    this.#page = page;
    this.#view = view;
    const button = (label, click, properties = {}) => h('button', { on: { click }, ...properties }, label);
    this.#parts = {
      title: h('span', { class: 'title', role: 'status' }),
      apply: button('Apply edited state', () => this.apply(), { class: 'main', 'aria-keyshortcuts': 'Control+Enter', title: 'Ctrl Enter' }),
      undo: button('Undo', () => this.#draft.undo(), { 'aria-keyshortcuts': 'Control+Z' }),
      redo: button('Redo', () => this.#draft.redo(), { 'aria-keyshortcuts': 'Control+Shift+Z' }),
      discard: button('Discard', () => this.#discard()),
      value: button('Edit value', () => this.begin(), { class: 'quiet', 'aria-keyshortcuts': 'Enter F2' }),
      rename: button('Rename', () => this.#rename(), { class: 'quiet' }),
      add: button('Add', () => this.#add(), { class: 'quiet', 'aria-keyshortcuts': 'Insert' }),
      remove: button('Remove', () => this.#remove(), { class: 'quiet', 'aria-keyshortcuts': 'Delete' }),
      json: button('Edit as JSON', () => this.#asJSON(), { class: 'quiet' }),
      why: h('span', { class: 'why' }),
    };
    const { title, apply, undo, redo, discard, value, rename, add, remove, json, why } = this.#parts;
    this.#bar.append(h('div', {}, title, apply, undo, redo, discard, why), h('div', {}, value, rename, add, remove, json), this.#error);
    view.tree.element.before(this.#elsewhere, this.#bar);
    view.element.addEventListener('keydown', (event) => this.#key(event));
    for (const name of ['connection', 'session']) page.addEventListener(name, () => this.#update());
  }

  /** The draft's state in place of the recorded one, or null. */
  shown() {
    this.#update();
    const draft = this.#draft;
    if (draft !== this.#form?.draft) this.#close();
    this.#view.element.classList.toggle('is-draft', draft !== undefined);
    return draft ? { shown: draft.state, changed: draft.changed } : null;
  }

  /** Moves the open form to its row. */
  place() {
    this.#update();
    if (this.#form === null) return;
    const { form, id } = this.#form;
    const element = this.#view.tree.elementOf(id);
    form.hidden = element === null;
    if (element === null || form.parentElement === element) return;
    const focused = form.contains(document.activeElement) ? document.activeElement : null;
    element.append(form);
    focused?.focus();
  }

  /** Starts a draft. */
  open() {
    if (this.#draft !== undefined) return;
    const draft = new Draft(this.#view.where, this.#view.state);
    this.#drafts.set(key(draft.where), draft);
    draft.addEventListener('change', () => this.#view.draw());
    this.#view.draw();
  }

  /** Edits the selected value: a boolean switches, a short value has a field in its row, a long one a dialog. */
  begin() {
    this.open();
    const { tree } = this.#view;
    const { path } = tree.row;
    const { value } = tree.row;
    const kind = kindOf(value);
    if (kind === 'boolean') return this.#draft.edit({ op: 'replace', path, value: !value });
    if (countOf(value) > 0 || (kind === 'string' && value.length > short)) return this.#asJSON();
    this.#openForm(path, { label: `Edit ${readable(path)}`, value }, (result) => this.#draft.edit({ op: 'replace', path, value: result.value }));
  }

  /** Applies the draft to the app. */
  apply() {
    const { seq, store } = this.#draft.where;
    if (this.#parts.apply.disabled) return;
    const { appControl } = this.#page;
    appControl.applyValue(appControl.target.session, store, this.#draft.state, `edited state #${seq}`);
  }

  get #draft() {
    const { where } = this.#view;
    return where === null ? undefined : this.#drafts.get(key(where));
  }

  #rename() {
    const { path, parent } = this.#selection;
    const name = tokens(path).at(-1);
    this.#openForm(path, { label: `Rename ${readable(path)}`, name, taken: (other) => Object.hasOwn(parent, other) }, (result) => {
      if (result.name !== name) this.#draft.rename(path, result.name);
      return below(path.slice(0, path.lastIndexOf('/')), result.name);
    });
  }

  /** Adds a member or an element: inside a selected container, else after the selection. */
  #add() {
    this.open();
    const { path, value, parent } = this.#selection;
    const inside = ['object', 'array'].includes(kindOf(value)) ? value : null;
    const into = inside ?? parent;
    if (into === undefined) return;
    const base = inside ? path : path.slice(0, path.lastIndexOf('/'));
    const isArray = Array.isArray(into);
    const index = inside ? into.length : Number(tokens(path).at(-1)) + 1;
    const task = { label: `Add to ${readable(base)}`, value: null };
    if (!isArray) Object.assign(task, { name: '', taken: (name) => Object.hasOwn(into, name) });
    this.#openForm(path, task, (result) => {
      const added = below(base, isArray ? index : result.name);
      this.#draft.edit({ op: 'add', path: added, value: result.value });
      return added;
    });
  }

  #remove() {
    const { path } = this.#selection;
    if (path === '') return;
    this.open();
    this.#draft.edit({ op: 'remove', path });
    this.#view.tree.reveal(path);
    this.#view.tree.element.focus();
  }

  #asJSON() {
    this.open();
    const { path, value } = this.#selection;
    const draft = this.#draft;
    const text = JSON.stringify(value);
    if (text.length > longest) return setText(this.#error, 'This value is too long to edit at once. Expand it and edit a part.');
    JSONDialog.open({
      title: `Edit ${readable(path)}`, label: 'Value as JSON', text: indent(text), submitLabel: 'Set', note: 'Press Ctrl+Enter to set it in the draft.',
      submit: (changed, dialog) => {
        draft.edit({ op: 'replace', path, value: changed });
        dialog.close();
      },
      closed: () => this.#view.tree.element.focus(),
    });
  }

  get #selection() {
    const { tree } = this.#view;
    const { path, value } = tree.row;
    let parent;
    let at = this.#draft?.state ?? this.#view.state;
    for (const token of tokens(path)) [parent, at] = [at, at[token]];
    return { path, value, parent };
  }

  /** Opens the form in the row of a path; `save` returns the next selection. */
  #openForm(path, task, save) {
    this.#close();
    const { tree } = this.#view;
    if (tree.row.id !== path) tree.reveal(path);
    const end = () => {
      this.#close();
      tree.element.focus();
    };
    const form = rowEditor({ ...task, showError: (text) => setText(this.#error, text), close: end, save: (result) => {
      const next = save(result);
      end();
      if (next !== undefined) tree.reveal(next);
    } });
    this.#form = { form, id: path, draft: this.#draft };
    // A revealed row is drawn in the next frame.
    requestAnimationFrame(() => {
      this.place();
      form.querySelector('input')?.focus();
      form.querySelector('input')?.select();
    });
  }

  #close() {
    this.#form?.form.remove();
    this.#form = null;
    setText(this.#error, '');
  }

  #discard() {
    this.#close();
    this.#drafts.delete(key(this.#view.where));
    this.#view.draw();
    this.#view.tree.element.focus();
  }

  #update() {
    const draft = this.#draft;
    this.#bar.hidden = draft === undefined;
    const others = [...this.#drafts.values()].filter((one) => one !== draft && one.count > 0 && one.where.session === this.#view.where?.session);
    this.#elsewhere.hidden = others.length === 0;
    const links = others.map(({ where, count: edits }) => `${where.seq} ${edits}`).join();
    if (this.#elsewhere.dataset.of !== links) {
      this.#elsewhere.dataset.of = links;
      this.#elsewhere.replaceChildren('Draft at ', ...others.flatMap(({ where, count: edits }, index) => [
        index > 0 ? ', ' : '', eventLink(where.seq, this.#page), ` (${many(edits, 'edit')})`]), '.');
    }
    if (draft === undefined) return;
    const { title, apply, undo, redo, discard, why, rename, remove } = this.#parts;
    const { whyNoTarget } = this.#page.appControl;
    setText(title, draft.count === 0 ? `Editing #${count(draft.where.seq)}` : many(draft.count, 'edit'));
    apply.disabled = draft.count === 0 || whyNoTarget !== '';
    setText(why, whyNoTarget);
    set(apply, 'title', whyNoTarget || null);
    undo.disabled = draft.count === 0;
    redo.disabled = draft.undone === 0;
    setText(discard, draft.count + draft.undone === 0 ? 'Done' : 'Discard');
    const { path, parent } = this.#selection;
    rename.disabled = path === '' || Array.isArray(parent);
    remove.disabled = path === '';
  }

  #key(event) {
    if (this.#draft === undefined || event.defaultPrevented || event.target.closest('input, select, textarea')) return;
    const command = event.ctrlKey || event.metaKey;
    const run = command && event.key.toLowerCase() === 'z' ? () => (event.shiftKey ? this.#draft.redo() : this.#draft.undo())
      : command && event.key === 'y' ? () => this.#draft.redo()
        : command && event.key === 'Enter' ? () => this.apply()
          : event.target !== this.#view.tree.element || command ? null
            : { Delete: () => this.#remove(), Insert: () => this.#add() }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
}

function key({ session, seq, store }) {
  return `${session} ${seq} ${store}`;
}
