// The result of replaying a recording into this session's app.
import { href } from '../model/address.js';
import { changesOf } from '../model/diff.js';
import { numberOf } from '../json/parse.js';
import { readable } from '../json/pointer.js';
import { Tape } from '../model/tape.js';
import { h, linkTo } from '../ui/dom.js';
import { count, many } from '../ui/format.js';
import { items } from './diff.js';
import { eventLink } from './link.js';

/**
 * The section about the replay, for a session that started with one.
 * @param {import('../model/page.js').Page} page
 * @returns {HTMLElement}
 */
export function replayed(page) {
  const { replay } = page.summary;
  const { session, divergence } = replay;
  const compare = h('button', { on: { click: () => page.go({ view: 'compare', other: session }) } }, 'Compare sessions');
  return h('section', { class: 'replay' }, h('h3', {}, 'Replay'),
    h('p', {}, ...course(replay, page)),
    replay.tooLong > 0 ? h('p', { class: 'failure' }, `${many(replay.tooLong, 'action')} did not fit into a message to the app.`) : null,
    h('p', {}, ...verdict(replay, page)),
    divergence ? patch(replay) : null, compare);
}

/** The progress. */
function course({ session, from, through, status, played, at, error }, page) {
  const there = (seq) => link(session, seq, page);
  const all = [`${many(played, 'action')} of `, linkTo(h('a', { href: href({ session }) }, 'the recording'), () => page.go({ session })),
    ', from ', there(from)];
  const reached = at === undefined ? '' : ` It reached #${count(at)} of #${count(through)}.`;
  switch (status) {
  case 'running': return ['Replaying: ', ...all, `, so far.${reached}`];
  case 'done': return ['Replayed ', ...all, ' to ', there(through), '.'];
  case 'lost': return ['The app disconnected before the end. Replayed ', ...all, `.${reached}`];
  default: return ['The replay failed', error ? `: ${error.message}${error.path ? `, at ${readable(error.path)}` : ''}. ` : '. ',
    'Replayed ', ...all, `.${reached}`];
  }
}

function verdict({ session, divergence, compared, status }, page) {
  const counted = `${many(compared, 'state')} compared with the recording.`;
  if (divergence) {
    return [h('strong', {}, '≠ First difference: '), eventLink(divergence.seq, page), ' and ', link(session, divergence.of, page),
      ` of the recording, in store ${divergence.store}. ${counted}`];
  }
  if (compared === 0) return [status === 'running' ? 'No states compared yet.' : 'No states could be compared with the recording.'];
  return [h('strong', {}, '= No difference: '), counted];
}

/** The changes from the recorded state; old values follow when that state is loaded. */
function patch({ session, divergence: { of, store, paths, patch } }) {
  if (patch === undefined) {
    return h('div', {}, h('p', { class: 'hint' }, 'The patch is too large to show. Its first paths:'),
      h('ul', {}, ...paths.map((path) => h('li', {}, h('code', {}, readable(path) || 'whole state')))));
  }
  const box = h('div', { class: 'there' }, h('p', { class: 'hint' }, 'Changes from the recorded state to this one:'), items(changesOf(undefined, patch)));
  new Tape(session).state(store, numberOf(of)).then((before) => box.lastElementChild.replaceWith(items(changesOf(before, patch))),
    // The recording may be deleted: then only new values are shown.
    (error) => { if (error.status === undefined) throw error; });
  return box;
}

/** A link to an event of another session. */
function link(session, seq, page) {
  return linkTo(h('a', { href: href({ session, event: seq }) }, `#${count(seq)}`), () => page.go({ session, event: seq }));
}
