// The tree of the events that an event started.
import { h, set } from '../ui/dom.js';
import { count, delta, many } from '../ui/format.js';
import { eventLink } from './link.js';

/** Effects shown at once. */
const piece = 100;
/** Deeper effects are not indented further. */
const deepest = 12;

export class EffectsView {
  /** A term and its description. */
  elements;
  #page;
  #tree = null;
  #shown = piece;
  /** The seq of the active element. */
  #current = null;
  #list = h('div', { class: 'effects', role: 'tree', tabindex: 0, 'aria-label': 'Started' });
  #note = h('p', { class: 'hint' });
  #more = h('button', { class: 'quiet', on: { click: () => this.#showMore() } });
  #filter = h('button', { class: 'quiet', title: 'Show its direct effects in the timeline' }, 'Filter by this cause');
  #term = h('dt', { hidden: true });
  #box = h('dd', { hidden: true }, this.#list, this.#more, this.#note, this.#filter);

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.elements = [this.#term, this.#box];
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('click', (event) => this.#click(event));
  }

  /**
   * @param {import('../model/causes.js').Causes} found
   * @param {import('../model/causes.js').EffectTree} tree
   */
  show({ seq, effects, count: all, next }, tree) {
    this.#tree = tree;
    this.#term.hidden = this.#box.hidden = all === 0 && next === null;
    this.#term.textContent = `Started (${count(all)}${next === null ? '' : '+'})`;
    this.#note.textContent = [
      effects.length < all && `The first ${count(effects.length)} are listed.`, next !== null && `Searched up to #${count(next - 1)}.`,
    ].filter(Boolean).join(' ');
    this.#note.hidden = this.#note.textContent === '';
    this.#filter.hidden = all === 0;
    this.#filter.onclick = () => this.#page.go({ filter: `cause:${seq}` });
    this.#draw();
  }

  /** @param {string} message */
  fail(message) {
    this.#term.hidden = this.#box.hidden = this.#note.hidden = false;
    this.#term.textContent = 'Started';
    this.#note.textContent = `Can’t read what it started: ${message}`;
    this.#more.hidden = this.#filter.hidden = true;
  }

  #draw() {
    const { rows } = this.#tree;
    const shown = rows.slice(0, this.#shown);
    if (!shown.some(({ head }) => head.seq === this.#current)) this.#current = shown[0]?.head.seq ?? null;
    this.#list.replaceChildren(...shown.map((effect) => this.#item(effect)));
    this.#list.hidden = shown.length === 0;
    this.#more.hidden = rows.length <= this.#shown;
    this.#more.textContent = `Show ${count(Math.min(piece, rows.length - this.#shown))} more`;
    this.#goTo(this.#current);
  }

  #item(effect) {
    const { head, level, place, parent, children, wait, size } = effect;
    const isOpen = children.length > 0 ? this.#tree.isOpen(effect) : null;
    const link = eventLink(head.seq, this.#page);
    link.tabIndex = -1;
    const item = h('div', {
      class: 'effect', role: 'treeitem', id: `effect-${head.seq}`, 'data-seq': head.seq, 'aria-level': level,
      'aria-posinset': place + 1, 'aria-setsize': (parent?.children ?? this.#tree.roots).length, 'aria-expanded': isOpen === null ? null : String(isOpen),
    }, h('span', { class: 'twisty', 'aria-hidden': 'true' }, isOpen === null ? '' : isOpen ? '▾' : '▸'), link, ' ',
    h('span', { class: 'name', title: head.label }, head.label), ' ', h('span', { class: 'wait' }, delta(wait)),
    isOpen === false ? h('span', { class: 'size' }, ` ${many(size, 'event')}`) : null);
    item.style.setProperty('--level', Math.min(level, deepest) - 1);
    return item;
  }

  #showMore() {
    const { length } = this.#list.children;
    this.#shown += piece;
    this.#draw();
    this.#goTo(Number(this.#list.children[length]?.dataset.seq));
    this.#list.focus();
  }

  /** Goes to an effect. @param {number|undefined} seq */
  #goTo(seq) {
    const item = this.#list.querySelector(`[data-seq="${seq}"]`);
    if (item === null) return;
    this.#list.querySelector('.is-active')?.classList.remove('is-active');
    item.classList.add('is-active');
    set(this.#list, 'aria-activedescendant', item.id);
    this.#current = seq;
    if (this.#list === document.activeElement) item.scrollIntoView({ block: 'nearest' });
  }

  #click(event) {
    const item = event.target.closest('.effect');
    if (item === null || event.defaultPrevented || event.target.closest('a')) return;
    const effect = this.#tree.get(Number(item.dataset.seq));
    if (!event.target.closest('.twisty') || effect.children.length === 0) return void this.#page.reveal(effect.head.seq);
    this.#current = effect.head.seq;
    this.#toggle(effect);
  }

  #toggle(effect) {
    this.#tree.toggle(effect);
    this.#draw();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.#list.querySelector('.is-active');
    const effect = this.#tree.get(this.#current);
    const to = (other) => other && this.#goTo(Number(other.dataset.seq));
    const isOpen = effect.children.length > 0 && this.#tree.isOpen(effect);
    const commands = {
      ArrowDown: () => to(item.nextElementSibling),
      ArrowUp: () => to(item.previousElementSibling),
      Home: () => to(this.#list.firstElementChild),
      End: () => to(this.#list.lastElementChild),
      ArrowRight: () => (isOpen ? to(item.nextElementSibling) : effect.children.length > 0 && this.#toggle(effect)),
      ArrowLeft: () => (isOpen ? this.#toggle(effect) : effect.parent && this.#goTo(effect.parent.head.seq)),
      Enter: () => this.#page.reveal(effect.head.seq),
      ' ': () => effect.children.length > 0 && this.#toggle(effect),
    };
    if (!Object.hasOwn(commands, event.key)) return;
    event.preventDefault();
    commands[event.key]();
  }
}
