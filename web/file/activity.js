// What happened in a range of a tape's events over time, as the server answers it.
import { errorOf, flags } from './tape.js';
import { yieldIfDue } from './yield.js';

const mostPauses = 100;
const mostTypes = 5;

/**
 * Where the time runs at another pace: positions on the axis and times, in microseconds. Pairs with an odd index begin a
 * pause, which the next pair ends.
 * @param {number[]} times none before its predecessor
 * @param {number} pause a longer time without events is shortened
 * @returns {[number, number][]}
 */
export function axisOf(times, pause) {
  if (times.length === 0) return [];
  const [first, last] = [times[0], times.at(-1)];
  let pauses = [];
  for (let index = 1; index < times.length; index += 1) {
    const length = times[index] - times[index - 1];
    if (length > pause) pauses.push({ index, length });
  }
  pauses = pauses.sort((a, b) => b.length - a.length || a.index - b.index).slice(0, mostPauses).sort((a, b) => a.index - b.index);
  const active = Math.max(1000, last - first - pauses.reduce((sum, { length }) => sum + length, 0));
  const shown = Math.floor(active / Math.max(10, 2 * pauses.length));
  const points = [[0, first]];
  const next = (time) => points.at(-1)[0] + time - points.at(-1)[1];
  for (const { index, length } of pauses) {
    const start = next(times[index - 1]);
    points.push([start, times[index - 1]], [start + Math.min(length, shown), times[index]]);
  }
  points.push([next(last), last]);
  return points;
}

/** What stands out, by row; null for an action, which counts by its type. */
function laneOf(tape, row) {
  const kind = tape.kind(row);
  const line = tape.line(row);
  if (kind === 'gap') return 'gaps';
  if (kind === 'note') return { error: 'errors', warning: 'warnings' }[line.value('level')] ?? 'notes';
  if (errorOf(tape, row) !== null) return 'errors';
  if ((kind === 'action' || kind === 'replace') && tape.is(row, flags.cause) && line.value('cause')?.push !== undefined) return 'pushes';
  if (kind === 'action') return line.has('unfinished') ? 'errors' : null;
  return kind === 'end' && line.value('reason') === 'crashed' ? 'errors' : 'none';
}

/**
 * @param {import('./tape.js').FileTape} tape
 * @param {{buckets: number, pause: number, from: number, to: number}} query `pause` in ms
 */
export async function activity(tape, { buckets, pause, from, to }) {
  const [times, rows] = [[], []];
  for (let row = tape.rowOf(from); row < tape.rows && tape.seq(row) <= to; row += 1) {
    if ((row & 255) === 0) await yieldIfDue();
    times.push(Math.max(times.at(-1) ?? 0, tape.at(row)));
    rows.push(row);
  }
  const axis = axisOf(times, pause * 1000);
  const length = Math.max(1, axis.at(-1)?.[0] ?? 0);
  const counts = new Array(buckets).fill(0);
  const seqs = new Array(buckets).fill(null);
  const marks = { none: new Map(), errors: new Map(), warnings: new Map(), notes: new Map(), pushes: new Map(), gaps: new Map() };
  const types = new Map();
  const add = (map, bucket, count = 1) => map.set(bucket, (map.get(bucket) ?? 0) + count);
  let point = 0;
  for (const [index, row] of rows.entries()) {
    if ((index & 255) === 0) await yieldIfDue();
    while (point + 2 < axis.length && axis[point + 2][1] <= times[index]) point += 2;
    const position = axis[point][0] + times[index] - axis[point][1];
    const bucket = Math.min(buckets - 1, Math.floor(position * buckets / length));
    seqs[bucket] ??= tape.seq(row);
    const lane = laneOf(tape, row);
    if (lane === 'gaps') {
      add(marks.gaps, bucket, tape.count(row));
      continue;
    }
    counts[bucket] += 1;
    if (lane !== null) {
      add(marks[lane], bucket);
      continue;
    }
    const type = tape.type(row);
    if (!types.has(type)) types.set(type, { count: 0, counts: new Map() });
    types.get(type).count += 1;
    add(types.get(type).counts, bucket);
  }
  const pairs = (map) => [...map].sort(([a], [b]) => a - b);
  const { none, ...shown } = marks;
  return {
    axis: axis.map(([position, time]) => [position / 1000, time / 1000]), counts, seqs,
    // Sorting is stable: of equally frequent types the first come first.
    types: [...types].sort(([, a], [, b]) => b.count - a.count).slice(0, mostTypes)
      .map(([type, one]) => ({ type: tape.types.names[type], count: one.count, counts: pairs(one.counts) })),
    ...Object.fromEntries(Object.entries(shown).map(([name, map]) => [name, pairs(map)])), committed: tape.next,
  };
}
