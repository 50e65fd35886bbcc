// The session's buttons in the header; menus are loaded on first use.
import { byID, h, opensMenu, set, setText } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';

const share = part(() => import('./share.js'), 'ui/controls.css');
const bookmarks = part(() => import('./bookmarks.js'), 'ui/controls.css');
const control = part(() => import('./control.js'), 'ui/controls.css');

export class ToolsView {
  #page;
  #known = {};
  #pause = h('button', { on: { click: () => this.#control('recording', this.#pause) } });
  #lock = h('button', { on: { click: () => this.#control('locked', this.#lock) } });
  #share = opensMenu(h('button', { class: 'share' }, 'Share ▾'), () => this.#menu());

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    byID('tools').append(this.#pause, this.#lock, this.#share);
    for (const name of ['session', 'connection', 'place']) page.addEventListener(name, () => inFrame(this.#render));
    inFrame(this.#render);
  }

  async copyLink() {
    if (this.#page.summary) (await share()).copyLink(this.#page);
  }

  async bookmark() {
    if (this.#page.summary) (await bookmarks()).bookmark(this.#page);
  }

  async #menu() {
    (await share()).openShare(this.#page, this.#share);
  }

  async #control(name, button) {
    (await control()).control(this.#page, name, button);
  }

  #render = () => {
    const { summary, appControl: { whyNoSession } } = this.#page;
    const { session, live, recording = true, locked = false } = (summary?.live && summary) || { session: summary?.session };
    setText(this.#pause, recording ? 'Pause recording' : 'Resume recording');
    setText(this.#lock, locked ? 'Stop queueing ▾' : 'Queue actions');
    this.#show(this.#pause, !recording, whyNoSession || (recording ? 'Pause recording' : 'Resume recording'));
    this.#show(this.#lock, locked, whyNoSession || (locked ? 'Run or discard the queued actions' : 'Queue the app’s actions, so that its state stays'));
    set(this.#lock, 'aria-haspopup', locked ? 'menu' : null);
    const known = this.#known;
    this.#known = { session, live, recording, locked };
    // Another page may have changed it.
    if (live && known.live && session === known.session && (recording !== known.recording || locked !== known.locked)) {
      Promise.resolve(control()).then(({ announce }) => announce(this.#page, known));
    }
  };

  #show(button, on, text) {
    set(button, 'aria-disabled', this.#page.appControl.whyNoSession ? 'true' : null);
    set(button, 'title', text);
    button.classList.toggle('on', on);
  }
}
