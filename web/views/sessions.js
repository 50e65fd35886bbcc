// The sessions panel.
import { href } from '../model/address.js';
import { byID, h, say, set, within } from '../ui/dom.js';
import { ago, many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';

/** Relative times are brought up to date this often. */
const minute = 60_000;

export class SessionsView {
  #page;
  #list = byID('session-list');
  #items = new Map();

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    const search = byID('search');
    search.addEventListener('input', () => page.sessions.find(search.value));
    byID('older').addEventListener('click', () => page.sessions.older());
    byID('unsearch').addEventListener('click', () => {
      search.value = '';
      page.sessions.find('');
      search.focus();
    });
    page.sessions.addEventListener('change', () => inFrame(this.#render));
    page.addEventListener('session', () => inFrame(this.#render));
    page.addEventListener('place', () => inFrame(this.#render));
    setInterval(() => inFrame(this.#render), minute);
    this.#list.addEventListener('keydown', (event) => this.#key(event));
  }

  focus() {
    (this.#list.querySelector('[aria-current]') ?? this.#list.querySelector('a') ?? byID('search')).focus();
  }

  #render = () => {
    const { sessions, place } = this.#page;
    const list = sessions.list;
    const elements = list.map((summary) => this.#item(summary, place));
    // Elements that stay where they are keep the focus.
    elements.forEach((element, index) => {
      if (this.#list.children[index] !== element) this.#list.insertBefore(element, this.#list.children[index] ?? null);
    });
    while (this.#list.childElementCount > elements.length) this.#list.lastElementChild.remove();
    byID('no-session-found').hidden = list.length > 0 || sessions.size === 0;
    byID('no-session').hidden = !sessions.known || sessions.size > 0;
    byID('loading-sessions').hidden = sessions.known;
    byID('older').hidden = sessions.more === null || sessions.search !== '';
  };

  #item(summary, place) {
    const known = this.#items.get(summary.session);
    const element = known ?? this.#make(summary.session);
    const link = element.firstElementChild;
    const [dot, app, when, device, total, labels] = link.children;
    set(link, 'aria-current', summary.session === place.session ? 'page' : null);
    dot.className = summary.live ? 'dot live' : 'dot';
    set(dot, 'aria-label', summary.live ? 'live' : 'not live');
    say(app, name(summary));
    say(when, summary.live ? 'live' : ago(summary.lastSeen ?? summary.received ?? summary.started));
    say(device, where(summary));
    say(total, many(summary.events ?? 0, 'event'));
    const texts = Object.entries(summary.labels ?? {}).map(([key, value]) => `${key}: ${value}`);
    if ([...labels.children].map((label) => label.textContent).join('\n') !== texts.join('\n')) {
      labels.replaceChildren(...texts.map((text) => h('span', { class: 'label' }, text)));
    }
    labels.hidden = texts.length === 0;
    return element;
  }

  #make(session) {
    const cells = ['app', 'when', 'device', 'total', 'labels'].map((name) => h('span', { class: name }));
    const link = h('a', { href: href({ session }) }, h('span', { class: 'dot', role: 'img' }), ...cells);
    const element = h('li', {}, within(link, () => this.#page.go({ session })));
    this.#items.set(session, element);
    return element;
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const links = [...this.#list.querySelectorAll('a')];
    const next = links[links.indexOf(document.activeElement) + step];
    (next ?? (step < 0 ? byID('search') : null))?.focus();
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
 * `iPhone 16 · iOS 18.1`
 * @param {any} summary
 * @returns {string}
 */
export function where({ device }) {
  return [device?.name ?? device?.model, device?.os].filter(Boolean).join(' · ') || 'unnamed device';
}
