// The filter field and its messages.
import { byID, h, set, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';
import { recall, remember } from '../ui/memory.js';

const explaining = part(() => import('./filter-error.js'), 'ui/controls.css');
const mostTypes = 300;

export class FilterView {
  #page;
  #list;
  #field = byID('filter');
  #dims = recall('--dims') === 'yes';
  #error = null;
  #jumps = null;

  /** @param {import('../model/page.js').Page} page @param {import('./timeline.js').TimelineView} list */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    // A chosen completion is applied at once.
    this.#field.addEventListener('input', ({ inputType }) => {
      this.#jumps?.forget();
      page.go({ filter: this.#field.value }, !/^$|^insertReplacement/.test(inputType ?? ''));
    });
    this.#field.addEventListener('focus', () => this.#offer());
    this.#field.addEventListener('keydown', (event) => event.key === 'Enter' && this.#jump(event.shiftKey ? -1 : 1));
    for (const button of [byID('unfilter'), byID('no-events').querySelector('button')]) {
      button.addEventListener('click', () => this.#clear());
    }
    byID('dim').addEventListener('click', () => this.dim());
    byID('next-match').addEventListener('click', () => this.#jump(1));
    byID('previous-match').addEventListener('click', () => this.#jump(-1));
    byID('filter-help').addEventListener('click', () => this.#help());
    page.addEventListener('session', () => this.#session());
    for (const name of ['place', 'rows']) page.addEventListener(name, () => inFrame(this.#render));
    this.#session();
  }

  focus() {
    this.#field.focus();
  }

  /** Switches between dimming and hiding other events. */
  dim() {
    this.#dims = !this.#dims;
    remember('--dims', this.#dims ? 'yes' : null);
    this.#session();
  }

  #session() {
    const { timeline } = this.#page;
    if (timeline && timeline.dims !== this.#dims) timeline.dims = this.#dims;
    inFrame(this.#render);
  }

  #clear() {
    this.#page.go({ filter: '' });
    this.#list.focus();
  }

  async #jump(direction) {
    const { Jump } = await import('./jump.js');
    this.#jumps ??= new Jump(this.#page, this.#list);
    this.#jumps.go(direction);
  }

  #render = () => {
    const { timeline, place } = this.#page;
    if (this.#field.value !== place.filter) this.#field.value = place.filter;
    byID('unfilter').hidden = place.filter === '';
    const filters = timeline?.filters ?? false;
    byID('matches').hidden = !filters;
    set(byID('dim'), 'aria-pressed', String(this.#dims));
    const shown = byID('shown');
    set(shown, 'role', filters ? 'status' : null);
    if (!filters || timeline.progress > 0 || timeline.end === 0) setText(shown, !timeline?.known ? '' : filters ? `${count(timeline.matching)} of ${count(timeline.end)}` : many(timeline.end, 'event'));
    if (filters && timeline.progress < timeline.end) setText(byID('searched'), `searched ${count(timeline.progress)} of ${count(timeline.end)}`);
    else if (byID('searched').textContent.startsWith('searched')) setText(byID('searched'), '');
    this.#explain(timeline?.filtered?.error ?? null);
  };

  /** Shows an invalid term. */
  async #explain(error) {
    if (error === this.#error) return;
    this.#error = error;
    const box = byID('filter-error');
    box.hidden = error === null;
    set(this.#field, 'aria-invalid', error === null ? null : 'true');
    box.replaceChildren();
    if (error === null) return;
    const { explain } = await explaining();
    if (error === this.#error) box.replaceChildren(...explain(error));
  }

  /** Completes the types of the loaded actions. */
  #offer() {
    const types = [...this.#page.timeline?.types ?? []].sort().slice(0, mostTypes);
    byID('terms').replaceChildren(...types.map((type) => h('option', { value: `type:${/\s/.test(type) ? `"${type}"` : type}` })));
  }

  async #help() {
    const { Syntax } = await import('./syntax.js');
    Syntax.show(byID('filter-help'), (example) => {
      this.#page.go({ filter: example });
      this.#field.focus();
    });
  }
}
