// Dates inside values: people read them, apps keep numbers.
import { kindOf, numberOf } from '../json/parse.js';

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
/** Names of members that keep a date. */
const dated = /([a-z](At|Date|Time|Timestamp|On|Until|Since)|^(at|date|time|timestamp|created|updated|modified|deleted|started|ended|expires|due|done|completed|published))$/;
/** Seconds from 1970 to 2001, from which Swift counts. */
export const reference = 978_307_200;
const format = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' };

/**
 * The date that a value stands for, in the local time zone: of ISO 8601, and of a number whose name says so.
 * @param {string} name the member's
 * @param {unknown} value
 * @returns {string|null} null if it is not a date
 */
export function dateOf(name, value) {
  const kind = kindOf(value);
  const ms = kind === 'string' && iso.test(value) ? Date.parse(value) : kind === 'number' && dated.test(name) ? msOf(numberOf(value)) : NaN;
  return dateText(ms);
}

/** A date as text, in the local time zone; null for none. @param {number} ms since 1970 @returns {string|null} */
export function dateText(ms) {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toLocaleString('en-GB', format);
}

/** Numbers of these sizes stand for dates from 2007 on: Swift's seconds, Unix seconds, Unix milliseconds. */
function msOf(number) {
  if (number >= 2e8 && number < 1e9) return (number + reference) * 1000;
  if (number >= 1e9 && number < 1e10) return number * 1000;
  return number >= 1e12 && number < 1e13 ? number : NaN;
}
