// Clock times, in the local time zone, and moments of a session.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Sensible steps between two ticks (ms). */
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute), ...[1, 2, 3, 6, 12, 24].map((n) => n * hour)];
/** Pixels of a label, with its space. */
const wide = 74;
const two = (number) => String(number).padStart(2, '0');

/**
 * `12:41:03`, with milliseconds `12:41:03.207`
 * @param {number} time ms since 1970
 * @param {boolean} [isExact]
 */
export function clock(time, isExact = false) {
  const date = new Date(time);
  const text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return isExact ? `${text}.${String(date.getMilliseconds()).padStart(3, '0')}` : text;
}

/** `23 Nov 2026, 12:41:03.207` @param {number} time ms since 1970 */
export function dateAndClock(time) {
  return `${new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })}, ${clock(time, true)}`;
}

/** The moment of an event: `0:41.207` after the session began. @param {number} ms @returns {string} */
export function moment(ms) {
  const all = Math.floor(ms);
  const [hours, minutes, seconds] = [Math.floor(all / 3_600_000), Math.floor(all / 60_000) % 60, Math.floor(all / 1000) % 60];
  const tail = `${String(seconds).padStart(2, '0')}.${String(all % 1000).padStart(3, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** `2 min idle` @param {number} ms */
export function idleText(ms) {
  if (ms < minute) return `${Math.round(ms / second)} s idle`;
  if (ms < hour) return `${Math.round(ms / minute)} min idle`;
  return ms < 48 * hour ? `${Math.round(ms / hour)} h idle` : `${Math.round(ms / hour / 24)} d idle`;
}

/**
 * Where the clock is written: at round times, and where an active stretch begins.
 * @param {import('../model/time-axis.js').TimeAxis} axis
 * @param {number} width in pixels
 * @param {number} started ms since 1970
 * @returns {{share: number, text: string}[]}
 */
export function ticks(axis, width, started) {
  const step = steps.find((one) => one >= axis.pace / width * wide) ?? 24 * hour;
  // Round times are local ones.
  const zone = -new Date(started).getTimezoneOffset() * minute;
  const found = [];
  const put = (share, time) => {
    const last = found.at(-1);
    if ((last === undefined || (share - last.share) * width >= wide) && share * width <= width - wide + 10) {
      const text = clock(started + time, step < second);
      found.push({ share, text: step < minute ? text : text.slice(0, 5) });
    }
  };
  for (const { from, to, start, end, isPause } of axis.segments) {
    if (isPause) continue;
    const first = Math.ceil((started + start + zone) / step) * step - started - zone;
    // A short stretch may have no round time.
    if (first > end || (first - start) / Math.max(1, end - start) * (to - from) * width >= wide) put(from, start);
    for (let time = first; time <= end; time += step) put(end > start ? from + (time - start) / (end - start) * (to - from) : from, time);
  }
  return found;
}
