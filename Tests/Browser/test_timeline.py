"""The timeline: filter, ten thousand events, gaps, marks."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def mixed(app):
    app = app(state={"todos": [], "running": False})
    app.action("todos/add", {"title": "Milk"}, [{"op": "add", "path": "/todos/0", "value": "Milk"}])
    app.action("sync/started", patch=[{"op": "replace", "path": "/running", "value": True}])
    app.send({"event": "note", "text": "Network went away", "level": "warning"})
    app.action("sync/finished", patch=[{"op": "replace", "path": "/running", "value": False}])
    app.send({"event": "action", "action": {"type": "todos/skip"}, "skipped": True})
    app.send({"event": "init", "store": "detail", "state": {"open": 1}})
    app.send({"event": "novelty", "store": "detail"})
    return app


@pytest.fixture
def throwing(app):
    app = app(state={"total": 1})
    app.action("cart/add", {"title": "Milk"}, [{"op": "replace", "path": "/total", "value": 2}])
    app.send({"event": "action", "action": {"type": "cart/pay"}, "error": "CartError.declined(code: 7) " + "x" * 200,
              "patch": [{"op": "replace", "path": "/total", "value": 3}]})
    app.send({"event": "action", "action": {"type": "cart/clear"}, "error": "CartError.empty", "patch": []})
    return app


def test_an_action_whose_reducer_threw_is_marked_and_shows_the_error(view, throwing):
    view = view().open(throwing.session)
    for seq, text in [(2, "threw CartError.declined(code: 7)"), (3, "threw CartError.empty")]:
        expect(view.row(seq).get_by_label("error", exact=True)).to_have_text("✖")
        expect(view.row(seq)).to_contain_text(text)
    expect(view.row(1).get_by_label("error", exact=True)).to_have_count(0)
    view.row(2).click()
    view.page.get_by_role("tab", name="Action").click()
    facts = view.page.locator(".action .facts")
    expect(facts).to_contain_text("CartError.declined(code: 7) " + "x" * 200)
    # Its change is in the inspector.
    view.page.get_by_role("tab", name="Diff").click()
    expect(view.page.locator("#inspector")).to_contain_text("total")


def test_a_live_action_whose_reducer_threw_is_marked(view, app):
    app = app(state={"total": 1})
    view = view().open(app.session)
    app.send({"event": "action", "action": {"type": "cart/clear"}, "error": "CartError.empty", "patch": []})
    expect(view.row(1).get_by_label("error", exact=True)).to_have_text("✖")
    expect(view.row(1)).to_contain_text("threw CartError.empty")


@pytest.mark.parametrize("text", ["level:error", "carterror", '"CartError." cart'])
def test_actions_whose_reducers_threw_are_found(view, throwing, text):
    view = view().open(throwing.session, filter=text)
    expect(view.row(3)).to_be_visible()
    expect(view.row(1)).to_have_count(0)


def test_the_overview_lists_errors_of_reducers(view, throwing):
    view = view().open(throwing.session, view="overview")
    card = view.page.locator(".card", has_text="Errors")
    expect(card).to_contain_text("cart/clear: CartError.empty")


@pytest.mark.parametrize("text, seqs", [
    ("todos", [0, 1, 5]), ("type:todos", [1, 5]), ("-sync", [0, 1, 3, 5, 6, 7]), ("type:sync -started", [4]),
    ("store:detail", [6, 7]), ("NETWORK", [3]), ("running", [0, 2, 4]), ('"went away"', [3]),
])
def test_the_filter_shows_what_matches(view, mixed, text, seqs):
    view = view().open(mixed.session)
    expect(view.rows).to_have_count(8)
    view.page.keyboard.press("/")
    view.page.keyboard.type(text)
    expect(view.page.locator("#shown")).to_have_text(f"{len(seqs)} of 8")
    view.until(f"[...document.querySelectorAll('#events .row:not([hidden])')].map((row) => +row.dataset.seq)"
               f".sort((a, b) => a - b).join() === '{','.join(map(str, seqs))}'")


def test_a_filter_without_matches_can_be_cleared(view, mixed):
    view = view().open(mixed.session, filter="nothing like it")
    empty = view.page.locator("#no-events")
    expect(empty).to_contain_text("No event matches “nothing like it”.")
    empty.get_by_text("Clear filter").click()
    expect(view.rows).to_have_count(8)
    assert "filter" not in view.page.url


def test_rows_show_changes_and_marks(view, mixed):
    view = view().open(mixed.session)
    expect(view.row(1)).to_contain_text("todos›0")
    expect(view.row(1)).to_contain_text("+13 ms")
    expect(view.row(3).get_by_label("warning")).to_be_visible()
    expect(view.row(5).get_by_label("state not captured")).to_be_visible()
    expect(view.row(6)).to_contain_text("detail")
    expect(view.row(7)).to_contain_text("novelty")


def test_a_gap_is_one_row(view, app):
    app = app(state={"a": 1})
    app.send({"event": "gap", "count": 3000, "reason": "spool-full"})
    app.send({"event": "replace", "state": {"a": 2}, "cause": {"set": True}})
    view = view()
    # The state before the selected event is unknown.
    view.expected.append("409")
    view.open(app.session)
    expect(view.row(3000)).to_contain_text("3000 events dropped: spool-full")
    expect(view.rows).to_have_count(3)
    expect(view.row(0)).to_have_attribute("aria-setsize", "3")
    expect(view.row(3001)).to_have_attribute("aria-posinset", "3")


def test_a_session_of_ten_thousand_events(view, app):
    app = app(state={"count": 0})
    app.send(*[
        {"event": "action", "action": {"type": f"group{number % 7}/step"},
         "patch": [{"op": "replace", "path": "/count", "value": number}]}
        for number in range(9_999)
    ])
    view = view().open(app.session)
    page = view.page
    expect(view.row(9_999)).to_be_in_viewport()
    expect(page.locator("#shown")).to_have_text("10\u202f000 events")
    sizes = set()
    for part in (0, 0.1, 0.25, 0.5, 0.77, 1):
        page.evaluate("""(part) => {
            const events = document.getElementById('events');
            events.scrollTop = (events.scrollHeight - events.clientHeight) * part;
        }""", part)
        # The row at a point is the expected one, loaded, and correct for screen readers.
        view.until("""(() => {
            const events = document.getElementById('events');
            const box = events.getBoundingClientRect();
            const row = document.elementFromPoint(box.left + 40, box.top + 40)?.closest('.row');
            if (!row) return false;
            const due = Math.floor((events.scrollTop + 40) / row.offsetHeight);
            return +row.dataset.seq === due && +row.getAttribute('aria-posinset') === due + 1
                && row.getAttribute('aria-setsize') === '10000' && row.querySelector('.label').textContent !== '';
        })()""")
        sizes.add(page.evaluate("document.querySelectorAll('#events .row').length"))
    assert len(sizes) == 1 and page.evaluate("document.querySelectorAll('#events *').length") < 800

    page.locator("#filter").fill("type:group3")
    expect(page.locator("#shown")).to_have_text("1\u202f428 of 10\u202f000")
    page.locator("#filter").fill("")
    view.open(app.session, event=4321)
    expect(view.row(4321)).to_be_in_viewport()
    expect(view.row(4321)).to_have_attribute("aria-selected", "true")
    expect(page.locator("#panel")).to_contain_text("4320")
    view.shot("ten-thousand-1280-light")


def test_an_unknown_session(view):
    view = view()
    view.expected.append("404")
    view.open("01JD3M8Q5R7V2X9B4N6T0KZYWE")
    expect(view.page.locator("#problem")).to_contain_text("Session not found")
    view.shot("not-found-1280-light")
    view.page.get_by_role("link", name="Go to sessions").click()
    expect(view.page.locator("#problem")).to_be_hidden()
    expect(view.page.locator("#welcome")).to_be_visible()


def test_a_late_failure_of_a_session_that_was_left_says_nothing(view, app):
    left, opened = app(name="Left", state={}), app(name="Opened", state={})
    view = view().open()
    view.expected.append("504")
    page = view.page
    held = []
    page.route(lambda url: url.endswith(f"/api/v1/sessions/{left.session}"), lambda route: held.append(route))
    with page.expect_request(f"**/api/v1/sessions/{left.session}"):
        page.locator("#session-list a", has_text="Left").click()
    page.locator("#session-list a", has_text="Opened").click()
    expect(view.row(0)).to_be_visible()
    with page.expect_response(f"**/api/v1/sessions/{left.session}"):
        held[0].fulfill(status=504, body="{}")
    # The page draws in a frame what has come before.
    view.draw()
    expect(page.locator("#problem")).to_be_hidden()
    expect(view.row(0)).to_be_visible()


def test_a_session_that_could_not_be_read_is_tried_again(view, app):
    app = app(state={})
    app.action("go")
    view = view().open(app.session)
    view.expected.append("503")
    page = view.page
    expect(view.row(1)).to_be_visible()
    expect(page.locator("#connection")).to_have_text("Connected")
    page.route("**/matches?*", lambda route: route.fulfill(status=503, body="{}"))
    page.locator("#filter").fill("type:go")
    expect(page.locator("#problem")).to_contain_text("Can’t read this session")
    page.unroute("**/matches?*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#problem")).to_be_hidden()
    expect(view.rows).to_have_count(1)
    expect(view.row(1)).to_be_visible()


def test_an_invalid_pointer_is_shown_unchanged(view, app):
    app = app(state={"a": 1})
    app.action("odd", patch=[{"op": "add", "path": "/a~2", "value": 2}, {"op": "add", "path": "b", "value": 3}])
    app.action("next", patch=[])
    view = view().open(app.session)
    expect(view.row(2)).to_contain_text("next")
    expect(view.row(1)).to_contain_text("odd")
