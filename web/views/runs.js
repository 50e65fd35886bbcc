// The apps that `statetape run` keeps running: a row for each, and at the open session its status.
import { adjustments } from '../model/adjustments.js';
import { href } from '../model/address.js';
import { byID, h, linkTo } from '../ui/dom.js';
import { inFrame } from '../ui/frame.js';

/**
 * @typedef {{id: string, status: 'building'|'failed'|'running'|'stopped', command?: string, changed: string[],
 *   errors: {file?: string, line?: number, column?: number, text: string}[], message?: string, seconds?: number,
 *   buildSeconds?: number, filled?: string[], ignored?: string[], kept?: string[],
 *   lost?: {path: string, reason: string, instead: string, secret?: boolean}[],
 *   startFailed?: {message: string, path?: string}}} Run
 */

export class RunsView {
  #page;
  /** @type {Run[]} */
  #runs = [];
  #list = h('ul', { id: 'runs', 'aria-label': 'Apps of statetape run' });
  #bar = h('div', { id: 'run', role: 'status' });

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.#page = page;
    byID('session-list').before(this.#list);
    byID('events').before(this.#bar);
    for (const name of ['session', 'place']) page.addEventListener(name, () => inFrame(this.#render));
    page.sessions.addEventListener('change', () => inFrame(this.#render));
  }

  /** @param {Run[]} runs */
  show(runs) {
    this.#runs = runs;
    inFrame(this.#render);
  }

  #render = () => {
    const { summary, sessions } = this.#page;
    const open = this.#runs.find(({ id }) => id === summary?.labels?.run);
    const next = open && !summary.live ? sessions.list.find(({ live, labels }) => live && labels?.run === open.id)?.session : undefined;
    fill(this.#list, this.#runs.map((run) => ({ run })), 'li', ({ run }) => brief(run));
    fill(this.#bar, open ? [{ run: open, next }] : [], 'div', (row) => details(row, this.#page));
    this.#list.hidden = this.#runs.length === 0;
    this.#bar.hidden = open === undefined;
  };
}

/** Replaces the rows that show something else. */
function fill(host, rows, tag, content) {
  while (host.childElementCount > rows.length) host.lastElementChild.remove();
  rows.forEach((row, index) => {
    const text = JSON.stringify(row);
    const old = host.children[index];
    if (old?.dataset.row === text) return;
    const element = h(tag, { 'data-row': text, 'data-status': row.run.status }, ...content(row));
    if (old) old.replaceWith(element);
    else host.append(element);
  });
}

function brief(run) {
  const text = statusText(run);
  return [h('span', { class: 'command' }, run.command ?? 'statetape run'), h('span', { class: 'status', title: text }, text)];
}

/** @param {{run: Run, next?: string}} row `next`: the session of the new app */
function details({ run, next }, page) {
  const { errors, startFailed } = run;
  const notes = adjustments(run).map(([name, places]) => `${name}: ${places.join('; ')}`);
  if (startFailed) notes.unshift(`Launch state not applied: ${startFailed.message}${startFailed.path ? `, at ${startFailed.path}` : ''}`);
  return [
    h('p', { class: 'status' }, statusText(run)),
    next && linkTo(h('a', { href: href({ session: next }) }, 'Go to the new session'), () => page.go({ session: next })),
    ...errors.map((error) => h('p', { class: 'error' }, h('code', {}, place(error)), ` ${error.text}`)),
    ...notes.map((text) => h('p', { class: 'note' }, text)),
  ];
}

/** `TodosReducer.swift:12:5` */
const place = ({ file, line, column }) => [file, line, column].filter((part) => part !== undefined).join(':');

/** @param {Run} run */
export function statusText({ status, changed, errors, message, seconds }) {
  const names = changed.map((file) => file.split('/').at(-1));
  const files = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more changed` : names.length > 0 ? `${names.join(', ')} changed` : '';
  if (status === 'building') return files ? `Building: ${files}` : 'Building…';
  if (status === 'failed' && errors[0]?.file) return `Build failed: ${place({ ...errors[0], file: errors[0].file?.split('/').at(-1) })}${errors.length > 1 ? ` and ${errors.length - 1} more` : ''}`;
  if (status === 'failed' && errors.length > 0) return `Build failed: ${errors[0].text}`;
  if (status === 'running' && seconds !== undefined) return `Reloaded${files && `: ${files}`}, ${Number(seconds).toFixed(2)} s`;
  return message ?? (status === 'running' ? 'Running' : status === 'failed' ? 'Build failed' : 'Stopped');
}
