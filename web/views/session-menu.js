// The menu of a session: rename, keep, compare, download, delete.
import { json, request, sessionPath } from '../link/http.js';
import { confirm } from '../ui/dialog.js';
import { h } from '../ui/dom.js';
import { many, size } from '../ui/format.js';
import { openMenu } from '../ui/menu.js';
import { attempt, notice } from '../ui/notice.js';
import { sessionName } from '../model/session-name.js';
import { download } from './download.js';

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
    { label: 'Rename session…', why: readOnly, run: () => retitle(summary, row) },
    { label: 'Rename device…', why: readOnly || (device?.id ? '' : 'The app sent no device ID.'), run: () => nickname(summary, row) },
    { label: 'Keep forever', note: 'Exclude from retention.', why: readOnly, checked: kept === true, run: () => keep(summary) },
    null,
    { label: 'Compare with open session', note: open && open.session !== session ? sessionName(open) : '',
      why: !open ? 'Open another session first.' : open.session === session ? 'This session is open.' : '',
      run: () => page.go({ view: 'compare', other: session }) },
    { label: 'Download tape', note: [many(events, 'event'), bytes > 0 && size(bytes)].filter(Boolean).join(', '), run: () => download(session, {}) },
    ...Object.entries(labels).slice(0, 8).map(([key, value]) => ({ label: `Filter by ${key}: ${value}`, run: () => filter(key, value) })),
    null,
    { label: 'Delete session…', why: readOnly || (live ? 'The app is connected. Stop it first.' : ''), run: () => erase(page, summary, place.session === session) },
  ]);
}

const patch = (path, body) => json(path, { method: 'PATCH', body: JSON.stringify(body) });

function retitle({ session, title = '' }, row) {
  const set = (title) => patch(sessionPath(session), { title });
  edit(row, 'Title', title, async (text) => {
    if (await attempt('Can’t change the title', () => set(text)) === undefined) return;
    notice(text ? `Session renamed to “${text}”.` : 'Title removed.', { action: 'Undo', run: () => attempt('Can’t restore the title', () => set(title)) });
  });
}

function nickname({ device }, row) {
  const set = (nickname) => patch(`/api/v1/devices/${encodeURIComponent(device.id)}`, { nickname });
  const before = device.nickname ?? '';
  edit(row, 'Device name', before, async (text) => {
    if (await attempt('Can’t rename the device', () => set(text)) === undefined) return;
    notice(text ? `Device renamed to “${text}” in all its sessions.` : 'Device name restored.', { action: 'Undo', run: () => attempt('Can’t restore the name', () => set(before)) });
  });
}

async function keep({ session, kept }) {
  const set = (kept) => patch(sessionPath(session), { kept });
  if (await attempt('Can’t change retention', () => set(!kept)) === undefined) return;
  notice(kept ? 'Retention applies to the session.' : 'Session kept forever.', { action: 'Undo', run: () => attempt('Can’t undo this', () => set(kept)) });
}

/** A field over a row, until it is saved or Escape is pressed. */
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
 * Asks first. Then the session leaves the list at once, and is deleted on the server when the time to undo
 * is over or the page closes.
 */
async function erase(page, summary, isOpen) {
  const { session, events = 0, bytes = 0, bookmarks } = summary;
  const lost = [many(events, 'event'), bookmarks?.count > 0 && many(bookmarks.count, 'bookmark')].filter(Boolean).join(' and ');
  const asked = [`This deletes ${lost} (${size(bytes)}) for everyone. You can undo it for some seconds.`, summary.kept && 'The session is marked to be kept forever.'].filter(Boolean);
  if (!await confirm(`Delete “${sessionName(summary)}”?`, asked, 'Delete')) return;
  page.sessions.hide(session, true);
  if (isOpen) page.go({ session: null });
  const back = () => page.sessions.hide(session, false);
  notice(`“${sessionName(summary)}” deleted.`, {
    action: 'Undo',
    run: back,
    gone: async () => {
      const done = await attempt('Can’t delete the session', () => request(sessionPath(session), { method: 'DELETE', keepalive: true }));
      if (done !== undefined) page.sessions.remove(session);
      // Also after that: the same tape may be uploaded again.
      back();
    },
  });
}
