// What stands beside the timeline: the session, or the selected event and what can be done with it.
import { AboutView } from './about.js';
import { DeedsView } from './deeds.js';
import { InspectorView } from './inspector.js';

export class Inspection {
  inspector;
  deeds;

  /** @param {import('../model/page.js').Page} page */
  constructor(page) {
    this.inspector = new InspectorView(page);
    this.deeds = new DeedsView(page);
    new AboutView(page);
  }
}
