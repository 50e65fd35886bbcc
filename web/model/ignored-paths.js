// The paths that comparisons of an app's sessions ignore, kept in this browser.
import { isPointer, tokens } from '../json/pointer.js';
import { recall, remember } from '../ui/memory.js';

/** Paths of an action, beside those of the state. */
export const inAction = '/(action)';
const most = 100;

/** Event: `change`. A path's `*` stands for any index or key. */
export class IgnoredPaths extends EventTarget {
  /** @type {string[]} */
  all;
  #name;

  /** @param {string} app its id */
  constructor(app) {
    super();
    this.#name = `--ignored:${app}`;
    this.all = read(this.#name);
  }

  /** Ignores a path in all elements of its arrays. @param {string} path */
  add(path) {
    const pattern = path.replace(/\/\d+(?=\/|$)/g, '/*');
    if (!this.all.includes(pattern)) this.#set([...this.all, pattern].slice(-most));
    return pattern;
  }

  /** @param {string} pattern */
  remove(pattern) {
    this.#set(this.all.filter((one) => one !== pattern));
  }

  /** Whether a path is ignored, or one above it. @param {string} path */
  has(path) {
    if (this.all.length === 0 || !isPointer(path)) return false;
    const names = tokens(path);
    return this.all.some((pattern) => {
      const wanted = tokens(pattern);
      return wanted.length <= names.length && wanted.every((one, index) => one === '*' || one === names[index]);
    });
  }

  #set(all) {
    this.all = all;
    remember(this.#name, all.length > 0 ? JSON.stringify(all) : null);
    this.dispatchEvent(new Event('change'));
  }
}

function read(name) {
  try {
    const all = JSON.parse(recall(name) ?? '[]');
    return Array.isArray(all) ? all.filter((one) => typeof one === 'string' && one !== '' && isPointer(one)) : [];
  } catch {
    return [];
  }
}
