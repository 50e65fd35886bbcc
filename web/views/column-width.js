// The border between the columns of the action and of the change: people drag it, or move it with arrow keys.
import { byID, h, set } from '../ui/dom.js';
import { recall, remember } from '../ui/memory.js';

/** Of an arrow key, as a share of both columns. */
const step = 0.02;
const [least, most] = [0.15, 0.85];
/** The flexible widths of both columns (views.css). */
const both = 2.3;

/** Makes the border. */
export function resizableColumns() {
  const { style } = document.documentElement;
  const columns = byID('columns');
  const [, , , action, , change] = columns.children;
  // The titles are for the eye: a list box has no headers. The border is for everybody.
  columns.removeAttribute('aria-hidden');
  for (const title of columns.children) title.replaceChildren(h('span', { 'aria-hidden': 'true' }, title.textContent));
  change.className = 'change-title';
  const separator = h('div', { class: 'separator', role: 'separator', 'aria-orientation': 'vertical', 'aria-label': 'Action column width', 'aria-controls': 'events', tabindex: 0 });
  const width = (element) => element.getBoundingClientRect().width;
  const share = () => width(action) / (width(action) + width(change) || 1);

  const apply = (wanted) => {
    const known = wanted >= least && wanted <= most;
    style.setProperty('--action', known ? `${both * wanted}fr` : '');
    style.setProperty('--change', known ? `${both * (1 - wanted)}fr` : '');
    set(separator, 'aria-valuenow', Math.round(100 * (known ? wanted : share())));
  };
  const resize = (next) => {
    const wanted = Math.max(least, Math.min(most, next));
    apply(wanted);
    remember('--action', wanted.toFixed(3));
  };

  separator.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    separator.setPointerCapture(event.pointerId);
    const { left } = action.getBoundingClientRect();
    const total = width(action) + width(change);
    const move = ({ clientX }) => resize((clientX - left) / total);
    separator.addEventListener('pointermove', move);
    separator.addEventListener('lostpointercapture', () => separator.removeEventListener('pointermove', move), { once: true });
  });
  separator.addEventListener('keydown', (event) => {
    const change = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    resize(share() + change);
  });
  separator.addEventListener('dblclick', () => {
    remember('--action', null);
    apply(NaN);
  });
  change.prepend(separator);
  apply(Number(recall('--action')) || NaN);
}
