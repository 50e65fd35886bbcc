// Puts model and views together.
import { Page } from './model/page.js';
import { byID } from './ui/dom.js';
import { listen } from './ui/keys.js';
import { part } from './ui/part.js';
import { resizable } from './ui/resize.js';
import { AboutView } from './views/about.js';
import { DeedsView } from './views/deeds.js';
import { FilterView } from './views/filter.js';
import { FrameView } from './views/frame.js';
import { InspectorView } from './views/inspector.js';
import { Parts } from './views/parts.js';
import { SessionsView } from './views/sessions.js';
import { TimelineView } from './views/timeline.js';
import { ToolsView } from './views/tools.js';
import { WelcomeView } from './views/welcome.js';

const page = new Page();
const timeline = new TimelineView(page);
const filter = new FilterView(page, timeline);
const inspector = new InspectorView(page);
const deeds = new DeedsView(page);
const sessions = new SessionsView(page);
const tools = new ToolsView(page);
new AboutView(page);
new FrameView(page);
new WelcomeView(page);
const parts = new Parts(page, timeline);

const keys = part(() => import('./views/keys.js'), 'ui/controls.css');
const showKeys = async () => (await keys()).showKeys();
const loggingIn = part(() => import('./views/login.js'), 'ui/controls.css');
const login = async () => (await loggingIn()).login(page);
page.addEventListener('login', () => page.login.needed && login());
byID('role').addEventListener('click', login);
byID('help').addEventListener('click', showKeys);

// Below 1080 pixels the sessions are not beside the timeline (app.css).
const rest = (share) => () => Math.max(320, (innerWidth - (innerWidth < 1080 ? 0 : byID('sessions').offsetWidth)) * share);
resizable(byID('separator-sessions'), { min: 180, max: () => innerWidth * 0.4, initial: () => Math.max(230, Math.min(340, innerWidth * 0.17)) });
resizable(byID('separator-timeline'), { min: 280, max: rest(0.75), initial: () => Math.min(1000, rest(0.5)()) });

listen({
  next: () => timeline.step(1),
  previous: () => timeline.step(-1),
  pageDown: () => timeline.screen(1),
  pageUp: () => timeline.screen(-1),
  first: () => timeline.edge(false),
  last: () => timeline.edge(true),
  playTape: () => parts.scrubber?.toggle(),
  stepBack: () => parts.step(-1),
  stepForward: () => parts.step(1),
  filter: () => (inspector.focused ? inspector.search() : filter.focus()),
  unfold: () => timeline.unfold(true),
  refold: () => timeline.unfold(false),
  fold: () => timeline.fold(),
  dim: () => filter.dim(),
  inspect: () => inspector.focus(),
  action: () => page.go({ tab: 'action' }),
  diff: () => page.go({ tab: 'diff' }),
  state: () => page.go({ tab: 'state' }),
  raw: () => page.go({ tab: 'raw' }),
  play: () => deeds.play(),
  dispatch: () => deeds.dispatch(),
  start: () => deeds.start(),
  editAction: () => deeds.editAction(),
  newAction: () => deeds.newAction(),
  lastChange: () => inspector.lastChange(),
  edit: () => inspector.edit(),
  against: () => inspector.against(),
  bookmark: () => tools.bookmark(),
  share: () => tools.copyLink(),
  sessions: () => sessions.focus(),
  overview: () => parts.toggle('overview'),
  compare: () => parts.toggle('compare'),
  help: showKeys,
  back,
});

/** Escape: out of a field or panel first, then the filter, then the selection. */
function back() {
  const focused = document.activeElement;
  if (page.place.view !== '') parts.close();
  else if (focused !== null && focused !== document.body && focused.id !== 'events' && page.place.session !== null) timeline.focus();
  else if (page.place.filter !== '') page.go({ filter: '' });
  else if (page.place.event !== null) page.go({ event: null });
}

const files = async () => (await import('./views/file.js')).filesOf(page);
page.addEventListener('serverless', files);
byID('open-file').addEventListener('click', async () => (await files()).choose());
addEventListener('dragover', (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
addEventListener('drop', async (event) => {
  const dropped = [...event.dataTransfer?.files ?? []];
  if (dropped.length === 0) return;
  event.preventDefault();
  (await files()).take(dropped);
});
if (page.place.tape !== null || byID('tape') !== null) files();
else page.start();
