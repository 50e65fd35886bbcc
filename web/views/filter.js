// The filter field and its messages.
import { byID, set, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';
import { recall, remember } from '../ui/memory.js';

const terms = part(() => import('./filter-terms.js'), 'views/filter.css', 'ui/controls.css');

export class FilterView {
  #page;
  #list;
  #field = byID('filter');
  #dims = recall('--dims') === 'yes';
  /** The filter that the field shows. */
  #shown = '';
  #jumps = null;
  /** Loaded with the first filter. @type {import('./filter-terms.js').FilterTerms|null} */
  #terms = null;

  /** @param {import('../model/page.js').Page} page @param {import('./timeline.js').TimelineView} list */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    this.#field.addEventListener('input', (event) => {
      this.#jumps?.forget();
      this.#go(Boolean(event.inputType));
      this.#load().then((loaded) => loaded.typed(event));
    });
    this.#field.addEventListener('focus', () => this.#load());
    this.#field.addEventListener('keydown', ({ key, shiftKey, isComposing }) => {
      if (key !== 'Enter' || isComposing) return;
      // It also completes a term, if those are there already.
      if (this.#terms === null) this.#load().then((terms) => terms.complete());
      this.#jump(shiftKey ? -1 : 1);
    });
    for (const button of [byID('unfilter'), byID('no-events').querySelector('button')]) {
      button.addEventListener('click', () => this.#clear());
    }
    byID('dim').addEventListener('click', () => this.dim());
    byID('next-match').addEventListener('click', () => this.#jump(1));
    byID('previous-match').addEventListener('click', () => this.#jump(-1));
    byID('filter-help').addEventListener('click', async () => (await this.#load()).help());
    page.addEventListener('session', () => this.#session());
    page.addEventListener('rows', () => inFrame(this.#render));
    page.addEventListener('place', () => this.#follow());
    this.#follow();
    this.#session();
  }

  focus() {
    this.#field.focus();
  }

  /** Dims or hides other events. */
  dim() {
    this.#dims = !this.#dims;
    remember('--dims', this.#dims ? 'yes' : null);
    this.#session();
  }

  async #load() {
    const { FilterTerms } = await terms();
    if (this.#terms === null) inFrame(this.#render);
    return this.#terms ??= new FilterTerms(this.#page, this.#list, (isTyped) => this.#go(isTyped));
  }

  /** Filters by chips and field. */
  #go(isTyped) {
    this.#shown = this.#terms?.text ?? this.#field.value;
    this.#page.go({ filter: this.#shown }, isTyped);
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
    byID('unfilter').hidden = place.filter === '';
    const filters = timeline?.filters ?? false;
    byID('matches').hidden = !filters;
    set(byID('dim'), 'aria-pressed', String(this.#dims));
    const shown = byID('shown');
    set(shown, 'role', filters ? 'status' : null);
    if (!filters || timeline.progress > 0 || timeline.end === 0) setText(shown, !timeline?.known ? '' : filters ? `${count(timeline.matching)} of ${count(timeline.end)}` : many(timeline.end, 'event'));
    const searched = byID('searched');
    const isSearching = filters && timeline.progress < timeline.end;
    if (isSearching) setText(searched, `searched ${count(timeline.progress)} of ${count(timeline.end)}`);
    else if (searched.classList.contains('is-progress')) setText(searched, '');
    searched.classList.toggle('is-progress', isSearching);
    this.#terms?.update();
  };

  /** Shows a filter that was not typed, at once: the user may go on typing. */
  async #follow() {
    inFrame(this.#render);
    const { filter } = this.#page.place;
    if (this.#shown === filter) return;
    this.#shown = this.#field.value = filter;
    (await this.#load()).show(filter);
  }
}
