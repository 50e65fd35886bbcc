import { dateTime } from '../json/date.js';

/** When a session began, as `21 Nov 2026, 09:03:12`; empty if that isn't known. @param {any} summary @returns {string} */
export function startOf({ started }) {
  const time = dateTime(started);
  return Number.isNaN(time) ? '' : new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}
