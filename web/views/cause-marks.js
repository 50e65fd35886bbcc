// Marks the events that others started in the timeline, and the cause and direct effects of one: of the row under the
// pointer, else of the selected one.
import { causeOf } from '../model/causes.js';
import { byID, set, setText } from '../ui/dom.js';

export class CauseMarks {
  #page;
  #host = byID('events');
  /** The seq of the row under the pointer. */
  #over = null;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#host.addEventListener('pointerover', ({ target, pointerType }) => pointerType === 'mouse' && this.#point(target.closest('.row')?.dataset.seq));
    this.#host.addEventListener('pointerleave', () => this.#point());
  }

  /** Marks a row that was just filled. @param {HTMLElement} element @param {import('../model/arrangement.js').Row} row */
  mark(element, row) {
    this.#relate(element, row);
    const mark = element.querySelector('.mark');
    // Any other mark says more.
    if (row.head === null || causeOf(row.head) === null || mark.textContent !== '') return;
    setText(mark, '↳');
    set(mark, 'role', 'img');
    set(mark, 'aria-label', 'started by another event');
  }

  #relate(element, row) {
    const to = this.#row(this.#over ?? this.#page.place.event);
    element.classList.toggle('is-cause', to !== null && row.seq !== to.seq && started(row, to));
    element.classList.toggle('is-effect', to !== null && started(to, row));
  }

  #point(seq) {
    const over = seq === undefined ? null : Number(seq);
    if (over === this.#over) return;
    this.#over = over;
    for (const element of this.#host.querySelectorAll('.row:not([hidden])')) {
      const row = this.#row(Number(element.dataset.seq));
      if (row) this.#relate(element, row);
    }
  }

  /** The row of an event; null if it has none. */
  #row(seq) {
    const { timeline } = this.#page;
    const row = seq === null || !timeline ? null : timeline.at(timeline.rowOf(seq));
    return row && row.from <= seq && seq <= row.seq ? row : null;
  }
}

/** Whether an event of a row started a shown one of another row. */
function started(row, other) {
  return other.head !== null && (other.heads ?? [other.head]).some((head) => {
    const cause = causeOf(head);
    return cause !== null && row.from <= cause && cause <= row.seq;
  });
}
