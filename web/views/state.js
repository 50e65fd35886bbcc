// The state after the selected event: the tree and its commands.
import { copyButton } from '../ui/copy.js';
import { h, setText } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { recall, remember } from '../ui/memory.js';
import { notice } from '../ui/notice.js';
import { part, style } from '../ui/lazy.js';
import { pinned } from './pinned-paths.js';
import { Tree } from './tree.js';

const history = part(() => import('../model/value-history.js'));
const swift = part(() => import('./swift-values.js'));
/** What the browser remembers of the choice. */
const choice = '-values';

/** Which state is shown. @typedef {{session: string, app: string, seq: number, store: string}} Where */

export class StateView {
  /** The recorded state, without a draft's edits. */
  state;
  /** @type {Where|null} */
  where = null;
  tree;
  #page;
  #changed = [];
  #path = h('span', { class: 'tree-path' });
  #pin = h('button', { class: 'quiet', on: { click: () => this.#togglePin() } }, 'Pin');
  /** The types of which session and store, and what shows them. @type {{of: string, swift: any, type: any}|null} */
  #typed = null;
  #isSwift = recall(choice) !== 'json';
  #toggle = h('button', {
    class: 'toggle', hidden: true, 'aria-pressed': String(this.#isSwift), title: 'Show values as Swift, or as JSON', on: { click: () => this.#switch() },
  }, 'Swift');
  #search = null;
  #pins = null;
  #editing = null;
  #field = h('input', {
    type: 'search', 'aria-label': 'Search keys and values in this state', placeholder: 'Search this state', autocomplete: 'off', spellcheck: 'false',
    on: { focus: () => this.#openSearch(), input: () => this.#openSearch() },
  });
  #bar;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.tree = new Tree('state-tree', {
      selected: () => this.#selected(),
      edit: () => this.edit(),
      drawn: () => { this.#selected(); this.#editing?.place(); },
    });
    this.#bar = h('div', { class: 'state-bar' }, this.#field, this.#toggle,
      h('button', { class: 'quiet', on: { click: () => this.tree.expandChanges() } }, 'Expand changes'));
    this.element = h('div', { class: 'tree-box' }, this.#bar, this.tree.element, h('div', { class: 'tree-bar' }, this.#path,
      h('button', { class: 'quiet', 'aria-keyshortcuts': 'l', title: 'Go to the previous event that changed this value', on: { click: () => this.lastChange() } }, 'Last change'),
      h('button', { class: 'quiet', 'aria-keyshortcuts': 'e', on: { click: () => this.edit() } }, 'Edit'), this.#pin,
      copyButton('Copy path', () => this.tree.row?.path ?? ''),
      copyButton('Copy value', () => JSON.stringify(this.tree.row?.value ?? null))));
    this.tree.element.addEventListener('keydown', (event) => {
      if (event.target !== this.tree.element || event.key !== 'F2') return;
      event.preventDefault();
      this.edit();
    });
  }

  /**
   * @param {unknown} state
   * @param {string[]} changed pointers that the event touched
   * @param {Where} where
   */
  show(state, changed, where) {
    this.state = state;
    this.where = where;
    this.#changed = changed;
    this.draw();
    this.#readTypes(where);
    if (this.#pins === null && pinned(where).length > 0) this.#openPins();
  }

  /** Shows the state, or a draft of it. */
  draw() {
    const { shown, changed } = this.#editing?.shown() ?? { shown: this.state, changed: this.#changed };
    const { swift: written = null, type = null } = this.#isSwift && this.#typed?.of === nameOf(this.where) ? this.#typed : {};
    this.tree.show(shown, changed, written, type);
    this.#pins?.show(shown, changed, this.where, written, type);
    this.#search?.show(shown);
  }

  /** Shows the values by their types, if the tape has them. */
  async #readTypes(where) {
    const module = await swift();
    const table = await module.knownTable(this.#page, where.store, where.seq);
    if (this.where !== where) return;
    const type = table?.state ?? null;
    this.#toggle.hidden = type === null;
    if (type === this.#typed?.type && nameOf(where) === this.#typed?.of) return;
    this.#typed = type && { of: nameOf(where), swift: module, type };
    this.draw();
  }

  #switch() {
    this.#isSwift = !this.#isSwift;
    this.#toggle.setAttribute('aria-pressed', String(this.#isSwift));
    remember(choice, this.#isSwift ? null : 'json');
    this.draw();
  }

  /** Focuses the search field. */
  search() {
    this.#field.focus();
    this.#field.select();
  }

  /** Goes to the previous event that changed the selected value. */
  async lastChange() {
    if (this.where === null) return;
    const { seq, store } = this.where;
    const path = this.tree.row?.path ?? '';
    try {
      const { change } = await history();
      const { tape } = this.#page;
      const { line } = await tape.line(seq);
      // Another store's event doesn't move the value.
      const own = (line.store ?? 'main') === store ? line : { seq, store };
      const found = await change(tape, own, path, -1, { isAfter: true });
      if (this.where.seq !== seq) return;
      if (found === null) notice(`No change of ${path || 'the state'} before #${seq}.`);
      else this.#page.reveal(found.seq);
    } catch (error) {
      if (error.status === undefined) throw error;
      notice(error.message, { failed: true });
    }
  }

  /** Starts a draft, and edits the selected value unless `later`. */
  async edit({ later = false } = {}) {
    if (this.where === null) return;
    if (this.#editing === null) {
      const [{ Editing }] = await Promise.all([import('./editing.js'), style('views/editing.css')]);
      this.#editing ??= new Editing(this.#page, this);
    }
    if (!later) return this.#editing.begin();
    this.#editing.open();
    this.tree.element.focus();
  }

  #selected() {
    const path = this.tree.row?.path ?? '';
    setText(this.#path, path || 'whole state');
    setText(this.#pin, this.where !== null && pinned(this.where).includes(path) ? 'Unpin' : 'Pin');
  }

  async #openSearch() {
    if (this.#search !== null) return;
    const { Search } = await import('./search.js');
    if (this.#search !== null) return;
    this.#search = new Search(this.#field, this.tree);
    this.#field.after(this.#search.element);
    if (this.where !== null) this.#search.show(this.#editing?.shown()?.shown ?? this.state);
  }

  async #openPins() {
    const { Pins } = await import('./pins.js');
    if (this.#pins !== null) return;
    this.#pins = new Pins(this.tree);
    this.#bar.after(this.#pins.element);
    inFrame(() => this.draw());
  }

  async #togglePin() {
    await this.#openPins();
    this.#pins.toggle(this.tree.row?.path ?? '', this.where);
    this.draw();
  }
}

/** The session and store whose types they are. @param {Where|null} where */
function nameOf(where) {
  return where && `${where.session} ${where.store}`;
}
