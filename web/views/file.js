// Tapes from files: the start page without a server, dropped and chosen files, and the reading progress.
import { OpenedFiles } from '../file/opened.js';
import { Problem } from '../link/http.js';
import { copyButton } from '../ui/copy.js';
import { byID, h, set, setText } from '../ui/dom.js';
import { count, many, size } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { notice } from '../ui/notice.js';
import { style } from '../ui/lazy.js';

const accepted = '.tape,.gz,.json,.ndjson,.jsonl,application/json,application/gzip';
let view = null;

/**
 * The only FilesView; created on first use.
 * @param {import('../model/page.js').Page} page
 * @returns {Promise<FilesView>}
 */
export function filesOf(page) {
  view ??= (async () => {
    await style('views/file.css');
    const made = new FilesView(page);
    await made.begin();
    return made;
  })();
  return view;
}

class FilesView {
  #page;
  /** @type {OpenedFiles|null} */
  #files = null;
  #failure = '';
  /** Loads the address that could not be read. @type {(() => void)|null} */
  #again = null;
  #announced = new Map();
  #box = byID('welcome');
  #progress = h('div', { id: 'reading', role: 'group', 'aria-label': 'Reading files' });
  #status = h('p', { class: 'offscreen', role: 'status' });

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    document.body.append(this.#progress, this.#status);
    for (const event of ['session', 'place', 'connection']) page.addEventListener(event, () => inFrame(this.#render));
  }

  /** Opens the tape inside the page, or the address's tape; else it shows the start page. */
  async begin() {
    const { place } = this.#page;
    const inside = byID('tape');
    if (inside !== null) return this.#open([[new Blob([unpacked(inside.textContent)]), inside.dataset.name]]);
    if (place.tape !== null) return this.#openAddress(place.tape);
    if (!this.#page.sessions.known) await this.#show(null);
    return inFrame(this.#render);
  }

  /** Opens the file chooser. */
  choose() {
    const field = h('input', { type: 'file', multiple: true, accept: accepted });
    field.addEventListener('change', () => this.take([...field.files]));
    field.click();
  }

  /**
   * Opens dropped or chosen files.
   * @param {File[]} files
   */
  async take(files) {
    if (this.#page.link.status === 'file') return this.#open(files.map((file) => [file, file.name]));
    const { offer } = await import('./upload.js');
    return offer(this.#page, files, () => this.#open(files.map((file) => [file, file.name])));
  }

  #own() {
    if (this.#files === null) {
      this.#files = new OpenedFiles();
      this.#files.addEventListener('progress', () => inFrame(this.#renderProgress));
    }
    return this.#files;
  }

  /**
   * Shows sessions of opened files from now on, instead of the server's.
   * @param {string|null} session
   * @param {string|null} [tape] the file's address
   */
  async #show(session, tape = null) {
    const page = this.#page;
    page.connection.replace(this.#own());
    await page.refresh();
    if (session === null) return;
    if (page.place.session !== null && page.place.session !== session) return page.go({ session, tape });
    page.place.tape = tape;
    page.rename(session);
    page.session.open();
    page.emit('place');
  }

  async #openAddress(tape) {
    const address = new URL(tape, location.href);
    if (address.origin !== location.origin) {
      await this.#show(null);
      return this.#fail(`The tape is at ${address.origin}, but this page can only load tapes from ${location.origin}. Download the file and drop it here.`);
    }
    return this.#open([[address.href, decodeURIComponent(address.pathname.split('/').at(-1)) || tape]], tape);
  }

  /** Opens all of them and shows the first tape. */
  async #open(sources, tape = null) {
    this.#failure = '';
    this.#again = null;
    const failures = [];
    let isShown = false;
    await Promise.all(sources.map(async ([source, name]) => {
      try {
        const session = await this.#own().add(source, name);
        if (isShown) return await this.#show(null);
        isShown = true;
        return await this.#show(session, tape);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code === 'broke-off') this.#again = () => this.#open(sources, tape);
        return failures.push(error.message);
      }
    }));
    if (this.#page.link !== this.#files) await this.#show(null);
    if (failures.length > 0) this.#fail(failures.join(' '));
  }

  #fail(text) {
    this.#failure = text;
    if (this.#page.place.session !== null && this.#page.summary !== null) notice(text, { failed: true });
    inFrame(this.#render);
  }

  #render = () => {
    const { place, link, problem } = this.#page;
    if (link.status !== 'file') return;
    byID('connect').hidden = true;
    // The address has a session of a file that isn't open.
    const isMissing = place.session !== null && (this.#files.files.size === 0 || problem?.code === 'session-absent');
    this.#box.hidden = place.session !== null && !isMissing;
    byID('open-file').hidden = !this.#box.hidden;
    if (this.#box.hidden) return;
    if (isMissing) byID('problem').hidden = true;
    document.body.dataset.view = 'sessions';
    this.#box.className = this.#files.files.size === 0 ? 'empty files' : 'files';
    const shown = `${this.#failure} ${isMissing} ${this.#files.files.size}`;
    if (this.#box.dataset.shown === shown) return;
    this.#box.dataset.shown = shown;
    this.#box.replaceChildren(...this.#start(isMissing));
  };

  #start(isMissing) {
    const button = h('button', { class: 'main', on: { click: () => this.choose() } }, 'Choose file…');
    const isFirst = this.#files.files.size === 0;
    return [
      h('h2', {}, isFirst ? 'Open a tape' : 'Open another tape'),
      h('p', {}, isFirst
        ? 'A tape records every action of an app and the state after it. Your browser reads the file and uploads nothing.'
        : 'Choose a tape from the list, or open another one to compare.'),
      this.#failure === '' ? null : h('p', { class: 'failed', role: 'alert' }, this.#failure, this.#again === null ? '' : ' ',
        this.#again === null ? null : h('button', { class: 'quiet', on: { click: this.#again } }, 'Try again')),
      isMissing ? h('p', { class: 'failed', role: 'status' }, 'This address points to an event in a file. Open the file again to see it.') : null,
      h('div', { class: 'drop' },
        h('p', {}, 'Drop a file here'), button,
        h('p', { class: 'hint' }, '.tape, .tape.gz or a Redux DevTools export (.json)')),
      ...isFirst ? [
        h('h3', {}, 'Or start a server'),
        h('p', {}, 'A server records running apps and applies states to them:'),
        h('div', { class: 'snippet' }, h('pre', {}, 'statetape serve'), copyButton('Copy', () => 'statetape serve')),
        h('p', {}, 'You can also open a tape next to this page by its address: ', h('code', {}, `${location.protocol === 'file:' ? '' : location.origin}${location.pathname}?tape=run.tape`)),
      ] : [],
    ].filter((part) => part !== null);
  }

  #renderProgress = () => {
    for (const file of this.#files.files.values()) this.#announce(file);
    const shown = [...this.#files.files.values()].filter((file) => !file.done || file.summary?.file.stopped && !this.#announced.get(file.number)?.dismissed);
    const keys = shown.map((file) => `${file.number} ${file.done}`).join();
    if (this.#progress.dataset.keys !== keys) {
      this.#progress.dataset.keys = keys;
      this.#progress.replaceChildren(...shown.map((file) => (file.done ? this.#stopped(file) : this.#bar(file))));
    }
    shown.forEach((file, index) => file.done || fill(this.#progress.children[index], file));
    inFrame(this.#render);
  };

  #bar(file) {
    const cancel = h('button', { class: 'quiet', 'aria-label': `Stop reading ${file.name}` }, 'Stop');
    cancel.addEventListener('click', () => this.#files.cancel(file.number));
    return h('div', { class: 'line' }, h('span', {}, `Reading ${file.name}`), h('progress', { 'aria-label': `Reading ${file.name}` }), h('span', { class: 'read' }), cancel);
  }

  #stopped(file) {
    const close = h('button', { class: 'close', 'aria-label': 'Dismiss' }, '✕');
    close.addEventListener('click', () => {
      this.#announced.get(file.number).dismissed = true;
      this.#renderProgress();
    });
    const parts = [h('span', {}, file.summary.file.stopped)];
    if (file.summary.file.isBroken) {
      const again = h('button', { class: 'quiet', 'aria-label': `Download ${file.name} again` }, 'Try again');
      again.addEventListener('click', () => {
        close.click();
        this.#open([[file.source.url, file.name]], this.#page.place.tape);
      });
      parts.push(again);
    }
    return h('div', { class: 'line stopped', role: 'alert' }, ...parts, close);
  }

  /** Announces the start and end of reading once. */
  #announce(file) {
    const announced = this.#announced.get(file.number);
    if (announced?.done === file.done) return;
    this.#announced.set(file.number, { done: file.done, dismissed: false });
    setText(this.#status, file.done ? `Read ${file.name}: ${many(file.summary.events, 'event')}.` : `Reading ${file.name}.`);
  }
}

function fill(line, { read, size: whole, summary }) {
  const [, bar, text] = line.children;
  set(bar, 'max', whole > 0 ? whole : null);
  set(bar, 'value', whole > 0 ? Math.min(read, whole) : null);
  setText(text, `${size(read)}${whole > 0 ? ` of ${size(whole)}` : ''}${summary ? `, ${count(summary.events)} events` : ''}`);
}

/** Decodes base64. */
function unpacked(text) {
  return Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
