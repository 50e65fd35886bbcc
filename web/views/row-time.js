// When the event of a row happened.
import { set, setText } from '../ui/dom.js';
import { delta } from '../ui/format.js';
import { clock, moment } from './clock.js';

/** After a longer pause, the clock says more than the pause (ms). */
const pause = 10_000;
const minute = 60_000;

/**
 * Writes the clock time where a minute begins and after a pause, else the time since the event before.
 * @param {HTMLElement} element
 * @param {import('../model/head.js').Head} head
 * @param {import('../model/head.js').Head|null} before
 * @param {number} started ms since 1970, or NaN
 */
export function writeTime(element, head, before, started) {
  const time = started + head.at;
  if (Number.isNaN(time)) {
    // The start is not a date.
    setText(element, before ? delta(head.at - before.at) : moment(head.at));
    return set(element, 'title', `${moment(head.at)} after the session started`);
  }
  const isNew = !before || head.at - before.at >= pause || Math.floor(time / minute) !== Math.floor((started + before.at) / minute);
  setText(element, isNew ? clock(time) : delta(head.at - before.at));
  return set(element, 'title', `${clock(time, true)}, ${moment(head.at)} after the session started`);
}
