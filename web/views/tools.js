// The session's buttons in the header. The menus are loaded on first use; what is switched on has a button of its own.
import { byID, h, opensMenu, set, setText } from '../ui/dom.js';
import { many } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { part } from '../ui/lazy.js';

const share = part(() => import('./share.js'), 'ui/controls.css');
const report = part(() => import('./bug-report.js'), 'ui/controls.css');
const more = part(() => import('./more.js'), 'ui/controls.css');
const bookmarks = part(() => import('./bookmarks.js'), 'ui/controls.css');
const control = part(() => import('./control.js'), 'ui/controls.css');

export class ToolsView {
  #page;
  #known = {};
  #resume = h('button', { class: 'on', hidden: true, on: { click: async () => (await control()).switchRecording(this.#page) } }, 'Resume recording');
  #unlock = opensMenu(h('button', { class: 'on', hidden: true }, 'Stop queueing ▾'), async () => (await control()).openQueue(this.#page, this.#unlock));
  #share = opensMenu(h('button', { class: 'share' }, 'Share ▾'), async () => (await share()).openShare(this.#page, this.#share));
  #more = opensMenu(h('button', {}, 'More ▾'), async () => (await more()).openMore(this.#page, this.#more, this.#views));
  #views;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {{panels: import('./panels.js').Panels, actions: import('./app-actions.js').AppActionsView}} views
   */
  constructor(page, views) {
    this.#page = page;
    this.#views = views;
    byID('tools').append(this.#resume, this.#unlock, this.#share, this.#more);
    for (const name of ['session', 'connection', 'place']) page.addEventListener(name, () => inFrame(this.#render));
    inFrame(this.#render);
  }

  async copyLink() {
    if (this.#page.summary) (await share()).copyLink(this.#page);
  }

  async report() {
    if (!this.#page.summary) return;
    const { copyReport } = await report();
    copyReport(this.#page);
  }

  async bookmark() {
    if (this.#page.summary) (await bookmarks()).bookmark(this.#page);
  }

  #render = () => {
    const { summary, appControl: { whyNoSession } } = this.#page;
    const { session, live, recording = true, locked = false, queued = 0 } = (summary?.live && summary) || { session: summary?.session };
    this.#show(this.#resume, !recording, whyNoSession || 'New events are not recorded');
    setText(this.#unlock, `${queued > 0 ? many(queued, 'queued action') : 'Stop queueing'} ▾`);
    this.#show(this.#unlock, locked, whyNoSession || 'Run or discard the queued actions');
    const known = this.#known;
    this.#known = { session, live, recording, locked };
    // Another page may have changed it.
    if (live && known.live && session === known.session && (recording !== known.recording || locked !== known.locked)) {
      Promise.resolve(control()).then(({ announce }) => announce(this.#page, known));
    }
  };

  #show(button, on, text) {
    // A button that goes while it has the focus leaves it to the next.
    if (!on && document.activeElement === button) this.#more.focus();
    button.hidden = !on;
    set(button, 'aria-disabled', this.#page.appControl.whyNoSession ? 'true' : null);
    set(button, 'title', text);
  }
}
