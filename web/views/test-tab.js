// The Test tab: the Swift test that replays the tape up to the event.
import { replayedRange } from '../model/replayed-range.js';
import { swiftTest } from '../model/swift-test.js';
import { copyButton } from '../ui/copy.js';
import { h } from '../ui/dom.js';
import { download, name } from './download.js';

/**
 * @param {any} line the event line
 * @param {import('../model/page.js').Page} page
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement>}
 */
export async function test(line, page, signal) {
  const { session } = page.summary;
  const range = await replayedRange(page, line, signal);
  if (range === null) return h('p', { class: 'hint' }, 'Nothing to replay before the first state.');
  const source = swiftTest({ ...range, header: page.summary, tape: name(session), line });
  return h('div', { class: 'test' },
    h('div', { class: 'code', role: 'group', 'aria-label': 'Swift test' }, h('pre', {}, ...source.trimEnd().split('\n').map(row))),
    h('div', { class: 'buttons' }, copyButton('Copy code', () => source),
      h('button', { class: 'quiet', on: { click: () => download(session, { to: line.seq }) } }, 'Download tape')),
    h('p', { class: 'hint' }, 'Put ', h('code', {}, name(session)), ' in the folder ', h('code', {}, 'Tapes'), ' beside ', h('code', {}, 'Package.swift'),
      '; in Xcode, beside the test.'));
}

const token = /("(?:[^"\\]|\\.)*")|(\/\/.*)|(<#.*?#>)|(@?\b(?:import|func|self|testable|Test)\b)|\b\d+\b/g;
const names = ['string', 'remark', 'placeholder', 'key'];

/** A line, which wraps below its indented start. */
function row(text) {
  const [indent] = /^ */.exec(text);
  const element = h('span', { class: 'source-line' }, ...(text === '' ? [h('br')] : colour(text)));
  element.style.setProperty('--indent', `${indent.length + 4}ch`);
  return element;
}

/** Coloured spans and the plain text between them. */
function colour(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(token)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    nodes.push(text.slice(from, match.index), h('span', { class: names[kind] ?? 'number' }, match[0]));
    from = match.index + match[0].length;
  }
  nodes.push(text.slice(from));
  return nodes;
}
