// Creates the views of an open session, after its first rows.
import { Bookmarks } from '../model/bookmarks.js';
import { AppControl } from '../model/app-control.js';
import { Tape } from '../model/tape.js';
import { AboutView } from './about.js';
import { AppActionsView } from './app-actions.js';
import { back } from './back.js';
import { EventBookmarks } from './bookmark-marks.js';
import { InspectorView } from './inspector.js';
import { Panels } from './panels.js';
import { LaunchStateView } from './launch-state.js';
import { PreviewsView } from './previews.js';
import { ToolsView } from './tools.js';

export class Workbench {
  inspector;
  actions;
  tools;
  panels;
  /** Escape. */
  back;
  #page;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./timeline.js').TimelineView} timeline
   */
  constructor(page, timeline) {
    extend(page, {
      appControl: new AppControl(page),
      bookmarks: new Bookmarks(),
      tapeOf: ({ session, version }) => new Tape(session, version),
    });
    new PreviewsView(page, timeline);
    this.inspector = new InspectorView(page);
    this.actions = new AppActionsView(page);
    this.panels = new Panels(page, timeline);
    this.tools = new ToolsView(page, { panels: this.panels, actions: this.actions });
    new AboutView(page);
    new EventBookmarks(page);
    new LaunchStateView(page);
    this.#page = page;
    this.back = (was) => back(page, timeline, was);
  }

  /**
   * Calls a view's method for a key that may have been pressed before this was loaded: not if another event has been
   * selected since, unless the view is about no single event.
   * @param {import('../model/address.js').Place} was when the key was pressed
   * @param {'inspector'|'actions'|'tools'|'panels'} name
   * @param {string} method
   * @param {any[]} values
   */
  run({ session, event }, name, method, values) {
    const { place } = this.#page;
    if (session === place.session && (name === 'panels' || event === place.event)) this[name][method](...values);
  }
}

/** Adds what the page's model has only after the first rows, and reads its data. */
function extend(page, { appControl, bookmarks, tapeOf }) {
  Object.assign(page, { appControl, bookmarks });
  Object.assign(page.session, { tapeOf, tape: page.summary && tapeOf(page.summary) });
  const read = async () => await bookmarks.read(page.summary) && page.emit('bookmarks');
  page.addEventListener('session', read);
  read();
  page.guard(() => appControl.refresh());
}
