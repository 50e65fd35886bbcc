"""The server finds the filter's matches: words in events, also in sessions that are too long to load."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from processes import TIMEOUT, Server
from waiting import until

# One worker makes the long tape, for all of these tests, and not while another one builds: a search lets everything else
# go first.
pytestmark = pytest.mark.xdist_group("builds")

SESSION = "01JD3M8Q5R7V2X9B4N6T0SEARC"
EVENTS = 140_000
RARE = 10_007
#: Thousands are divided so on the page.
SPACE = "\u202f"


def lines():
    """A long tape: `list/scrolled` again and again, in each page of 256 a `page/each`, here and there a `rare/one`."""
    yield json.dumps({"tape": 1, "session": SESSION, "app": {"id": "com.example.long", "name": "Long"},
                      "started": "2026-11-20T10:00:00.123Z", "stores": ["main"]})
    yield '{"seq":0,"at":0,"event":"init","state":{"y":0}}'
    for seq in range(1, EVENTS):
        type = "rare/one" if seq % RARE == 0 else "page/each" if seq % 200 == 0 else "list/scrolled"
        yield f'{{"seq":{seq},"at":{seq},"event":"action","action":{{"type":"{type}"}},"patch":[{{"op":"replace","path":"/y","value":{seq}}}]}}'


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A server with a session of more than 512 pages."""
    server = Server(tmp_path_factory.mktemp("long"))
    body = "\n".join(lines()).encode()
    address = f"{server.origin}/api/v1/sessions"
    urllib.request.urlopen(urllib.request.Request(address, data=body, method="POST"))
    # The server compresses what it was sent, which takes long in a debug build.
    until(lambda: json.load(urllib.request.urlopen(f"{address}/{SESSION}"))["sealed"] > EVENTS * 0.99, seconds=10 * TIMEOUT)
    yield server
    server.stop()


@pytest.fixture
def page(view, long):
    """Opens the long session, and counts what is asked."""

    def open(**options):
        place = {name: options.pop(name) for name in ("filter", "event") if name in options}
        shown = view(at=long, **options)
        shown.asked = []
        shown.page.on("request", lambda request: shown.asked.append(request.url))
        shown.open(SESSION, **place)
        expect(shown.page.locator("#shown")).to_contain_text(f"140{SPACE}000")
        return shown

    return open


def heads(view):
    return [url for url in view.asked if "fields=head" in url]


def scroll(view, part):
    view.page.evaluate("""(part) => {
        const events = document.getElementById('events');
        events.scrollTop = (events.scrollHeight - events.clientHeight) * part;
    }""", part)


def shows(view, each):
    """Waits until the rows in view are those of the scroll position, loaded: every `each`th event, from that on."""
    view.until("""(() => {
        const events = document.getElementById('events');
        const box = events.getBoundingClientRect();
        const rows = [...events.querySelectorAll('.row:not([hidden])')].filter((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return top >= box.top && bottom <= box.bottom;
        });
        return rows.length > 10 && rows.every((row) => {
            const place = Number(row.getAttribute('aria-posinset'));
            const due = Math.round((events.scrollTop + row.getBoundingClientRect().top - box.top) / row.offsetHeight) + 1;
            return place === due && Number(row.dataset.seq) === place * EACH && row.querySelector('.name').textContent === 'page/each';
        });
    })()""".replace("EACH", str(each)))


def test_a_long_session_is_searched_without_being_loaded(page):
    view = page()
    expect(view.row(EVENTS - 1)).to_be_visible()
    view.page.locator("#filter").fill("type:rare")
    expect(view.page.locator("#shown")).to_have_text(f"13 of 140{SPACE}000")
    expect(view.page.locator("#searched")).to_have_text("")
    expect(view.rows).to_have_count(13)
    for number in range(1, 14):
        expect(view.row(number * RARE)).to_contain_text("rare/one")
    # The pages of what matches, one with its neighbours at the end.
    assert len(heads(view)) < 30
    view.page.locator("#filter").fill("type:rare -type:*one")
    expect(view.page.locator("#no-events")).to_contain_text("No event matches")


def test_matches_are_scrolled_through(page):
    view = page(filter="type:page")
    expect(view.page.locator("#shown")).to_have_text(f"699 of 140{SPACE}000")
    shows(view, 200)
    # While the search runs, its last match is loaded now and then; afterwards a page for each visible match.
    before = len(heads(view))
    for part in (0.5, 0, 0.9):
        scroll(view, part)
        shows(view, 200)
    assert len(heads(view)) - before < 120
    view.page.locator("#unfilter").click()
    view.page.locator("#filter").fill("-scrolled -page")
    expect(view.page.locator("#shown")).to_have_text(f"14 of 140{SPACE}000")
    expect(view.rows).to_have_count(14)
    expect(view.row(0)).to_contain_text("initial state")


def test_loaded_repeats_that_match_are_grouped(page):
    view = page(filter="type:scrolled", groups=True)
    expect(view.page.locator("#shown")).to_have_text(f"139{SPACE}287 of 140{SPACE}000")
    expect(view.row(EVENTS - 1)).to_contain_text("×199")
    expect(view.row(EVENTS - 201)).to_contain_text("×199")
    view.page.keyboard.press("f")
    expect(view.row(EVENTS - 2)).to_be_visible()
    expect(view.row(EVENTS - 1)).to_have_attribute("aria-setsize", "139287")


@pytest.mark.parametrize("dims", [False, True])
def test_matches_are_stepped_through(page, dims):
    view = page(filter="type:rare")
    expect(view.page.locator("#shown")).to_have_text(f"13 of 140{SPACE}000")
    if dims:
        view.page.locator("#dim").click()
        expect(view.rows.first).to_have_attribute("aria-setsize", str(EVENTS))
    following = view.page.get_by_role("button", name="Next match")
    for number in (1, 2, 3):
        following.click()
        expect(view.selected).to_have_id(f"event-{number * RARE}")
        expect(view.selected).to_be_in_viewport()
        expect(view.selected).to_contain_text("rare/one")
    view.page.get_by_role("button", name="Previous match").click()
    expect(view.selected).to_have_id(f"event-{2 * RARE}")
    if dims:
        expect(view.row(2 * RARE + 1)).to_have_class(re.compile("is-dim"))
        expect(view.row(2 * RARE)).not_to_have_class(re.compile("is-dim"))
    else:
        view.page.keyboard.press("ArrowDown")
        expect(view.selected).to_have_id(f"event-{3 * RARE}")
    assert len(heads(view)) < 40


def test_playback_skips_dimmed_events(page):
    view = page(filter="type:rare", event=5 * RARE)
    expect(view.page.locator("#shown")).to_have_text(f"13 of 140{SPACE}000")
    view.page.locator("#dim").click()
    view.page.get_by_role("button", name="Next match").click()
    expect(view.row(6 * RARE + 1)).to_have_class(re.compile("is-dim"))
    view.page.get_by_label("Skip inactivity").check()
    view.page.get_by_role("button", name="Play tape").click()
    expect(view.selected).to_have_id(f"event-{13 * RARE}")
    expect(view.selected).to_contain_text("rare/one")
    assert len(heads(view)) < 100


def test_the_scrubber_shows_where_matches_are(page):
    view = page(filter="type:rare")
    view.until("document.querySelector('.track .match')?.getAttribute('d')?.match(/M/g)?.length === 13")
    path, width = view.page.evaluate("""() => [document.querySelector('.track .match').getAttribute('d'),
        document.querySelector('.track').clientWidth]""")
    places = [float(x) for x in re.findall(r"M([\d.]+) ", path)]
    for number, place in enumerate(places, 1):
        assert -4 < place - number * RARE / (EVENTS - 1) * width <= 0, (number, place)


def test_the_selected_event_stays_in_view_while_a_filter_is_typed(page):
    view = page(event=70_000)
    expect(view.row(70_000)).to_be_in_viewport()
    expect(view.row(70_001)).to_contain_text("scrolled")
    view.page.locator("#filter").press_sequentially("type:page")
    expect(view.page.locator("#shown")).to_have_text(f"699 of 140{SPACE}000")
    expect(view.row(70_000)).to_be_in_viewport()
    expect(view.row(70_000)).to_have_attribute("aria-posinset", "350")
    expect(view.row(70_200)).to_be_in_viewport()


def test_the_selected_match_moves_to_the_middle_when_later_ones_are_found(page):
    view = page(event=70_000)
    expect(view.row(70_001)).to_contain_text("scrolled")
    held = []

    def first_350(route):
        """Answers the first search itself, and keeps the second one until the first answer is shown."""
        if "from=0" not in route.request.url:
            return held.append(route) if not held else route.continue_()
        body = json.dumps({"seqs": list(range(200, 70_001, 200)), "next": 70_100, "offset": 0, "committed": EVENTS})
        return route.fulfill(body=body, content_type="application/json")

    view.page.route("**/matches?*", first_350)
    with view.page.expect_request(lambda request: "/matches?" in request.url and "from=0" not in request.url):
        view.page.locator("#filter").fill("type:page")
    expect(view.page.locator("#shown")).to_have_text(f"350 of 140{SPACE}000")
    expect(view.row(70_000)).to_contain_text("page/each")
    expect(view.row(70_000)).to_be_in_viewport()
    held[0].continue_()
    expect(view.page.locator("#shown")).to_have_text(f"699 of 140{SPACE}000")
    expect(view.row(70_200)).to_be_in_viewport()


def test_a_jump_waits_for_its_match(page):
    view = page(event=100_100)
    view.page.locator("#filter").press_sequentially("type:rare")
    view.page.locator("#filter").press("Enter")
    expect(view.selected).to_have_id(f"event-{11 * RARE}")
    view.page.get_by_role("button", name="Remove type:rare").click()
    view.page.locator("#filter").press_sequentially("type:page")
    view.page.locator("#filter").press("Shift+Enter")
    expect(view.selected).to_have_id("event-110000")
    expect(view.page.locator("#searched")).to_have_text("")


def test_an_outdated_search_stops(page):
    view = page()
    failed = []
    view.page.on("requestfailed", lambda request: failed.append(request.url))
    view.page.route("**/matches?*rare*", lambda route: None)
    with view.page.expect_request("**/matches?*rare*"):
        view.page.locator("#filter").fill("type:rare")
    expect(view.page.locator("#searched")).to_contain_text("searched 0 of")
    # The old rows stay until the first match is known.
    expect(view.row(EVENTS - 1)).to_contain_text("scrolled")
    view.page.locator("#filter").fill("type:page")
    expect(view.page.locator("#shown")).to_have_text(f"699 of 140{SPACE}000")
    assert [url for url in failed if "rare" in url]
    # An equivalent text sends no request.
    before = len([url for url in view.asked if "/matches?" in url])
    view.page.locator("#filter").fill("type:page ")
    expect(view.page.locator("#shown")).to_have_text(f"699 of 140{SPACE}000")
    assert len([url for url in view.asked if "/matches?" in url]) == before
