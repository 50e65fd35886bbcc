// The cards of the overview.
import { h } from '../ui/dom.js';

/**
 * A card; `empty` says why it has no content.
 * @param {string} title
 * @param {string|null} empty
 * @param {...(Node|null)} children
 */
export function card(title, empty, ...children) {
  return h('section', { class: 'card' }, h('h3', {}, title), ...(empty === null ? children : [h('p', { class: 'hint' }, empty)]));
}

/** A bar; the value beside it is text. @param {number} share from 0 to 1 */
export function meter(share) {
  const bar = h('span', { class: 'meter', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', String(share));
  return bar;
}

/** @param {number} share @returns {string} */
export function percent(share) {
  return share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}
