"""Writing or editing an action and dispatching it, and which session receives it."""

import json

import pytest
from playwright.sync_api import expect


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def recorded(app):
    app = app(state={"count": 0})
    app.action("count/up", {"by": 1}, [{"op": "replace", "path": "/count", "value": 1}])
    app.action("other/thing")
    app.action("count/up", {"by": 9007199254740993}, [{"op": "replace", "path": "/count", "value": 2}])
    app.action("last/one", {"a": [1, {"b": None}]})
    return app


def dialog(view):
    return view.page.get_by_role("dialog")


def write(view):
    expect(view.page.locator("#apply")).to_be_enabled()
    view.page.keyboard.press("a")


def text(view):
    return view.page.get_by_label("Action as JSON")


def test_a_recorded_action_is_edited_and_dispatched(view, recorded):
    view = view().open(recorded.session, event=4)
    view.page.get_by_role("button", name="Edit and dispatch").click()
    expect(dialog(view)).to_contain_text("Edit and dispatch #4")
    expect(text(view)).to_have_value(json.dumps({"type": "last/one", "payload": {"a": [1, {"b": None}]}}, indent=2))
    dialog(view).get_by_role("button", name="JSON", exact=True).click()
    text(view).fill('{"type": "last/one", "payload": {"id": 18446744073709551615}}')
    with view.page.expect_request("**/push") as request:
        view.page.keyboard.press("Control+Enter")
    assert '"payload":{"id":18446744073709551615}' in request.value.post_data
    recorded.accept()
    expect(dialog(view)).to_contain_text("Dispatched last/one (recorded as #5)")
    view.shot("dispatched-1280-light")
    dialog(view).get_by_role("link", name="#5").click()
    expect(dialog(view)).to_have_count(0)
    expect(view.page.locator("#event-seq")).to_have_text("#5")


def test_a_new_action_copies_the_last_one_of_its_type(view, recorded):
    view = view().open(recorded.session)
    write(view)
    types = view.page.get_by_label("Copy an earlier action")
    expect(types.locator("option")).to_have_text(
        ["Copy an earlier action…", "count/up (2)", "last/one (1)", "other/thing (1)"], use_inner_text=True)
    view.shot("new-action-1280-light")
    types.select_option("count/up")
    expect(text(view)).to_have_value('{\n  "type": "count/up",\n  "payload": {\n    "by": 9007199254740993\n  }\n}')
    view.page.get_by_role("button", name="Dispatch", exact=True).click()
    assert recorded.accept()["action"] == {"type": "count/up", "payload": {"by": 9007199254740993}}
    expect(dialog(view)).to_contain_text("(recorded as")


def test_an_error_has_line_and_column_and_nothing_is_sent(view, recorded):
    sent = []
    view = view().open(recorded.session)
    view.page.on("request", lambda request: request.url.endswith("/push") and sent.append(request.url))
    write(view)
    text(view).fill('{\n  "type": "x",\n  "payload": {"a": \'b\'}\n}')
    view.page.keyboard.press("Control+Enter")
    expect(dialog(view)).to_contain_text("Line 3, column 20: expected a value, found a single quote")
    assert text(view).evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == "'"
    for written, told in {
        '{"type": ""}': "has no “type”", '["x"]': "An action is an object", '{"type": "x", "id": 1}': "Move “id” into the payload",
        '{"type": "x", "type": "y"}': 'duplicate key "type"', '{"type": "x"': "expected a comma or “}”, but the text ends here",
        '{"type": "x}': "no closing double quote", '{"type": "x"} y': "expected the end, found “y”",
    }.items():
        text(view).fill(written)
        view.page.keyboard.press("Control+Enter")
        expect(dialog(view)).to_contain_text(told)
    assert sent == []


def test_a_caret_is_below_the_error_whatever_the_letters(view, recorded):
    view = view().open(recorded.session)
    write(view)
    for line in ["  \"payload\": {\"a\": 'b'}", "\t\"Grüße 東京 😀\": 'b'", "\"" + "x" * 200 + "\": 'b'"]:
        text(view).fill('{\n' + line + '\n}')
        shown = dialog(view).locator(".check pre")
        expect(shown).to_contain_text("'b'")
        # The caret is below the quote: the boxes of both begin at the same place.
        moved = shown.evaluate("""(pre) => {
            const place = document.createRange();
            const [line] = pre.childNodes;
            place.setStart(line, line.data.indexOf("'"));
            place.setEnd(line, line.data.indexOf("'") + 1);
            const [quote, caret] = [place, pre.querySelector('.caret')].map((one) => one.getBoundingClientRect());
            const above = pre.previousSibling.getBoundingClientRect().bottom <= pre.getBoundingClientRect().top;
            return { right: caret.left - quote.left, below: above && caret.top >= quote.bottom - 1, mono: getComputedStyle(pre).fontFamily };
        }""")
        assert abs(moved["right"]) < 0.5 and moved["below"] and "mono" in moved["mono"], (line, moved)
    view.shot("json-error-1280-light")


def test_one_error_is_shown_at_a_time_in_one_column(view, recorded):
    view = view()
    view.expected.append("422")
    view.open(recorded.session)
    write(view)
    text(view).fill('{"type": "count/up", "payload": {"by": "many"}}')
    view.page.keyboard.press("Control+Enter")
    recorded.refuse(code="decode", message="Expected Int but found a string.", path="/payload/by")
    lines = dialog(view).locator(".outcome p")
    expect(lines).to_have_count(3)
    assert len({lines.nth(index).bounding_box()["x"] for index in range(3)}) == 1
    text(view).fill('{"type": "count/up", "payload": }')
    expect(dialog(view).locator(".check")).to_contain_text("Line 1, column 33")
    expect(lines).to_have_count(0)
    text(view).fill('{"type": ""}')
    view.page.keyboard.press("Control+Enter")
    expect(lines).to_have_text(["The action has no “type”."])
    expect(dialog(view).locator(".check")).to_be_empty()


def test_the_dialog_shows_the_apps_error_and_keeps_the_text(view, recorded):
    view = view()
    view.expected.append("422")
    view.open(recorded.session)
    write(view)
    text(view).fill('{"type": "count/up", "payload": {"by": "many"}}')
    view.page.keyboard.press("Control+Enter")
    recorded.refuse(code="decode", message="Expected Int but found a string.", path="/payload/by")
    expect(dialog(view)).to_contain_text("The app couldn’t decode this")
    expect(dialog(view)).to_contain_text("At /payload/by")
    expect(text(view)).to_have_value('{"type": "count/up", "payload": {"by": "many"}}')
    view.page.keyboard.press("Escape")
    # Wait until it is removed: until then its text gets the keys.
    expect(view.page.locator("dialog")).to_have_count(0)
    write(view)
    expect(text(view)).to_have_value('{"type": "count/up", "payload": {"by": "many"}}')


def test_a_new_line_keeps_the_indent(view, recorded):
    view = view().open(recorded.session)
    write(view)
    text(view).fill("")
    for key in ("{", "Enter", "[", "Enter", "1"):
        view.page.keyboard.press(key)
    expect(text(view)).to_have_value("{\n  [\n    1")
    text(view).fill('{"type":"x","payload":[1.10]}')
    view.page.get_by_role("button", name="Indent").click()
    expect(text(view)).to_have_value('{\n  "type": "x",\n  "payload": [\n    1.10\n  ]\n}')


def test_the_store_is_chosen_if_there_are_several(view, app):
    app = app(state={})
    app.send({"event": "init", "store": "detail", "state": {}})
    app.action("go", None, store="detail")
    view = view().open(app.session, event=2)
    expect(view.page.locator("#edit-dispatch")).to_be_enabled()
    view.page.keyboard.press("Shift+D")
    expect(view.page.get_by_label("Store", exact=True)).to_have_value("detail")
    view.page.get_by_label("Store", exact=True).select_option("main")
    view.page.keyboard.press("Control+Enter")
    text(view).press("Control+Enter")
    assert app.accept()["store"] == "main"


def test_an_ended_session_controls_the_live_one(view, app):
    old = app(state={"old": 9007199254740993}, version="1.0")
    old.action("old/thing", {"a": 1}, [])
    old.stop()
    new = app(state={"new": 1}, version="1.1")
    view = view().open(old.session, event=1)
    note = view.page.locator("#target")
    expect(note).to_contain_text("go to Tape 1.1 on Test bench")
    expect(note).to_contain_text("It runs build 1.1, the tape is of 1.0")
    view.shot("other-build-1280-light")
    view.page.keyboard.press("p")
    assert new.accept(filled=["/new"])["state"] == {"old": 9007199254740993}
    expect(view.outcome).to_contain_text("Applied state #1 (recorded as #1 of another session)")
    view.page.keyboard.press("d")
    assert new.accept()["action"] == {"type": "old/thing", "payload": {"a": 1}}
    write(view)
    expect(dialog(view)).to_contain_text("go to Tape 1.1")
    view.page.keyboard.press("Escape")
    new.stop()
    expect(view.page.locator("#why-not")).to_contain_text("The app is not running.")
    view.page.keyboard.press("a")
    expect(view.page.locator("#notice")).to_contain_text("The app is not running.")
    expect(note).to_be_hidden()


def test_all_devices_launch_from_a_state_after_asking(view, recorded):
    view = view().open(recorded.session, event=1)
    page = view.page
    page.get_by_label("Launch state").click()
    page.get_by_role("menuitem", name="Launch from #1 on all devices").click()
    expect(dialog(view)).to_contain_text("for everyone who uses this server")
    dialog(view).get_by_role("button", name="Cancel").click()
    expect(page.locator("#launch-state")).to_be_hidden()
    page.get_by_label("Launch state").click()
    page.get_by_role("menuitem", name="Launch from #1 on all devices").click()
    dialog(view).get_by_role("button", name="Launch all from here").click()
    expect(page.locator("#launch-state")).to_contain_text("Launches start at #1")
    expect(view.outcome).to_contain_text("Tape on all devices")
    page.get_by_label("Launch state").click()
    page.get_by_role("menuitem", name="Clear launch state").click()
    expect(page.locator("#launch-state")).to_be_hidden()


def test_launches_resume_the_last_state_of_the_device(view, app, recorded):
    view = view().open(recorded.session, event=1)
    view.page.get_by_label("Launch state").click()
    view.page.get_by_role("menuitem", name="Resume the last state of Test bench").click()
    expect(view.page.locator("#launch-state")).to_contain_text("Launches resume the last state of this device")
    recorded.stop()
    again = app()
    assert again.welcome["start"]["states"]["main"] == {"count": 2}
