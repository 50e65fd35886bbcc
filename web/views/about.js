// The inspector without a selected event: facts about the session.
import { byID, h } from '../ui/dom.js';
import { ago, many, size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';
import { deviceName, sessionName } from '../model/session-name.js';
import { startOf } from '../model/session-start.js';

const replay = part(() => import('./replay.js'), 'views/replay.css');

export class AboutView {
  #page;
  #shown = '';
  #box = byID('about');

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    page.addEventListener('session', () => inFrame(this.#render));
    inFrame(this.#render);
  }

  #render = async () => {
    const { summary } = this.#page;
    const more = summary?.replay ? await replay() : null;
    if (summary !== this.#page.summary) return;
    // The user may be reading the replay's result: it is redrawn only if it has changed.
    const shown = summary?.replay ? `${summary.session} ${JSON.stringify(summary.replay)}` : '';
    const part = shown === '' ? null : shown === this.#shown ? this.#box.querySelector('.replay') : more.replayed(this.#page);
    this.#shown = shown;
    this.#box.replaceChildren(...(summary ? about(summary) : []), ...(part ? [part] : []));
  };
}

function about(summary) {
  const { app, device, labels = {}, events, bytes, setAside } = summary;
  const facts = [
    ['App', sessionName({ app })],
    ['Identifier', app.id],
    ['Build', app.build],
    ['Device', deviceName(summary)],
    ['Model', device?.model],
    ['Started', startOf(summary) || `“${summary.started}”, which is not a date`],
    ['File', summary.file?.name],
    ['Last seen', summary.file ? '' : summary.live ? 'live' : ago(summary.lastSeen ?? summary.received)],
    ['Tape', [many(events ?? 0, 'event'), bytes > 0 && size(bytes)].filter(Boolean).join(', ')],
    ['Recorder', summary.recorder],
    ...Object.entries(labels),
    ['Session', summary.session],
  ].filter(([, value]) => value);
  return [
    h('h2', {}, 'This session'),
    setAside && h('p', { class: 'damaged' }, `Part of this session is damaged on the server: ${setAside}. The page shows everything that is readable.`),
    h('dl', { class: 'facts' }, ...facts.flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, String(value))])),
    h('p', {}, 'Select an event to see what it changed, or press ', h('kbd', {}, '↑'), '.'),
  ].filter(Boolean);
}
