// Numbers, times and sizes as people read them.

const space = '\u202f';

/** `14 203` @param {number} value @returns {string} */
export function count(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, space);
}

/**
 * `1 event`, `14 203 events`
 * @param {number} value
 * @param {string} noun
 * @returns {string}
 */
export function many(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `331 B`, `8.6 KB`, `2.1 MB` @param {number} bytes @returns {string} */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** The time between two events: `+12 ms`, `+1.2 s`, `+2 m 05 s`, `+3 h 20 m`. @param {number} ms @returns {string} */
export function delta(ms) {
  const sign = ms < 0 ? '−' : '+';
  return sign + duration(Math.abs(ms));
}

/** @param {number} ms @returns {string} */
export function duration(ms) {
  if (ms < 0.95) return `${ms === 0 ? 0 : ms.toFixed(ms < 0.1 ? 2 : 1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor(minutes / 60) % 24} h`;
}

/**
 * `just now`, `5 min ago`, `3 h ago`, `yesterday`, `12 Nov`
 * @param {string|number} time
 * @param {number} [now]
 * @returns {string}
 */
export function ago(time, now = Date.now()) {
  const date = new Date(time);
  const seconds = (now - date) / 1000;
  if (Number.isNaN(seconds)) return '';
  if (seconds < 45) return 'just now';
  if (seconds < 3570) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 84_600) return `${Math.round(seconds / 3600)} h ago`;
  if (seconds < 172_800) return 'yesterday';
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: seconds > 2e7 ? 'numeric' : undefined });
}
