// The bookmark dialog and the list of bookmarks.
import { json, request, sessionPath } from '../link/http.js';
import { openDialog } from '../ui/dialog.js';
import { h, setText } from '../ui/dom.js';
import { ago, count } from '../ui/format.js';
import { attempt, notice } from '../ui/notice.js';
import { eventLink } from './link.js';

const remembered = 'statetape-author';
const post = (session, bookmark) => json(sessionPath(session, '/bookmarks'), { method: 'POST', body: JSON.stringify(bookmark) });
const remove = (session, n) => request(sessionPath(session, `/bookmarks/${n}`), { method: 'DELETE' });

/** A file's bookmarks are private to the browser. */
const isFile = ({ link }) => link.status === 'file';
const whyNone = (page) => (isFile(page) ? '' : page.readOnly);

/**
 * The seq of the selected event, even if it isn't loaded; null without one. Inside a gap, the gap's.
 * @param {import('../model/page.js').Page} page
 * @returns {number|null}
 */
export function selectedSeq({ selected, place }) {
  return selected?.seq ?? place.event;
}

/**
 * Why the selected event can't be bookmarked, or an empty string.
 * @param {import('../model/page.js').Page} page
 */
export function whyNoBookmark(page) {
  return whyNone(page) || (selectedSeq(page) === null ? 'Select an event first.' : '');
}

/**
 * Adds or edits the bookmark of the selected event.
 * @param {import('../model/page.js').Page} page
 */
export function bookmark(page) {
  const why = whyNoBookmark(page);
  const seq = selectedSeq(page);
  return why ? notice(why) : edit(page, seq, page.bookmarks.get(seq));
}

/** Edits a bookmark, or adds one. */
export async function edit(page, seq, known) {
  const { session } = page.summary;
  const text = h('textarea', { id: 'bookmark-text', required: true, maxlength: 600, autofocus: true, placeholder: 'Bug here: the total is wrong' });
  const author = h('input', { id: 'bookmark-author', autocomplete: 'name', maxlength: 60, placeholder: 'Optional' });
  const error = h('p', { class: 'failure', role: 'alert' });
  text.value = known?.text ?? '';
  author.value = known?.author ?? recall();
  const form = h('form', {},
    h('label', { for: 'bookmark-text' }, 'What’s wrong here?'), text, h('p', { class: 'hint' }, 'Ctrl-Enter, or ⌘-Enter, saves.'),
    h('label', { for: 'bookmark-author' }, 'Your name'), author, isFile(page) && h('p', { class: 'hint' }, 'Saved in this browser, not in the file.'), error,
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, known ? 'Save' : 'Bookmark')));
  const dialog = await openDialog(`${known ? 'Edit bookmark at' : 'Bookmark'} #${count(seq)}`, { class: 'bookmark' }, form);
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      // Adding the new one first loses nothing if the second request fails.
      await post(session, { seq, text: text.value, author: author.value });
      if (known) await remove(session, known.n);
      if (author.value.trim()) remember(author.value.trim());
      dialog.close();
      if (page.link.keeps === false) notice('This browser blocks storage: the bookmark is lost when you close the page.');
    } catch (problem) {
      setText(error, problem.message);
    }
  });
}

/**
 * Lists the bookmarks of the open session.
 * @param {import('../model/page.js').Page} page
 */
export async function listBookmarks(page) {
  const box = h('div');
  const listening = new AbortController();
  const dialog = await openDialog('Bookmarks', { class: 'bookmarks' }, box);
  const render = () => box.replaceChildren(...(page.bookmarks.all.length > 0
    ? [h('ul', {}, ...page.bookmarks.all.map((one) => item(page, one, dialog)))]
    : [h('p', {}, 'No bookmarks yet. Select an event and press ', h('kbd', {}, 'b'), ` to add one${isFile(page) ? '' : ' for everyone'}.`)]));
  page.addEventListener('bookmarks', render, { signal: listening.signal });
  dialog.addEventListener('close', () => listening.abort());
  render();
}

function item(page, one, dialog) {
  const at = `#${count(one.seq)}`;
  const link = eventLink(one.seq, page);
  link.addEventListener('click', () => dialog.close());
  const button = (label, run) => h('button', { class: 'quiet', 'aria-label': `${label} bookmark at ${at}`, title: whyNone(page) || null, disabled: whyNone(page) !== '', on: { click: run } }, label);
  return h('li', {},
    h('p', {}, link, ' ', h('span', { class: 'who' }, [one.author, one.made && ago(one.made)].filter(Boolean).join(' · '))),
    h('p', { class: 'text' }, one.text),
    button('Edit', () => { dialog.close(); edit(page, one.seq, one); }), button('Delete', () => { dialog.close(); drop(page, one); }));
}

/**
 * Deletes a bookmark, and offers to undo it.
 * @param {import('../model/page.js').Page} page
 * @param {import('../model/bookmarks.js').Bookmark} one
 */
export async function drop(page, { n, seq, text, author }) {
  const { session } = page.summary;
  if (await attempt('Can’t delete the bookmark', () => remove(session, n)) === undefined) return;
  notice(`Bookmark at #${count(seq)} deleted.`, { action: 'Undo', run: () => attempt('Can’t restore the bookmark', () => post(session, { seq, text, author })) });
}

// A browser may refuse storage altogether.
function recall() {
  try { return localStorage.getItem(remembered) ?? ''; } catch { return ''; }
}

function remember(author) {
  try { localStorage.setItem(remembered, author); } catch { /* forgotten */ }
}
