// The Action tab: the action with its payload, call site, reducer time and error.
import { dateTime } from '../json/date.js';
import { copyButton } from '../ui/copy.js';
import { adjustments } from '../model/adjustments.js';
import { h } from '../ui/dom.js';
import { part } from '../ui/lazy.js';
import { duration } from '../ui/format.js';
import { numberOf } from '../json/parse.js';
import { callStack } from './call-stack.js';
import { dateAndClock, moment } from './clock.js';
import { CausesView, causeOfLine } from './causes.js';
import { code } from './code.js';

const swift = part(() => import('./swift-values.js'));

/**
 * @param {any} line the event line
 * @param {import('../model/page.js').Page} page
 * @param {AbortSignal} signal aborted when another event is shown
 * @returns {HTMLElement}
 */
export function action(line, page, signal) {
  const payload = line.event === 'action' ? line.action?.payload : line.data;
  const facts = [
    ['Event', line.event],
    ['Type', line.action?.type],
    ['Text', line.text],
    ['Level', line.level],
    ['Store', line.store ?? 'main'],
    ['Time', timeOf(line, page)],
    ['After the start', `${moment(numberOf(line.at))} (${JSON.stringify(line.at)} ms)`],
    ['Call site', line.caller],
    ['Reducer time', line.took === undefined ? undefined : duration(numberOf(line.took))],
    ['Error', line.event === 'action' ? line.error : undefined],
    ['Cause', cause(line)],
    ...adjustments(line.cause ?? {}).map(([name, places]) => [name, h('ul', {}, ...places.map((place) => h('li', {}, place)))]),
    ['Reason', line.reason],
    ['Dropped events', line.count],
    ['Dispatch', line.dispatch],
    ['State', line.skipped ? 'not captured' : line.unfinished ? 'none: the app crashed in the reducer' : undefined],
  ].filter(([, value]) => value !== undefined && value !== null);
  const written = h('div', { hidden: true }, h('h3', {}, 'Swift'), h('pre', { class: 'swift' }));
  if (line.action) writeSwift(written, line, page, signal);
  return h('div', { class: 'action' },
    h('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [
      h('dt', {}, name), h('dd', {}, value instanceof Node ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)),
    ]), ...new CausesView(line, page, signal, callStack(line, page, signal)).elements),
    written,
    payload === undefined ? null : h('h3', {}, line.event === 'action' ? 'Payload' : 'Data'),
    payload === undefined ? null : code(JSON.stringify(payload)),
    line.action ? copyButton('Copy action as JSON', () => JSON.stringify(line.action)) : null);
}

async function writeSwift(element, line, page, signal) {
  const { showAction } = await swift();
  await showAction(element, line, page, signal);
}

/** A cause that is not an event: those are listed below. */
function cause(line) {
  const value = line.cause;
  if (value === undefined || causeOfLine(line) !== null) return undefined;
  if (value?.push !== undefined) return value.of === undefined ? 'sent from StateTape' : `replay of #${value.of}`;
  if (value?.loop !== undefined) return value.of === undefined ? 'replay in the app' : `replay of #${value.of} in the app`;
  if (value?.set) return 'set by the app';
  return JSON.stringify(value);
}

function timeOf(line, { summary }) {
  const time = dateTime(summary?.started) + numberOf(line.at);
  return Number.isNaN(time) ? null : dateAndClock(time);
}
