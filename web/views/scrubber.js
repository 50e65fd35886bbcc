// The scrubber: the activity of the session, the current position, and playback.
import { Activity } from '../model/activity.js';
import { TimeTravel } from '../model/time-travel.js';
import { MatchCounts } from '../model/match-counts.js';
import { Player } from '../model/player.js';
import { byID, h, set, setText } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { inFrame } from '../ui/frame.js';
import { icon } from '../ui/svg.js';
import { Track } from './track.js';
import { RangeView } from './range.js';
import { TravelBar } from './travel.js';

/** Selecting doesn't wait longer than this for the inspector (ms). */
const longestWait = 2000;

const pictures = {
  play: 'M4 2.5v11l9.5-5.5z', pause: 'M3.5 3h3.2v10H3.5zM9.3 3h3.2v10H9.3z',
  back: 'M3 3h2v10H3zM13 3v10L6 8z', in: 'M7 3h2v4h4v2H9v4H7V9H3V7h4z', out: 'M3 7h10v2H3z', forward: 'M11 3h2v10h-2zM3 3v10l7-5z', more: 'M2 6.5h3v3H2zM6.5 6.5h3v3h-3zM11 6.5h3v3h-3z',
};

export class ScrubberView {
  #page;
  #list;
  #box = byID('scrubber');
  #activity = new Activity();
  #matchCounts = new MatchCounts();
  #timeTravel;
  #travelBar;
  #player;
  #track;
  #parts;
  #wanted = null;
  #event = null;
  #session = null;
  #picked = 0;
  #asked = null;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./timeline.js').TimelineView} list
   */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    this.#event = page.place.event;
    this.#session = page.place.session;
    this.#timeTravel = new TimeTravel(page);
    this.#travelBar = new TravelBar(this.#timeTravel);
    this.#player = new Player(page, inFrame, (seq) => this.#pick(seq));
    this.#player.passes = (head) => head.mark === 'travel';
    this.#track = new Track(page, this.#activity, this.#matchCounts, {
      drag: (seq) => this.#drag(seq), move: (by) => this.#move(by), select: (range) => this.#filter(range),
    });
    this.#track.addEventListener('zoom', () => { this.#ask(); inFrame(this.#render); });
    this.#track.addEventListener('change', () => inFrame(this.#render));
    new RangeView(page);
    this.#parts = this.#make();
    this.#box.replaceChildren(...this.#parts.all);
    this.#player.addEventListener('change', () => inFrame(this.#render));
    this.#player.addEventListener('end', () => page.summary?.live && list.toEnd());
    this.#timeTravel.addEventListener('change', () => {
      if (this.#timeTravel.error) this.#player.stop();
      inFrame(this.#render);
    });
    this.#activity.addEventListener('change', () => inFrame(this.#render));
    page.addEventListener('place', () => this.#place());
    for (const name of ['session', 'place', 'rows', 'connection', 'bookmarks']) page.addEventListener(name, () => inFrame(this.#render));
    page.addEventListener('connection', () => this.#activity.retry());
    inFrame(this.#render);
  }

  /** The comparison hides the timeline. */
  get #covered() {
    return this.#page.place.view === 'compare';
  }

  /** Plays or pauses. */
  toggle() {
    if (this.#covered) return;
    if (this.#player.playing) this.#player.stop();
    else this.#player.start();
  }

  /** @param {number} rows */
  step(rows) {
    if (this.#covered) return;
    this.#player.stop();
    this.#list.step(rows);
  }

  #make() {
    const player = this.#player;
    const button = (name, label, key, click) => h('button', {
      class: `icon-button ${name}`, 'aria-label': label, title: key ? `${label} (${key})` : label, 'aria-keyshortcuts': key === '' ? null : key,
      on: { click },
    }, icon(pictures[name]));
    const play = button('play', 'Play tape', 'Space', () => this.toggle());
    const more = button('more', 'Playback options', '', () => set(more, 'aria-expanded', String(this.#box.classList.toggle('is-open'))));
    set(more, 'aria-expanded', 'false');
    const speeds = [1, 2, 10].map((speed) => h('button', {
      'aria-pressed': String(speed === 1), 'aria-label': `${speed}× speed`,
      on: { click: () => { player.speed = speed; inFrame(this.#render); } },
    }, `${speed}×`));
    const check = (label, title, change) => {
      const input = h('input', { type: 'checkbox', on: { change: () => change(input.checked, input) } });
      return { input, label: h('label', { class: 'check', title }, input, label) };
    };
    const skip = check('Skip inactivity', 'Shorten pauses over 2 s to 0.3 s', (on) => { player.skip = on; });
    const follow = check('Time travel', '', (on, input) => this.#travel(on, input));
    const why = h('span', { class: 'why', id: 'follow-why', role: 'status' });
    set(follow.input, 'aria-describedby', why.id);
    const only = h('button', { class: 'quiet', hidden: true, title: 'Show only the events of this part in the list', on: { click: () => this.#filter(this.#track.zoomed) } }, 'List these');
    const whole = h('button', { class: 'quiet', hidden: true, title: 'Show the whole session (0, or a double click)', on: { click: () => this.#track.zoom(0) } }, 'Whole session');
    const zooms = h('span', { class: 'steps', role: 'group', 'aria-label': 'Zoom' },
      button('out', 'Zoom out', '-', () => this.#track.zoom(0.5)), button('in', 'Zoom in', '+', () => this.#track.zoom(2)), whole, only);
    const position = h('span', { class: 'position' });
    const controls = h('div', { class: 'controls', role: 'group', 'aria-label': 'Playback' },
      h('span', { class: 'steps' }, button('back', 'Step back', '[', () => this.step(-1)), button('forward', 'Step forward', ']', () => this.step(1))),
      h('span', { class: 'speeds', role: 'group', 'aria-label': 'Speed' }, ...speeds),
      skip.label, follow.label, zooms, why, position);
    return { all: [play, this.#track.element, more, controls, this.#travelBar.element], play, speeds, whole, only, zooms, follow, why, position };
  }

  /** The box stays ticked until the way to leave is chosen. */
  #travel(on, box) {
    if (on) return this.#timeTravel.start();
    box.checked = true;
    this.#travelBar.ask(box);
  }

  /** Playback stops when the user selects another event. */
  #place() {
    const { place } = this.#page;
    if (this.#covered) this.#player.stop();
    if (place.event === this.#event && place.session === this.#session) return;
    this.#event = place.event;
    this.#session = place.session;
    this.#wanted = null;
    this.#player.stop();
  }

  #drag(seq) {
    this.#player.stop();
    this.#pick(seq);
    inFrame(this.#render);
  }

  #move(by) {
    this.#player.stop();
    if (by === 'first' || by === 'last') this.#list.edge(by === 'last');
    else this.#list.step(by);
  }

  #pick(seq) {
    this.#wanted = seq;
    inFrame(this.#flush);
  }

  /** Selects the wanted event when the inspector has loaded the last one: one request at a time, the latest wins. */
  #flush = () => {
    const seq = this.#wanted;
    if (seq === null) return;
    const waits = document.querySelector('#panels [aria-busy=true]') !== null && performance.now() - this.#picked < longestWait;
    if (waits) return inFrame(this.#flush);
    this.#wanted = null;
    this.#picked = performance.now();
    if (seq === this.#page.place.event) return;
    this.#event = seq;
    this.#page.reveal(seq);
  };

  /** Shows a range of events only. */
  #filter({ from, to }) {
    this.#page.go({ range: `${from}-${to}` });
  }

  #ask() {
    const { timeline, tape } = this.#page;
    if (tape && tape.session !== this.#asked) this.#track.zoomed = null;
    this.#asked = tape?.session ?? null;
    this.#activity.ask({ session: tape?.session ?? null, buckets: this.#track.buckets, end: timeline?.end ?? 0, zoom: this.#track.zoomed });
  }

  #render = () => {
    const { timeline, place, appControl: { whyNoTarget } } = this.#page;
    const { play, speeds, whole, only, zooms, follow, why, position } = this.#parts;
    const end = timeline?.end ?? 0;
    if (!timeline) this.#player.stop();
    if (end === 0) return;
    const { playing } = this.#player;
    const seq = this.#wanted ?? place.event;
    this.#matchCounts.count(this.#activity.all, timeline.found);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#track.draw(seq, playing && !still && this.#wanted === null ? this.#player.now : seq === null ? null : timeline.head(seq)?.at ?? null);
    if (playing) inFrame(this.#render);
    if (play.classList.contains('is-playing') !== playing) {
      play.classList.toggle('is-playing', playing);
      play.replaceChildren(icon(playing ? pictures.pause : pictures.play));
      set(play, 'aria-label', playing ? 'Pause tape' : 'Play tape');
      set(play, 'title', playing ? 'Pause tape (Space)' : 'Play tape (Space)');
    }
    speeds.forEach((button, index) => set(button, 'aria-pressed', String([1, 2, 10][index] === this.#player.speed)));
    const { on, error } = this.#timeTravel;
    follow.input.checked = on;
    follow.input.disabled = whyNoTarget !== '';
    set(follow.label, 'title', whyNoTarget || 'Show the state of each selected event in the running app, and leave no traces');
    this.#travelBar.draw();
    whole.hidden = only.hidden = this.#track.zoomed === null;
    set(zooms.firstElementChild, 'aria-disabled', this.#track.zoomed === null ? 'true' : null);
    setText(why, error || whyNoTarget);
    why.classList.toggle('failure', error !== '');
    position.style.setProperty('--digits', String(count(end - 1).length));
    setText(position, `${seq === null ? '–' : `#${count(seq)}`} / ${count(end - 1)}`);
    this.#ask();
  };
}
