// The session that the page shows: its summary, its events, its lines and states.
import { Problem } from '../link/http.js';
import { Backfill } from './backfill.js';
import { head } from './head.js';
import { Timeline } from './timeline.js';
import { part } from '../ui/lazy.js';

const live = part(() => import('./head-line.js'));
const narrow = matchMedia('(max-width: 719px)');

export class OpenSession {
  /** Null while no session is open. */
  timeline = null;
  /** Lines and states; loaded with the views that show them. @type {import('./tape.js').Tape|null} */
  tape = null;
  /** Null until the server has sent it. @type {any} */
  summary = null;
  /** Why the session can't be shown. @type {Problem|null} */
  problem = null;
  /** Makes the tape of a summary. @type {(summary: any) => import('./tape.js').Tape|null} */
  tapeOf = () => null;
  #page;
  #backfill = null;
  #headLine = null;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** Opens the session that the address names, in place of the one before. */
  async open() {
    const { place: { session, filter }, link, sessions } = this.#page;
    this.#backfill?.stop();
    this.#backfill = this.timeline = this.tape = this.summary = this.problem = null;
    link.watch(null);
    this.#page.emit('session');
    if (session === null) return;
    const timeline = new Timeline();
    timeline.filter(filter);
    timeline.addEventListener('rows', () => this.#page.rowsChanged());
    this.timeline = timeline;
    this.#page.emit('session');
    await this.#page.guard(async () => {
      const summary = await sessions.one(session);
      if (this.timeline !== timeline) return;
      this.tape = this.tapeOf(summary);
      this.#backfill = new Backfill(timeline, summary.session, (error) => this.#page.failed(error));
      this.summary = summary;
      // The address may have only the start of the id.
      if (summary.session !== session) this.#page.rename(summary.session);
      this.#page.emit('session');
      // These events are stored already: their heads need not wait for the link.
      if (summary.events > 0) this.#begin(summary.events);
      await this.#watch();
    });
  }

  #begin(events) {
    const { place, summary } = this.#page;
    // Where one panel is shown at a time, the list comes first. The outcome of a replay is told beside it.
    if (place.event === null && place.filter === '' && !narrow.matches && !summary?.replay) this.#page.preselect(events - 1);
    this.timeline.committed(events);
  }

  /** Loads on, or again what failed. */
  resume() {
    const { place } = this.#page;
    if (this.problem ? this.problem.status >= 500 : place.session !== null && this.summary === null) this.open();
    else if (this.summary !== null && this.problem === null) this.#watch();
    this.#backfill?.resume();
  }

  async #watch() {
    const { summary } = this;
    this.#headLine ??= (await live()).headLine;
    if (this.summary?.session === summary.session && this.problem === null) this.#page.link.watch(summary.session);
  }

  /** @param {any} summary of this session or another one */
  update(summary) {
    if (summary.session !== this.#page.place.session || this.summary === null) return;
    this.summary = summary;
    this.#page.emit('session');
  }

  /** @param {string} session that the server has deleted */
  deleted(session) {
    if (session !== this.summary?.session) return;
    this.#backfill.stop();
    this.#page.link.watch(null);
    this.fail(new Problem(404, {}));
  }

  /** @param {Problem} problem */
  fail(problem) {
    this.problem = problem;
    this.#page.emit('session');
  }

  /** The server has stored all events below `next`. */
  committed({ session, next }) {
    if (session === this.summary?.session) this.timeline.committed(next);
  }

  /** Adds an event that arrived live. */
  append({ session, line, large = [] }) {
    if (session !== this.summary?.session) return;
    if (large.length === 0) this.tape?.keep(line);
    // Without its action an event has no type: its head is fetched.
    if (large.includes('action')) this.timeline.committed(line.seq + 1);
    else this.timeline.append(head(this.#headLine(line, large)));
  }
}
