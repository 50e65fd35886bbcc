// The terms of the filter: chips before the field, completions below it, errors, and what an empty result offers.
import { fields, joined, split, unknownField } from '../model/filter-terms.js';
import { byID, set } from '../ui/dom.js';
import { CompletionList } from './completion-list.js';
import { ChipsView } from './filter-chips.js';
import { explain, explainUnknown } from './filter-error.js';
import { NoMatchView } from './no-match.js';

export class FilterTerms {
  #page;
  #field = byID('filter');
  #box = byID('filter-error');
  #changed;
  #chips;
  #completions;
  #noMatch;
  #explained = null;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./timeline.js').TimelineView} list
   * @param {(isTyped: boolean) => void} changed called when `text` is another one
   */
  constructor(page, list, changed) {
    this.#page = page;
    this.#changed = changed;
    this.#chips = new ChipsView(this.#field, () => changed(false), (source) => this.#edit(source));
    this.#completions = new CompletionList(this.#field, () => page.timeline, (completion, from) => this.#choose(completion, from));
    this.#noMatch = new NoMatchView(page, list);
    // Before the handler that jumps to the next match.
    this.#field.addEventListener('keydown', (event) => this.#key(event), true);
    page.addEventListener('bookmarks', () => {
      if (!page.timeline?.filtered?.terms.some(({ field }) => field === 'bookmarked')) return;
      // The same filter would keep the earlier matches.
      page.timeline.filter('');
      page.timeline.filter(page.place.filter);
    });
  }

  /** The whole filter. */
  get text() {
    return [...this.#chips.sources, this.#field.value].filter((part) => part !== '').join(' ');
  }

  /** Shows a filter that was not typed. @param {string} filter */
  show(filter) {
    // Before this was loaded, the user may have typed on.
    if (filter !== this.#page.place.filter) return;
    const { chips, rest } = split(filter);
    this.#chips.show(chips);
    this.#field.value = rest;
    this.#completions.close();
  }

  /** A space completes a term. @param {InputEvent} event */
  typed({ inputType, data }) {
    if (inputType === 'insertText' && data === ' ') this.complete(this.#field.value.lastIndexOf(' '));
    // A pasted text is complete.
    if (inputType?.startsWith('delete') || data?.length === 1) this.#completions.offer();
    else this.#completions.close();
  }

  /** Makes chips of the complete terms before a position. */
  complete(end = this.#field.value.length) {
    const { value } = this.#field;
    const { chips, rest } = split(value.slice(0, end));
    if (chips.length === 0) return;
    this.#field.value = joined(rest, value.slice(end));
    this.#chips.add(chips);
    this.#changed(false);
  }

  /** Explains the filter's state. */
  update() {
    const { timeline } = this.#page;
    this.#explain(timeline?.filtered ?? null);
    this.#noMatch.update();
  }

  async help() {
    const { Syntax } = await import('./syntax.js');
    Syntax.show(byID('filter-help'), (example) => {
      this.#page.go({ filter: example });
      this.#field.focus();
    });
  }

  #key(event) {
    const { selectionStart, selectionEnd, value } = this.#field;
    // An input method takes the key.
    if (event.isComposing || this.#completions.key(event)) return;
    const isAtStart = selectionStart === 0 && selectionEnd === 0;
    if (event.key === 'Enter') this.complete();
    else if (isAtStart && event.key === 'Backspace' && !event.repeat) this.#chips.removeLast();
    else if (isAtStart && event.key === 'ArrowLeft') this.#chips.focusLast();
  }

  #choose({ text, isWhole }, from) {
    const { value, selectionEnd } = this.#field;
    this.#field.setRangeText(text, from, selectionEnd, 'end');
    if (isWhole) this.complete(from + text.length);
    if (this.#field.value !== value) this.#changed(false);
    if (!isWhole) this.#completions.offer();
  }

  #edit(source) {
    const { value } = this.#field;
    this.#field.value = value === '' ? source : `${source} ${value}`;
    this.#field.focus();
    this.#field.setSelectionRange(source.length, source.length);
    this.#changed(false);
  }

  #explain(filter) {
    if (filter === this.#explained) return;
    this.#explained = filter;
    const error = filter?.error ?? null;
    const unknown = error ? null : unknownField(filter);
    this.#box.hidden = !error && !unknown;
    this.#box.classList.toggle('is-warning', unknown !== null);
    set(this.#field, 'aria-invalid', error && 'true');
    const replace = (source, text) => this.#page.go({ filter: this.#page.place.filter.replace(source, () => text) });
    this.#box.replaceChildren(...error ? explain(error) : unknown ? explainUnknown(unknown, fields, replace) : []);
  }
}
