// The values in the rows of the timeline, and the choice of its columns.
import { dateTime } from '../json/date.js';
import { Previews } from '../model/previews.js';
import { byID, h, set } from '../ui/dom.js';
import { recall, remember } from '../ui/memory.js';
import { markRow } from './bookmark-marks.js';
import { CauseMarks } from './cause-marks.js';
import { resizableColumns } from './column-width.js';
import { marksOf, write } from './marked.js';
import { writeTime } from './row-time.js';
import { drawValues } from './row-values.js';

export class PreviewsView {
  #page;
  #list;
  /** @type {Previews|null} */
  #previews = null;
  /** Of the session (ms since 1970). */
  #started = NaN;
  #filter = null;
  /** @type {import('./marked.js').Marks|null} */
  #marks = null;
  #causes;
  #hasSizes = recall('--sizes') === 'yes';
  #sizes = h('button', { id: 'sizes', class: 'toggle', title: 'Show the size of each change', on: { click: () => this.toggleSizes() } }, 'Sizes');

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./timeline.js').TimelineView} list
   */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    this.#causes = new CauseMarks(page);
    byID('columns').after(this.#sizes);
    resizableColumns();
    page.addEventListener('session', () => this.#session());
    page.addEventListener('connection', () => this.#previews?.resume());
    this.#showSizes();
    this.#session();
    list.show(this);
  }

  /** Shows or hides the sizes of the changes. */
  toggleSizes() {
    this.#hasSizes = !this.#hasSizes;
    remember('--sizes', this.#hasSizes ? 'yes' : null);
    this.#showSizes();
  }

  /** Asks for the values of visible rows. @param {number} first @param {number} last */
  want(first, last) {
    const heads = [];
    for (let row = last; row >= first; row -= 1) {
      const { head, heads: all } = this.#page.timeline.at(row) ?? {};
      if (head) heads.push(...(all ?? [head]).toReversed());
    }
    this.#previews?.want(heads);
  }

  /**
   * Draws a row's values.
   * @param {import('../model/arrangement.js').Row} row
   * @param {HTMLElement} element
   * @param {HTMLElement} name
   * @param {HTMLElement} payload
   * @param {HTMLElement} changes
   * @returns {boolean} whether it has drawn the changes
   */
  draw(row, element, name, payload, changes) {
    const { head, heads } = row;
    this.#causes.mark(element, row);
    markRow(element, row, changes.nextElementSibling, this.#page.bookmarks);
    if (head) writeTime(element.children[2], head, this.#page.timeline.before(row.from), this.#started);
    const marks = this.#marksOf(this.#page.timeline.filtered);
    write(name, head?.label ?? '', marks?.name);
    return drawValues(this.#previews, head === null ? [] : heads ?? [head], payload, changes, marks);
  }

  /** The same for all rows of a filter. */
  #marksOf(filter) {
    if (this.#filter !== filter) {
      this.#filter = filter;
      this.#marks = marksOf(filter);
    }
    return this.#marks;
  }

  #session() {
    const { summary } = this.#page;
    this.#started = dateTime(summary?.started);
    if (this.#previews?.areOf(summary)) return;
    this.#previews?.stop();
    this.#previews = summary && new Previews(summary.session, summary.version);
    this.#previews?.addEventListener('change', () => this.#list.redraw());
    this.#list.redraw();
  }

  #showSizes() {
    byID('timeline').classList.toggle('sizes', this.#hasSizes);
    set(this.#sizes, 'aria-pressed', String(this.#hasSizes));
  }
}
