// What a place on the time axis stands for, in words.
import { count, many } from '../ui/format.js';
import { clock, idleText, moment } from './clock.js';

const marks = { errors: 'error', warnings: 'warning', notes: 'note' };

/**
 * @param {import('../model/time-axis.js').TimeAxis} axis
 * @param {number} share of the axis
 * @param {number} started ms since 1970
 * @param {{seq: number, label: string, bookmark?: {text: string}}} near the event, and a bookmark of the same place
 * @returns {string}
 */
export function describe(axis, share, started, { seq, label, bookmark }) {
  const bucket = axis.bucketAt(share);
  const pause = axis.segments.find(({ from, to, isPause }) => isPause && share > from && share < to);
  const time = axis.timeAt(share);
  const parts = [clock(started + time, true), moment(time)];
  if (pause) return [...parts, `${idleText(pause.end - pause.start)}, no events`].join(' · ');
  parts.push(`#${count(seq)} ${label}`.trim());
  const types = axis.types.filter(({ counts }) => counts.has(bucket)).map(({ type, counts }) => `${type} ×${counts.get(bucket)}`);
  if (axis.counts[bucket] > 1) parts.push(many(axis.counts[bucket], 'event') + (types.length > 0 ? `: ${types.join(', ')}` : ''));
  for (const [name, noun] of Object.entries(marks)) if (axis[name].has(bucket)) parts.push(many(axis[name].get(bucket), noun));
  if (axis.gaps.has(bucket)) parts.push(`${many(axis.gaps.get(bucket), 'event')} dropped`);
  if (axis.pushes.has(bucket)) parts.push('sent to the app');
  if (bookmark) parts.push(`⚑ ${bookmark.text}`);
  return parts.join(' · ');
}
