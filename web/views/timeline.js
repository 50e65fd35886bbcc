// The timeline list.
import { covers } from '../model/timeline.js';
import { byID, linkTo, set, setText } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { VirtualList } from '../ui/list.js';
import { recall, remember } from '../ui/memory.js';
import { fill, make } from './row.js';

/** Pixels; touch needs more. */
const rowHeight = matchMedia('(pointer: coarse)').matches ? 36 : 26;

/** Follows new events while the user is at the end. */
export class TimelineView {
  #page;
  #list;
  #host = byID('events');
  #groups = recall('--groups') !== 'no';
  #follows = true;
  #scrolled = 0;
  #left = 0;
  #shownFilter = '';
  #timeline = null;
  /** Loaded after the first rows. @type {import('./previews.js').PreviewsView|null} */
  #previews = null;
  /** Scroll to this event once it is loaded: the address's, or the top one before a filter. */
  #toShow = null;
  /** An event that was selected by itself, not by its row: its group stays expanded. */
  #alone = null;
  /** The first fully visible row: it stays in place when rows before it change. */
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
    // An element above the list may hide its end.
    new ResizeObserver(() => this.#follows && this.#list.reveal(0, 'end')).observe(this.#host);
    byID('group').addEventListener('click', () => this.toggleGroups());
    byID('newer').addEventListener('click', () => this.toEnd());
    linkTo(byID('skip'), () => this.focus());
    // Shift and a click set a range: they select no text.
    this.#host.addEventListener('mousedown', (event) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      this.focus();
    });
    page.addEventListener('session', () => this.#session());
    page.addEventListener('reveal', ({ detail }) => this.#reveal(detail));
    page.addEventListener('rows', () => inFrame(this.#rows));
    page.addEventListener('place', () => this.#place());
    for (const name of ['connection', 'bookmarks']) page.addEventListener(name, () => inFrame(this.#rows));
    set(byID('group'), 'aria-pressed', String(this.#groups));
  }

  /** Shows values in the rows. @param {import('./previews.js').PreviewsView} previews */
  show(previews) {
    this.#previews = previews;
    this.redraw();
  }

  redraw() {
    this.#list.refresh();
  }

  step(rows) {
    const { timeline, place } = this.#page;
    if (!timeline || timeline.count === 0) return;
    this.#expandAroundAlone();
    const selected = place.event === null ? null : timeline.rowOf(place.event);
    const from = selected ?? (rows > 0 ? this.#list.first - 1 : this.#list.last + 1);
    const hidden = selected !== null && !timeline.shows(place.event);
    const row = from + rows - (hidden && rows > 0 ? 1 : 0);
    this.#selectPast(row, rows);
  }

  screen(direction) {
    this.step(direction * Math.max(1, this.#list.fitting - 1));
  }

  edge(last) {
    const { timeline } = this.#page;
    if (timeline) this.#selectPast(last ? timeline.count - 1 : 0, last ? -1 : 1);
    if (last) this.toEnd();
  }

  /** Selects a row, or the next one that isn't time travel's. */
  #selectPast(row, by) {
    const { timeline } = this.#page;
    let at = Math.max(0, Math.min(timeline.count - 1, row));
    while (timeline.at(at)?.head?.mark === 'travel') at += Math.sign(by);
    if (timeline.at(at)) this.select(timeline.at(at).seq);
  }

  /** Selects an event and scrolls to it. @param {number} seq */
  select(seq) {
    this.#toShow = null;
    // A row that is not loaded yet may be part of a group.
    if (this.#page.timeline.head(seq) === null) this.#alone = seq;
    this.#page.go({ event: seq });
    this.#list.reveal(this.#page.timeline.rowOf(seq));
    this.#follows &&= this.#page.timeline.rowOf(seq) === this.#list.count - 1;
  }

  #reveal(seq) {
    const { timeline } = this.#page;
    if (!timeline.shows(seq)) this.#page.go({ filter: '', range: '' });
    this.#alone = seq;
    this.#expandAround(seq);
    this.select(seq);
  }

  toEnd() {
    this.#follows = true;
    this.#left = this.#page.timeline?.end ?? 0;
    this.#list.reveal(0, 'end');
  }

  focus() {
    this.#host.focus();
  }

  toggleGroups() {
    this.#groups = !this.#groups;
    this.#alone = null;
    remember('--groups', this.#groups ? null : 'no');
    set(byID('group'), 'aria-pressed', String(this.#groups));
    if (this.#page.timeline) this.#page.timeline.groups = this.#groups;
  }

  /** Expands or collapses the selected group. @param {boolean} open */
  expand(open) {
    const { timeline, place } = this.#page;
    if (timeline && place.event !== null) this.#expand(place.event, open);
  }

  #expand(seq, open) {
    const { timeline, place } = this.#page;
    const row = timeline.at(timeline.rowOf(seq));
    this.#alone = null;
    if (!timeline.expand(seq, open)) return;
    // As in a tree, the group expands downwards.
    if (open && place.event === row.seq) this.#page.go({ event: row.from });
    if (place.event !== null && covers(row, place.event)) this.#list.reveal(timeline.rowOf(this.#page.place.event));
  }

  /** Expands the group of an event. */
  #expandAround(seq) {
    const { timeline } = this.#page;
    if (timeline.at(timeline.rowOf(seq))?.seq > seq) timeline.expand(seq, true);
  }

  #expandAroundAlone() {
    const { timeline, place } = this.#page;
    if (this.#alone !== null && this.#alone === place.event && timeline.head(this.#alone)) this.#expandAround(this.#alone);
  }

  #session() {
    const { timeline, place } = this.#page;
    if (timeline !== this.#timeline) {
      this.#timeline = timeline;
      if (timeline && timeline.groups !== this.#groups) timeline.groups = this.#groups;
      this.#follows = place.event === null;
      this.#toShow = this.#alone = place.event;
      this.#shownFilter = place.filter;
    }
    inFrame(this.#rows);
  }

  #rows = () => {
    const { timeline, place } = this.#page;
    if (!timeline) return this.#list.refresh(0);
    // The user may have scrolled since the last drawing.
    this.#follow();
    const top = this.#follows || this.#list.count === 0 ? null : this.#anchor;
    this.#expandAroundAlone();
    this.#list.refresh(timeline.count);
    if (this.#toShow !== null && timeline.known) {
      const row = timeline.rowOf(this.#toShow);
      // Until the first match, the old rows are shown.
      if (!timeline.filters || timeline.searched > 0) this.#list.reveal(row, 'center');
      this.#left = timeline.end;
      // In the middle only with enough matches after it.
      const isBelow = timeline.complete || row + this.#list.fitting / 2 < timeline.count;
      const isHere = timeline.filters ? timeline.searched > this.#toShow && isBelow && timeline.at(row)?.head !== null : timeline.head(this.#toShow);
      if (isHere) this.#toShow = null;
    } else if (this.#follows) this.#list.reveal(0, 'end');
    else if (top !== null && timeline.rowOf(top.seq) !== top.row) {
      const seq = this.#list.scrolling ? place.event : null;
      this.#list.reveal(timeline.rowOf(seq ?? top.seq), seq === null ? 'top' : 'nearest');
    }
    this.#state();
  };

  #place() {
    const { timeline, place } = this.#page;
    if (timeline && place.filter !== this.#shownFilter) {
      this.#shownFilter = place.filter;
      this.#left = timeline.end;
      this.#toShow = this.#follows ? null : place.event ?? this.#anchor?.seq ?? this.#toShow;
      if (this.#toShow === null) this.#list.reveal(0, 'end');
      this.#anchor = null;
    }
    // Drawings before that show it, too.
    this.redraw();
    inFrame(this.#rows);
  }

  #follow() {
    const top = this.#host.scrollTop;
    if (top === this.#scrolled || !this.#list.scrolls) return;
    // A few pixels up stop following: a smooth scroll starts so.
    this.#follows = top < this.#scrolled ? this.#list.below < 2 : this.#follows || this.#list.atEnd;
    this.#scrolled = top;
    this.#toShow = null;
    this.#state();
  }

  #drawn() {
    if (this.#list.moved) this.#scrolled = this.#host.scrollTop;
    else this.#follow();
    const { timeline, place } = this.#page;
    if (!timeline) return;
    timeline.view(this.#list.first, this.#list.last, place.event);
    this.#previews?.want(this.#list.first, this.#list.last);
    const first = Math.ceil(this.#list.position);
    const top = timeline.at(first);
    this.#anchor = top && { row: first, seq: top.seq };
    const selected = place.event !== null && timeline.at(timeline.rowOf(place.event));
    set(this.#host, 'aria-activedescendant', selected && covers(selected, place.event) && byID(`event-${selected.seq}`) ? `event-${selected.seq}` : null);
    this.#state();
  }

  /** Updates the counts, the button to the end, and the text of an empty list. */
  #state() {
    const { timeline, bookmarks } = this.#page;
    const rows = timeline?.count ?? 0;
    byID('skip').hidden = rows === 0;
    const all = timeline?.end ?? 0;
    if (this.#follows) this.#left = all;
    const fresh = timeline?.filters ? 0 : Math.max(0, all - this.#left);
    const button = byID('newer');
    button.hidden = this.#follows || !this.#list.scrolls || (fresh === 0 && this.#list.atEnd);
    setText(button, fresh > 0 ? `↓ ${count(fresh)} new` : '↓ Go to end');
    const { style, classList } = byID('timeline');
    style.setProperty('--seq', `${count(Math.max(0, (timeline?.end ?? 1) - 1)).length + 1}ch`);
    classList.toggle('stores', (timeline?.stores.size ?? 0) > 1);
    classList.toggle('flags', bookmarks.size > 0);
    this.#empty(timeline, rows);
  }

  async #empty(timeline, rows) {
    const box = byID('no-events');
    box.hidden = !timeline || rows > 0 || this.#page.problem !== null;
    if (box.hidden) return;
    if (timeline.known) return (await import('./no-events.js')).explain(this.#page, box);
    setText(box.firstElementChild, 'Loading events…');
    box.lastElementChild.hidden = true;
  }

  #make() {
    const row = make();
    row.addEventListener('click', ({ target, shiftKey }) => {
      const { seq } = row.dataset;
      const { timeline } = this.#page;
      const isGrouped = timeline.at(timeline.rowOf(Number(seq)))?.n > 1;
      if (target.closest('.times')?.textContent) this.#expand(Number(seq), isGrouped);
      else if (shiftKey) this.#page.emit('range', Number(seq));
      else this.select(Number(seq));
    });
    return row;
  }

  #bind(element, index) {
    const row = this.#page.timeline?.at(index);
    // A loaded page may have fewer events than expected: the next frame counts again.
    if (!row) return element.hidden = true;
    fill(element, row, index, this.#page, this.#previews);
  }
}
