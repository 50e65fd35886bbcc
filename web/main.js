// Connects the model and the views.
import { Page } from './model/page.js';
import { byID } from './ui/dom.js';
import { inFrame } from './ui/frame.js';
import { listen } from './ui/keys.js';
import { part } from './ui/lazy.js';
import { resizable } from './ui/resize.js';
import { FilterView } from './views/filter.js';
import { FrameView } from './views/header.js';
import { SessionsView } from './views/sessions.js';
import { TimelineView } from './views/timeline.js';

const page = new Page();
const timeline = new TimelineView(page);
const filter = new FilterView(page, timeline);
const sessions = new SessionsView(page);
new FrameView(page);

let made = null;
const workbench = part(async () => {
  const { Workbench } = await import('./views/workbench.js');
  return made ??= new Workbench(page, timeline);
}, 'views/inspector.css', 'views/previews.css');
page.addEventListener('rows', () => {
  const { timeline, place } = page;
  const isThere = timeline?.known && [place.event, timeline.end - 1].some((seq) => seq < 0 || (seq !== null && timeline.head(seq) !== null));
  if (isThere && made === null) inFrame(() => setTimeout(workbench));
});
/** Calls a method of one of its views, if a session is open. */
const on = (name, method, ...values) => async (was = page.place) => was.session !== null && (await workbench()).run(was, name, method, values);
// A shift-click may come before the inspector.
page.addEventListener('range', ({ detail }) => on('actions', 'extend', detail)());

// Shown while no session is open. On a landing page it opens a live session.
const isLanding = page.place.session === null;
let welcome = null;
const showWelcome = async () => {
  if (page.place.session !== null || welcome !== null) return;
  const { WelcomeView } = await import('./views/welcome.js');
  welcome ??= new WelcomeView(page, isLanding);
};
page.addEventListener('session', showWelcome);
showWelcome();

let runsView = null;
const runs = part(() => import('./views/runs.js'), 'views/runs.css');
page.addEventListener('runs', async ({ detail }) => {
  if (runsView === null && detail.length === 0) return;
  const { RunsView } = await runs();
  (runsView ??= new RunsView(page)).show(detail);
});

const keys = part(() => import('./views/keys.js'), 'ui/controls.css');
const showKeys = async () => (await keys()).showKeys();
const loggingIn = part(() => import('./views/login.js'), 'ui/controls.css');
const login = async () => (await loggingIn()).login(page);
page.login.addEventListener('change', () => page.login.needed && login());
byID('role').addEventListener('click', login);
byID('help').addEventListener('click', showKeys);
const connecting = part(() => import('./views/connect.js'), 'views/connect.css', 'ui/controls.css');
byID('connect').addEventListener('click', async () => (await connecting()).connectDialog(page));

const search = on('inspector', 'search');

const beside = resizable(byID('separator-sessions'), { min: 180, max: () => innerWidth * 0.4, initial: () => Math.max(230, Math.min(340, innerWidth * 0.17)) });
// Below 1080 pixels the sessions cover the timeline (app.css).
const rest = (share) => () => Math.max(320, (innerWidth - (innerWidth < 1080 ? 0 : beside())) * share);
resizable(byID('separator-timeline'), { min: 280, max: rest(0.75), initial: () => Math.min(1000, rest(0.5)()) });

const each = (run, ...names) => Object.fromEntries(names.map((name) => [name, () => run(name)]));
listen({
  next: () => timeline.step(1),
  previous: () => timeline.step(-1),
  pageDown: () => timeline.screen(1),
  pageUp: () => timeline.screen(-1),
  first: () => timeline.edge(false),
  last: () => timeline.edge(true),
  playTape: on('panels', 'playTape'),
  stepBack: on('panels', 'step', -1),
  stepForward: on('panels', 'step', 1),
  filter: () => (byID('inspector').contains(document.activeElement) ? search() : filter.focus()),
  expand: () => timeline.expand(true),
  collapse: () => timeline.expand(false),
  group: () => timeline.toggleGroups(),
  dim: () => filter.dim(),
  inspect: on('inspector', 'focus'),
  ...each((tab) => page.go({ tab }), 'action', 'diff', 'state', 'raw', 'test'),
  ...each((name) => on('actions', 'byKey', name)(), 'apply', 'dispatch', 'debug', 'replayAgain'),
  replay: on('actions', 'replay'),
  launch: on('actions', 'launch'),
  editAction: on('actions', 'editAction'),
  newAction: on('actions', 'newAction'),
  lastChange: on('inspector', 'lastChange'),
  edit: on('inspector', 'edit'),
  against: on('inspector', 'against'),
  bookmark: on('tools', 'bookmark'),
  share: on('tools', 'copyLink'),
  report: on('tools', 'report'),
  sessions: () => sessions.focus(),
  overview: on('panels', 'toggle', 'overview'),
  compare: on('panels', 'toggle', 'compare'),
  help: showKeys,
  back: async (was = [page.place, document.activeElement]) => was[0].session !== null && (await workbench()).back(was),
});

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
