// Loads the scrubber after the first rows, and the overview and comparison on demand.
import { href } from '../model/address.js';
import { byID, h, linkTo, set, setText } from '../ui/dom.js';
import { count } from '../ui/format.js';
import { part } from '../ui/lazy.js';

const scrubbing = part(() => import('./scrubber.js'), 'views/scrubber.css');
const overview = part(() => import('./overview.js'), 'views/overview.css');
const comparison = part(() => import('./compare.js'), 'views/compare.css');

const names = { overview: 'Overview', compare: 'Compare' };

export class Panels {
  #page;
  #list;
  #box = byID('view');
  #made = new Set();
  #replayLink = linkTo(h('a', { id: 'replay', class: 'chip', hidden: true }), () => this.#page.reveal(this.#page.summary.replay.divergence.seq));
  /** @type {import('./scrubber.js').ScrubberView|null} */
  #scrubber = null;
  /** Its loading, so that an early shortcut is not lost. @type {Promise<void>|null} */
  #scrubbing = null;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./timeline.js').TimelineView} list
   */
  constructor(page, list) {
    this.#page = page;
    this.#list = list;
    byID('title').after(this.#replayLink);
    page.addEventListener('session', () => this.#showReplay());
    for (const name of ['rows', 'session']) page.addEventListener(name, () => this.#scrub());
    page.addEventListener('place', () => this.#show());
    this.#showReplay();
    this.#scrub();
    this.#show();
  }

  /** @param {number} rows */
  step(rows) {
    if (this.#scrubber) this.#scrubber.step(rows);
    else this.#list.step(rows);
  }

  /** Plays the tape, or pauses. */
  async playTape() {
    await this.#scrub();
    this.#scrubber?.toggle();
  }

  /** @param {'overview'|'compare'} view */
  toggle(view) {
    const { place } = this.#page;
    if (place.session === null) return;
    if (place.view === view) return this.close();
    this.#page.go({ view, other: null });
    this.#box.focus();
  }

  /** Returns to the inspector. */
  close() {
    this.#page.go({ view: '', other: null });
    this.#list.focus();
  }

  /** Links the first difference of a replay beside the title. */
  #showReplay() {
    const { summary } = this.#page;
    const seq = summary?.replay?.divergence?.seq;
    this.#replayLink.hidden = seq === undefined;
    if (seq === undefined) return;
    set(this.#replayLink, 'href', href({ session: summary.session, event: seq }));
    setText(this.#replayLink, `Replay: first difference at #${count(seq)}`);
  }

  #scrub() {
    const { timeline } = this.#page;
    // Its space is reserved, so that the list doesn't move.
    byID('scrubber').hidden = timeline?.known === true && timeline.end === 0;
    if (timeline && timeline.end > 0) this.#scrubbing ??= this.#bringScrubber();
    return this.#scrubbing;
  }

  async #bringScrubber() {
    try {
      const { ScrubberView } = await scrubbing();
      this.#scrubber = new ScrubberView(this.#page, this.#list);
    } catch (error) {
      this.#scrubbing = null;
      throw error;
    }
  }

  async #show() {
    const { view, session } = this.#page.place;
    if (session === null || view === '') return;
    set(this.#box, 'aria-label', names[view]);
    if (this.#made.has(view)) return;
    this.#made.add(view);
    try {
      if (view === 'overview') {
        const { OverviewView } = await overview();
        new OverviewView(this.#page, () => this.close());
      } else {
        const { CompareView } = await comparison();
        new CompareView(this.#page, () => this.close());
      }
    } catch (error) {
      this.#made.delete(view);
      throw error;
    }
  }
}
