// Panels that the pointer or arrow keys resize; the browser stores the sizes.
import { recall, remember } from './memory.js';

const step = 16;

/**
 * Resizes the panel before a separator.
 * @param {HTMLElement} separator `data-property` is the custom property of the width
 * @param {{min: number, max: () => number, initial: () => number}} limits in pixels
 * @returns {() => number} its width now
 */
export function resizable(separator, { min, max, initial }) {
  const property = separator.dataset.property;
  const root = document.documentElement;
  let wanted = Number(recall(property)) || 0;
  let width = 0;

  const apply = () => {
    width = Math.round(Math.max(min, Math.min(max(), wanted || initial())));
    root.style.setProperty(property, `${width}px`);
    separator.setAttribute('aria-valuenow', String(width));
    separator.setAttribute('aria-valuemin', String(min));
    separator.setAttribute('aria-valuemax', String(Math.round(max())));
  };
  const resize = (next) => {
    wanted = Math.max(min, Math.min(max(), next));
    apply();
    remember(property, String(wanted));
  };

  separator.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    separator.setPointerCapture(event.pointerId);
    const start = event.clientX - width;
    const move = (moved) => resize(moved.clientX - start);
    separator.addEventListener('pointermove', move);
    separator.addEventListener('lostpointercapture', () => separator.removeEventListener('pointermove', move), { once: true });
  });
  separator.addEventListener('keydown', (event) => {
    const change = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    resize(width + change);
  });
  separator.addEventListener('dblclick', () => {
    wanted = 0;
    remember(property, null);
    apply();
  });
  addEventListener('resize', apply);
  apply();
  return () => width;
}
