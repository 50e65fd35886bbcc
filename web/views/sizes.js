// The size of the states over time, and the largest parts of the last one.
import { numberOf } from '../json/parse.js';
import { readable } from '../json/pointer.js';
import { h, set, setText } from '../ui/dom.js';
import { count, size } from '../ui/format.js';
import { s } from '../ui/svg.js';
import { card, meter, percent } from './card.js';
import { moment } from './clock.js';

const height = 120;
const edge = 5;
/** Charts; an app may have a store for each screen. */
const most = 12;
/** Fewer points show no trend. */
const enough = 5;
/** A smaller part, in bytes or as a share of the state, is nothing to save. */
const smallest = 64;
const share = 0.01;

/**
 * @param {any} figures the overview's
 * @param {import('./overview.js').OverviewView} view
 * @returns {HTMLElement}
 */
export function sizes({ stores, duration }, view) {
  const weight = ([, { last, sizes }]) => last?.bytes ?? sizes.at(-1)?.bytes ?? 0;
  const all = Object.entries(stores).sort((a, b) => weight(b) - weight(a));
  const known = all.filter(([, { sizes, last }]) => sizes.length > 0 || last);
  const result = card('State size over time', known.length === 0 ? 'No whole states yet.' : null,
    ...known.slice(0, most).flatMap(([name, store]) => [
      known.length > 1 ? h('h4', {}, name) : null,
      drawn(name, points(store, duration), numberOf(duration) ?? 0, view),
      largest(name, store, view),
    ]),
    known.length > most ? h('p', { class: 'hint' }, `The ${most} largest of ${known.length} stores.`) : null);
  result.classList.add('sizes');
  return result;
}

function points({ sizes, last }, duration) {
  const all = sizes.map(({ seq, at, bytes }) => ({ seq, at: numberOf(at) ?? 0, bytes }));
  if (last && all.at(-1)?.seq !== last.seq) all.push({ seq: last.seq, at: numberOf(duration) ?? 0, bytes: last.bytes });
  return all;
}

function drawn(name, points, duration, view) {
  if (points.length >= enough) return chart(name, points, duration, view);
  if (points.length === 1) return h('p', {}, `${size(points[0].bytes)} after `, view.link(points[0].seq), ' (the only whole state).');
  return h('ul', {}, ...points.map(({ seq, at, bytes }) => h('li', {}, `${size(bytes)} after `, view.link(seq), `, at ${moment(at)}`)));
}

function chart(name, points, duration, view) {
  const largest = points.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  const line = s('path', { class: 'line' });
  const dots = s('path', { class: 'dots' });
  const near = s('circle', { class: 'near', r: 5, visibility: 'hidden' });
  const svg = s('svg', { role: 'img', height, 'aria-label': `State size of ${name}: first ${size(points[0].bytes)}, `
    + `last ${size(points.at(-1).bytes)}, largest ${size(largest.bytes)} after #${largest.seq}` }, line, dots, near);
  const value = h('p', { class: 'value' });
  const rest = `${size(points.at(-1).bytes)} now, largest ${size(largest.bytes)}`;
  setText(value, rest);
  const box = h('div', { class: 'chart' }, value, svg,
    h('p', { class: 'axis', 'aria-hidden': 'true' }, h('span', {}, '0:00'), h('span', {}, moment(duration))));
  const x = ({ at }) => edge + (duration > 0 ? Math.min(1, at / duration) : 0.5) * Math.max(0, svg.clientWidth - 2 * edge);
  const y = ({ bytes }) => height - edge - (bytes / Math.max(1, largest.bytes)) * (height - 2 * edge);
  const draw = () => {
    const places = points.map((point) => [x(point).toFixed(1), y(point).toFixed(1)]);
    set(line, 'd', `M${places.map((place) => place.join(' ')).join('L')}`);
    set(dots, 'd', places.map(([left, top]) => `M${left} ${top}m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0`).join(''));
  };
  const nearest = (event) => {
    const left = event.clientX - svg.getBoundingClientRect().left;
    return points.reduce((one, other) => (Math.abs(x(other) - left) < Math.abs(x(one) - left) ? other : one));
  };
  svg.addEventListener('pointermove', (event) => {
    const point = nearest(event);
    for (const [attribute, place] of [['cx', x(point)], ['cy', y(point)], ['visibility', 'visible']]) set(near, attribute, place);
    setText(value, `${size(point.bytes)} after #${count(point.seq)}, at ${moment(point.at)}`);
  });
  svg.addEventListener('pointerleave', () => {
    set(near, 'visibility', 'hidden');
    setText(value, rest);
  });
  svg.addEventListener('click', (event) => view.go(nearest(event).seq));
  new ResizeObserver(draw).observe(svg);
  const table = h('details', {}, h('summary', {}, 'Show as table'));
  table.addEventListener('toggle', () => {
    if (!table.open || table.childElementCount > 1) return;
    table.append(h('table', {},
      h('thead', {}, h('tr', {}, ...['After', 'At', 'Size'].map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, ...points.map((point) => h('tr', {},
        h('td', {}, view.link(point.seq)), h('td', { class: 'number' }, moment(point.at)), h('td', { class: 'number' }, size(point.bytes)))))));
  });
  return h('div', {}, box, table);
}

function largest(name, { largest = [], last }, view) {
  const parts = largest.filter(({ bytes }) => bytes >= Math.max(smallest, share * last.bytes));
  if (parts.length === 0) return null;
  return h('div', {}, h('h4', {}, 'Largest parts of the last state'), h('ul', { class: 'largest' }, ...parts.map(({ path, bytes }) => h('li', {},
    h('button', { class: 'quiet', title: 'Show in state', on: { click: () => view.show(name, path) } }, readable(path, '›') || 'whole state'),
    h('span', { class: 'number' }, `${size(bytes)}, ${percent(bytes / Math.max(1, last.bytes))}`), meter(bytes / Math.max(1, last.bytes))))));
}
