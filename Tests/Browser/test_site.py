"""The folder of `Tests/run --site`: a recorded bug, and a story that leads to it."""

import os
import re
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from conftest import SCREENSHOTS, WAIT
from processes import ROOT

pytestmark = pytest.mark.xdist_group("builds")

#: When the first row was on the screen, by the page's own clock, which starts with the navigation.
FIRST_ROW = """new MutationObserver((_, observer) => {
    if (document.querySelector('#events .row:not([hidden])') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.firstRow = performance.now(); });
}).observe(document, { childList: true, subtree: true });"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder, below others as on a host with several sites."""
    host = tmp_path_factory.mktemp("host")
    folder = host / "some folder" / "site"
    made = subprocess.run(
        [ROOT / "Tests" / "run", "--site", "some folder/site"], cwd=host, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    assert made.returncode == 0, made.stdout[-5000:]
    return folder


@pytest.fixture(params=["disk", "host"])
def address(request, site):
    if request.param == "disk":
        yield (site / "index.html").as_uri()
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site.parents[1])))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/some%20folder/site/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(browser, address):
    """Opens the page, which may ask for nothing but itself, and complain of nothing."""
    contexts, complaints = [], []

    def make(width=1280, height=800, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        context.set_default_timeout(WAIT)
        context.add_init_script(FIRST_ROW)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith((address, "blob:", "data:")) or complaints.append(request.url))
        contexts.append(context)
        page.goto(address)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def test_the_folder_needs_no_package_of_the_tests(tmp_path):
    """On a machine with none of the packages, what `Tests/run --site` would install."""
    for name, text in {"dpkg-query": "exit 1", "sudo": f'echo "$*" > {tmp_path}/asked; exit 1'}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    run = subprocess.run([ROOT / "Tests" / "run", "--site", tmp_path / "site"], env={**os.environ, "PATH": path})
    assert run.returncode == 1
    asked = (tmp_path / "asked").read_text().split("--no-install-recommends")[1].split()
    assert "libwebsockets-dev" in asked
    assert [name for name in asked if not name.endswith("-dev")] == ["pkg-config"]


def first_row(page):
    expect(page.locator("#event-126")).to_be_visible()
    return page.evaluate("""new Promise((resolve) => {
        const look = () => (window.firstRow === undefined ? requestAnimationFrame(look) : resolve(window.firstRow));
        look();
    })""")


def test_the_first_row_is_there_within_a_second(visit, address):
    times = [first_row(visit()) for _ in range(3)]
    print(f"first row at {address.split(':')[0]}: {', '.join(f'{time:.0f}' for time in times)} ms")
    assert min(times) <= 1000, times


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (390, "dark")])
def test_the_story_leads_to_the_bug_and_its_fix(visit, site, width, scheme):
    page = visit(width, 844, scheme)
    story = page.get_by_role("complementary", name="What to look for")
    expect(story).to_contain_text("I was charged €80.50. Where is my coupon?")
    first_row(page)

    def go(button, name, screen):
        story.get_by_role("button", name=button).click()
        expect(page.locator("#event-label")).to_have_text(name)
        # What the text calls the event is what it leads to.
        named = story.locator("li:visible", has_text="Event #")
        for number in re.findall(r"Event (#\d+)", named.inner_text()) if named.count() else []:
            expect(page.locator("#event-seq")).to_have_text(number)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"site-{screen}-{width}-{scheme}.png")
        assert page.evaluate("document.documentElement.scrollWidth") == width

    changes = page.locator("#panel .change")
    go("Show the payment", "checkout/paid", "payment")
    expect(changes.filter(has_text="paidCents")).to_contain_text("8050")
    go("Show what changed the total", "account/cartLoaded", "bug")
    expect(changes.filter(has_text="coupon")).to_contain_text("SPRING20")
    expect(changes.filter(has_text="totalCents")).to_contain_text(re.compile("6080.*8050"))
    go("Show the fix", "account/cartLoaded", "fix")
    fix = story.locator("ins").inner_text()
    assert fix.split(" = ")[1] in (ROOT / "Sources" / "ShopExample" / "ShopReducer.swift").read_text()
    story.get_by_role("button", name="Back").click()
    expect(story.get_by_role("heading", name="2. The bug")).to_be_visible()
    story.get_by_role("button", name="Show the fix").click()
    story.get_by_role("button", name="Look around").click()
    expect(story).to_be_hidden()
    expect(page.locator("#event-label")).to_have_text("account/cartLoaded")


def test_on_a_small_screen_nothing_overlaps_and_the_change_can_be_reached(visit):
    page = visit(320, 480)
    first_row(page)
    page.get_by_role("button", name="Show the payment").click()
    expect(page.locator("#event-label")).to_have_text("checkout/paid")
    boxes = {part: page.locator(f"#{part} > :visible").evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
             for part in ("event-title", "app-actions", "tabs")}
    for above, below in [("event-title", "app-actions"), ("app-actions", "tabs")]:
        assert max(box["bottom"] for box in boxes[above]) <= min(box["top"] for box in boxes[below]), boxes
    change = page.locator("#panel .change").filter(has_text="paidCents")
    change.scroll_into_view_if_needed()
    expect(change).to_be_in_viewport(ratio=0.9)


def test_the_story_can_be_closed_and_opened_again(visit):
    page = visit()
    story = page.get_by_role("complementary", name="What to look for")
    first_row(page)
    story.get_by_role("button", name="Close").click()
    expect(story).to_be_hidden()
    page.get_by_role("button", name="What to look for").click()
    expect(story).to_be_visible()


@pytest.mark.parametrize("arguments, message", [
    ("--site", "--site needs a folder."),
    ("--artifact", "--artifact needs a folder."),
    ("--site file", "/file is not a folder."),
    ("--artifact file", "/file is not a folder."),
    ("--site a b", "“--site a b” has too many arguments."),
    ("--install a", "“--install a” has too many arguments."),
    ("--sites a", "Tests/run has no option “--sites”."),
])
def test_odd_arguments_of_run_end_it_before_it_installs_or_builds(tmp_path, arguments, message):
    (tmp_path / "file").touch()
    ended = subprocess.run(
        [ROOT / "Tests" / "run", *arguments.split()], cwd=tmp_path, text=True, capture_output=True, timeout=60)
    lines = ended.stderr.splitlines()
    assert ended.returncode == 64 and lines[0].endswith(message) and len(lines) == 5, ended.stderr
    assert ended.stdout == "" and [place.name for place in tmp_path.iterdir()] == ["file"]
