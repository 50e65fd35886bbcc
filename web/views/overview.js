// The overview of a session: actions by type, state sizes, busiest and slowest moments, pushes and errors.
import { json, Problem, sessionPath } from '../link/http.js';
import { href } from '../model/address.js';
import { numberOf } from '../json/parse.js';
import { byID, h, linkTo } from '../ui/dom.js';
import { count, duration, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { card, meter, percent } from './card.js';
import { moment } from './clock.js';
import { sizes } from './sizes.js';

/** A growing session is read again this often (ms). */
const pause = 5000;
/** Rows of a list until the user opens it. */
const few = 10;

export class OverviewView {
  #page;
  #close;
  #box = byID('view');
  #content = h('div', { class: 'overview' });
  #session = null;
  #figures = null;
  #error = null;
  #end = -1;
  #running = false;
  #read = -Infinity;
  #timer = 0;
  /** The open lists. */
  #open = new Set();

  /**
   * @param {import('../model/page.js').Page} page
   * @param {() => void} close
   */
  constructor(page, close) {
    this.#page = page;
    this.#close = close;
    for (const name of ['place', 'session', 'rows', 'connection']) page.addEventListener(name, () => inFrame(this.#update));
    inFrame(this.#update);
  }

  #update = () => {
    const { place, tape, timeline } = this.#page;
    clearTimeout(this.#timer);
    if (place.view !== 'overview' || tape === null) return;
    if (this.#session !== tape.session) {
      this.#session = tape.session;
      this.#figures = this.#error = null;
      this.#end = -1;
      this.#read = -Infinity;
      this.#open.clear();
      this.#render();
    }
    if (this.#content.parentNode !== this.#box) this.#box.replaceChildren(this.#content);
    if (this.#running || timeline.end === this.#end) return;
    const wait = this.#read + pause - performance.now();
    if (wait > 0) this.#timer = setTimeout(this.#update, wait);
    else this.#load(tape.session, timeline.end);
  };

  async #load(session, end) {
    this.#running = true;
    this.#read = performance.now();
    this.#end = end;
    try {
      const figures = await json(sessionPath(session, '/overview'));
      if (session !== this.#session) return;
      this.#figures = figures;
      this.#error = null;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#error = error;
    } finally {
      this.#running = false;
      this.#update();
    }
    this.#render();
  }

  #render = () => {
    // Keep the focus.
    const focusable = () => [...this.#content.querySelectorAll('a, button, summary, [tabindex]')];
    const focused = focusable().indexOf(document.activeElement);
    const top = this.#box.scrollTop;
    this.#content.replaceChildren(...this.#parts());
    this.#box.scrollTop = top;
    if (focused >= 0) focusable()[focused]?.focus({ preventScroll: true });
  };

  #parts() {
    const figures = this.#figures;
    const close = h('button', { class: 'close', 'aria-label': 'Close the overview', title: 'Close (Esc)', on: { click: this.#close } }, '✕');
    const about = figures ? `${many(figures.committed, 'event')} in ${duration(numberOf(figures.duration) ?? 0)}` : '';
    const header = h('header', { class: 'view-head' }, h('h2', {}, 'Overview'), h('p', { class: 'hint' }, about), close);
    if (this.#error) {
      const again = h('button', { on: { click: () => { this.#end = -1; this.#read = -Infinity; this.#update(); } } }, 'Try again');
      return [header, h('div', { class: 'middle' }, h('p', {}, `Can’t load the overview. ${this.#error.message}`), again)];
    }
    if (!figures) return [header, h('p', { class: 'hint' }, 'Loading…')];
    const { slowest, busiest, pushes, errors, warnings, gaps } = figures;
    const moments = (title, empty, events, text, total = events.length) =>
      this.#list(title, empty, events.map((event) => [this.link(event.seq), moment(numberOf(event.at) ?? 0), text(event)]), total);
    return [header, h('div', { class: 'cards' },
      this.#types(figures.actions),
      sizes(figures, this),
      moments('Busiest seconds', 'No events yet.', busiest, (event) => many(event.count, 'event')),
      moments('Slowest actions', 'No reducer times recorded yet.', slowest.filter((event) => event.took !== undefined),
        (event) => `${duration(numberOf(event.took))} · ${event.type ?? 'action'}`),
      moments('Errors', 'No errors.', errors.events, (event) => [event.type, event.text ?? 'error'].filter(Boolean).join(': '), errors.count),
      moments('Warnings', 'No warnings.', warnings.events, (event) => event.text ?? 'warning', warnings.count),
      moments('Sent to the app', 'No states or actions sent yet.', pushes.events, (event) => event.type ?? 'a state', pushes.count),
      moments('Gaps', 'No events dropped.', gaps.events,
        (event) => `${many(event.count ?? 1, 'event')} dropped${event.reason ? `: ${event.reason}` : ''}`, gaps.count))];
  }

  #types({ count: all, types, others }) {
    const timed = types.some((type) => type.median !== undefined);
    const shown = this.#open.has('types') ? types : types.slice(0, few);
    const took = (value) => h('td', { class: 'number' }, value === undefined ? '–' : duration(numberOf(value)));
    const most = Math.max(1, ...types.map((type) => type.count));
    const row = (type, name) => h('tr', {}, h('th', { scope: 'row' }, name, meter(type.count / most)),
      h('td', { class: 'number' }, count(type.count)), h('td', { class: 'number' }, percent(numberOf(type.share) ?? 0)),
      ...(timed ? [took(type.median), took(type.p95)] : []));
    return card('Actions by type', all === 0 ? 'No actions yet.' : null,
      h('table', {},
        h('thead', {}, h('tr', {}, ...['Type', 'Count', 'Share', ...(timed ? ['Median', 'p95'] : [])]
          .map((name, index) => h('th', { scope: 'col', class: index > 0 ? 'number' : '', title: index > 2 ? 'Reducer time' : null }, name)))),
        h('tbody', {}, ...shown.map((type) => row(type, this.#type(type.type))), others ? row(others, h('i', {}, 'others')) : null)),
      this.#more('types', types.length, shown.length),
      timed || all === 0 ? null : h('p', { class: 'hint' }, 'No reducer times recorded yet.'));
  }

  /** A link that filters the timeline by a type. */
  #type(type) {
    const text = /^[^\s"]+$/.test(type) ? `type:${type}` : `type:"${type.replaceAll('"', '')}"`;
    const { place } = this.#page;
    return linkTo(h('a', { href: href({ ...place, filter: text }), title: 'Filter the timeline by this type' }, type || 'no type'), () => {
      const covered = getComputedStyle(byID('timeline')).visibility === 'hidden';
      this.#page.go(covered ? { filter: text, view: '', event: null } : { filter: text });
    });
  }

  #list(title, empty, rows, total) {
    const shown = this.#open.has(title) ? rows : rows.slice(0, few);
    return card(`${title}${total > few ? ` (${count(total)})` : ''}`, total === 0 ? empty : null,
      h('ol', { class: 'moments' }, ...shown.map((cells) => h('li', {}, ...cells.map((cell) => (cell instanceof Node ? cell : h('span', {}, cell)))))),
      this.#more(title, rows.length, shown.length),
      total > rows.length && shown.length === rows.length ? h('p', { class: 'hint' }, `Only the first ${rows.length} are shown.`) : null);
  }

  #more(name, all, shown) {
    if (all <= few) return null;
    const open = all === shown;
    return h('button', { class: 'quiet', 'aria-expanded': String(open), on: { click: () => {
      if (open) this.#open.delete(name);
      else this.#open.add(name);
      this.#render();
    } } }, open ? 'Show fewer' : `Show all ${all}`);
  }

  /** A link to an event, which closes the overview. @param {number} seq @param {string} [text] */
  link(seq, text = `#${count(seq)}`) {
    return linkTo(h('a', { href: href({ ...this.#page.place, event: seq, view: '' }) }, text), () => this.go(seq));
  }

  /** @param {number} seq */
  go(seq) {
    this.#page.go({ view: '', event: seq });
    this.#page.reveal(seq);
  }

  /**
   * Shows a part of a store's last state.
   * @param {string} store
   * @param {string} path
   */
  show(store, path) {
    const { timeline } = this.#page;
    let head = timeline.before(this.#figures.committed);
    for (let left = few * 1000; left > 0 && head !== null && (head.store !== store || head.event === 'end'); left -= 1) head = timeline.before(head.seq);
    if (head === null) return;
    this.#page.go({ tab: 'state' });
    this.go(head.seq);
    this.#page.showPath(path);
  }
}
