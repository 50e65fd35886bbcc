// The sessions panel.
import { href } from '../model/address.js';
import { deviceName, sessionName } from '../model/session-name.js';
import { byID, h, linkTo, opensMenu, set, setText } from '../ui/dom.js';
import { ago, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';

const one = part(() => import('./session-menu.js'), 'ui/controls.css');

/** Relative times are updated this often (ms). */
const minute = 60_000;
/** Pixels drawn above and below the visible rows. */
const margin = 600;
const pen = document.createElement('canvas').getContext('2d');

export class SessionsView {
  #page;
  #panel = byID('sessions');
  #list = byID('session-list');
  /** By session: its element and what it shows. Only near the visible rows. */
  #items = new Map();
  /** The top of each row, and the bottom of the last one, in pixels. */
  #tops = [0];
  #listed = null;
  #width = 0;
  #now = 0;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    const search = byID('search');
    search.addEventListener('input', () => this.#find(search.value));
    byID('older').addEventListener('click', () => page.sessions.older());
    byID('unsearch').addEventListener('click', () => {
      this.#find('');
      search.focus();
    });
    page.sessions.addEventListener('change', () => inFrame(this.#render));
    page.addEventListener('place', () => inFrame(this.#render));
    setInterval(() => {
      this.#now += 1;
      inFrame(this.#render);
    }, minute);
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    this.#panel.addEventListener('scroll', () => inFrame(this.#render));
    new ResizeObserver(() => inFrame(this.#render)).observe(this.#panel);
  }

  focus() {
    const { sessions, place } = this.#page;
    this.#focusRow(Math.max(0, sessions.list.findIndex(({ session }) => session === place.session)));
  }

  #find(text) {
    byID('search').value = text;
    this.#panel.scrollTop = 0;
    this.#page.sessions.find(text);
  }

  #render = () => {
    const { sessions } = this.#page;
    const { list, asking, error } = sessions;
    if (this.#listed !== list || this.#width !== this.#list.clientWidth) this.#measure(list);
    this.#draw(list);
    byID('no-session-found').hidden = list.length > 0 || sessions.size === 0 || asking;
    byID('no-session').hidden = !sessions.known || sessions.size > 0;
    const state = byID('loading-sessions');
    setText(state, error || (sessions.known ? asking ? (sessions.search ? 'Searching…' : 'Loading older sessions…') : '' : 'Loading sessions…'));
    state.hidden = state.textContent === '';
    byID('older').hidden = !sessions.more || asking;
  };

  /** The positions of rows are known without drawing: a row has some lines of labels. */
  #measure(list) {
    this.#listed = list;
    this.#width = this.#list.clientWidth;
    const style = getComputedStyle(this.#list);
    const [plain, line, around] = ['--plain', '--row', '--around'].map((name) => parseFloat(style.getPropertyValue(name)));
    pen.font = `11.5px ${style.fontFamily}`;
    this.#tops = [0];
    for (const { labels } of list) {
      let [lines, room] = [0, 0];
      for (const { text } of chipsOf(labels)) {
        const width = pen.measureText(text).width + around;
        if (width > room) [lines, room] = [lines + 1, this.#width - 38];
        room -= width;
      }
      this.#tops.push(this.#tops.at(-1) + plain + Math.min(lines, 8) * line);
    }
    this.#list.style.setProperty('height', `${this.#tops.at(-1)}px`);
  }

  #draw(list) {
    const from = this.#panel.scrollTop - this.#list.offsetTop - margin;
    const until = from + this.#panel.clientHeight + 2 * margin;
    const focused = document.activeElement;
    const elements = [];
    list.forEach((summary, index) => {
      const item = this.#items.get(summary.session);
      const near = this.#tops[index + 1] > from && this.#tops[index] < until;
      // The focused row stays.
      if (!near && !item?.element.contains(focused)) return;
      const element = this.#item(summary, this.#page.place);
      element.style.setProperty('top', `${this.#tops[index]}px`);
      element.style.setProperty('height', `${this.#tops[index + 1] - this.#tops[index]}px`);
      set(element, 'aria-posinset', index + 1);
      set(element, 'aria-setsize', list.length);
      elements.push(element);
    });
    // Elements that don't move keep the focus.
    elements.forEach((element, index) => {
      if (this.#list.children[index] !== element) this.#list.insertBefore(element, this.#list.children[index] ?? null);
    });
    while (this.#list.childElementCount > elements.length) this.#list.lastElementChild.remove();
    for (const [session, { element }] of this.#items) if (!element.isConnected) this.#items.delete(session);
    if (focused !== document.activeElement && this.#list.contains(focused)) focused.focus({ preventScroll: true });
  }

  /** Scrolls to a row and focuses its link. */
  #focusRow(index) {
    const { list } = this.#page.sessions;
    if (index < 0 || list.length === 0) return byID('search').focus();
    if (index >= list.length) return undefined;
    const top = this.#tops[index] + this.#list.offsetTop;
    const bottom = this.#tops[index + 1] + this.#list.offsetTop;
    const { scrollTop, clientHeight } = this.#panel;
    // The search above and the button below cover one row each.
    if (top < scrollTop + 44) this.#panel.scrollTop = top - 44;
    else if (bottom > scrollTop + clientHeight - 44) this.#panel.scrollTop = bottom - clientHeight + 44;
    this.#render();
    return this.#items.get(list[index].session)?.element.firstElementChild.focus({ preventScroll: true });
  }

  #item(summary, place) {
    let item = this.#items.get(summary.session);
    if (!item) this.#items.set(summary.session, item = { element: this.#make(summary.session) });
    const current = summary.session === place.session;
    if (item.summary !== summary || item.current !== current || item.now !== this.#now) this.#fill(item.element, summary, current);
    Object.assign(item, { summary, current, now: this.#now });
    return item.element;
  }

  #fill(element, summary, current) {
    const { labels = {}, live, kept, device } = summary;
    const [link, menu, chips] = element.children;
    const [dot, app, when, place, total] = link.children;
    set(link, 'aria-current', current ? 'page' : null);
    dot.className = live ? 'dot live' : 'dot';
    set(dot, 'aria-label', live ? 'live' : 'not live');
    setText(app, sessionName(summary));
    setText(when, live ? 'live' : ago(summary.file ? summary.started : summary.received));
    setText(place, deviceName(summary));
    set(place, 'title', device?.nickname ? device.name ?? device.model : null);
    setText(total, many(summary.events ?? 0, 'event') + (kept ? ', kept' : '') + (summary.startFailed ? ' ▲' : ''));
    set(total, 'title', summary.startFailed ? 'The app did not launch as asked' : null);
    set(menu, 'aria-label', `Actions for ${sessionName(summary)}`);
    const text = JSON.stringify(labels);
    if (chips.dataset.marks === text) return;
    chips.dataset.marks = text;
    chips.replaceChildren(...chipsOf(labels).map(({ key, value, result, text }) => h('button', {
      class: 'label', tabindex: -1, title: `Filter by ${key}: ${value}`, 'data-result': result ? value : null, on: { click: () => this.filter(key, value) },
    }, text)));
  }

  /** Adds a label to the search. @param {string} key @param {string} value */
  filter(key, value) {
    const mark = /\s/.test(key + value) ? `"${key}:${value}"` : `${key}:${value}`;
    const { search } = this.#page.sessions;
    if (!search.includes(mark)) this.#find(`${search} ${mark}`.trim());
  }

  #make(session) {
    const cells = ['app', 'when', 'device', 'total'].map((name) => h('span', { class: name }));
    const link = linkTo(h('a', { href: href({ session }) }, h('span', { class: 'dot', role: 'img' }), ...cells), () => this.#page.go({ session }));
    const menu = h('button', { class: 'more' }, '⋯');
    const open = async () => {
      const { openSessionMenu } = await one();
      openSessionMenu(this.#page, this.#page.sessions.get(session), element, (key, value) => this.filter(key, value));
    };
    const element = h('li', {}, link, opensMenu(menu, open), h('div', { class: 'labels' }));
    element.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      open();
    });
    return element;
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.target.tagName !== 'A') return;
    event.preventDefault();
    const [session] = [...this.#items].find(([, { element }]) => element.contains(event.target));
    this.#focusRow(this.#page.sessions.list.findIndex((one) => one.session === session) + step);
  }
}

/** A test's result comes first. */
function chipsOf(labels = {}) {
  return Object.entries(labels).map(([key, value]) => {
    const result = key === 'result' && { failed: '✗ failed', passed: '✓ passed' }[value];
    return { key, value, result, text: result || `${key}: ${value}` };
  }).sort((a, b) => !a.result - !b.result);
}
