"""The inspector: action, diff, state, raw; exact numbers; what stays while stepping."""

import sqlite3
import time
from contextlib import closing

import pytest
from playwright.sync_api import expect


@pytest.fixture
def app(app):
    text = "It was a bright cold day in April, and the clocks were striking thirteen. " * 3
    app = app(state={
        "todos": [{"id": number, "title": f"Todo {number}", "done": False} for number in range(250)],
        "document": text + "😀é", "counter": 41, "theme": None,
    })
    app.action("todos/toggle", {"id": 3}, caller="Todo/View.swift:41", took=0.042, patch=[
        {"op": "replace", "path": "/todos/3/done", "value": True}, {"op": "replace", "path": "/counter", "value": 42}])
    app.action("document/type", {"text": "wet and "}, [
        {"op": "splice", "path": "/document", "at": 9, "remove": 7, "insert": "dark and "}])
    app.action("todos/remove", {"id": 7}, [{"op": "remove", "path": "/todos/7"}])
    app.send('"event":"action","action":{"type":"exact","payload":{"id":9007199254740993,"price":1.10,"tiny":1e-9}},'
             '"patch":[{"op":"add","path":"/exact","value":{"id":9007199254740993,"price":1.10}}]')
    app.send({"event": "replace", "state": {"todos": [], "document": "", "counter": 0}, "cause": {"set": True}})
    return app


def changes(view):
    return view.page.locator(".change")


def test_the_diff_shows_old_and_new_by_path(view, app):
    view = view().open(app.session, event=1)
    expect(changes(view)).to_have_count(2)
    first, second = changes(view).all()
    expect(first.locator(".path")).to_have_text("todos › 3 › done")
    expect(first.locator("del")).to_have_text("false")
    expect(first.locator("ins")).to_have_text("true")
    expect(second.locator("del")).to_have_text("41")
    expect(second.locator("ins")).to_have_text("42")
    expect(view.page.locator("#panel")).to_contain_text("from Todo/View.swift:41 · 0.04 ms in the reducer")


def test_an_event_without_changes_opens_on_its_action_until_a_tab_is_chosen(view, app):
    app.send({"event": "note", "text": "no stock", "level": "error", "data": {"code": 422}})
    app.send({"event": "note", "text": "again"})
    view = view().open(app.session, event=5)
    panel, keys = view.page.locator("#panel"), view.page.keyboard
    expect(changes(view)).not_to_have_count(0)
    keys.press("j")
    expect(view.page.locator("#tab-action")).to_have_attribute("aria-selected", "true")
    expect(panel).to_contain_text("422")
    keys.press("2")
    expect(panel).to_contain_text("No state for this event")
    keys.press("j")
    expect(panel.locator(".facts")).to_contain_text("again")
    keys.press("Home")
    expect(view.page.locator("#tab-diff")).to_have_attribute("aria-selected", "true")
    keys.press("3")
    keys.press("End")
    expect(view.page.locator("#tab-state")).to_have_attribute("aria-selected", "true")


def test_numbers_stay_exact_in_a_browser_without_raw_json(view, app):
    view = view()
    view.page.add_init_script("""delete JSON.rawJSON; delete JSON.isRawJSON;
        const { parse } = JSON;
        // Source text access came with them.
        JSON.parse = (text, reviver) => parse(text, reviver && ((key, value) => reviver(key, value)));""")
    view.open(app.session, event=4, tab="action")
    for shown in ("9007199254740993", "1.10", "1e-9"):
        expect(view.page.locator("#panel")).to_contain_text(shown)
    view.page.get_by_role("button", name="Dispatch again").click()
    sent = app.read("push")
    assert sent["action"]["payload"]["id"] == 9007199254740993
    view.open(app.session, event=4, tab="state")
    expect(view.page.locator("#state-tree")).to_contain_text("exact")
    view.page.get_by_role("button", name="Expand changes").click()
    expect(view.page.locator("#state-tree")).to_contain_text("9007199254740993")


def test_text_within_a_long_string_is_shown_where_it_changed(view, app):
    view = view().open(app.session, event=2)
    expect(changes(view)).to_have_count(1)
    expect(changes(view).locator("del")).to_have_text("bright ")
    expect(changes(view).locator("ins")).to_have_text("dark and ")
    expect(changes(view).locator(".within")).to_contain_text("It was a ")


def test_removed_and_replaced_values(view, app):
    view = view().open(app.session, event=3)
    expect(changes(view)).to_have_count(1)
    expect(changes(view).locator("del")).to_contain_text("Todo 7")
    view.open(app.session, event=5)
    expect(view.page.locator(".change.remove", has_text="theme")).to_be_visible()
    expect(view.page.locator(".change", has_text="counter").locator("ins")).to_have_text("0")
    view.open(app.session, event=0)
    expect(view.page.locator("#panel")).to_contain_text("The initial state of the store.")


def test_the_action_with_its_payload(view, app):
    view = view().open(app.session, event=1, tab="action")
    panel = view.page.locator("#panel")
    expect(panel).to_contain_text("todos/toggle")
    expect(panel).to_contain_text("Todo/View.swift:41")
    expect(panel.locator(".code")).to_contain_text('"id": 3')


def test_numbers_are_shown_and_sent_back_as_they_were_written(view, app):
    view = view().open(app.session, event=4, tab="action")
    panel = view.page.locator("#panel")
    expect(panel.locator(".code")).to_contain_text("9007199254740993")
    expect(panel.locator(".code")).to_contain_text("1.10")
    expect(panel.locator(".code")).to_contain_text("1e-9")
    view.page.keyboard.press("2")
    expect(changes(view)).to_contain_text("price: 1.10")
    view.page.keyboard.press("4")
    expect(panel).to_contain_text("9007199254740993")
    view.page.keyboard.press("3")
    expect(view.page.locator("#state-tree")).to_contain_text("exact{id: 9007199254740993, price: 1.10}")
    with view.page.expect_request("**/push") as request:
        view.page.locator("#dispatch").click()
    assert '"payload":{"id":9007199254740993,"price":1.10,"tiny":1e-9}' in request.value.post_data
    app.accept()
    expect(view.outcome).to_contain_text("#6")


def test_the_state_expands_by_ranges_and_stays_expanded_while_stepping(view, app):
    view = view().open(app.session, event=1, tab="state")
    page = view.page
    tree = page.locator("#state-tree")
    expect(tree).to_contain_text("[250]")
    tree.get_by_text("todos").click()
    expect(tree.get_by_text("200 – 249")).to_be_visible()
    tree.get_by_text("0 – 99").click()
    tree.get_by_role("treeitem", name="3:").locator(".name", has_text="3").first.click()
    changed = tree.locator(".node.changed")
    expect(changed).to_contain_text("donetrue")
    page.evaluate("document.getElementById('state-tree').scrollTop = 44")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator("#event-label")).to_have_text("document/type")
    expect(tree.locator(".node.changed")).to_have_count(0)
    expect(tree).to_contain_text("donetrue")
    assert page.evaluate("document.getElementById('state-tree').scrollTop") == 44
    page.keyboard.press("k")
    expect(changed).to_contain_text("donetrue")


def test_stepping_makes_the_next_state_from_the_patch_alone(view, app):
    view = view().open(app.session, event=1, tab="state")
    expect(view.page.locator("#state-tree")).to_contain_text("counter42")
    asked = []
    view.page.on("request", lambda request: "/states/" in request.url and asked.append(request.url))
    for label in ("document/type", "todos/remove", "exact"):
        view.page.keyboard.press("ArrowDown")
        expect(view.page.locator("#event-label")).to_have_text(label)
        expect(view.page.locator("#state-tree .node.changed, #state-tree .node.within").first).to_be_visible()
    assert asked == []


def test_changes_are_expanded(view, app):
    view = view().open(app.session, event=1, tab="state")
    view.page.get_by_role("button", name="Expand changes").click()
    expect(view.page.locator("#state-tree .node.changed", has_text="done")).to_be_in_viewport()


def test_a_state_that_was_not_captured_says_so(view, app):
    seq = app.send({"event": "action", "action": {"type": "fast"}, "skipped": True})
    view = view()
    view.expected.append("409")
    view.open(app.session, event=seq, tab="state")
    expect(view.page.locator("#panel .failure")).to_contain_text("Nearest states: #5")
    expect(view.page.locator("#apply")).to_be_disabled()
    view.page.keyboard.press("2")
    expect(view.page.locator("#panel")).to_contain_text("was not captured")


def test_a_huge_line_is_shown_in_pieces(view, app):
    seq = app.action("huge", {"list": list(range(9_000)), "text": "long " * 30_000})
    view = view().open(app.session, event=seq, tab="raw")
    page = view.page
    block = page.locator("#panel .code")
    expect(page.locator("#panel .rest")).to_contain_text(" more.")
    assert len(block.text_content()) < 60_000
    page.get_by_role("button", name="Show more").click()
    expect(block.locator("pre")).to_have_count(2)
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("#panel .rest")).to_have_count(0)
    same = """async ([session, seq]) => {
        const text = await (await fetch(`/api/v1/sessions/${session}/events/${seq}`)).text();
        return document.querySelector('#panel .code').textContent.replace(/\\s/g, '') === text.replace(/\\s/g, '');
    }"""
    assert page.evaluate(same, [app.session, seq])


def test_steps_back_need_no_state_for_each(view, app):
    for number in range(60):
        app.action("up", None, [{"op": "replace", "path": "/counter", "value": number}])
    view = view().open(app.session, event=60)
    expect(changes(view)).to_have_count(1)
    asked = []
    view.page.on("request", lambda request: "/states/" in request.url and asked.append(request.url))
    rests = 0
    for seq in range(59, 29, -1):
        begun = time.monotonic()
        view.page.keyboard.press("k")
        expect(view.page.locator("#event-seq")).to_have_text(f"#{seq}")
        expect(changes(view).locator("ins")).to_have_text(str(seq - 6))
        # After 150 ms on an event, the state before it is prefetched.
        rests += time.monotonic() - begun > 0.1
    assert len(asked) <= 10 + rests


def test_damage_on_the_server_is_shown(view, app, server):
    app.stop()
    server.kill()
    with closing(sqlite3.connect(next(server.folder.rglob("*.sqlite")))) as archive, archive:
        archive.execute("INSERT INTO trouble SELECT row, 2, 2, 'events 2–5 are damaged' FROM session")
    server.restart()
    view = view().open(app.session)
    expect(view.page.locator("#about .damaged")).to_contain_text("damaged on the server: events 2–5 are damaged.")
    view.shot("fault-1280-light")
