// Parts of the page that come when they are first asked for.
import { h } from './dom.js';

/**
 * Loads a style sheet, once.
 * @param {string} path from the page's own folder
 * @returns {Promise<void>}
 */
export function style(path) {
  // A page that is one file brings all its styles with it.
  if (document.querySelector(`[data-style="${path}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    document.head.append(h('link', { rel: 'stylesheet', href: path, 'data-style': path, on: { load: () => resolve(), error: reject } }));
  });
}
