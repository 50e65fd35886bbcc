// Shown while no session is open: on an empty server, how to connect an app.
import { byID, h } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';

const connecting = part(() => import('./connect.js'), 'views/connect.css', 'ui/controls.css');

const wideEnough = matchMedia('(min-width: 1080px)');

/** Opens the first live session if the address has none. */
export class WelcomeView {
  #page;
  #box = byID('welcome');
  #mayOpen;
  #connect = null;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {boolean} mayOpen no session was asked for
   */
  constructor(page, mayOpen) {
    this.#page = page;
    this.#mayOpen = mayOpen;
    page.sessions.addEventListener('change', () => this.#arrived());
    for (const event of ['session', 'place', 'connection']) page.addEventListener(event, () => inFrame(this.#render));
    page.sessions.addEventListener('change', () => inFrame(this.#render));
    this.#arrived();
    inFrame(this.#render);
  }

  /** On a landing page, opens the running app's session. */
  #arrived() {
    const { place, sessions } = this.#page;
    if (place.session !== null) this.#mayOpen = false;
    const live = sessions.list.find((summary) => summary.live);
    if (!this.#mayOpen || !live || !wideEnough.matches) return;
    this.#mayOpen = false;
    this.#page.go({ session: live.session });
  }

  #render = () => {
    const { sessions, place, link } = this.#page;
    // Without a server, views/file.js shows the start page.
    if (link.status === 'file') return;
    const kind = place.session !== null || !sessions.known ? '' : sessions.size === 0 ? 'empty' : 'choose';
    if (this.#box.className === kind) return;
    this.#box.className = kind;
    this.#box.hidden = kind !== 'choose';
    this.#connect?.then((connect) => connect.stop());
    this.#connect = kind === 'empty' ? this.#welcome() : null;
    if (kind === 'choose') this.#box.replaceChildren(h('p', { class: 'hint' }, 'Choose a session.'));
  };

  async #welcome() {
    const { Connect } = await connecting();
    const connect = await Connect.load(this.#page);
    if (this.#box.className !== 'empty') return connect;
    this.#box.replaceChildren(h('h2', {}, 'No app has connected yet'), connect.element);
    this.#box.hidden = false;
    connect.start();
    return connect;
  }
}
