// A link to an event.
import { href } from '../model/address.js';
import { h, linkTo } from '../ui/dom.js';
import { count } from '../ui/format.js';

/**
 * A link to an event of the open session.
 * @param {number} seq
 * @param {import('../model/page.js').Page} page
 * @returns {HTMLElement}
 */
export function eventLink(seq, page) {
  return linkTo(h('a', { href: href({ ...page.place, event: seq }) }, `#${seq}`), () => page.reveal(seq));
}

/**
 * A link to an event of another session.
 * @param {string} session
 * @param {number} seq
 * @returns {HTMLElement}
 */
export function sessionLink(session, seq) {
  return h('a', { href: href({ session, event: seq }) }, `#${count(seq)} of another session`);
}
