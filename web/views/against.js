// The diff against any other event, and the form that chooses it.
import { changesBetween } from '../model/state-diff.js';
import { byID, h, set } from '../ui/dom.js';
import { count } from '../ui/format.js';

/**
 * The changes since the state after another event.
 * @param {import('../model/tape.js').Tape} tape
 * @param {any} line the selected event's
 * @param {number} against
 * @param {AbortSignal} signal
 * @returns {Promise<import('./inspector.js').Comparison>}
 */
export async function changesSince(tape, line, against, signal) {
  const store = line.store ?? 'main';
  if (against === line.seq) return { changes: null, note: 'Select another event to compare it with this one.' };
  const [before, after] = await Promise.all([tape.state(store, against, signal), tape.state(store, line.seq, signal)]);
  const note = against > line.seq ? `#${count(against)} is later, so its additions appear as removals.` : undefined;
  return { changes: changesBetween(before, after), note, before, after };
}

/**
 * Opens or closes the form below the button.
 * @param {HTMLElement} button
 * @param {import('../model/page.js').Page} page
 */
export function choose(button, page) {
  const there = button.parentElement.querySelector('form');
  set(button, 'aria-expanded', String(!there));
  if (there) return there.remove();
  const { event, against } = page.place;
  const to = (seq) => {
    page.go({ against: seq, tab: 'diff' });
    byID('tab-diff').focus();
  };
  const field = h('input', {
    type: 'number', min: 0, max: page.timeline.end - 1, step: 1, required: true, 'aria-label': 'Event number', placeholder: 'Event number', value: against,
  });
  const form = h('form', {}, field, h('button', { class: 'main' }, 'Compare'),
    against === null ? null : h('button', { type: 'button', on: { click: () => to(null) } }, 'Previous event'),
    h('button', { type: 'button', on: { click: () => to(0) } }, 'First event'),
    h('button', { type: 'button', on: { click: () => to(event) } }, 'Compare other events with this one'),
    h('p', { class: 'hint' }, 'Or press x on an event, then select others to compare with it.'));
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    to(field.valueAsNumber);
  });
  form.addEventListener('keydown', (pressed) => {
    if (pressed.key !== 'Escape') return;
    pressed.preventDefault();
    choose(button, page);
    button.focus();
  });
  button.parentElement.append(form);
  field.focus();
}
