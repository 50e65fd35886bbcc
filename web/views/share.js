// The share menu: links, a bug report, bookmarks, files.
import { copy } from '../ui/copy.js';
import { count, many, size } from '../ui/format.js';
import { part } from '../ui/lazy.js';
import { openMenu } from '../ui/menu.js';
import { notice } from '../ui/notice.js';
import { bookmark, selectedSeq, whyNoBookmark } from './bookmarks.js';
import { download } from './download.js';
import { copyInvite, whyNoInvite } from './invite.js';
import { addressOf } from './page-address.js';

const report = part(() => import('./bug-report.js'));

/**
 * Opens the menu.
 * @param {import('../model/page.js').Page} page
 * @param {HTMLElement} button
 */
export function openShare(page, button) {
  const { summary, selected, bookmarks } = page;
  if (!summary) return;
  const seq = selectedSeq(page);
  const at = seq === null ? '' : `#${count(seq)}`;
  const none = at ? '' : 'Select an event first.';
  const file = (query) => () => download(summary.session, query);
  openMenu(button, 'Share', [
    { label: at ? `Copy link to ${at}` : 'Copy link to this session', key: 'y', run: () => copyLink(page) },
    { label: 'Copy bug report', key: 'B', why: none, note: 'Markdown: steps, changes, errors, device and link.', run: async () => (await report()).copyReport(page) },
    { label: 'Copy view-only link', why: whyNoInvite(page), note: 'For others, without control.', run: () => copyInvite(page) },
    null,
    { label: at ? (bookmarks.has(seq) ? `Edit bookmark at ${at}…` : `Bookmark ${at}…`) : 'Bookmark event…', key: 'b', why: whyNoBookmark(page), run: () => bookmark(page) },
    null,
    { label: 'Download tape', note: [many(summary.events ?? 0, 'event'), summary.bytes > 0 && size(summary.bytes)].filter(Boolean).join(', '), run: file({}) },
    { label: `Download tape up to ${at || 'an event'}`, why: none, run: () => file({ to: seq })() },
    { label: `Download tape from ${at || 'an event'}`, why: none, run: () => file({ from: seq })() },
    { label: 'Download as HTML page', note: 'One file that opens without a server.',
      why: summary.file ? 'For a file, run `statetape export --format html`.' : '', run: file({ format: 'html' }) },
    { label: 'Download for Redux DevTools', note: 'Up to 10 000 events and 256 MB of states of one store.', run: file({ format: 'redux-devtools', ...(summary.stores?.length > 1 && selected ? { store: selected.store } : {}) }) },
  ]);
}

/**
 * Copies the page's address, for others if they can reach the server.
 * @param {import('../model/page.js').Page} page
 */
export async function copyLink(page) {
  const { place } = page;
  const what = place.event === null ? 'Link to this session' : `Link to #${count(place.event)}`;
  const { url, isHere, network } = await addressOf(page);
  if (!await copy(url)) return undefined;
  if (network !== null) return notice(`${what} copied, for the network: ${network.host}. It asks for a token.`);
  if (isHere) return notice(`${what} copied. It opens on this machine only: the server is local only.`);
  if (location.protocol === 'file:') return notice(`${what} copied. It opens on this computer only: this page is a file. To share it, send the file.`);
  return notice(`${what} copied.`);
}
