// Asks before the first single key that acts on the app.
import { openDialog } from '../ui/dialog.js';
import { h } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { deviceName, sessionName } from '../model/session-name.js';

const remembered = 'statetape--keys-act';
let isAllowed = false;

/**
 * Asks whether a command may run, unless the user has said that it need not ask again. Ends when the question is open.
 * @param {import('../model/page.js').Page} page
 * @param {'apply'|'dispatch'|'debug'|'replayAgain'} name
 * @param {import('../model/head.js').Head|null} selected the event
 * @returns {Promise<{isSure: boolean|Promise<boolean>}>}
 */
export async function ask(page, name, selected) {
  const { appControl: { target } } = page;
  if (recall()) return { isSure: true };
  const at = `#${count(selected?.seq ?? 0)}`;
  const [question, yes] = {
    apply: [`Apply the state of ${at}?`, 'Apply'], dispatch: [`Dispatch ${selected?.label} again?`, 'Dispatch'],
    debug: [`Debug ${at}?`, 'Debug'], replayAgain: ['Replay the range again?', 'Replay'],
  }[name];
  const never = h('input', { type: 'checkbox', checked: true });
  const no = h('button', { type: 'button' }, 'Cancel');
  const form = h('form', { method: 'dialog' },
    h('p', {}, `You pressed a key that changes the running app: ${sessionName(target)} on ${deviceName(target)}.`),
    h('label', {}, never, ' Don’t ask again in this tab'),
    h('div', { class: 'buttons' }, no, h('button', { class: 'main', value: 'yes', autofocus: true }, yes)));
  const dialog = await openDialog(question, {}, form);
  no.addEventListener('click', () => dialog.close());
  return { isSure: new Promise((resolve) => dialog.addEventListener('close', () => {
    const isYes = dialog.returnValue === 'yes';
    if (isYes && never.checked) remember();
    resolve(isYes);
  })) };
}

// The browser forgets it with the tab, and may refuse to keep it at all.
function recall() {
  try { return isAllowed || sessionStorage.getItem(remembered) !== null; } catch { return isAllowed; }
}

function remember() {
  isAllowed = true;
  try { sessionStorage.setItem(remembered, 'yes'); } catch { /* until the page closes */ }
}
