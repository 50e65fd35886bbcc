// The sessions panel.
import { href } from '../model/address.js';
import { byID, h, opensMenu, say, set, within } from '../ui/dom.js';
import { ago, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/part.js';

const one = part(() => import('./session.js'), 'ui/controls.css');

/** Relative times are brought up to date this often. */
const minute = 60_000;
/** So many more rows are made when the end of them is near. */
const portion = 100;

export class SessionsView {
  #page;
  #list = byID('session-list');
  /** By session: its element, and for what it was drawn last. */
  #items = new Map();
  #shown = portion;
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
    byID('sessions').addEventListener('scroll', (event) => {
      const { scrollTop, clientHeight, scrollHeight } = event.target;
      if (scrollTop + 2 * clientHeight > scrollHeight) this.#showMore();
    });
  }

  focus() {
    (this.#list.querySelector('[aria-current]') ?? this.#list.querySelector('a') ?? byID('search')).focus();
  }

  #find(text) {
    byID('search').value = text;
    this.#shown = portion;
    this.#page.sessions.find(text);
  }

  #showMore() {
    if (this.#shown >= this.#page.sessions.list.length) return;
    this.#shown += portion;
    this.#render();
  }

  #render = () => {
    const { sessions, place } = this.#page;
    const { list, asking, error } = sessions;
    const elements = list.slice(0, this.#shown).map((summary) => this.#item(summary, place));
    const focused = document.activeElement;
    // Elements that stay where they are keep the focus.
    elements.forEach((element, index) => {
      if (this.#list.children[index] !== element) this.#list.insertBefore(element, this.#list.children[index] ?? null);
    });
    while (this.#list.childElementCount > elements.length) this.#list.lastElementChild.remove();
    if (focused !== document.activeElement && this.#list.contains(focused)) focused.focus();
    byID('no-session-found').hidden = list.length > 0 || sessions.size === 0 || asking;
    byID('no-session').hidden = !sessions.known || sessions.size > 0;
    const state = byID('loading-sessions');
    say(state, error || (sessions.known ? asking ? (sessions.search ? 'Searching…' : 'Loading older sessions…') : '' : 'Loading sessions…'));
    state.hidden = state.textContent === '';
    byID('older').hidden = !sessions.more || asking || list.length > this.#shown;
  };

  #item(summary, place) {
    let item = this.#items.get(summary.session);
    if (!item) this.#items.set(summary.session, item = { element: this.#make(summary.session) });
    const current = summary.session === place.session;
    if (item.summary !== summary || item.current !== current || item.now !== this.#now) this.#draw(item.element, summary, current);
    Object.assign(item, { summary, current, now: this.#now });
    return item.element;
  }

  #draw(element, summary, current) {
    const { labels = {}, live, kept, device } = summary;
    const [link, menu, chips] = element.children;
    const [dot, app, when, place, total] = link.children;
    set(link, 'aria-current', current ? 'page' : null);
    dot.className = live ? 'dot live' : 'dot';
    set(dot, 'aria-label', live ? 'live' : 'not live');
    say(app, name(summary));
    say(when, live ? 'live' : ago(summary.lastSeen ?? summary.received ?? summary.started));
    say(place, where(summary));
    set(place, 'title', device?.nickname ? device.name ?? device.model : null);
    say(total, many(summary.events ?? 0, 'event') + (kept ? ', kept' : ''));
    set(menu, 'aria-label', `What can be done with ${name(summary)}`);
    const marks = Object.entries(labels);
    const text = JSON.stringify(marks);
    if (chips.dataset.marks === text) return;
    chips.dataset.marks = text;
    chips.replaceChildren(...marks.map(([key, value]) => this.#chip(key, value)));
  }

  #chip(key, value) {
    const result = key === 'result' && (value === 'failed' ? '✗ failed' : value === 'passed' && '✓ passed');
    return h('button', { class: 'label', tabindex: -1, title: `Show only sessions with ${key}: ${value}`, 'data-result': result ? value : null, on: { click: () => this.filter(key, value) } },
      result || `${key}: ${value}`);
  }

  /**
   * Shows only sessions with a label, beside what is searched already.
   * @param {string} key
   * @param {string} value
   */
  filter(key, value) {
    const mark = /\s/.test(key + value) ? `"${key}:${value}"` : `${key}:${value}`;
    const { search } = this.#page.sessions;
    if (!search.includes(mark)) this.#find(`${search} ${mark}`.trim());
  }

  #make(session) {
    const cells = ['app', 'when', 'device', 'total'].map((name) => h('span', { class: name }));
    const link = within(h('a', { href: href({ session }) }, h('span', { class: 'dot', role: 'img' }), ...cells), () => this.#page.go({ session }));
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
    const next = () => {
      const links = [...this.#list.querySelectorAll('a')];
      return links[links.indexOf(event.target) + step];
    };
    if (!next() && step > 0) this.#showMore();
    (next() ?? (step < 0 ? byID('search') : null))?.focus();
  }
}

/**
 * `Todo 2.3 (451)`
 * @param {any} summary
 * @returns {string}
 */
export function name({ app, title }) {
  const text = [app?.name ?? app?.id ?? 'App', app?.version].filter(Boolean).join(' ');
  return title ? `${title} (${text})` : text;
}

/**
 * `Ana’s red phone · iOS 18.1`
 * @param {any} summary
 * @returns {string}
 */
export function where({ device }) {
  return [device?.nickname ?? device?.name ?? device?.model, device?.os].filter(Boolean).join(' · ') || 'unnamed device';
}
