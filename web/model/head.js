// The head of an event: the small part of its line that a timeline row shows.
import { readable } from '../json/pointer.js';

/** Limits the table in a session where every event differs. */
const mostShapes = 20_000;

/**
 * What many events have in common. A row shows `label` for the event, `summary` for its changes (`hasChange`: those of
 * a patch), and an icon for `mark`.
 * @typedef {{event: string, store: string, label: string, group: string, summary: string,
 *   loop: string|null, mark: ''|'push'|'travel'|'loop'|'note'|'warning'|'error'|'gap'|'skipped', hasAction: boolean,
 *   isStateless: boolean, hasChange: boolean}} Shape
 */

/** One event. `size` is the bytes of its patch or state, `count` the events in a gap. */
export class Head {
  constructor(seq, at, size, count, dispatch, cause, shape) {
    this.seq = seq;
    this.at = at;
    this.size = size;
    this.count = count;
    this.dispatch = dispatch;
    this.cause = cause;
    /** @type {Shape} */
    this.shape = shape;
  }

  get event() { return this.shape.event; }
  get store() { return this.shape.store; }
  get label() { return this.shape.label; }
  get group() { return this.shape.group; }
  get summary() { return this.shape.summary; }
  get mark() { return this.shape.mark; }
  get hasAction() { return this.shape.hasAction; }
  get isStateless() { return this.shape.isStateless; }
  get hasChange() { return this.shape.hasChange; }
}

let shapes = new Map();

/** The head of a `fields=head` line. @param {any} line @returns {Head} */
export function head(line) {
  try {
    return read(line);
  } catch {
    // The server checks the other members.
    return read({ ...line, cause: null, paths: null, reason: null });
  }
}

function read(line) {
  const count = line.event === 'gap' ? line.count ?? 1 : 1;
  return new Head(line.seq, line.at, line.patch ?? line.state ?? 0, count, line.dispatch ?? null, line.cause?.seq, shapeOf(line));
}

function shapeOf(line) {
  const { event, store = 'main', cause } = line;
  const label = labelOf(line);
  const summary = summaryOf(line);
  const loop = cause?.loop ?? null;
  const isSent = (cause?.push ?? cause?.travel) !== undefined && event !== 'note';
  const mark = hasThrown(line) ? 'error' : loop !== null ? 'loop' : !isSent ? markOf(line) : isTravel(line) ? 'travel' : cause.lost ? 'warning' : 'push';
  const isStateless = line.patch === undefined && line.state === undefined;
  const key = `${event}\n${isStateless}\n${loop}\n${mark}\n${store}\n${label}\n${summary}`;
  const known = shapes.get(key);
  if (known !== undefined) return known;
  if (shapes.size >= mostShapes) shapes = new Map();
  const hasAction = event === 'action';
  const group = hasAction ? String(line.type ?? '').split('/', 1)[0] : '';
  const hasChange = !hasThrown(line) && line.patch !== undefined && line.ops !== 0
    && !cause?.lost && !cause?.filled && !cause?.kept && !cause?.travel;
  const shape = { event, store, label, group, summary, loop, mark, hasAction, isStateless, hasChange };
  shapes.set(key, shape);
  return shape;
}

function markOf({ event, level, skipped, unfinished, reason }) {
  if (event === 'note') return level === 'warning' || level === 'error' ? level : 'note';
  if (event === 'gap') return 'gap';
  if (unfinished || (event === 'end' && reason === 'crashed')) return 'error';
  return skipped ? 'skipped' : '';
}

/** Whether an action's reducer threw. */
const hasThrown = ({ event, error }) => (event === 'action' || event === 'replace') && typeof error === 'string';

/** Time travel that came back. */
const isTravel = ({ cause }) => cause?.travel !== undefined && !cause.keep;

function labelOf(line) {
  const { event, type, cause, text, count, reason } = line;
  switch (event) {
  case 'action': return type ?? 'action';
  case 'replace':
    if (isTravel(line)) return 'time travel';
    if ((cause?.push ?? cause?.travel) !== undefined) return 'state applied';
    if (cause?.loop !== undefined) return cause.end ? 'replayed, state put back' : 'replay in the app';
    return cause?.control !== undefined ? 'recording resumed' : 'state set';
  case 'init': return cause?.push !== undefined ? 'launch state' : 'initial state';
  case 'detach': return 'store detached';
  case 'note': return text ?? 'note';
  case 'gap': return `${count ?? 1} events dropped${reason ? `: ${reason}` : ''}`;
  case 'end': return 'session ended';
  default: return String(event);
  }
}

/** How an applied state differs from the recorded one. */
function differences(lost, filled, kept) {
  const secrets = lost.filter((one) => one.secret).length;
  const counts = [[lost.length - secrets, 'lost'], [secrets, secrets === 1 ? 'secret missing' : 'secrets missing'],
    [filled.length, 'filled in'], [kept.length, 'kept']];
  return counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`).join(', ');
}

function summaryOf(line) {
  if (line.unfinished) return 'crashed in the reducer';
  if (hasThrown(line)) return `threw ${line.error}`;
  if (line.skipped) return 'state not captured';
  const { lost, filled, kept, travel } = line.cause ?? {};
  if (travel) return `looked at ${travel.seqs.map((seq) => `#${seq}`).join(', ').replace(/^(\S+ \S+ )\S.*, (#\d+)$/, '$1… $2')}`;
  if (lost || filled || kept) return differences(lost ?? [], filled ?? [], kept ?? []);
  if (line.state !== undefined) return line.event === 'init' ? '' : 'whole state';
  if (line.patch === undefined) return line.event === 'gap' ? '' : line.reason ?? '';
  if (line.ops === undefined) return 'large change';
  if (line.ops === 0) return 'no change';
  const paths = (line.paths ?? []).map((path) => readable(path, '›')).join(', ');
  const rest = line.ops - (line.paths ?? []).length;
  return rest > 0 ? `${paths} +${rest}` : paths;
}
