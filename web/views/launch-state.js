// Where new runs like the open session begin: whom it is for, the event, and the way to take it away.
import { json, request } from '../link/http.js';
import { byID, h, set } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { attempt, notice } from '../ui/notice.js';
import { eventLink, sessionLink } from './link.js';

const path = '/api/v1/start-states';

/** The chip of the header. */
export class StartView {
  #page;
  #shown = '';
  #box = byID('start');

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    for (const event of ['session', 'place', 'connection']) page.addEventListener(event, () => inFrame(this.#render));
    page.playback.addEventListener('starts', () => inFrame(this.#render));
  }

  #render = () => {
    const { playback, summary, readOnly } = this.#page;
    const start = summary && playback.startOf(summary);
    const shown = start ? JSON.stringify([start, summary.session, summary.device, readOnly]) : '';
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#box.hidden = !start;
    if (start) show(this.#box, this.#page, start);
  };
}

function show(box, page, start) {
  const { summary, readOnly } = page;
  const { mode, session, seq, once } = start;
  const runs = once ? 'The next run ' : 'New runs ';
  const does = mode === 'replay' ? (once ? 'replays up to ' : 'replay up to ') : `${once ? 'starts' : 'start'} ${mode === 'latest' ? '' : 'at '}`;
  const place = mode === 'latest' ? `where ${start.device ? 'this' : 'each'} device left off`
    : session === summary.session ? eventLink(seq, page) : sessionLink(session, seq);
  const remove = h('button', { class: 'quiet', disabled: readOnly !== '', title: readOnly || 'New runs start as the app says again' }, 'Remove');
  remove.addEventListener('click', () => take(page, start));
  set(box, 'title', `For ${whom(start, summary)} of ${summary.app.name ?? summary.app.id}`);
  box.replaceChildren(runs + does, place, mode === 'latest' ? ' ' : ` on ${whom(start, summary)} `, remove);
}

function whom({ device, labels = {} }, summary) {
  const marks = Object.entries(labels).map(([key, value]) => `${key}: ${value}`).join(', ');
  return (device ? summary.device?.nickname ?? summary.device?.name ?? 'this device' : 'all devices') + (marks && ` with ${marks}`);
}

async function take({ playback }, { id, ...start }) {
  const removed = await attempt('The start state was not removed', () => request(`${path}?id=${encodeURIComponent(id)}`, { method: 'DELETE' }));
  await playback.refresh();
  if (removed === undefined) return;
  notice('New runs start as the app says.', {
    action: 'Undo',
    run: () => attempt('The start state was not put back', async () => {
      await json(path, { method: 'PUT', body: JSON.stringify(start) });
      await playback.refresh();
    }),
  });
}
