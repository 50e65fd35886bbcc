// Why the list of events is empty.
import { setText } from '../ui/dom.js';

/**
 * @param {import('../model/page.js').Page} page
 * @param {HTMLElement} box
 */
export function explain({ timeline, place }, box) {
  if (!timeline?.known) return;
  const { filters } = timeline;
  const waiting = filters && !timeline.complete;
  const text = waiting ? 'Searching…' : filters ? `No event${place.range && ' of this range'} matches “${place.filter}”.${timeline.filtered.terms.length > 1 ? ' All terms must match: remove one, or clear the filter.' : ''}` : place.range ? 'No event is in this range.' : 'No events yet. New events appear here.';
  setText(box.querySelector('p'), text);
  box.querySelector('button').hidden = waiting || !filters;
}
