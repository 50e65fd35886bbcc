// Parts of the page that are loaded on first use.
import { h } from './dom.js';

const styles = new Map();

/** Has the members of a `Problem` (link/http.js). */
class NotLoaded extends Error {
  status = 0;
  document = {};
}
const away = () => new NotLoaded('Can’t reach the server');

/** Loads a style sheet, once. @param {string} path in the page's folder */
export function style(path) {
  // A page in one file has all styles.
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
 * Loads a module and its style sheets on the first call; later calls return it at once.
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
