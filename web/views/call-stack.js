// The functions that led to an action's dispatch, folded, below what started it.
import { numberOf } from '../json/parse.js';
import { copyButton } from '../ui/copy.js';
import { h, setText } from '../ui/dom.js';
import { many } from '../ui/format.js';
import { eventLink } from './link.js';

/** A recorder writes no more functions, and no longer names. */
const most = 32;
const longest = 1024;

/**
 * @param {any} line the event line
 * @param {import('../model/page.js').Page} page
 * @param {AbortSignal} signal aborted when another event is shown
 * @returns {HTMLElement|null} null if the line has no call stack
 */
export function callStack(line, page, signal) {
  const own = functionsOf(line);
  // The same call stack as that of an earlier event.
  const earlier = own ? null : seqOf(line);
  if (!own && earlier === null) return null;
  const summary = h('summary', {}, 'Call stack');
  const box = h('details', { class: 'stack' }, summary);
  const show = (functions) => {
    setText(summary, `Call stack, ${many(functions.length, 'function')}`);
    box.append(h('ol', {}, ...functions.map(item)), copyButton('Copy call stack', () => functions.join('\n')));
  };
  if (own) {
    show(own);
    return box;
  }
  let isAsked = false;
  box.addEventListener('toggle', async () => {
    if (!box.open || isAsked) return;
    isAsked = true;
    try {
      const functions = functionsOf((await page.tape.line(earlier, signal)).line);
      if (functions) show(functions);
      else box.append(h('p', { class: 'hint' }, 'It was first recorded with ', eventLink(earlier, page), ', which is not on this tape.'));
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === undefined) throw error;
      isAsked = false;
      box.open = false;
      setText(summary, `Call stack: ${error.message}`);
    }
  });
  return box;
}

/** The names of the functions, or null. */
function functionsOf({ stack }) {
  if (!Array.isArray(stack)) return null;
  const names = stack.slice(0, most).filter((name) => typeof name === 'string');
  return names.length === 0 ? null : names.map((name) => (name.length > longest ? `${name.slice(0, longest)}…` : name));
}

/** The event that a line names for its call stack, or null. */
function seqOf({ seq, stack }) {
  const earlier = numberOf(stack?.seq);
  return Number.isSafeInteger(earlier) && earlier >= 0 && earlier < numberOf(seq) ? earlier : null;
}

/** A function, with the file of code that it is in if that isn't part of its name. */
function item(name) {
  const [, what, file] = /^(.+)( \([^()]+\))$/.exec(name) ?? [name, name, null];
  return h('li', {}, what, file && h('span', { class: 'file' }, file));
}
