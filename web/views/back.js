// Escape.

/** A place and the focus. @typedef {[import('../model/address.js').Place, Element|null]} Where */

/** @type {Where|null} */
let left = null;

/**
 * Closes the replay panel or leaves a field or panel first, then the filter and the range, then the selection. A key that was pressed before this
 * was loaded does nothing once the user has gone on; several are the steps of one way.
 * @param {import('../model/page.js').Page} page
 * @param {import('./timeline.js').TimelineView} list
 * @param {Where} was when the key was pressed
 */
export function back(page, list, was) {
  const isHere = (where) => where?.[0] === page.place && where[1] === document.activeElement;
  if (!isHere(was) && !isHere(left)) return;
  const { session, event, filter, range, view } = page.place;
  const focused = document.activeElement;
  const panel = document.getElementById('range-replay');
  if (panel !== null && !panel.hidden && view === '') panel.hidden = true, list.focus();
  else if (view !== '') page.go({ view: '', other: null }), list.focus();
  else if (focused !== null && focused !== document.body && focused.id !== 'events' && session !== null) list.focus();
  else if (filter !== '') page.go({ filter: '' });
  else if (range !== '') page.go({ range: '' });
  else if (event !== null) page.go({ event: null });
  left = [page.place, document.activeElement];
}
