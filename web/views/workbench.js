// What an open session has around its rows. It comes once the first of them are there.
import { Bookmarks } from '../model/bookmarks.js';
import { Playback } from '../model/playback.js';
import { Tape } from '../model/tape.js';
import { AboutView } from './about.js';
import { DeedsView } from './app-actions.js';
import { InspectorView } from './inspector.js';
import { Parts } from './parts.js';
import { StartView } from './launch-state.js';
import { ToolsView } from './tools.js';

export class Workbench {
  inspector;
  deeds;
  tools;
  parts;

  /**
   * @param {import('../model/page.js').Page} page
   * @param {import('./timeline.js').TimelineView} timeline
   */
  constructor(page, timeline) {
    page.extend({
      playback: new Playback(page),
      bookmarks: new Bookmarks(),
      tapeOf: ({ session, version }) => new Tape(session, version),
    });
    this.inspector = new InspectorView(page);
    this.tools = new ToolsView(page);
    this.deeds = new DeedsView(page);
    this.parts = new Parts(page, timeline);
    new AboutView(page);
    new StartView(page);
  }
}
