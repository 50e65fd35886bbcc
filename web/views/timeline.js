// The list of events.
import { byID, h, say, set } from '../ui/dom.js';
import { count, delta, many, size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { VirtualList } from '../ui/list.js';

/** Pixels; fingers need more. */
const rowHeight = matchMedia('(pointer: coarse)').matches ? 36 : 26;
const hues = 10;

const marks = { push: '⟵', note: '✎', warning: '▲', error: '✖', gap: '⋯', skipped: '◌', '': '' };
const markNames = { push: 'played in', note: 'note', warning: 'warning', error: 'error', gap: 'gap', skipped: 'state not captured' };

/** Draws the timeline and keeps at its tail while the user is there. */
export class TimelineView {
  #page;
  #list;
  #host = byID('events');
  #filter = byID('filter');
  #follows = true;
  #scrolled = 0;
  #left = 0;
  #shownFilter = '';
  #timeline = null;
  /** The event that the address names, until it has been brought into view. */
  #toShow = null;
  /** The first whole row in view, which stays where it is while rows before it come and go. */
  #anchor = null;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#host.style.setProperty('--row', `${rowHeight}px`);
    this.#list = new VirtualList(this.#host, {
      rowHeight,
      make: () => this.#make(),
      bind: (element, row) => this.#bind(element, row),
      drawn: () => this.#drawn(),
    });
    this.#host.addEventListener('scroll', () => this.#follow(), { passive: true });
    this.#filter.addEventListener('input', () => page.go({ filter: this.#filter.value }));
    for (const button of [byID('unfilter'), byID('no-events').querySelector('button')]) {
      button.addEventListener('click', () => this.#unfilter());
    }
    byID('newer').addEventListener('click', () => this.toEnd());
    page.addEventListener('session', () => this.#session());
    page.addEventListener('reveal', ({ detail }) => this.#reveal(detail));
    page.addEventListener('rows', () => inFrame(this.#rows));
    page.addEventListener('place', () => this.#place());
    page.addEventListener('connection', () => inFrame(this.#rows));
  }

  /** By rows; without a selection from the row in view. */
  step(rows) {
    const { timeline, place } = this.#page;
    if (!timeline || this.#list.count === 0) return;
    const selected = place.event === null ? null : timeline.rowOf(place.event);
    const from = selected ?? (rows > 0 ? this.#list.first - 1 : this.#list.last + 1);
    const hidden = selected !== null && timeline.at(selected)?.seq !== place.event;
    const row = Math.max(0, Math.min(this.#list.count - 1, from + rows - (hidden && rows > 0 ? 1 : 0)));
    this.select(timeline.at(row).seq);
  }

  screen(direction) {
    this.step(direction * Math.max(1, this.#list.fitting - 1));
  }

  edge(last) {
    const place = this.#page.timeline?.at(last ? this.#list.count - 1 : 0);
    if (place) this.select(place.seq);
    if (last) this.toEnd();
  }

  /**
   * Selects an event and brings it into view.
   * @param {number} seq
   */
  select(seq) {
    this.#page.go({ event: seq });
    this.#list.reveal(this.#page.timeline.rowOf(seq));
    this.#follows &&= this.#page.timeline.rowOf(seq) === this.#list.count - 1;
  }

  #reveal(seq) {
    const { timeline } = this.#page;
    if (timeline.filtered && timeline.at(timeline.rowOf(seq))?.seq !== seq) this.#page.go({ filter: '' });
    this.select(seq);
  }

  toEnd() {
    this.#follows = true;
    this.#left = this.#list.count;
    this.#list.reveal(0, 'end');
  }

  focus() {
    this.#host.focus();
  }

  #session() {
    const { timeline, place } = this.#page;
    if (timeline !== this.#timeline) {
      this.#timeline = timeline;
      this.#follows = place.event === null;
      this.#toShow = place.event;
      this.#shownFilter = place.filter;
    }
    inFrame(this.#rows);
  }

  #rows = () => {
    const { timeline, place } = this.#page;
    if (this.#filter.value !== place.filter) this.#filter.value = place.filter;
    if (!timeline) return this.#list.refresh(0);
    // What a hand has moved since the last drawing may not have been told yet.
    this.#follow();
    const top = this.#follows || this.#list.count === 0 ? null : this.#anchor;
    this.#list.refresh(timeline.count);
    if (this.#toShow !== null && timeline.known) {
      this.#list.reveal(timeline.rowOf(this.#toShow), 'center');
      this.#left = timeline.count;
      if (timeline.head(this.#toShow)) this.#toShow = null;
    } else if (this.#follows) this.#list.reveal(0, 'end');
    else if (top !== null && timeline.rowOf(top.seq) !== top.row) {
      this.#list.reveal(timeline.rowOf(top.seq), 'top');
    }
    this.#state();
  };

  #place() {
    const { timeline, place } = this.#page;
    if (timeline && place.filter !== this.#shownFilter) {
      this.#shownFilter = place.filter;
      this.#list.refresh(timeline.count);
      this.#left = timeline.count;
      const row = place.event ?? (this.#follows ? null : this.#anchor?.seq);
      if (row === null || row === undefined) this.#list.reveal(0, 'end');
      else this.#list.reveal(timeline.rowOf(row), 'center');
      this.#anchor = null;
    }
    inFrame(this.#rows);
  }

  #follow() {
    const top = this.#host.scrollTop;
    if (top === this.#scrolled || !this.#list.scrolls) return;
    // The first step up of a smooth scroll is a few pixels: it lets go of the tail already.
    this.#follows = top < this.#scrolled ? this.#list.below < 2 : this.#follows || this.#list.atEnd;
    this.#scrolled = top;
    this.#state();
  }

  #drawn() {
    if (this.#list.moved) this.#scrolled = this.#host.scrollTop;
    else this.#follow();
    const { timeline, place } = this.#page;
    if (!timeline) return;
    timeline.view(this.#list.first, this.#list.last);
    const first = Math.ceil(this.#list.position);
    const top = timeline.at(first);
    this.#anchor = top && { row: first, seq: top.seq };
    set(this.#host, 'aria-activedescendant', place.event !== null && byID(`event-${place.event}`) ? `event-${place.event}` : null);
    this.#state();
  }

  /** Everything around the rows: counts, the button to the tail, what is said of an empty list. */
  #state() {
    const { timeline, place } = this.#page;
    const rows = timeline?.count ?? 0;
    if (this.#follows) this.#left = rows;
    const fresh = Math.max(0, rows - this.#left);
    const button = byID('newer');
    button.hidden = this.#follows || !this.#list.scrolls || (fresh === 0 && this.#list.atEnd);
    say(button, fresh > 0 ? `↓ ${count(fresh)} new` : '↓ To the end');
    byID('unfilter').hidden = place.filter === '';
    say(byID('shown'), !timeline?.known ? '' : timeline.filtered
      ? `${count(rows)} of ${count(timeline.end)}` : many(timeline.end, 'event'));
    this.#host.style.setProperty('--seq', `${count(Math.max(0, (timeline?.end ?? 1) - 1)).length + 1}ch`);
    this.#host.classList.toggle('stores', (timeline?.stores.size ?? 0) > 1);
    this.#empty(timeline, rows);
  }

  #empty(timeline, rows) {
    const box = byID('no-events');
    box.hidden = !timeline || rows > 0 || this.#page.problem !== null;
    if (box.hidden) return;
    const waiting = !timeline.known || (timeline.filtered && !timeline.complete);
    const text = waiting ? 'Loading events…' : timeline.filtered ? `No event matches “${this.#page.place.filter}”.`
      : 'No events yet. They appear here as the app dispatches actions.';
    say(box.querySelector('p'), text);
    box.querySelector('button').hidden = waiting || !timeline.filtered;
  }

  #unfilter() {
    this.#page.go({ filter: '' });
    this.focus();
  }

  #make() {
    const cells = ['seq', 'since', 'mark', 'label', 'store', 'summary', 'size'];
    const row = h('div', { class: 'row', role: 'option' }, ...cells.map((name) => h('span', { class: name })));
    row.addEventListener('click', () => this.select(Number(row.dataset.seq)));
    return row;
  }

  #bind(row, index) {
    const { timeline, place } = this.#page;
    const event = timeline?.at(index) ?? null;
    // Pages that have just come may hold fewer events than was thought, or the session was left: the next frame counts anew.
    if (event === null) return row.hidden = true;
    const { seq, head } = event;
    row.id = `event-${seq}`;
    row.dataset.seq = seq;
    set(row, 'aria-setsize', timeline.count);
    set(row, 'aria-posinset', index + 1);
    set(row, 'aria-selected', String(seq === place.event));
    row.className = `row ${head ? `is-${head.event} mark-${head.mark || 'none'}` : 'is-loading'}`;
    const [number, since, mark, label, store, summary, bytes] = row.children;
    say(number, count(seq));
    const before = head && timeline.before(seq);
    say(since, before ? delta(head.at - before.at) : '');
    say(mark, head ? marks[head.mark] : '');
    set(mark, 'role', head?.mark ? 'img' : null);
    set(mark, 'aria-label', head?.mark ? markNames[head.mark] : null);
    say(label, head?.label ?? '');
    label.className = head?.hasAction ? 'label type' : 'label';
    if (head?.hasAction) label.style.setProperty('--hue', `var(--hue-${hueOf(head.group)})`);
    say(store, head?.store ?? '');
    say(summary, head?.summary ?? '');
    say(bytes, head?.size ? size(head.size) : '');
  }
}

/** The colour of a group of actions: always the same for the same name. */
function hueOf(group) {
  let hash = 26;
  for (const letter of group) hash = (hash * 31 + letter.codePointAt(0)) % 65_521;
  return hash % hues;
}
