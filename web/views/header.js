// The header: title and connection, with one dot for both. And the panels in view.
import { href } from '../model/address.js';
import { byID, h, linkTo, set, setText } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';
import { deviceName, sessionName } from '../model/session-name.js';

const showing = part(() => import('./problem.js'));
const connections = {
  connecting: 'Connecting…',
  live: 'Connected',
  retrying: 'Disconnected, retrying…',
  refused: 'Not logged in',
  file: 'Files, no server',
};

/** One panel at a time, as in app.css: Back goes from an event to the timeline. */
const narrow = matchMedia('(max-width: 719px)');

export class FrameView {
  #page;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    // At once: what comes into view may get the focus.
    this.#arrange();
    page.addEventListener('place', () => this.#arrange());
    for (const event of ['session', 'place', 'connection']) page.addEventListener(event, () => inFrame(this.#render));
    linkTo(byID('back'), () => page.go(this.#isBackToTimeline ? { event: null } : { session: null }));
    narrow.addEventListener('change', () => inFrame(this.#render));
    linkTo(byID('brand'), () => page.go({ session: null }));
    inFrame(this.#render);
    // A part of the page was not loaded.
    addEventListener('unhandledrejection', (event) => {
      if (event.reason?.status !== 0) return;
      event.preventDefault();
      setText(byID('connection'), 'Can’t reach the server');
    });
  }

  get #isBackToTimeline() { return narrow.matches && this.#page.place.event !== null; }

  #arrange() {
    const { session, event, view } = this.#page.place;
    const { dataset } = document.body;
    dataset.view = session === null ? 'sessions' : event === null ? 'timeline' : 'inspector';
    dataset.shows = session === null ? '' : view;
    byID('view').hidden = dataset.shows === '';
  }

  #render = () => {
    const { place, summary, link, problem, connection: { storageError }, login } = this.#page;
    this.#arrange();
    byID('tools').hidden = place.session === null || problem !== null;
    const back = byID('back');
    back.hidden = place.session === null;
    set(back, 'href', href(this.#isBackToTimeline ? { ...place, event: null } : {}));
    setText(back, this.#isBackToTimeline ? '‹ Timeline' : '‹ Sessions');
    byID('title').replaceChildren(...(summary ? this.#title(summary) : []));
    document.title = summary ? `${sessionName(summary)} · StateTape` : 'StateTape';
    const connection = byID('connection');
    connection.className = `is-${link.status}`;
    setText(connection, connections[link.status]);
    byID('role').hidden = login.role !== 'view';
    const box = byID('storage-error');
    box.hidden = storageError === null;
    setText(box, storageError === null ? '' : `The server can’t store events: ${storageError}. Apps keep them and retry.`);
    this.#problem(problem);
  };

  #title(summary) {
    const { link, login } = this.#page;
    const isLost = link.status === 'retrying' || link.status === 'refused';
    const state = isLost ? 'disconnected' : stateOf(summary);
    const looks = isLost ? 'lost' : summary.live ? login.role === 'view' ? 'view' : 'live' : '';
    const told = looks === 'view' ? `${state}, view only` : state;
    return [
      h('span', { class: `dot ${looks}`, role: 'img', 'aria-label': told, title: told }),
      h('span', { class: 'app' }, sessionName(summary)),
      h('span', { class: 'device' }, deviceName(summary)),
      h('span', { class: 'state', 'aria-hidden': 'true' }, state),
    ];
  }

  async #problem(problem) {
    byID('problem').hidden = problem === null;
    if (problem !== null) (await showing()).showProblem(problem, this.#page);
  }
}

function stateOf({ live, recording, locked, ended, endReason, file }) {
  if (file) return file.name;
  if (!live) return ended ? endReason ?? 'ended' : 'not connected';
  return ['live', recording === false && 'recording paused', locked && 'actions queued'].filter(Boolean).join(', ');
}
