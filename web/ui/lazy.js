// Parts of the page that come when they are first asked for.
import { h } from './dom.js';

const styles = new Map();

/** A part of the page that did not arrive. It has the members of a `Problem` of link/http.js. */
class NotLoaded extends Error {
  status = 0;
  document = {};
}
const away = () => new NotLoaded('Can’t reach the server');

/**
 * Loads a style sheet, once.
 * @param {string} path from the page's own folder
 * @returns {Promise<void>}
 */
export function style(path) {
  // A page that is one file brings all its styles with it.
  if (!styles.has(path) && document.querySelector(`[data-style="${path}"]`)) return Promise.resolve();
  if (!styles.has(path)) styles.set(path, load(path));
  return styles.get(path);
}

function load(path) {
  return new Promise((resolve, reject) => {
    const link = h('link', { rel: 'stylesheet', href: path, 'data-style': path, on: { load: () => resolve(), error: () => {
      link.remove();
      styles.delete(path);
      reject(away());
    } } });
    document.head.append(link);
  });
}

/**
 * A module that comes, with its style sheets, when it is first asked for; from then on it is there at once.
 * @template Module
 * @param {() => Promise<Module>} load
 * @param {...string} styles
 * @returns {() => Module|Promise<Module>}
 */
export function part(load, ...sheets) {
  let module = null;
  return () => module ?? Promise.all([load(), ...sheets.map(style)])
    .then(([loaded]) => (module = loaded), () => { throw away(); });
}
