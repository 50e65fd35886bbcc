// Escape.

/**
 * Leaves a field or panel first, then the filter and the range, then the selection.
 * @param {import('../model/page.js').Page} page
 * @param {import('./timeline.js').TimelineView} list
 */
export function back(page, list) {
  const { session, event, filter, range, view } = page.place;
  const focused = document.activeElement;
  if (view !== '') page.go({ view: '', other: null }), list.focus();
  else if (focused !== null && focused !== document.body && focused.id !== 'events' && session !== null) list.focus();
  else if (filter !== '') page.go({ filter: '' });
  else if (range !== '') page.go({ range: '' });
  else if (event !== null) page.go({ event: null });
}
