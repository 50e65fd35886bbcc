"""The rows of the timeline hold values: the payload's, and what changed to what."""

from playwright.sync_api import expect

from test_file import choose, page, static  # noqa: F401
from test_file_answers import HEADER, PATH, Both, action, lines, put
from test_hostile import EVIL


def todos(app):
    app = app(state={"todos": [{"title": "Oats", "done": False}], "history": []})
    app.action("todos/add", {"_0": "Milk"}, [
        {"op": "add", "path": "/history/0", "value": {"todos": []}}, {"op": "add", "path": "/todos/1", "value": {"title": "Milk", "done": False}}])
    app.action("todos/toggle", {"id": "t8"}, [put("/todos/1/done", True)])
    app.action("todos/remove", {"at": 0}, [{"op": "remove", "path": "/todos/0"}])
    app.action("session/logIn", {"password": {"$redacted": True}}, [put("/token", {"$redacted": True})])
    app.send({"event": "note", "text": "error 422 “no stock”", "level": "error"})
    return app


def test_rows_hold_values(view, app):
    app = todos(app)
    view = view().open(app.session)
    for seq, payload, changes in [
            (1, '"Milk"', 'todos›1 + {title: "Milk", …}, history›0 + {todos: []}'), (2, '"t8"', "todos›1›done = true"),
            (3, "at: 0", "todos›0 −"), (4, "password: secret", "token = secret")]:
        expect(view.row(seq).locator(".payload")).to_have_text(payload)
        expect(view.row(seq).locator(".summary")).to_have_text(changes)
    expect(view.row(5)).to_contain_text("error 422 “no stock”")
    view.shot("previews-1280-light")


def test_rows_of_a_file_hold_the_same_values(page):
    view = page()
    text = "\n".join(lines([
        {"event": "init", "state": {"todos": []}}, action("todos/add", {"patch": [{"op": "add", "path": "/todos/0", "value": {"title": "Milk", "n": 1}}]}, payload={"_0": "Milk"}),
    ]))
    choose(view, ("run.tape", text.encode()))
    expect(view.row(1).locator(".payload")).to_have_text('"Milk"')
    expect(view.row(1).locator(".summary")).to_have_text('todos›0 + {title: "Milk", …}')


def test_a_live_row_gets_its_values(view, app):
    app = app(state={"count": 0})
    view = view().open(app.session)
    expect(view.page.locator("#connection")).to_have_text("Connected")
    for number in range(1, 4):
        app.action("count/up", {"by": number}, [put("/count", number)])
        expect(view.row(number).locator(".payload")).to_have_text(f"by: {number}")
        expect(view.row(number).locator(".summary")).to_have_text(f"count = {number}")
    # The new text has not changed the row's height or the list's.
    assert view.page.evaluate("new Set([...document.querySelectorAll('#events .row:not([hidden])')].map((row) => row.offsetHeight)).size") == 1


def test_a_grouped_row_holds_the_last_values(view, app):
    app = app(state={"count": 0})
    for number in range(1, 700):
        app.action("count/up", {"by": number}, [put("/count", number)])
    app.action("done", patch=[])
    view = view(groups=True).open(app.session)
    expect(view.row(699)).to_contain_text("×699")
    expect(view.row(699).locator(".payload")).to_have_text("by: 699")
    expect(view.row(699).locator(".summary")).to_have_text("count = 699")
    view.row(699).locator(".times").click()
    view.page.keyboard.press("Home")
    expect(view.row(1).locator(".summary")).to_have_text("count = 1")


def test_the_events_of_one_dispatch_share_a_row_with_all_values(view, app):
    app = app(state={"count": 0})
    app.send({"event": "init", "store": "side", "state": {}})
    for store in ("main", "side"):
        app.send({"event": "action", "store": store, "dispatch": 7, "action": {"type": "reset", "payload": "all"}, "patch": [put(f"/in{store}", 0)]})
    view = view(groups=True).open(app.session)
    expect(view.row(3).locator(".payload")).to_have_text('"all"')
    expect(view.row(3).locator(".summary")).to_have_text("inmain = 0, inside = 0")


def test_the_first_rows_do_not_wait_for_values(view, app):
    app = todos(app)
    view = view()
    held = []
    view.page.route("**/events?*fields=preview", lambda route: held.append(route))
    with view.page.expect_request("**/events?*fields=preview"):
        view.open(app.session)
    expect(view.row(2).locator(".name")).to_have_text("todos/toggle")
    expect(view.row(2).locator(".summary")).to_have_text("todos›1›done")
    height = view.row(2).bounding_box()
    for route in held:
        route.continue_()
    view.page.unroute("**/events?*fields=preview")
    expect(view.row(2).locator(".summary")).to_have_text("todos›1›done = true")
    assert view.row(2).bounding_box() == height


def test_a_failed_request_leaves_the_rows_as_they_are(view, app):
    app = todos(app)
    view = view()
    view.expected.append("503")
    asked = []
    view.page.route("**/events?*fields=preview", lambda route: (asked.append(1), route.fulfill(status=503, body="{}")))
    view.open(app.session)
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()
    for _ in range(5):
        view.page.keyboard.press("ArrowUp")
    expect(view.row(2).locator(".summary")).to_have_text("todos›1›done")
    assert len(asked) < 4


def test_only_visible_rows_are_asked_for(view, app):
    app = app(state={"count": 0})
    for number in range(1, 1000):
        app.action("count/up", {"by": number}, [put("/count", number)])
    view = view()
    asked = []
    view.page.on("request", lambda request: "fields=preview" in request.url and asked.append(request.url))
    view.open(app.session)
    expect(view.row(999).locator(".summary")).to_have_text("count = 999")
    view.page.keyboard.press("Home")
    expect(view.row(1).locator(".summary")).to_have_text("count = 1")
    assert asked and all(int(url.split("limit=")[1].split("&")[0]) <= 200 for url in asked)
    assert all(int(url.split("from=")[1].split("&")[0]) < 100 or int(url.split("from=")[1].split("&")[0]) > 900 for url in asked)


def test_sizes_are_a_column_that_is_off_by_default(view, app):
    app = todos(app)
    view = view().open(app.session)
    sizes = view.page.get_by_role("button", name="Sizes")
    expect(view.row(2).locator(".summary")).to_have_text("todos›1›done = true")
    expect(view.row(2).locator(".size")).to_be_hidden()
    expect(sizes).to_have_attribute("aria-pressed", "false")
    sizes.click()
    expect(view.row(2).locator(".size")).to_be_visible()
    view.shot("previews-sizes-1280-light")
    view.page.reload()
    expect(view.row(2).locator(".size")).to_be_visible()
    sizes.click()
    expect(view.row(2).locator(".size")).to_be_hidden()
    left = "(name) => document.querySelector(name).getBoundingClientRect().left"
    assert view.page.evaluate(left, "#columns :nth-child(6)") == view.page.evaluate(left, "#events .row:not([hidden]) .summary")


def test_hostile_values_are_shown_as_text(view, app):
    app = app(state={})
    for evil in EVIL:
        path = "/" + evil.replace("~", "~0").replace("/", "~1")
        app.action("evil", {evil: evil}, [{"op": "add", "path": path, "value": {evil: evil}}])
    view = view(height=1200).open(app.session)
    expect(view.row(1).locator(".payload")).to_have_text(f'{EVIL[0]}: "{EVIL[0]}"')
    expect(view.row(1).locator(".summary")).to_have_text(f'{EVIL[0]} + {{{EVIL[0]}: "{EVIL[0]}"}}')
    for seq in range(1, len(EVIL) + 1):
        expect(view.row(seq).locator(".new")).to_contain_text(" + {")
    assert view.page.evaluate("document.querySelectorAll('#events :is(img, script, style, svg)').length") == 0
    # A value that turns the direction of writing does not turn what stands beside it.
    assert view.page.evaluate("getComputedStyle(document.querySelector('#events .new')).unicodeBidi") == "isolate"


def test_the_words_of_a_search_are_marked(view, app):
    app = todos(app)
    app.action("(milk)", "MILK <b>milk</b>", [put("/drink", "oat milk")])
    view = view().open(app.session, filter="milk -oats")
    marks = view.row(6).locator("mark")
    expect(marks).to_have_text(["milk", "MILK", "milk", "milk"])
    expect(view.row(6).locator(".payload")).to_have_text('"MILK <b>milk</b>"')
    view.shot("previews-marks-1280-light")
    view.page.locator("#filter").fill("(MILK) <b>")
    expect(marks).to_have_text(["(milk)", "<b>"])
    view.page.locator("#filter").fill("/mi[l]k/")
    expect(marks).to_have_count(0)
    view.page.locator("#filter").fill("")
    expect(view.row(6).locator(".summary")).to_have_text('drink = "oat milk"')
    expect(view.page.locator("#events mark")).to_have_count(0)


def test_the_newest_event_is_selected_when_a_session_opens(view, app):
    app = todos(app)
    view = view().open(app.session)
    expect(view.selected).to_have_id("event-5")
    expect(view.page.locator("#event-label")).to_have_text("error 422 “no stock”")
    # The address does not name it: a reload selects what is newest then, and the list follows new events.
    assert "event=" not in view.page.url
    app.action("later", patch=[])
    expect(view.row(6)).to_be_visible()
    expect(view.selected).to_have_id("event-5")
    view.page.reload()
    expect(view.selected).to_have_id("event-6")
    view.page.keyboard.press("Escape")
    expect(view.selected).to_have_count(0)
    view.open(app.session, event=2)
    expect(view.selected).to_have_id("event-2")


def test_on_a_phone_the_list_comes_first(view, app):
    app = todos(app)
    view = view(360, 740).open(app.session)
    expect(view.row(5)).to_be_visible()
    expect(view.page.locator("#inspector")).to_be_hidden()


VALUES = [
    "Milk", 7, True, None, [], [3], [3, 4, 5], {}, {"n": 1, "title": "Milk"}, {"_0": "Milk"}, {"_0": {"_0": {"title": "Oats"}}},
    {"_0": "a", "_1": 2}, {"at": None, "n": 2}, {"at": None}, {"todo": {"id": 3, "title": "Milk"}}, {"2": "two", "1": "one"},
    {"2": "two", "b": "B"}, {"$redacted": True}, {"password": {"$redacted": True}, "x": {}}, {"title": {"a": 1}, "id": 4},
    "two\nli\tnes\0\x7f", "😀" * 60, "😀" * 61, "x" + "😀" * 60, "e\u0301" * 40, "x" * 70_000, {"k" * 300: 1}, {**{f"k{n}": None for n in range(100)}, "title": "late"},
    {"__proto__": 1}, {"constructor": {"toString": 2}}, [[[[1]]], 2], [{"name": "Ana", "n": 1}, 2], {"_0": None}, {"_0": [{"_0": 1}]},
    {"-1": 1, "01": 2, "1e3": 3}, "", {"": ""}, {"title": ""}, {"\u0661": "digit"},
]
PATCHES = [
    [{"op": "add", "path": "/history/0", "value": 1}, put("/n", 1), put("/a/undo/b", 2), put("/historyless", 3), put("/z", 4)],
    [{"op": "remove", "path": "/a"}, {"op": "move", "from": "/a", "path": "/b"}, {"op": "copy", "from": "/b", "path": "/c"}],
    [{"op": "splice", "path": "/t", "at": 0, "remove": 0, "insert": "oat"}, {"op": "splice", "path": "/t", "at": 0, "remove": 1, "insert": ""}],
    [{"op": "test", "path": "/a", "value": 1}, put("", {"title": "whole"}), put("/" + "k" * 300, 1)],
]


def test_a_file_has_the_values_that_the_server_has(view, server):
    events = [{"event": "init", "state": {}}, *(action("a", {"patch": [put("/a", 1717)]}, payload={"n": 1717}) for _ in range(9))]
    events += [action("a", {"patch": [put("/a", value), {"op": "add", "path": "/b/-", "value": [value]}]}, payload=value) for value in VALUES]
    events += [action("a", {"patch": patch}) for patch in PATCHES]
    events += [action("big", {"patch": [put(f"/n{number}", "x" * 60) for number in range(1000)]})]
    made = list(lines(events))
    for place, source in enumerate(["12345678901234567890.10", "1.0", "-0", "1E5", "1e-7", "0.10", "1" * 80]):
        made[place + 3] = made[place + 3].replace("1717", source)
    tape = "\n".join(made) + "\n"
    view = view()
    both = Both(view, server, tape)
    both.same(f"{PATH}/events?fields=preview")
    both.same(f"{PATH}/events?fields=preview&from=3&limit=2")


def test_the_action_column_can_be_resized(view, app):
    app = todos(app)
    view = view().open(app.session)
    border = view.page.get_by_role("separator", name="Action column width")
    expect(border).to_have_attribute("aria-valuenow", "43")
    cell = view.row(2).locator(".label")
    before = cell.bounding_box()["width"]
    box = border.bounding_box()
    view.page.mouse.move(box["x"], box["y"] + 5)
    view.page.mouse.down()
    view.page.mouse.move(box["x"] + 80, box["y"] + 5)
    view.page.mouse.up()
    assert abs(cell.bounding_box()["width"] - before - 80) <= 8
    dragged = border.get_attribute("aria-valuenow")
    view.page.reload()
    expect(border).to_have_attribute("aria-valuenow", dragged)
    border.focus()
    view.page.keyboard.press("ArrowLeft")
    expect(border).to_have_attribute("aria-valuenow", str(int(dragged) - 2))
    expect(view.selected).to_have_id(f"event-{app.seq - 1}")
    border.dblclick()
    expect(border).to_have_attribute("aria-valuenow", "43")
    assert abs(cell.bounding_box()["width"] - before) <= 1
