// What stands around the panels: title, connection, start state, and which panel is in front on a small screen.
import { href } from '../model/address.js';
import { describe } from '../model/playback.js';
import { byID, h, say, set, within } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { eventLink, sessionLink } from './link.js';
import { name, where } from './sessions.js';

const connections = {
  connecting: 'Connecting…',
  live: 'Connected',
  retrying: 'Disconnected, retrying…',
  refused: 'Not logged in',
};

/** One panel at a time, as in app.css: there the way back from an event is to the timeline. */
const narrow = matchMedia('(max-width: 719px)');

export class FrameView {
  #page;
  #startShown = '';

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    for (const event of ['session', 'place', 'connection']) page.addEventListener(event, () => inFrame(this.#render));
    page.playback.addEventListener('starts', () => inFrame(this.#render));
    within(byID('back'), () => page.go(this.#isBackToTimeline ? { event: null } : { session: null }));
    narrow.addEventListener('change', () => inFrame(this.#render));
    within(byID('brand'), () => page.go({ session: null }));
    inFrame(this.#render);
  }

  get #isBackToTimeline() { return narrow.matches && this.#page.place.event !== null; }

  #render = () => {
    const { place, summary, link, problem, trouble, role } = this.#page;
    document.body.dataset.view = place.session === null ? 'sessions' : place.event === null ? 'timeline' : 'inspector';
    document.body.dataset.shows = place.session === null ? '' : place.view;
    byID('view').hidden = place.session === null || place.view === '';
    byID('tools').hidden = place.session === null || problem !== null;
    const back = byID('back');
    back.hidden = place.session === null;
    set(back, 'href', href(this.#isBackToTimeline ? { ...place, event: null } : {}));
    say(back, this.#isBackToTimeline ? '‹ Timeline' : '‹ Sessions');
    byID('title').replaceChildren(...(summary ? this.#title(summary) : []));
    document.title = summary ? `${name(summary)} · StateTape` : 'StateTape';
    const connection = byID('connection');
    connection.className = `is-${link.status}`;
    say(connection, connections[link.status]);
    byID('role').hidden = role !== 'view';
    const box = byID('trouble');
    box.hidden = trouble === null;
    say(box, trouble === null ? '' : `Nothing is recorded now: ${trouble}. Apps keep what they have.`);
    this.#start();
    this.#problem(problem);
  };

  #title(summary) {
    return [
      h('span', { class: summary.live ? 'dot live' : 'dot', role: 'img', 'aria-label': summary.live ? 'live' : 'not live' }),
      h('span', { class: 'app' }, name(summary)),
      h('span', { class: 'device' }, where(summary)),
      h('span', { class: 'state' }, stateOf(summary)),
    ];
  }

  #start() {
    const { playback, summary, place } = this.#page;
    const start = summary && playback.startOf(summary);
    const box = byID('start');
    box.hidden = !start;
    const shown = start ? `${start.id} ${start.mode} ${start.seq} ${start.session} ${place.session}` : '';
    if (shown === this.#startShown) return;
    this.#startShown = shown;
    if (!start) return box.replaceChildren();
    const event = start.mode === 'latest' ? `where ${start.device ? 'this' : 'each'} device left off`
      : start.session === place.session ? eventLink(start.seq, this.#page) : sessionLink(start.session, start.seq);
    const remove = h('button', { class: 'quiet', title: 'New runs start as the app says again' }, 'Remove');
    remove.addEventListener('click', () => playback.removeStart(start.id));
    set(box, 'title', `This is where ${describe(start, summary)} begin.`);
    box.replaceChildren(h('span', {}, start.mode === 'latest' ? 'New runs start ' : 'New runs start at '), event, ' ', remove);
  }

  #problem(problem) {
    const box = byID('problem');
    box.hidden = problem === null;
    if (problem === null) return box.replaceChildren();
    const missing = problem.status === 404;
    box.replaceChildren(
      h('h2', {}, missing ? 'There is no such session' : problem.title ?? 'This session can’t be read'),
      h('p', {}, missing ? `The server holds no session “${this.#page.place.session}”. It may have been deleted.` : problem.message),
      within(h('a', { href: './', class: 'button' }, 'To the sessions'), () => this.#page.go({ session: null })));
  }
}

function stateOf({ live, recording, locked, ended, endReason }) {
  if (!live) return ended ? endReason ?? 'ended' : 'not connected';
  return ['live', recording === false && 'not recording', locked && 'locked'].filter(Boolean).join(', ');
}
