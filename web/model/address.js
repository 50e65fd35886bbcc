// The page's address: `/?session=…&event=…&filter=…&range=…&tab=…`, or `/?tape=…` for a file.

/**
 * `against` is the event to compare with instead of the previous one; `view` replaces the
 * inspector; `other` is the session to compare with; `tape` is a file's address.
 * @typedef {{session: string|null, event: number|null, filter: string, range: string, tab: string, against: number|null,
 *   view: ''|'overview'|'compare', other: string|null, tape: string|null}} Place
 */

/** A page in one file keeps its name. */
const here = /\.html?$/i.test(location.pathname) ? location.pathname : './';

export const tabs = ['action', 'diff', 'state', 'raw', 'test'];
const views = ['overview', 'compare'];

/** Reads an address. @param {Location|URL} [address] @returns {Place} */
export function read(address = location) {
  const query = new URLSearchParams(address.search);
  const seq = (name) => (/^\d{1,15}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null);
  const one = (name, choices, otherwise) => (choices.includes(query.get(name)) ? query.get(name) : otherwise);
  return {
    session: query.get('session') || null,
    event: seq('event'),
    filter: query.get('filter') ?? '',
    range: query.get('range') ?? '',
    tab: one('tab', tabs, 'diff'),
    against: seq('against'),
    view: one('view', views, ''),
    other: query.get('other') || null,
    tape: query.get('tape') || null,
  };
}

/** The address of a place. @param {Partial<Place>} place @returns {string} */
export function href(place) {
  const query = new URLSearchParams();
  if (place.tape) query.set('tape', place.tape);
  if (place.session) {
    const usual = { tab: 'diff' };
    for (const name of ['session', 'event', 'filter', 'range', 'tab', 'against', 'view', 'other']) {
      const value = place[name] ?? '';
      if (value !== '' && value !== usual[name]) query.set(name, value);
    }
  }
  const text = query.toString();
  return text === '' ? here : `${here}?${text}`;
}

/** Browsers refuse over a hundred changes in half a minute: after a few, writes are delayed. */
const atOnce = 30;
const pause = 500;
let left = atOnce;
let counted = 0;
let timer = 0;
/** @type {Partial<Place>|null} */
let waiting = null;

/**
 * Updates the address.
 * @param {Partial<Place>} place
 * @param {boolean} step whether the browser's Back returns from it
 */
export function write(place, step) {
  if (step) {
    flush();
    return history.pushState(null, '', href(place));
  }
  waiting = place;
  left = Math.min(atOnce, left + (performance.now() - counted) / pause);
  counted = performance.now();
  if (left >= 1) flush();
  else timer ||= setTimeout(flush, pause);
}

function flush() {
  if (waiting === null) return;
  left -= 1;
  history.replaceState(null, '', href(waiting));
  forget();
}

/** Drops a delayed write: the browser has navigated. */
export function forget() {
  clearTimeout(timer);
  timer = 0;
  waiting = null;
}

/** Removes the token from the address's fragment, so that it is neither stored nor shared. @returns {string|null} */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
