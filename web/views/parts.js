// What comes after the first rows, or when it is asked for: the scrubber, the overview, the comparison.
import { byID, h, set } from '../ui/dom.js';
import { style } from '../ui/part.js';

const names = { overview: 'Overview', compare: 'Compare' };

export class Parts {
  /** @type {import('./scrubber.js').ScrubberView|null} */
  scrubber = null;
  #page;
  #list;
  #box = byID('view');
  #made = new Set();
  #buttons;
  #asked = false;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./timeline.js').TimelineView} list
   */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    this.#buttons = ['overview', 'compare'].map((name) => h('button', {
      'data-view': name, 'aria-keyshortcuts': name[0], title: `${names[name]} (${name[0]})`, on: { click: () => this.toggle(name) },
    }, names[name]));
    byID('tools').prepend(...this.#buttons);
    for (const name of ['rows', 'session']) page.addEventListener(name, () => this.#scrub());
    page.addEventListener('place', () => this.#show());
    this.#show();
  }

  /** @param {number} rows */
  step(rows) {
    if (this.scrubber) this.scrubber.step(rows);
    else this.#list.step(rows);
  }

  /** @param {'overview'|'compare'} view */
  toggle(view) {
    const { place } = this.#page;
    if (place.session === null) return;
    if (place.view === view) return this.close();
    this.#page.go({ view, other: null });
    this.#box.focus();
  }

  /** Back to the inspector. */
  close() {
    this.#page.go({ view: '', other: null });
    this.#list.focus();
  }

  async #scrub() {
    const { timeline } = this.#page;
    byID('scrubber').hidden = !timeline || timeline.end === 0;
    if (this.#asked || byID('scrubber').hidden) return;
    this.#asked = true;
    const [{ ScrubberView }] = await Promise.all([import('./scrubber.js'), style('views/scrubber.css')]);
    this.scrubber = new ScrubberView(this.#page, this.#list);
  }

  async #show() {
    const { view, session } = this.#page.place;
    for (const button of this.#buttons) set(button, 'aria-pressed', String(button.dataset.view === view));
    if (session === null || view === '') return;
    set(this.#box, 'aria-label', names[view]);
    if (this.#made.has(view)) return;
    this.#made.add(view);
    try {
      if (view === 'overview') {
        const [{ OverviewView }] = await Promise.all([import('./overview.js'), style('views/overview.css')]);
        new OverviewView(this.#page, () => this.close());
      } else {
        const [{ CompareView }] = await Promise.all([import('./compare.js'), style('views/compare.css')]);
        new CompareView(this.#page, () => this.close());
      }
    } catch (error) {
      this.#made.delete(view);
      throw error;
    }
  }
}
