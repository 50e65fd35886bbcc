// A virtual list: any number of rows of equal height, with elements only for visible ones.
import { inFrame } from './frame.js';

/** Browsers limit the height of elements (pixels); a longer list scrolls in proportion. */
const tallest = 8_000_000;
const margin = 6;

export class VirtualList {
  first = 0;
  last = 0;
  /** Whether the last drawing scrolled. */
  moved = false;
  #host;
  #canvas;
  #options;
  #count = 0;
  #pool = [];
  #bound = [];
  #goal = null;

  /**
   * @param {HTMLElement} host the element that scrolls
   * @param {{rowHeight: number, make: () => HTMLElement, bind: (element: HTMLElement, row: number) => void,
   *   drawn?: () => void}} options `drawn` runs after each drawing
   */
  constructor(host, options) {
    this.#host = host;
    this.#options = options;
    this.#canvas = document.createElement('div');
    this.#canvas.className = 'canvas';
    this.#canvas.setAttribute('role', 'presentation');
    host.append(this.#canvas);
    host.addEventListener('scroll', () => inFrame(this.draw, true), { passive: true });
    new ResizeObserver(() => inFrame(this.draw, true)).observe(host);
  }

  get count() {
    return this.#count;
  }

  /** Sets the number of rows and redraws them. @param {number} [count] */
  refresh(count = this.#count) {
    this.#count = count;
    this.#bound.fill(-1);
    inFrame(this.draw, true);
  }

  /** Whether the next drawing scrolls to a row. */
  get scrolling() { return this.#goal !== null; }

  /** Whether the last row is visible. */
  get atEnd() {
    return this.below <= this.#options.rowHeight / 2;
  }

  /** Hidden pixels below. */
  get below() {
    return this.#host.scrollHeight - this.#host.clientHeight - this.#host.scrollTop;
  }

  /** Whether the rows don't fit; not while the list is hidden. */
  get scrolls() {
    const view = this.#host.clientHeight;
    return view > 0 && this.#count * this.#options.rowHeight > view;
  }

  /** The row at the top, with a fraction. */
  get position() {
    return this.#host.scrollTop * this.#ratio() / this.#options.rowHeight;
  }

  /** Scrolls to a row in the next frame. @param {number} row @param {'nearest'|'center'|'top'|'end'} [where] */
  reveal(row, where = 'nearest') {
    this.#goal = { row, where };
    inFrame(this.draw, true);
  }

  get fitting() {
    return Math.max(1, Math.floor(this.#host.clientHeight / this.#options.rowHeight));
  }

  #ratio() {
    const total = this.#count * this.#options.rowHeight;
    const view = this.#host.clientHeight;
    return total > tallest ? (total - view) / (tallest - view) : 1;
  }

  #scroll() {
    const { row, where } = this.#goal;
    this.#goal = null;
    const { rowHeight } = this.#options;
    const view = this.#host.clientHeight;
    const ratio = this.#ratio();
    const top = this.#host.scrollTop * ratio;
    let next = top;
    if (where === 'end') next = this.#count * rowHeight - view;
    else if (where === 'top') next = row * rowHeight;
    else if (where === 'center') next = row * rowHeight - Math.floor((view - rowHeight) / 2);
    else if (row * rowHeight < top) next = row * rowHeight;
    else if ((row + 1) * rowHeight > top + view) next = (row + 1) * rowHeight - view;
    if (next !== top) this.#host.scrollTop = where === 'end' ? this.#host.scrollHeight : next / ratio;
  }

  /** Draws now: what is ready after a frame's jobs is still in that frame. */
  draw = () => {
    const { rowHeight, bind, drawn } = this.#options;
    const view = this.#host.clientHeight;
    if (view === 0) return;
    const before = this.#host.scrollTop;
    this.#canvas.style.height = `${Math.min(tallest, this.#count * rowHeight)}px`;
    if (this.#goal !== null) this.#scroll();
    const scroll = this.#host.scrollTop;
    this.moved = scroll !== before;
    const top = scroll * this.#ratio();
    this.#fill(Math.ceil(view / rowHeight) + 1 + 2 * margin);
    const size = this.#pool.length;
    this.first = Math.min(Math.floor(top / rowHeight), Math.max(0, this.#count - 1));
    this.last = Math.min(Math.ceil((top + view) / rowHeight), this.#count) - 1;
    const begin = Math.max(0, Math.min(this.first - margin, this.#count - size));
    for (let row = begin; row < begin + size; row += 1) {
      const slot = row % size;
      const element = this.#pool[slot];
      element.hidden = row >= this.#count;
      if (element.hidden) {
        element.removeAttribute('id');
        element.removeAttribute('aria-selected');
        this.#bound[slot] = -1;
        continue;
      }
      element.style.transform = `translateY(${Math.round(row * rowHeight - top + scroll)}px)`;
      if (this.#bound[slot] === row) continue;
      this.#bound[slot] = row;
      bind(element, row);
    }
    drawn?.();
  };

  /** The pool never shrinks. */
  #fill(size) {
    if (this.#pool.length >= size) return;
    while (this.#pool.length < size) {
      const element = this.#options.make();
      this.#pool.push(element);
      this.#canvas.append(element);
    }
    this.#bound = this.#pool.map(() => -1);
  }
}
