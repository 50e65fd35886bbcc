// The launch state of the open session's app, with a button to clear it; and why this session did not start with one.
import { json, request } from '../link/http.js';
import { byID, h, set, setText } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { attempt, notice } from '../ui/notice.js';
import { eventLink, sessionLink } from './link.js';

const path = '/api/v1/start-states';

/** A chip in the header. */
export class LaunchStateView {
  #page;
  #shown = '';
  #box = byID('launch-state');

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    for (const event of ['session', 'place', 'connection']) page.addEventListener(event, () => inFrame(this.#render));
    page.appControl.addEventListener('launchStates', () => inFrame(this.#render));
  }

  #render = () => {
    const { appControl, summary, readOnly } = this.#page;
    const failed = summary?.startFailed;
    const box = byID('start-failed');
    box.hidden = !failed;
    setText(box, failed ? `Not launched as asked: ${failed.message}${failed.path ? `, at ${failed.path}` : ''}` : '');
    set(box, 'title', box.textContent || null);
    const start = summary && appControl.launchStateOf(summary);
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
  const [launches, s] = once ? ['The next launch ', 's'] : ['Launches ', ''];
  const does = mode === 'replay' ? `replay${s} up to ` : mode === 'latest' ? `resume${s} ` : `start${s} at `;
  const place = mode === 'latest' ? `the last state of ${start.device ? 'this' : 'each'} device`
    : session === summary.session ? eventLink(seq, page) : sessionLink(session, seq);
  const remove = h('button', { class: 'quiet', disabled: readOnly !== '', title: readOnly || 'Launch with the app’s own initial state' }, 'Clear');
  remove.addEventListener('click', () => take(page, start));
  set(box, 'title', `For ${whom(start, summary)} of ${summary.app.name ?? summary.app.id}`);
  box.replaceChildren(launches + does, place, mode === 'latest' ? ' ' : ` on ${whom(start, summary)} `, remove);
}

function whom({ device, labels = {} }, summary) {
  const marks = Object.entries(labels).map(([key, value]) => `${key}: ${value}`).join(', ');
  return (device ? summary.device?.nickname ?? summary.device?.name ?? 'this device' : 'all devices') + (marks && ` with ${marks}`);
}

async function take({ appControl }, { id, ...start }) {
  const removed = await attempt('Can’t clear the launch state', () => request(`${path}?id=${encodeURIComponent(id)}`, { method: 'DELETE' }));
  await appControl.refresh();
  if (removed === undefined) return;
  notice('Launch state cleared.', {
    action: 'Undo',
    run: () => attempt('Can’t restore the launch state', async () => {
      await json(path, { method: 'PUT', body: JSON.stringify(start) });
      await appControl.refresh();
    }),
  });
}
