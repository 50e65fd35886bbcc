// Chooses a session to compare with; sessions of the same app come first.
import { json } from '../link/http.js';
import { h } from '../ui/dom.js';
import { many } from '../ui/format.js';
import { deviceName, sessionName } from '../model/session-name.js';
import { startOf } from '../model/session-start.js';

/**
 * @param {any} summary the session that another is looked for
 * @param {string} message why it is asked for, if that wants saying
 * @param {(session: string) => void} chosen
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
export function pick(summary, message, chosen, signal) {
  const search = h('input', { type: 'search', placeholder: 'Search sessions', 'aria-label': 'Search sessions to compare with', autocomplete: 'off', spellcheck: 'false' });
  const list = h('ul', {});
  const state = h('p', { class: 'hint', role: 'status' }, 'Loading sessions…');
  let asked = 0;
  const read = async () => {
    const mine = asked += 1;
    const found = encodeURIComponent(search.value.trim());
    const answers = await Promise.all([`&app=${encodeURIComponent(summary.app.id)}`, ''].map((app) =>
      json(`/api/v1/sessions?limit=50${app}${found && `&q=${found}`}`, { signal })));
    if (signal.aborted || mine !== asked) return;
    const all = new Map(answers.flatMap(({ sessions }) => sessions).map((one) => [one.session, one]));
    all.delete(summary.session);
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.session : null;
    list.replaceChildren(...[...all.values()].map((one) => h('li', {}, h('button', { 'data-session': one.session, on: { click: () => chosen(one.session) } },
      h('strong', {}, sessionName(one)), h('span', {}, [one.live ? 'live' : startOf(one), deviceName(one), many(one.events ?? 0, 'event')].join(' · ')),
      h('span', {}, Object.entries(one.labels ?? {}).map(([key, value]) => `${key}: ${value}`).join(', '))))));
    // Keep the focus.
    if (focused !== null) ([...list.querySelectorAll('button')].find(({ dataset }) => dataset.session === focused) ?? search).focus();
    state.textContent = all.size > 0 ? '' : found ? 'No matching sessions.' : 'No other session yet. Record a second one to compare.';
  };
  const fresh = () => read().catch((error) => {
    if (signal.aborted) return;
    if (error.status === undefined) throw error;
    state.textContent = error.message;
  });
  search.addEventListener('input', fresh);
  list.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...list.querySelectorAll('button')];
    (buttons[buttons.indexOf(document.activeElement) + step] ?? (step < 0 ? search : null))?.focus();
  });
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    const first = list.querySelector('button');
    if (event.key === 'Enter') first?.click();
    else first?.focus();
  });
  fresh();
  return h('div', { class: 'picker' }, message ? h('p', { class: 'failure', role: 'alert' }, message) : null,
    h('h3', {}, `Compare ${sessionName(summary)} with`), search, list, state);
}
