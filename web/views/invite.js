// Copies a link with which somebody else can watch, without control.
import { json } from '../link/http.js';
import { copy } from '../ui/copy.js';
import { attempt, notice } from '../ui/notice.js';
import { addressOf } from './page-address.js';

const open = 'No token is needed: copy the plain link.';

/**
 * Why there is no such link, or an empty string.
 * @param {import('../model/page.js').Page} page
 */
export function whyNoInvite({ link, login, readOnly }) {
  if (link.status === 'file') return 'A file has no server: send the file itself.';
  return login.hasTokens ? readOnly : open;
}

/** @param {import('../model/page.js').Page} page */
export async function copyInvite(page) {
  const answer = await attempt('Can’t make a view-only link', () => json('/api/v1/connect'));
  if (answer === undefined) return undefined;
  if (answer.viewToken === undefined) return notice(open);
  const { url, isHere, network } = await addressOf(page);
  if (!await copy(`${url}#token=${encodeURIComponent(answer.viewToken)}`)) return undefined;
  const where = network !== null ? `, for the network: ${network.host}` : '';
  return notice(`View-only link copied${where}. Whoever has it can watch all sessions of this server.${isHere && network === null ? ' It opens on this machine only.' : ''}`);
}
