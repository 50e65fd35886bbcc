// Notices at the bottom of the page, for some seconds, with a button to undo.
import { h } from './dom.js';
import { style } from './lazy.js';

const seconds = 8;
let box = null;
let last = null;

// Closing the page ends the notice: `gone` must run.
addEventListener('pagehide', () => last?.end(true));

/**
 * Shows a notice. It stays while it is hovered or focused; a failure stays until it is dismissed.
 * @param {string} text
 * @param {{action?: string, run?: () => void, failed?: boolean, gone?: () => void}} [options] `action` is the label of
 *   a button that does `run` and ends the notice; `gone` is called if it ends otherwise
 */
export async function notice(text, { action, run, failed = false, gone } = {}) {
  await style('ui/controls.css');
  box ??= document.body.appendChild(h('div', { id: 'notice', role: 'status', popover: 'manual' }));
  last?.end(true);
  let timer = 0;
  const end = (late) => {
    if (last !== current) return;
    last = null;
    clearTimeout(timer);
    box.replaceChildren();
    box.hidePopover();
    if (late) gone?.();
    else run?.();
  };
  const current = { end };
  last = current;
  const wait = () => {
    clearTimeout(timer);
    if (!failed && !box.matches(':hover, :focus-within')) timer = setTimeout(() => end(true), seconds * 1000);
  };
  const button = (label, late, properties) => h('button', { ...properties, on: { click: () => end(late) } }, label);
  const line = h('div', { class: failed ? 'line failure' : 'line', on: { pointerleave: wait, focusout: () => setTimeout(wait), pointerenter: () => clearTimeout(timer), focusin: () => clearTimeout(timer) } },
    h('span', {}, text), action && button(action, false, { class: 'quiet' }), button('✕', true, { class: 'close', 'aria-label': 'Dismiss' }));
  box.showPopover();
  box.replaceChildren(line);
  wait();
}

/**
 * Sends a request and shows its failure.
 * @template Result
 * @param {string} what failed, such as `Can’t change the title`
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result|undefined>}
 */
export async function attempt(what, work) {
  try {
    return await work();
  } catch (error) {
    if (error.status === undefined) throw error;
    notice(`${what}: ${error.message}`, { failed: true });
    return undefined;
  }
}
