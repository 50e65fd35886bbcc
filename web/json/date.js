// Dates as text in ISO 8601.

const pattern = /^(?:[+-]\d\d)?(\d{4})-(\d\d)-(\d\d)(?:T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * The time that a text stands for. Unlike `Date.parse` it takes no other notation, and no date that doesn't exist: some
 * browsers make the 2nd of March of the 30th of February.
 * @param {unknown} text
 * @returns {number} ms since 1970; NaN if it is not a date
 */
export function dateTime(text) {
  const [, year, month, day] = typeof text === 'string' ? pattern.exec(text) ?? [] : [];
  if (day === undefined || Number(day) > new Date(Date.UTC(2000 + Number(year) % 400, Number(month), 0)).getUTCDate()) return NaN;
  return Date.parse(text.replace(',', '.'));
}
