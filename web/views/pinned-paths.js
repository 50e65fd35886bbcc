// The pinned paths of each app and store, in the browser's storage.

const name = ({ app, store }) => `statetape--pins ${app} ${store}`;

/**
 * @param {{app: string, store: string}} where
 * @returns {string[]} pointers
 */
export function pinned(where) {
  try {
    const paths = JSON.parse(localStorage.getItem(name(where)));
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string' && (path === '' || path[0] === '/')) : [];
  } catch {
    return [];
  }
}

/**
 * @param {{app: string, store: string}} where
 * @param {string[]} paths
 */
export function pin(where, paths) {
  // A browser may refuse storage altogether.
  try { localStorage.setItem(name(where), JSON.stringify(paths)); } catch { /* forgotten */ }
}
