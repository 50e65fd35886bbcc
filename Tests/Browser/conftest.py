"""Real processes, a real browser. Nothing sleeps: everything waits for what it needs to see."""

import os
import re
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from processes import ROOT, TIMEOUT, Server, Todo
from tape import App

SCREENSHOTS = ROOT / ".build" / "screenshots"
#: A wait ends as soon as its condition holds; only a busy machine needs so long.
WAIT = TIMEOUT * 1000
expect.set_options(timeout=WAIT)
#: Frames come so many milliseconds late, which shows what acts on something that is yet to be drawn.
LATE = int(os.environ.get("STATETAPE_LATE", "0"))


def pytest_collection_finish(session):
    """Fails unless the groups of tests count: those of one group build in one folder. With a pytest that is newer than
    pytest-xdist knows, the groups have no effect, and nothing says so."""
    if getattr(session.config.option, "loadgroup", False):
        single = [item.nodeid for item in session.items
                  if item.get_closest_marker("xdist_group") and "@" not in item.nodeid]
        if single:
            raise pytest.UsageError(f"pytest-xdist does not group {len(single)} tests, such as {single[0]}")


@pytest.fixture(scope="session")
def browser():
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A server for a whole module, whose tests name their sessions, and change nothing else."""
    server = Server(tmp_path_factory.mktemp("shared"))
    yield server
    server.stop()


@pytest.fixture
def everywhere(tmp_path):
    """A server that listens on all addresses, so that it has tokens; the tests reach it here."""
    folder = tmp_path / "everywhere"
    folder.mkdir()
    server = Server(folder, "0.0.0.0:0")
    server.url = f"http://127.0.0.1:{server.url.rstrip('/').rsplit(':', 1)[1]}/"
    server.origin = server.url.rstrip("/")
    yield server
    server.stop()


@pytest.fixture
def app(server):
    """Makes apps of the tests' own."""
    apps = []

    def make(**options):
        apps.append(App(options.pop("server", server), **options))
        return apps[-1]

    yield make
    for app in apps:
        app.stop()


@pytest.fixture
def todo(server, tmp_path):
    """Starts the example app."""
    apps = []

    def start(**options):
        apps.append(Todo(server, tmp_path, **options))
        return apps[-1]

    yield start
    for app in apps:
        app.stop()


class Timeline:
    """The page as the tests see it."""

    def __init__(self, page, server):
        self.page = page
        self.server = server
        self.complaints = []
        #: Browser logs that a test expects.
        self.expected = []
        page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(f"{error}\n{error.stack}"))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", self._check)

    def _check(self, request):
        """The page asks its own server only, and only for what is there: no string of an app's becomes an address."""
        place = urlsplit(request.url.replace("ws:", "http:"))
        known = place.path.startswith(("/api/v1/", "/v1/viewer")) or (ROOT / "web" / place.path[1:]).exists()
        blob = request.url.startswith(f"blob:{self.server.origin}/")
        if not blob and not (known and request.url.replace("ws:", "http:").startswith(self.server.url)):
            self.complaints.append(f"request to {request.url}")

    def open(self, session=None, **place):
        query = {"session": session, **place} if session else place
        self.page.goto(self.server.url + (f"?{urlencode(query)}" if query else ""))
        return self

    def until(self, condition):
        """Waits for a JavaScript condition, frame by frame (the page's policy forbids Playwright's own way)."""
        assert self.page.evaluate("""(condition) => new Promise((resolve) => {
            const end = performance.now() + WAIT;
            const check = () => condition() ? resolve(true)
              : performance.now() > end ? resolve(false) : requestAnimationFrame(check);
            check();
        })""".replace("condition()", f"({condition})").replace("WAIT", str(WAIT))), f"never: {condition}"

    def draw(self):
        """Waits until all that was asked for before is drawn."""
        self.page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")

    def row(self, seq):
        return self.page.locator(f"#event-{seq}")

    @property
    def rows(self):
        return self.page.locator("#events .row:not([hidden])")

    @property
    def selected(self):
        return self.page.locator("#events .row[aria-selected=true]")

    @property
    def outcome(self):
        return self.page.locator("#outcome")

    def more(self, item=None):
        """Opens the menu *More*, and chooses an item."""
        self.page.locator("#tools").get_by_role("button", name="More").click()
        menu = self.page.get_by_role("menu", name="More")
        if item is None:
            return menu
        return menu.get_by_role("menuitem", name=item).click()

    def shot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def check(self):
        left = [text for text in self.complaints if not any(re.search(one, text) for one in self.expected)]
        assert left == []


@pytest.fixture
def view(browser, server):
    """Opens pages, and looks afterwards whether one has complained. Repeats have a row each unless `groups`. Keys that
    act on the app do so at once unless `asks`."""
    opened = []

    def make(width=1280, height=800, scheme="light", at=None, groups=False, asks=False, **options):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", **options)
        context.set_default_timeout(WAIT)
        if LATE > 0:
            context.add_init_script("""{
                const frame = requestAnimationFrame.bind(window);
                window.requestAnimationFrame = (job) => setTimeout(() => frame(job), LATE);
            }""".replace("LATE", str(LATE)))
        if not groups:
            context.add_init_script("try { localStorage.setItem('statetape--groups', 'no') } catch {}")
        if not asks:
            context.add_init_script("try { sessionStorage.setItem('statetape--keys-act', 'yes') } catch {}")
        opened.append((context, Timeline(context.new_page(), at or server)))
        return opened[-1][1]

    yield make
    for context, timeline in opened:
        timeline.check()
        context.close()
