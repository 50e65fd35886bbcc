// What can be done with one of the sessions: naming, keeping, comparing, deleting.
import { json, request, sessionPath } from '../link/http.js';
import { confirm } from '../ui/dialog.js';
import { h } from '../ui/dom.js';
import { many, size } from '../ui/format.js';
import { openMenu } from '../ui/menu.js';
import { attempt, notice } from '../ui/notice.js';
import { sessionName } from '../model/session-name.js';
import { download } from './share.js';

/**
 * Opens the menu of a session.
 * @param {import('../model/page.js').Page} page
 * @param {any} summary
 * @param {HTMLElement} row its row in the list
 * @param {(key: string, value: string) => void} filter shows only sessions with a label
 */
export function openSessionMenu(page, summary, row, filter) {
  const { session, device, live, kept, events = 0, bytes = 0, labels = {} } = summary;
  const { readOnly, place } = page;
  const open = page.summary;
  openMenu(row.querySelector('.more'), sessionName(summary), [
    { label: 'Rename…', why: readOnly, run: () => retitle(summary, row) },
    { label: 'Name the device…', why: readOnly || (device?.id ? '' : 'The app tells no device.'), run: () => nickname(summary, row) },
    { label: 'Keep for ever', note: 'Never deleted for its age or size.', why: readOnly, checked: kept === true, run: () => keep(summary) },
    null,
    { label: 'Compare with the open one', note: open && open.session !== session ? sessionName(open) : '',
      why: !open ? 'Open another session first.' : open.session === session ? 'This is the open one.' : '',
      run: () => page.go({ view: 'compare', other: session }) },
    { label: 'Download tape', note: [many(events, 'event'), bytes > 0 && size(bytes)].filter(Boolean).join(', '), run: () => download(session, {}) },
    ...Object.entries(labels).slice(0, 8).map(([key, value]) => ({ label: `Only with ${key}: ${value}`, run: () => filter(key, value) })),
    null,
    { label: 'Delete…', why: readOnly || (live ? 'Its app is connected. Stop the app first.' : ''), run: () => erase(page, summary, place.session === session) },
  ]);
}

const patch = (path, body) => json(path, { method: 'PATCH', body: JSON.stringify(body) });

function retitle({ session, title = '' }, row) {
  const set = (title) => patch(sessionPath(session), { title });
  edit(row, 'Title', title, async (text) => {
    if (await attempt('The title was not changed', () => set(text)) === undefined) return;
    notice(text ? `The session is called “${text}”.` : 'The title is taken away.', { action: 'Undo', run: () => attempt('The title was not put back', () => set(title)) });
  });
}

function nickname({ device }, row) {
  const set = (nickname) => patch(`/api/v1/devices/${encodeURIComponent(device.id)}`, { nickname });
  const before = device.nickname ?? '';
  edit(row, 'Name of the device', before, async (text) => {
    if (await attempt('The device was not named', () => set(text)) === undefined) return;
    notice(text ? `The device is called “${text}” in all its sessions.` : 'The device has its own name again.', { action: 'Undo', run: () => attempt('The name was not put back', () => set(before)) });
  });
}

async function keep({ session, kept }) {
  const set = (kept) => patch(sessionPath(session), { kept });
  if (await attempt('This was not changed', () => set(!kept)) === undefined) return;
  notice(kept ? 'The session may go when it is old.' : 'The session is kept for ever.', { action: 'Undo', run: () => attempt('This was not put back', () => set(kept)) });
}

/** A field over a row. It stays until it is saved or left by Escape. */
function edit(row, label, value, save) {
  row.querySelector('form')?.remove();
  const field = h('input', { 'aria-label': label, placeholder: label, maxlength: 60 });
  field.value = value;
  const form = h('form', { class: 'edit' }, field, h('button', { class: 'main' }, 'Save'));
  const leave = () => {
    form.remove();
    row.querySelector('a').focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    leave();
    if (field.value.trim() !== value) save(field.value.trim());
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && !form.contains(relatedTarget) && form.remove());
  row.append(form);
  field.select();
}

/**
 * Asks; then it is out of the list at once, and deleted on the server when the time to undo is over. It is called
 * deleted when it is.
 */
async function erase(page, summary, isOpen) {
  const { session, events = 0, bytes = 0, bookmarks } = summary;
  const lost = [many(events, 'event'), bookmarks?.count > 0 && many(bookmarks.count, 'bookmark')].filter(Boolean).join(' and ');
  const asked = [`Its ${lost} (${size(bytes)}) are deleted for good, for everybody.`, summary.kept && 'It was to be kept for ever.'].filter(Boolean);
  if (!await confirm(`Delete “${sessionName(summary)}”?`, asked, 'Delete')) return;
  page.sessions.hide(session, true);
  if (isOpen) page.go({ session: null });
  const back = () => page.sessions.hide(session, false);
  notice(`“${sessionName(summary)}” will be deleted in a few seconds.`, {
    action: 'Undo',
    run: back,
    gone: async () => {
      const done = await attempt('The session was not deleted', () => request(sessionPath(session), { method: 'DELETE', keepalive: true }));
      if (done === undefined) back();
      else notice(`“${sessionName(summary)}” is deleted.`, { waits: true });
    },
  });
}
