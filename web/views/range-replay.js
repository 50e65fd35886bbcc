// The panel that replays a range of recorded actions in the running app.
import { Problem, request, sessionPath } from '../link/http.js';
import { parse } from '../json/parse.js';
import { indent, preview } from '../json/value.js';
import { readable } from '../json/pointer.js';
import { replayIn, stopReplay } from '../model/loop.js';
import { byID, h, setText } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { notice } from '../ui/notice.js';
import { JSONDialog } from './json-dialog.js';
import { eventLink, sessionLink } from './link.js';

/** Actions of a longer range are replayed, but not listed. */
const most = 200;

/** The range stays while the page is open, also when another session is shown. */
export class RangeReplay {
  #page;
  /** Of the range. @type {import('../model/tape.js').Tape|null} */
  #tape = null;
  #leaveOut = new Set();
  #edit = new Map();
  #running = '';
  /** The latest list that was asked for. */
  #asked = 0;
  #from = number('First event');
  #to = number('Last event');
  #keep = h('input', { type: 'checkbox' });
  #list = h('ul', { 'aria-label': 'Actions of the range' });
  #more = h('p', { class: 'hint' });
  #run = h('button', { class: 'main', 'aria-keyshortcuts': 'Shift+R', title: 'Replay again (Shift R)', on: { click: () => this.run() } }, 'Replay');
  #stop = h('button', { hidden: true, on: { click: () => stopReplay(this.#running) } }, 'Stop');
  #outcome = h('div', { class: 'outcome', role: 'status' });
  #box;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    this.#box = h('section', { id: 'range-replay', 'aria-label': 'Replay in the app', hidden: true },
      h('header', {}, h('h2', {}, 'Replay in the app'), h('button', { class: 'close', 'aria-label': 'Close', on: { click: () => { this.#box.hidden = true; } } }, '✕')),
      h('p', { class: 'hint' }, 'The app runs these actions again from the state before them. Effects don’t start. Shift-click a row to set the other end.'),
      h('p', { class: 'ends' }, h('label', {}, 'From # ', this.#from), h('label', {}, 'to # ', this.#to)),
      this.#list, this.#more,
      h('label', {}, this.#keep, ' Keep the state afterwards'),
      h('p', { class: 'buttons' }, this.#run, this.#stop), this.#outcome);
    for (const end of [this.#from, this.#to]) end.addEventListener('change', () => this.#read());
    byID('inspector').prepend(this.#box);
  }

  /** Begins a range at an event, up to the end of the tape. @param {number|null} seq */
  open(seq) {
    if (seq === null) return notice('Select an event first.');
    return this.#set(seq, this.#page.timeline.end - 1);
  }

  /** Moves the end of the range that is beyond, or else the last one. @param {number} seq */
  extend(seq) {
    const selected = this.#page.place.event ?? seq;
    if (this.#box.hidden || this.#session !== this.#page.tape.session) return this.#set(Math.min(selected, seq), Math.max(selected, seq));
    const from = Number(this.#from.value);
    return seq < from ? this.#set(seq, Number(this.#to.value)) : this.#set(from, seq);
  }

  /** Replays the range. */
  async run() {
    const { appControl: { target, whyNoTarget } } = this.#page;
    if (this.#session === null) return notice('Choose a range first: select an event and press r.');
    if (whyNoTarget) return notice(whyNoTarget);
    if (this.#running) return;
    this.#box.hidden = false;
    this.#busy(target.session);
    this.#report('waiting', h('p', {}, 'Replaying…'));
    const range = {
      session: this.#session, from: Number(this.#from.value), to: Number(this.#to.value), leaveOut: [...this.#leaveOut],
      edit: Object.fromEntries(this.#edit), keep: this.#keep.checked,
    };
    try {
      const loop = await replayIn(this.#page, target.session, range, ({ played }) => this.#report('waiting', h('p', {}, `Replaying: ${many(played, 'action')} so far.`)));
      this.#report(loop.status === 'failed' || loop.status === 'lost' ? 'failed' : loop.divergence ? 'different' : 'done', ...this.#told(loop, target.session));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#report('failed', h('p', {}, error.message || 'Can’t replay.'));
    } finally {
      this.#busy('');
    }
  }

  get #session() { return this.#tape?.session ?? null; }

  #set(from, to) {
    const { tape } = this.#page;
    if (this.#session !== tape.session) {
      this.#leaveOut.clear();
      this.#edit.clear();
    }
    this.#tape = tape;
    this.#box.hidden = false;
    this.#from.value = from;
    this.#to.value = to;
    this.#report('');
    return this.#read();
  }

  /** Lists the actions of the range. */
  async #read() {
    const asked = ++this.#asked;
    const [from, to] = [Number(this.#from.value), Number(this.#to.value)];
    const lines = [];
    let next = from;
    try {
      while (next <= to && lines.length <= most) {
        const query = new URLSearchParams({ type: '*', fields: 'head', from: String(next), limit: String(most) });
        const response = await request(sessionPath(this.#session, `/events?${query}`));
        lines.push(...(await response.text()).split('\n').filter((line) => line !== '').map(parse));
        const reached = Number(response.headers.get('StateTape-Next'));
        if (!(reached > next)) break;
        next = reached;
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return this.#report('failed', h('p', {}, `Can’t read the actions: ${error.message}`));
    }
    if (asked !== this.#asked) return;
    const actions = lines.filter(({ seq, cause }) => seq <= to && (cause?.loop === undefined || cause.keep));
    this.#list.replaceChildren(...actions.slice(0, most).map((line) => this.#item(line)));
    setText(this.#more, actions.length > most ? `The first ${most} actions. The others are replayed as recorded.` : actions.length === 0 ? 'No actions in this range.' : '');
    this.#run.disabled = actions.length === 0;
  }

  #item({ seq, type }) {
    const box = h('input', { type: 'checkbox', 'aria-label': `Replay #${seq}`, checked: !this.#leaveOut.has(seq) });
    box.addEventListener('change', () => (box.checked ? this.#leaveOut.delete(seq) : this.#leaveOut.add(seq)));
    const name = h('code', {}, this.#edit.get(seq)?.type ?? type);
    const edited = h('span', { class: 'hint', hidden: !this.#edit.has(seq) }, 'edited');
    const edit = h('button', { class: 'quiet', 'aria-label': `Edit #${seq}`, on: { click: () => this.#compose(seq, name, edited) } }, 'Edit…');
    return h('li', {}, h('label', {}, box, ` #${count(seq)} `, name), edited, edit);
  }

  async #compose(seq, name, edited) {
    const action = this.#edit.get(seq) ?? (await this.#tape.line(seq)).line.action;
    await JSONDialog.open({
      title: `Edit #${count(seq)} for the replay`, label: 'Action as JSON', text: indent(JSON.stringify(action)), submitLabel: 'Use this action',
      submit: (value, dialog) => {
        if (typeof value?.type !== 'string') return dialog.report('failed', h('p', {}, 'An action is an object: {"type": "…", "payload": …}.'));
        this.#edit.set(seq, value);
        setText(name, value.type);
        edited.hidden = false;
        dialog.close();
      },
    });
  }

  #busy(session) {
    this.#running = session;
    this.#run.disabled = session !== '';
    this.#stop.hidden = session === '';
  }

  #report(status, ...content) {
    this.#outcome.className = `outcome is-${status}`;
    this.#outcome.replaceChildren(...(content.length > 0 ? [h('div', { class: 'report' }, ...content)] : []));
  }

  /** @param {import('../model/loop.js').Loop} loop */
  #told({ status, played, compared, divergence, error, tooLong }, session) {
    const titles = { done: `Replayed ${many(played, 'action')}.`, stopped: `Stopped after ${many(played, 'action')}.`, lost: 'The app disconnected before the end.' };
    const title = titles[status] ?? `The replay failed: ${error?.message ?? status}.${error?.path ? ` At ${readable(error.path)}.` : ''}`;
    const counted = `${many(compared, 'state')} compared with the recording.`;
    return [
      h('p', { class: 'title' }, title),
      tooLong > 0 ? h('p', {}, `${many(tooLong, 'action')} did not fit into a message to the app.`) : '',
      divergence ? this.#difference(divergence, session) : '',
      h('p', {}, divergence || compared === 0 ? counted : `= No difference: ${counted}`),
    ].filter(Boolean);
  }

  #difference({ of, seq, paths: [path = ''], recorded, value }, session) {
    const link = (from, at) => (from === this.#page.place.session ? eventLink(at, this.#page) : sessionLink(from, at));
    const shown = (one) => (one === undefined ? 'no value' : preview(one));
    return h('p', { class: 'difference' }, h('strong', {}, '≠ First difference: '), link(this.#session, of), ', replayed as ', link(session, seq), ': ',
      h('code', {}, readable(path) || 'whole state'), ' ', h('del', {}, shown(recorded)), ' → ', h('ins', {}, shown(value)));
  }
}

function number(label) {
  return h('input', { type: 'number', min: 0, 'aria-label': label });
}
