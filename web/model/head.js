// The head of an event: what a row of the timeline shows, a few dozen bytes of a line of any size.
import { numberOf } from './json.js';
import { readable } from './pointer.js';

/**
 * `label` is what stands for the event in the list, `summary` what it changed, `size` the bytes of that
 * (patch or state). `mark` is the picture beside it.
 * @typedef {{seq: number, at: number, event: string, store: string, label: string, group: string, summary: string,
 *   size: number, count: number, mark: ''|'push'|'note'|'warning'|'error'|'gap'|'skipped', hasAction: boolean}} Head
 */

/** Above this a patch's operations are not counted in the head. */
const smallPatch = 4096;

/**
 * The head of a `fields=head` line.
 * @param {object} line
 * @returns {Head}
 */
export function head(line) {
  const { seq, at, event, store = 'main', cause } = line;
  return {
    seq, at, event, store,
    label: labelOf(line),
    group: event === 'action' ? String(line.type ?? '').split('/', 1)[0] : '',
    summary: summaryOf(line),
    size: line.patch ?? line.state ?? 0,
    count: event === 'gap' ? line.count ?? 1 : 1,
    mark: cause?.push !== undefined ? 'push' : markOf(line),
    hasAction: event === 'action',
  };
}

function markOf({ event, level, skipped }) {
  if (event === 'note') return level === 'warning' || level === 'error' ? level : 'note';
  if (event === 'gap') return 'gap';
  return skipped ? 'skipped' : '';
}

function labelOf({ event, type, cause, text, count, reason }) {
  switch (event) {
  case 'action': return type ?? 'action';
  case 'replace':
    if (cause?.push !== undefined) return 'played in';
    return cause?.control !== undefined ? 'recording resumed' : 'state set';
  case 'init': return cause?.push !== undefined ? 'started here' : 'store attached';
  case 'detach': return 'store detached';
  case 'note': return text ?? 'note';
  case 'gap': return `${count ?? 1} events not kept${reason ? `: ${reason}` : ''}`;
  case 'end': return 'session ended';
  default: return String(event);
  }
}

function summaryOf(line) {
  if (line.skipped) return 'state not captured';
  if (line.state !== undefined) return 'whole state';
  if (line.patch === undefined) return line.event === 'gap' ? '' : line.reason ?? '';
  if (line.ops === undefined) return 'large change';
  if (line.ops === 0) return 'no change';
  const paths = (line.paths ?? []).map((path) => readable(path, '›')).join(', ');
  const rest = line.ops - (line.paths ?? []).length;
  return rest > 0 ? `${paths} +${rest}` : paths;
}

/**
 * The `fields=head` line of a whole line that arrived live.
 * @param {object} line
 * @param {string[]} large members left out by the server
 * @returns {object}
 */
export function headLine(line, large) {
  const result = { seq: line.seq, at: numberOf(line.at), event: line.event, store: line.store, cause: line.cause };
  if (line.action) result.type = line.action.type;
  // What was left out has a size that isn't known here.
  if (large.includes('patch')) result.patch = 0;
  else if (Array.isArray(line.patch)) {
    result.patch = JSON.stringify(line.patch).length;
    if (result.patch < smallPatch) {
      result.ops = line.patch.length;
      result.paths = line.patch.slice(0, 3).map((operation) => operation.path);
    }
  }
  if (large.includes('state')) result.state = 0;
  else if (line.state !== undefined) result.state = JSON.stringify(line.state).length;
  if (line.skipped) result.skipped = true;
  if (line.text !== undefined) result.text = String(line.text).slice(0, 120);
  return { ...result, level: line.level, count: line.count, reason: line.reason };
}
