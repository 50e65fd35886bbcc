"""Editing a state in place and applying the result."""

import json

import pytest
from playwright.sync_api import expect

from test_look import SIZES, look


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def app(app):
    app = app(state={"title": "Inbox", "count": 9007199254740993, "open": True, "gone": None,
                     "todos": [{"id": 1, "title": "Buy milk"}, {"id": 2, "title": "Call Ana"}], "empty": {}})
    app.action("nothing", None, [{"op": "replace", "path": "/title", "value": "Outbox"}])
    return app


@pytest.fixture
def state(view, app):
    view = view().open(app.session, event=0, tab="state")
    expect(view.page.locator("#state-tree")).to_contain_text("Buy milk")
    return view


def row(view, name):
    return view.page.locator("#state-tree .node", has=view.page.locator(f".name:text-is('{name}')")).first


def edit(view, name, text, key="Enter"):
    row(view, name).locator(".value").click()
    view.page.locator("#state-tree").press(key)
    view.page.get_by_label("Value", exact=True).fill(text)
    view.page.keyboard.press("Enter")


def draft(view):
    return view.page.get_by_role("region", name="Draft")


def play(view, app, **answer):
    view.page.get_by_role("button", name="Apply edited state").click()
    return app.accept(**answer)["state"]


def test_a_text_and_an_exact_number_are_edited_and_applied(state, app):
    pushed = []
    state.page.on("request", lambda request: request.url.endswith("/push") and pushed.append(request.post_data))
    edit(state, "title", 'He said "hi"')
    expect(row(state, "title")).to_contain_text('"He said \\"hi\\""')
    expect(draft(state)).to_contain_text("1 edit")
    edit(state, "count", "9007199254740995.10", key="F2")
    expect(draft(state)).to_contain_text("2 edits")
    expect(row(state, "count")).to_have_class("node changed")
    state.shot("draft-1280-light")
    assert play(state, app, filled=["/theme"])["title"] == 'He said "hi"'
    expect(state.outcome).to_contain_text("Applied edited state #0 (recorded as #2)")
    expect(state.outcome).to_contain_text("/theme")
    assert '"count":9007199254740995.10' in pushed[0]
    assert pushed[0].startswith('{"store":"main","state":{"title"')


def test_the_app_alone_writes_to_the_tape(state, app, server):
    edit(state, "title", "Never recorded")
    expect(draft(state)).to_contain_text("1 edit")
    expect(state.page.locator("#shown")).to_have_text("2 events")
    play(state, app)
    expect(state.page.locator("#shown")).to_have_text("3 events")


def test_a_boolean_switches_and_edits_are_undone_and_redone(state):
    row(state, "open").locator(".value").click()
    state.page.keyboard.press("e")
    expect(row(state, "open")).to_contain_text("false")
    state.page.locator("#state-tree").press("Control+z")
    expect(row(state, "open")).to_contain_text("true")
    state.page.locator("#state-tree").press("Control+Shift+Z")
    expect(row(state, "open")).to_contain_text("false")
    draft(state).get_by_role("button", name="Undo").click()
    expect(row(state, "open")).to_contain_text("true")
    expect(draft(state).get_by_role("button", name="Apply")).to_be_disabled()
    draft(state).get_by_role("button", name="Redo").click()
    draft(state).get_by_role("button", name="Discard").click()
    expect(draft(state)).to_be_hidden()
    expect(row(state, "open")).to_contain_text("true")


def test_another_kind_of_value_and_its_errors(state):
    row(state, "gone").locator(".value").dblclick()
    field = state.page.get_by_label("Value", exact=True)
    expect(field).to_have_value("null")
    field.fill('{"a": 01}')
    state.page.keyboard.press("Enter")
    expect(draft(state).get_by_role("alert")).to_have_text("Line 1, column 7: expected a value, found “01”")
    field.fill('{"a": 1}')
    expect(draft(state).get_by_role("alert")).to_be_empty()
    state.page.keyboard.press("Enter")
    expect(row(state, "gone")).to_contain_text("{a: 1}")
    row(state, "title").locator(".value").click()
    state.page.keyboard.press("F2")
    state.page.get_by_label("Type", exact=True).select_option("JSON")
    expect(field).to_have_value('"Inbox"')
    field.fill("12")
    state.page.keyboard.press("Enter")
    expect(row(state, "title").locator(".number")).to_have_text("12")
    row(state, "title").locator(".value").click()
    state.page.keyboard.press("F2")
    field.fill("13")
    state.page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    expect(row(state, "title").locator(".number")).to_have_text("12")
    expect(state.page.locator("#state-tree")).to_be_focused()


def test_members_are_renamed_added_and_removed(state, app):
    page = state.page
    row(state, "title").locator(".value").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.keyboard.press("Escape")
    draft(state).get_by_role("button", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("open")
    page.keyboard.press("Enter")
    expect(draft(state).get_by_role("alert")).to_have_text("This key exists already.")
    page.get_by_label("Name", exact=True).fill("__proto__")
    page.keyboard.press("Enter")
    expect(row(state, "__proto__")).to_contain_text("Inbox")
    row(state, "empty").locator(".value").click()
    draft(state).get_by_role("button", name="Add").click()
    page.get_by_label("Name", exact=True).fill("new")
    page.get_by_label("Value", exact=True).fill("[1]")
    page.keyboard.press("Enter")
    expect(page.locator(".tree-path")).to_have_text("/empty/new")
    row(state, "todos").locator(".name").click()
    row(state, "0").locator(".value").click()
    page.locator("#state-tree").press("Delete")
    expect(draft(state)).to_contain_text("3 edits")
    played = play(state, app)
    assert list(played) == ["__proto__", "count", "open", "gone", "todos", "empty"]
    assert played["empty"] == {"new": [1]} and played["todos"] == [{"id": 2, "title": "Call Ana"}]


def test_a_part_is_edited_as_json_text(state, app):
    page = state.page
    row(state, "todos").locator(".value").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    text = page.get_by_label("Value as JSON")
    assert json.loads(text.input_value())[1] == {"id": 2, "title": "Call Ana"}
    text.fill('[\n  {"id": 3,}\n]')
    expect(page.get_by_role("dialog")).to_contain_text("Line 2, column 11: a comma after the last element")
    state.shot("json-error-1280-light")
    text.fill('[\n  {"id": 18446744073709551615}\n]')
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    pushed = []
    page.on("request", lambda request: request.url.endswith("/push") and pushed.append(request.post_data))
    play(state, app)
    assert '"todos":[{"id":18446744073709551615}]' in pushed[0]


def test_a_draft_survives_stepping_away(state):
    edit(state, "title", "Kept")
    state.page.locator("#events").focus()
    state.page.keyboard.press("j")
    expect(row(state, "title")).to_contain_text("Outbox")
    note = state.page.locator(".draft-note")
    expect(note).to_have_text("Draft at #0 (1 edit).")
    note.get_by_role("link", name="#0").click()
    expect(row(state, "title")).to_contain_text("Kept")
    expect(draft(state)).to_contain_text("1 edit")


def test_the_path_of_the_apps_error_is_shown_in_the_tree(state, app):
    state.expected.append("422")
    edit(state, "title", "Refused")
    state.page.get_by_role("button", name="Apply edited state").click()
    app.refuse(code="decode", message="Expected Int", path="/todos/1/id")
    expect(state.outcome).to_contain_text("The app couldn’t decode this")
    state.outcome.get_by_role("button", name="/todos/1/id").click()
    expect(state.page.locator(".tree-path")).to_have_text("/todos/1/id")
    expect(row(state, "title")).to_contain_text("Refused")


def test_without_the_app_a_draft_says_why_it_is_not_applied(state, app):
    edit(state, "title", "Later")
    app.stop()
    expect(draft(state)).to_contain_text("The app is not running.")
    expect(draft(state).get_by_role("button", name="Apply")).to_be_disabled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_how_it_looks(view, app, size, scheme):
    width, height = SIZES[size]
    app.action("todos/rename", {"id": 1}, [{"op": "replace", "path": "/todos/0/title", "value": "Buy oat milk"}])
    view = view(width, height, scheme).open(app.session, event=2, tab="state")
    page = view.page
    page.get_by_label("Search keys and values in this state").fill("milk")
    expect(page.locator(".found")).to_have_text("1 of 1")
    page.get_by_role("button", name="Pin", exact=True).click()
    edit(view, "count", "12")
    row(view, "title").locator(".value").click()
    page.locator("#state-tree").press("F2")
    expect(page.get_by_label("Value", exact=True)).to_be_visible()
    look(view, f"editing-{size}-{scheme}")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Edit as JSON", exact=True).click()
    page.get_by_label("Value as JSON").fill('{"a": 1,}')
    look(view, f"json-{size}-{scheme}")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.locator(".history").first.click()
    page.get_by_role("button", name="the previous event").first.click()
    expect(page.get_by_role("group", name="History")).to_contain_text("Next change: none")
    look(view, f"history-{size}-{scheme}")
