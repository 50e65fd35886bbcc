// Copies a bug report of the selected event: what was done, what changed, where.
import { dateTime } from '../json/date.js';
import { request, sessionPath } from '../link/http.js';
import { PatchFailure } from '../json/patch.js';
import { readable } from '../json/pointer.js';
import { preview } from '../json/value.js';
import { code, markdown, most } from '../model/bug-report.js';
import { causeOf, causesOf } from '../model/causes.js';
import { heads } from '../model/heads.js';
import { deviceName, sessionName } from '../model/session-name.js';
import { copy } from '../ui/copy.js';
import { count } from '../ui/format.js';
import { attempt, notice } from '../ui/notice.js';
import { selectedSeq } from './bookmarks.js';
import { moment } from './clock.js';
import { changesAt } from './inspector.js';
import { addressOf } from './page-address.js';

/** Events per request, and how many are searched for the steps. */
const batch = 200;
const searched = 2000;
/** Errors up to so many events later belong to it. */
const after = 20;
/** Characters of a value. */
const longest = 120;

/** @param {import('../model/page.js').Page} page */
export async function copyReport(page) {
  const seq = selectedSeq(page);
  if (seq === null) return notice('Select an event first.');
  const text = await attempt('Can’t write the bug report', () => report(page, seq));
  if (text !== undefined && await copy(text)) notice(`Bug report of #${count(seq)} copied, as Markdown.`);
  return undefined;
}

/**
 * The report's text.
 * @param {import('../model/page.js').Page} page
 * @param {number} seq
 * @returns {Promise<string>}
 */
export async function report(page, seq) {
  const { summary, tape, bookmarks, timeline } = page;
  const { session, app, device, started, labels = {} } = summary;
  const { line } = await tape.line(seq);
  const [before, later] = await Promise.all([eventsBefore(session, seq), heads(session, seq + 1, Math.min(timeline.end, seq + 1 + after))]);
  const { start, actions } = stepsOf(before, seq);
  const [selected] = before.slice(-1);
  const { changes, note } = await changesAt(tape, line).catch((error) => {
    if (!(error instanceof PatchFailure)) throw error;
    return { changes: null, note: `Can’t apply the patch: ${code(error.message)}` };
  });
  const at = selected?.at ?? 0;
  const causes = selected === undefined || causeOf(selected) === null ? [] : await causesBefore(session, seq);
  const { url } = await addressOf(page);
  return markdown({
    seq, label: selected?.label ?? line.event, moment: moment(at), start, link: url,
    bookmarks: bookmarks.all.filter((one) => one.seq === seq),
    causes: causes.slice(-most.causes), isCut: causes.length > most.causes,
    steps: await told(session, actions, seq),
    changes: (changes ?? []).slice(0, most.changes).map(describe), moreChanges: Math.max(0, (changes?.length ?? 0) - most.changes), note: note ?? '',
    errors: await errorsOf(tape, [...before.filter((one) => one.seq >= (actions[0]?.seq ?? seq)), ...later]),
    facts: [
      ['App', sessionName({ app })], ['Build', app.build], ['Device', deviceName({ device: { ...device, os: '' } })], ['Model', device?.model],
      ['OS', device?.os], ...Object.entries(labels).map(([key, value]) => ['Label', `${key}: ${value}`]),
      ['Time', Number.isNaN(dateTime(started)) ? '' : new Date(dateTime(started) + at).toISOString()],
      ['Session', `${session}, event #${seq}`], ['Title', summary.title],
    ].filter(([, value]) => value),
  });
}

/** The events that led to one. A dropped event has no label. */
async function causesBefore(session, seq) {
  const { causes, earlier } = await causesOf(session, seq);
  return [...earlier ? [{ seq: earlier.seq, label: earlier.recorded ? '…' : 'not recorded' }] : [], ...causes];
}

/** The heads up to an event, back to the start of its steps. */
async function eventsBefore(session, seq) {
  let found = [];
  for (let end = seq + 1; end > 0 && found.length < searched; end -= batch) {
    found = [...await heads(session, Math.max(0, end - batch), end), ...found];
    const { start, actions } = stepsOf(found, seq);
    if (start !== null || actions.length === most.steps) break;
  }
  return found;
}

/** The last actions since a launch or a state that was set. */
function stepsOf(found, seq) {
  const last = found.findLastIndex((one) => one.seq < seq && (one.event === 'init' || one.event === 'replace'));
  const actions = found.slice(last + 1).filter((one) => one.hasAction);
  const isWhole = last >= 0 && actions.length <= most.steps;
  return { start: isWhole ? { seq: found[last].seq, label: found[last].label } : null, actions: actions.slice(-most.steps) };
}

/** The steps with the values that rows show. Repeats without a payload are one. */
async function told(session, actions, seq) {
  const known = actions.length === 0 ? new Map() : await previews(session, actions[0].seq, actions.at(-1).seq);
  const steps = [];
  for (const one of actions) {
    const { payload, changes: [first] = [] } = known.get(one.seq) ?? {};
    const change = first && `${readable(first.path)} ${first.value}`;
    const step = { seq: one.seq, type: one.label, payload, change, times: 1, isHere: one.seq === seq };
    const last = steps.at(-1);
    if (last && !step.isHere && payload === undefined && last.payload === undefined && last.type === step.type) Object.assign(last, { change, times: last.times + 1 });
    else steps.push(step);
  }
  return steps;
}

async function previews(session, first, last) {
  const found = new Map();
  for (let from = first; from <= last;) {
    const response = await request(sessionPath(session, `/events?from=${from}&limit=${Math.min(batch, last - from + 1)}&fields=preview`));
    for (const text of (await response.text()).split('\n')) {
      if (text === '') continue;
      const { seq, ...values } = JSON.parse(text);
      found.set(seq, values);
    }
    const next = Number(response.headers.get('StateTape-Next'));
    from = next > from ? next : last + 1;
  }
  return found;
}

function describe({ path, kind, old, new: value, text }) {
  const one = (value) => (value === undefined ? 'not captured' : code(preview(value, longest)));
  if (text) return { path: readable(path), text: `${code(text.before + text.removed + text.after) || 'empty'} → ${code(text.before + text.inserted + text.after) || 'empty'}` };
  return { path: readable(path), text: kind === 'add' ? `added ${one(value)}` : kind === 'remove' ? `removed ${one(old)}` : `${one(old)} → ${one(value)}` };
}

/** The last errors, whole: a head has only the beginning of a text. */
async function errorsOf(tape, found) {
  const errors = found.filter(({ mark }) => mark === 'error' || mark === 'warning').slice(-most.errors);
  return Promise.all(errors.map(async ({ seq, label, summary }) => {
    const { event, text, error } = (await tape.line(seq)).line;
    if (event === 'action' && error !== undefined) return { seq, text: `${label}: threw ${error}` };
    return { seq, text: text ?? [label, summary].filter(Boolean).join(': ') };
  }));
}
