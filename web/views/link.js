// A link to an event.
import { href } from '../model/address.js';
import { h, within } from '../ui/dom.js';

/**
 * A link to an event of the open session.
 * @param {number} seq
 * @param {import('../model/page.js').Page} page
 * @returns {HTMLElement}
 */
export function eventLink(seq, page) {
  return within(h('a', { href: href({ ...page.place, event: seq }) }, `#${seq}`), () => page.reveal(seq));
}
