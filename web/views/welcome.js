// What an empty server shows: how to connect an app.
import { byID, copyButton, h } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';

const wideEnough = matchMedia('(min-width: 1080px)');

/** Greets on an empty server; opens the first live session when none is asked for. */
export class WelcomeView {
  #page;
  #box = byID('welcome');
  #mayOpen;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#mayOpen = page.place.session === null;
    page.sessions.addEventListener('change', () => this.#arrived());
    for (const event of ['session', 'place', 'connection']) page.addEventListener(event, () => inFrame(this.#render));
    page.sessions.addEventListener('change', () => inFrame(this.#render));
  }

  /** Somebody who just opens the page wants to see the app that runs. */
  #arrived() {
    const { place, sessions } = this.#page;
    if (place.session !== null) this.#mayOpen = false;
    const live = sessions.list.find((summary) => summary.live);
    if (!this.#mayOpen || !live || !wideEnough.matches) return;
    this.#mayOpen = false;
    this.#page.go({ session: live.session });
  }

  #render = () => {
    const { sessions, place } = this.#page;
    this.#box.hidden = place.session !== null || !sessions.known;
    if (this.#box.hidden) return;
    const kind = sessions.size === 0 ? 'empty' : 'choose';
    if (this.#box.className === kind) return;
    this.#box.className = kind;
    this.#box.replaceChildren(...(kind === 'empty' ? connect(location.origin) : [h('p', { class: 'hint' }, 'Choose a session.')]));
  };
}

function connect(origin) {
  return [
    h('h2', {}, 'No app has connected yet'),
    h('p', {}, 'This page fills by itself as soon as one does. The server listens at ', h('strong', {}, origin), '.'),
    h('h3', {}, 'See it with the example app'),
    h('p', {}, 'In another terminal, in the StateTape folder:'),
    snippet(`STATETAPE_URL=${origin} swift run todo-example`),
    h('h3', {}, 'Connect your own app'),
    h('p', {}, 'Add the StateTape package to it, then wrap its store:'),
    snippet([
      'import StateTape',
      '',
      'let tape = Recorder()',
      'let track = tape.track(AppState(), AppAction.self)',
      'let store = Store(initial: track.start, reducer: appReducer, middleware: [track.middleware])',
      'track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })',
    ].join('\n')),
    h('p', {}, 'Run it with the address of this server:'),
    snippet(`STATETAPE_URL=${origin}`),
  ];
}

function snippet(text) {
  return h('div', { class: 'snippet' }, h('pre', {}, text), copyButton('Copy', () => text));
}
