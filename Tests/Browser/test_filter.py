"""The filter: searches on the server, errors, dimming and help; grouping by hand."""

import json
import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def shop(app):
    app = app(state={"todos": [], "cart": {"total": 0}})
    for number in range(1, 9):
        app.action("todos/add", {"title": f"Milk {number}"},
                   [{"op": "add", "path": f"/todos/{number - 1}", "value": {"title": f"Milk {number}"}}])
        app.action("cart/pay", {"sum": number * 10}, [{"op": "replace", "path": "/cart/total", "value": number * 10}])
    return app


def seqs(view):
    return sorted(int(row.get_attribute("data-seq")) for row in view.rows.all())


@pytest.mark.parametrize("text, due", [
    ("path:/cart", [0, *range(2, 17, 2)]), ("path:/todos/2", [0, 5]), ("-path:/cart", list(range(1, 16, 2))),
    ('value:"Milk 4"', [7]), ("value:40", [8]), ("value:40 value:80", [8, 16]), ("value:MILK -value:4", [1, 3, 5, 7, 11, 13, 15]), ("-value:40 type:pay", [2, 4, 6, 10, 12, 14, 16]),
    ("/Milk [12]\"/", [1, 3]), ("re:milk", []), ("/milk/i type:add -/Milk [2-8]/", [1]),
    # Words match payloads, their keys, changed values, paths and states, ignoring case.
    ("milk", list(range(1, 16, 2))), ('"MILK 4"', [7]), ("title -milk", []), ("sum", list(range(2, 17, 2))), ("80", [16]),
    ("/todos/3", [7]), ("total", [0, *range(2, 17, 2)]), ("-milk", [0, *range(2, 17, 2)]), ("milk 4", [7, 9]),
    # The format's own names are not searched.
    ("patch", []), ("replace", []), ("op", []), ("seq", []), ("-payload", list(range(17))),
    # Types and stores, ignoring case; several are ORed.
    ("type:PAY", list(range(2, 17, 2))), ("type:c*y", list(range(2, 17, 2))), ("type:add type:pay", list(range(1, 17))),
    ("-type:add", [0, *range(2, 17, 2)]), ("store:MAI milk", list(range(1, 16, 2))), ("store:m*n", list(range(17))), ("-store:main", []),
    ("type:replace", []), ("store:m?n", []),
])
def test_the_server_finds_the_matches(view, shop, text, due):
    view = view().open(shop.session)
    expect(view.rows).to_have_count(17)
    view.page.locator("#filter").fill(text)
    expect(view.page.locator("#shown")).to_have_text(f"{len(due)} of 17")
    expect(view.rows).to_have_count(len(due))
    assert seqs(view) == due


@pytest.mark.parametrize("text", ["value:990", "990", "type:refund"])
def test_live_events_are_searched_too(view, shop, text):
    view = view().open(shop.session, filter=text)
    expect(view.page.locator("#no-events")).to_contain_text("No event matches")
    shop.action("cart/pay", {"sum": 1})
    last = shop.action("cart/refund", {"sum": 990})
    expect(view.row(last)).to_be_visible()
    expect(view.page.locator("#shown")).to_have_text("1 of 19")


@pytest.mark.parametrize("text, said", [
    ("re:(milk", "Unterminated group: re:(milk"), ("path:todos", "A path starts with a slash: path:/todos: path:todos"),
    ("re:[[:milk:]]", "at character"),
])
def test_an_invalid_term_is_shown_with_its_position(view, shop, text, said):
    view = view()
    view.expected.append("400")
    view.open(shop.session)
    view.page.locator("#filter").fill(f"todos {text}")
    expect(view.page.locator("#filter-error")).to_contain_text(said)
    expect(view.page.locator("#filter")).to_have_attribute("aria-invalid", "true")
    expect(view.page.locator("#shown")).to_have_text("9 of 17")
    view.shot(f"filter-mistake-{'place' if 'character' in said else len(text)}")
    view.page.locator("#filter").fill("todos")
    expect(view.page.locator("#filter-error")).to_be_hidden()
    expect(view.page.locator("#shown")).to_have_text("9 of 17")


@pytest.mark.parametrize("text, said", [("/(bad/", "Unterminated group: /(bad/"), ("re:[[:milk:]]", "at character")])
def test_an_invalid_term_beside_terms_without_a_match_is_shown(view, shop, text, said):
    view = view()
    view.expected.append("400")
    view.open(shop.session, filter=f"value:nowhere {text}")
    expect(view.page.locator("#filter-error")).to_contain_text(said)
    expect(view.page.locator("#no-events")).to_be_visible()
    expect(view.page.locator("#problem")).to_be_hidden()
    view.page.locator("#filter").fill("")
    expect(view.page.locator("#filter-error")).to_be_hidden()


@pytest.mark.parametrize("text, said", [
    ("milk " + "m " * 32, "More than 32 terms of one kind: m"), ("milk " + "x" * 2000, "This term is too long: xxx"),
])
def test_terms_over_the_servers_limits_are_shown_and_ignored(view, shop, text, said):
    view = view().open(shop.session)
    view.page.locator("#filter").fill(text)
    expect(view.page.locator("#filter-error")).to_contain_text(said)
    expect(view.page.locator("#shown")).to_have_text("8 of 17")


def test_the_others_stay_dimmed_and_matches_are_stepped_through(view, shop):
    view = view().open(shop.session, filter="pay")
    expect(view.rows).to_have_count(8)
    view.page.keyboard.press("m")
    expect(view.rows).to_have_count(17)
    expect(view.page.locator("#shown")).to_have_text("8 of 17")
    expect(view.page.locator("#events .is-dim")).to_have_count(9)
    expect(view.page.locator("#dim")).to_have_attribute("aria-pressed", "true")
    following = view.page.get_by_role("button", name="Next match")
    following.click()
    expect(view.selected).to_have_id("event-2")
    following.click()
    expect(view.selected).to_have_id("event-4")
    view.page.get_by_role("button", name="Previous match").click()
    expect(view.selected).to_have_id("event-2")
    view.page.get_by_role("button", name="Previous match").click()
    expect(view.page.locator("#searched")).to_have_text("Continued from the end")
    expect(view.selected).to_have_id("event-16")
    view.page.locator("#filter").press("Enter")
    expect(view.page.locator("#searched")).to_have_text("Continued from the start")
    expect(view.selected).to_have_id("event-2")
    view.page.reload()
    expect(view.page.locator("#events .is-dim")).to_have_count(9)
    view.page.get_by_role("button", name="Dim others").click()
    expect(view.rows).to_have_count(8)


def test_a_waiting_jump_is_dropped_when_another_event_is_selected(view, shop):
    view = view().open(shop.session, event=2)
    page = view.page
    expect(view.row(16)).to_be_visible()
    page.keyboard.press("m")
    held = []

    def first_6(route):
        """Answers the first search itself: two matches are found, and the rest is not searched."""
        if "from=0" not in route.request.url:
            return held.append(route)
        body = json.dumps({"seqs": [2, 4], "next": 6, "offset": 0, "committed": 17})
        return route.fulfill(body=body, content_type="application/json")

    page.route("**/matches?*", first_6)
    with page.expect_request(lambda request: "/matches?" in request.url and "from=0" not in request.url):
        page.locator("#filter").fill("type:pay")
    following = page.get_by_role("button", name="Next match")
    following.click()
    expect(view.selected).to_have_id("event-4")
    # This one waits for the rest.
    following.click()
    page.evaluate("import('/views/jump.js').then(() => {})")
    view.row(7).click()
    held[0].continue_()
    expect(page.locator("#shown")).to_have_text("8 of 17")
    view.draw()
    expect(view.selected).to_have_id("event-7")
    following.click()
    expect(view.selected).to_have_id("event-8")


def test_examples_of_the_syntax_can_be_clicked(view, shop):
    view = view().open(shop.session)
    view.page.get_by_role("button", name="Filter syntax").click()
    help = view.page.locator("#syntax")
    expect(help).to_contain_text("The event changed this path")
    view.page.keyboard.press("Escape")
    expect(help).to_be_hidden()
    expect(view.page.locator("#filter-help")).to_be_focused()
    view.page.keyboard.press("Enter")
    help.get_by_role("button", name="path:/todos/*/done").click()
    expect(view.page.locator("#shown")).to_have_text("9 of 17")
    expect(view.page.locator("#filter")).to_be_focused()


def test_what_is_typed_right_after_clearing_is_the_whole_filter(view, shop):
    view = view().open(shop.session, filter="path:/todos/*/done")
    expect(view.page.locator("#chips .term")).to_have_count(1)
    # No frame is drawn in between.
    view.page.evaluate("window.requestAnimationFrame = () => 0")
    view.page.locator("#unfilter").click()
    view.page.locator("#filter").fill("todo")
    view.page.wait_for_url("**filter=todo")


def test_a_match_is_shown_though_the_rows_before_it_change_meanwhile(view, app):
    app = app(state={})
    for number in range(1, 300):
        app.action("rare" if number in (10, 250) else "often")
    view = view().open(app.session, filter="type:rare", event=10)
    expect(view.rows).to_have_count(2)
    expect(view.selected).to_be_visible()
    view.page.evaluate("""() => {
        const frame = requestAnimationFrame.bind(window);
        const held = [];
        window.requestAnimationFrame = (job) => held.push(job);
        window.release = () => { window.requestAnimationFrame = frame; held.forEach((job) => frame(job)); };
    }""")
    view.page.locator("#dim").click()
    view.page.locator("#next-match").click()
    view.page.wait_for_url("**event=250&**")
    view.page.evaluate("release()")
    expect(view.row(249)).to_have_class(re.compile("is-dim"))
    expect(view.selected).to_be_in_viewport()


@pytest.fixture
def busy(app):
    app = app(state={"y": 0})
    app.action("page/open")
    for number in range(12):
        app.action("list/scrolled", patch=[{"op": "replace", "path": "/y", "value": number}])
    app.action("page/close")
    app.send({"event": "init", "store": "detail", "state": {}})
    for store in ("main", "detail"):
        app.send({"event": "action", "store": store, "action": {"type": "both/reset"}, "patch": [], "dispatch": 7})
    app.action("page/open")
    return app


def test_repeats_are_grouped_in_a_row_that_expands(view, busy):
    view = view(groups=True).open(busy.session)
    keys = view.page.keyboard
    expect(view.rows).to_have_count(7)
    expect(view.row(13)).to_contain_text("×12")
    expect(view.row(13)).to_have_attribute("aria-posinset", "3")
    expect(view.row(13).get_by_label("12 times, grouped")).to_be_visible()
    view.row(13).click(position={"x": 60, "y": 10})
    expect(view.selected).to_have_id("event-13")
    keys.press("ArrowDown")
    expect(view.selected).to_have_id("event-14")
    keys.press("ArrowUp")
    expect(view.selected).to_have_id("event-13")

    keys.press("ArrowRight")
    expect(view.rows).to_have_count(18)
    expect(view.selected).to_have_id("event-2")
    keys.press("ArrowDown")
    expect(view.selected).to_have_id("event-3")
    keys.press("ArrowLeft")
    expect(view.rows).to_have_count(7)
    expect(view.selected).to_have_id("event-13")
    assert "event=3" in view.page.url

    view.row(13).locator(".times").click()
    expect(view.rows).to_have_count(18)
    view.row(2).locator(".times").click()
    expect(view.rows).to_have_count(7)
    keys.press("f")
    expect(view.rows).to_have_count(18)
    expect(view.page.locator("#group")).to_have_attribute("aria-pressed", "false")
    view.page.reload()
    expect(view.row(17)).to_be_visible()
    expect(view.rows).to_have_count(18)
    view.page.locator("#group").click()
    expect(view.rows).to_have_count(7)


def test_a_dispatch_to_several_stores_is_one_row(view, busy):
    view = view(groups=True).open(busy.session)
    expect(view.row(17)).to_contain_text("main, detail")
    view.row(17).click()
    assert "event=17" in view.page.url
    view.page.keyboard.press("ArrowUp")
    expect(view.selected).to_have_id("event-15")


def test_live_repeats_join_their_group(view, busy):
    view = view(groups=True).open(busy.session)
    expect(view.rows).to_have_count(7)
    last = [busy.action("page/open") for _ in range(3)][-1]
    expect(view.row(last)).to_contain_text("×4")
    expect(view.rows).to_have_count(7)


def test_marked_events_are_not_grouped(view, app):
    app = app(state={})
    for number in range(9):
        app.send({"event": "action", "action": {"type": "a/b"}, "patch": [], **({"unfinished": True} if number == 4 else {})})
    view = view(groups=True).open(app.session)
    expect(view.rows).to_have_count(4)
    expect(view.row(5).get_by_label("error")).to_be_visible()


def test_a_group_shows_the_flag_of_its_bookmarked_event(view, busy):
    view = view(groups=True).open(busy.session)
    expect(view.rows).to_have_count(7)
    view.page.evaluate("""(session) => fetch(`/api/v1/sessions/${session}/bookmarks`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ seq: 5, text: 'too far' }) })""",
                       busy.session)
    expect(view.row(13).get_by_label("bookmark: too far")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280, 2560])
def test_how_it_looks(view, busy, width, scheme):
    from test_look import look
    view = view(width, 740 if width < 720 else 800, scheme, groups=True).open(busy.session, filter="page")
    page = view.page
    page.locator("#dim").click()
    expect(view.rows).to_have_count(7)
    look(view, f"filter-{width}-{scheme}")
    page.locator("#dim").click()
    page.get_by_role("button", name="Filter syntax").click()
    expect(page.locator("#syntax")).to_be_visible()
    look(view, f"syntax-{width}-{scheme}")
