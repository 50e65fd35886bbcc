// The address holds where you are: `/?session=…&event=…&filter=…&tab=…`.

/** @typedef {{session: string|null, event: number|null, filter: string, tab: string}} Place */

export const tabs = ['action', 'diff', 'state', 'raw'];

/**
 * The place that the address names.
 * @param {Location|URL} [address]
 * @returns {Place}
 */
export function read(address = location) {
  const query = new URLSearchParams(address.search);
  const event = query.get('event');
  const tab = query.get('tab');
  return {
    session: query.get('session') || null,
    event: event !== null && /^\d{1,15}$/.test(event) ? Number(event) : null,
    filter: query.get('filter') ?? '',
    tab: tabs.includes(tab) ? tab : 'diff',
  };
}

/**
 * The address of a place.
 * @param {Partial<Place>} place
 * @returns {string}
 */
export function href({ session, event, filter, tab }) {
  const query = new URLSearchParams();
  if (session) query.set('session', session);
  if (session && event !== null && event !== undefined) query.set('event', event);
  if (session && filter) query.set('filter', filter);
  if (session && tab && tab !== 'diff') query.set('tab', tab);
  const text = query.toString();
  return text === '' ? './' : `./?${text}`;
}

/**
 * Takes the token out of the address's fragment, so that it is neither kept nor shared.
 * @returns {string|null}
 */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
