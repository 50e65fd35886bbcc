// The dialog that edits an action, in a form or as JSON, and dispatches it.
import { json, sessionPath } from '../link/http.js';
import { kindOf } from '../json/parse.js';
import { indent } from '../json/value.js';
import { previous } from '../model/nearest-match.js';
import { h } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { targetNote } from '../model/target.js';
import { ActionForm } from './action-form.js';
import { JSONDialog } from './json-dialog.js';
import { eventLink, sessionLink } from './link.js';

const empty = '{\n  "type": "",\n  "payload": {}\n}';

/** The text of a new action that was not dispatched. */
let left = null;

/**
 * Opens the dialog.
 * @param {import('../model/page.js').Page} page
 * @param {any} [line] of the event whose action is edited; without it a new one is written
 */
export async function compose(page, line) {
  const { summary, appControl: { target }, timeline } = page;
  const stores = [...new Set([...target.stores ?? [], ...timeline.stores])];
  const store = choice('Store', stores, line?.store ?? page.selected?.store ?? stores[0]);
  const begin = line === undefined ? h('select', { 'aria-label': 'Copy an earlier action' }, h('option', { value: '' }, 'Copy an earlier action…')) : null;
  const start = line === undefined ? left ?? empty : indent(JSON.stringify(line.action));
  const form = new ActionForm();
  let done = null;
  const dialog = await JSONDialog.open({
    title: line === undefined ? 'New action' : `Edit and dispatch #${count(line.seq)}`,
    label: 'Action as JSON', text: start, submitLabel: 'Dispatch', note: 'Press Ctrl+Enter to dispatch.',
    above: [
      target.session === summary.session ? null : h('p', { class: 'warning' }, targetNote(summary, target)),
      h('div', { class: 'choices' }, begin, stores.length > 1 ? h('label', {}, 'Store ', store) : null, form.switch),
      form.element,
    ],
    isReady: () => !form.isInvalid,
    submit: async (action, shown) => {
      const error = errorIn(action);
      if (error) return shown.report('failed', h('p', {}, error));
      shown.report('waiting', h('p', {}, 'Waiting for the app…'));
      const outcome = await page.appControl.dispatch(target.session, store.value || 'main', action);
      if (outcome.status === 'done') done = shown.text;
      shown.report(outcome.status, ...report(outcome, page, shown));
      if (outcome.path) form.mark(outcome.path, outcome.notes[0] ?? outcome.title);
    },
    closed: (text) => {
      if (line === undefined) left = text === done || text === empty ? null : text;
    },
  });
  form.begin(dialog);
  if (begin) await offer(begin, page, dialog, form);
}

/** Lists the recorded types; choosing one inserts its last action. */
async function offer(select, page, dialog, form) {
  const { session } = page.summary;
  select.addEventListener('change', async () => {
    const type = select.value;
    if (type === '') return;
    const condition = new URLSearchParams({ type }).toString();
    try {
      const seq = await previous(session, condition, page.timeline.end);
      const action = seq === null ? { type } : (await page.tape.line(seq)).line.action;
      dialog.replace(indent(JSON.stringify(action)));
      form.refresh();
    } catch (error) {
      if (error.status === undefined) throw error;
      dialog.report('failed', h('p', {}, `Can’t read the last ${type}: ${error.message}`));
    }
  });
  try {
    const { actions } = await json(sessionPath(session, '/overview'));
    select.append(...actions.types.map(({ type, count: times }) => h('option', { value: type }, `${type} (${count(times)})`)));
  } catch (error) {
    if (error.status === undefined) throw error;
    select.append(h('option', { disabled: true }, `Can’t load the types: ${error.message}`));
  }
}

function choice(label, values, chosen) {
  return h('select', { 'aria-label': label }, ...values.map((value) => h('option', { value, selected: value === chosen }, value)));
}

/** Why JSON is not an action, or an empty string. */
function errorIn(action) {
  if (kindOf(action) !== 'object') return 'An action is an object: {"type": "…", "payload": …}.';
  if (typeof action.type !== 'string' || action.type === '') return 'The action has no “type”.';
  const other = Object.keys(action).find((name) => name !== 'type' && name !== 'payload');
  return other === undefined ? '' : `Move “${other}” into the payload: an action has only “type” and “payload”.`;
}

function report({ title, notes, seq, session, path }, page, dialog) {
  const here = session === page.place.session;
  const link = seq === undefined ? null : here ? eventLink(seq, page) : sessionLink(session, seq);
  link?.addEventListener('click', () => dialog.close());
  return [
    h('p', { class: 'title' }, title, ...link ? [' (recorded as ', link, ')'] : []),
    ...notes.map((note) => h('p', {}, note)),
    ...path ? [h('p', {}, `At ${path}`)] : [],
  ];
}
