// Puts model and views together.
import { Page } from './model/page.js';
import { byID } from './ui/dom.js';
import { listen } from './ui/keys.js';
import { part } from './ui/part.js';
import { resizable } from './ui/resize.js';
import { FilterView } from './views/filter.js';
import { FrameView } from './views/frame.js';
import { Parts } from './views/parts.js';
import { SessionsView } from './views/sessions.js';
import { TimelineView } from './views/timeline.js';
import { ToolsView } from './views/tools.js';
import { WelcomeView } from './views/welcome.js';

const page = new Page();
const timeline = new TimelineView(page);
const filter = new FilterView(page, timeline);
const sessions = new SessionsView(page);
const tools = new ToolsView(page);
new FrameView(page);
new WelcomeView(page);
const parts = new Parts(page, timeline);

// It comes with the first session, beside the rows: they need not wait for it.
let made = null;
const inspection = part(async () => {
  const { Inspection } = await import('./views/inspection.js');
  return made ??= new Inspection(page);
}, 'views/inspector.css');
const inspector = async (run) => run((await inspection()).inspector);
const deeds = async (run) => run((await inspection()).deeds);
page.addEventListener('session', () => page.place.session !== null && inspection());

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
  filter: () => (byID('inspector').contains(document.activeElement) ? inspector((view) => view.search()) : filter.focus()),
  unfold: () => timeline.unfold(true),
  refold: () => timeline.unfold(false),
  fold: () => timeline.fold(),
  dim: () => filter.dim(),
  inspect: () => inspector((view) => view.focus()),
  action: () => page.go({ tab: 'action' }),
  diff: () => page.go({ tab: 'diff' }),
  state: () => page.go({ tab: 'state' }),
  raw: () => page.go({ tab: 'raw' }),
  play: () => deeds((view) => view.play()),
  dispatch: () => deeds((view) => view.dispatch()),
  start: () => deeds((view) => view.start()),
  editAction: () => deeds((view) => view.editAction()),
  newAction: () => deeds((view) => view.newAction()),
  lastChange: () => inspector((view) => view.lastChange()),
  edit: () => inspector((view) => view.edit()),
  against: () => inspector((view) => view.against()),
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
