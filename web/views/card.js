// What the parts of the overview are made of.
import { h } from '../ui/dom.js';

/**
 * A part of the overview; `empty` says why it has nothing.
 * @param {string} title
 * @param {string|null} empty
 * @param {...(Node|null)} children
 */
export function card(title, empty, ...children) {
  return h('section', { class: 'card' }, h('h3', {}, title), ...(empty === null ? children : [h('p', { class: 'hint' }, empty)]));
}

/** A bar; what it shows stands beside it as text. @param {number} share from 0 to 1 */
export function meter(share) {
  const bar = h('span', { class: 'meter', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', String(share));
  return bar;
}

/** @param {number} share @returns {string} */
export function percent(share) {
  return share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}
