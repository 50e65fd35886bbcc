"""Searching a state of any size and pinning parts of it, without blocking the page."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

LONG_TASKS = """() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) longTasks.push(entry.duration);
    }).observe({ entryTypes: ['longtask'] });
}"""


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def upload(server):
    """Uploads a tape, made of a state and patches."""
    def send(state, patches=(), session="01JD3M8Q5R7V2X9B4N6T0KZYWE"):
        header = {"tape": 1, "session": session, "app": {"id": "com.example.large", "name": "Large"},
                  "started": "2026-11-20T10:00:00.123Z"}
        lines = [header, {"seq": 0, "at": 0, "event": "init", "state": state}]
        for seq, patch in enumerate(patches, 1):
            lines.append({"seq": seq, "at": seq * 10, "event": "action", "action": {"type": "step"}, "patch": patch})
        request = urllib.request.Request(
            server.url + "api/v1/sessions", "\n".join(map(json.dumps, lines)).encode(), method="POST")
        urllib.request.urlopen(request).close()
        return session
    return send


@pytest.fixture
def app(app):
    app = app(state={
        "user": {"name": "Ana", "city": "Lisboa"}, "todos": [{"id": n, "title": f"Todo {n}"} for n in range(250)],
        "note": "Ask Ana. " * 30 + "The needle is here.", "anagram": True, "big": "9007199254740993",
    })
    app.action("user/rename", {"name": "Bo"}, [{"op": "replace", "path": "/user/name", "value": "Bo"}])
    app.action("todos/rename", {"id": 249}, [{"op": "replace", "path": "/todos/249/title", "value": "Last of all"}])
    app.action("user/forget", None, [{"op": "remove", "path": "/user"}])
    return app


def search(view):
    return view.page.get_by_label("Search keys and values in this state")


def path(view):
    return view.page.locator(".tree-path")


def test_matching_keys_and_values_are_stepped_through(view, app):
    view = view().open(app.session, event=0, tab="state")
    page, keys = view.page, view.page.keyboard
    expect(page.locator("#state-tree")).to_contain_text("todos")
    page.keyboard.press("Enter")
    keys.press("/")
    expect(search(view)).to_be_focused()
    keys.type("ana")
    expect(page.locator(".found")).to_have_text("1 of 3")
    expect(path(view)).to_have_text("/user/name")
    expect(page.locator(".node[aria-selected=true] mark")).to_have_text("Ana")
    keys.press("Enter")
    expect(path(view)).to_have_text("/note")
    keys.press("Enter")
    expect(path(view)).to_have_text("/anagram")
    expect(page.locator(".found")).to_have_text("3 of 3")
    keys.press("Enter")
    expect(path(view)).to_have_text("/user/name")
    keys.press("Shift+Enter")
    expect(path(view)).to_have_text("/anagram")
    keys.press("Escape")
    expect(search(view)).to_have_value("")
    expect(page.locator("mark")).to_have_count(0)
    keys.press("Escape")
    expect(page.locator("#state-tree")).to_be_focused()


def test_a_match_expands_its_range(view, app):
    view = view().open(app.session, event=0, tab="state")
    search(view).fill("todo 249")
    expect(view.page.locator(".found")).to_have_text("1 of 1")
    expect(path(view)).to_have_text("/todos/249/title")
    expect(view.page.locator(".node[aria-selected=true]")).to_be_in_viewport()
    search(view).fill("needle")
    expect(view.page.locator(".node[aria-selected=true] mark")).to_have_text("needle")
    search(view).fill("nowhere")
    expect(view.page.locator(".found")).to_have_text("Not found")


def test_a_search_continues_in_the_next_state(view, app):
    view = view().open(app.session, event=0, tab="state")
    search(view).fill("lisboa")
    expect(view.page.locator(".found")).to_have_text("1 of 1")
    view.page.locator("#events").focus()
    view.page.keyboard.press("j")
    expect(view.page.locator("#event-seq")).to_have_text("#1")
    expect(view.page.locator(".found")).to_have_text("1 of 1")
    view.page.keyboard.press("j")
    view.page.keyboard.press("j")
    expect(view.page.locator(".found")).to_have_text("Not found")


def test_pinned_parts_stay_for_every_event_and_after_a_reload(view, app):
    view = view().open(app.session, event=0, tab="state")
    page = view.page
    search(view).fill("lisboa")
    expect(path(view)).to_have_text("/user/city")
    page.locator("#state-tree").focus()
    page.keyboard.press("ArrowLeft")
    expect(path(view)).to_have_text("/user")
    page.get_by_role("button", name="Pin", exact=True).click()
    pins = page.get_by_role("region", name="Pinned")
    expect(pins.locator(".node:not([hidden])")).to_have_text(["user{2}", 'name"Ana"', 'city"Lisboa"'])
    page.locator("#events").focus()
    page.keyboard.press("j")
    expect(pins).to_contain_text('name"Bo"')
    expect(pins.locator(".node.within")).to_have_count(1)
    page.reload()
    expect(pins).to_contain_text('name"Bo"')
    view.shot("pinned-1280-light")
    page.locator("#events").focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(pins).to_contain_text("user: not in this state")
    page.get_by_role("button", name="Unpin user").click()
    expect(pins).to_be_hidden()
    page.reload()
    expect(page.locator("#state-tree")).to_contain_text("todos")
    expect(pins).to_have_count(0)


def test_a_pin_is_removed_from_the_store_that_is_shown_and_leaves_the_others(view, app):
    other = app.send({"event": "init", "store": "other", "state": {"user": {"name": "Zoe"}}})
    view = view().open(app.session, event=0, tab="state")
    page = view.page
    pins = page.get_by_role("region", name="Pinned")

    def pin(*names):
        for name in names:
            page.locator("#state-tree .node").filter(has_text=re.compile(f"^{name}")).click()
            expect(path(view)).to_have_text(f"/{name}")
            page.get_by_role("button", name="Pin", exact=True).click()
            expect(pins.get_by_role("button", name=f"Unpin {name}")).to_be_visible()

    pin("user", "anagram")
    view.row(other).click()
    expect(page.locator("#state-tree")).to_contain_text("Zoe")
    pin("user")
    view.row(0).click()
    expect(pins).to_contain_text("anagramtrue")
    expect(pins).to_contain_text('name"Ana"')
    page.get_by_role("button", name="Unpin user").click()
    expect(page.get_by_role("button", name="Unpin user")).to_have_count(0)
    expect(pins).to_contain_text("anagramtrue")
    expect(pins.get_by_text("not in this state").filter(visible=True)).to_have_count(0)
    view.row(other).click()
    expect(pins).to_contain_text('name"Zoe"')


def test_ten_megabytes_and_a_hundred_thousand_elements_stay_usable(view, upload):
    state = {"items": [{"id": n, "title": f"Item number {n}", "text": "lorem ipsum " * 4} for n in range(100_000)],
             "last": "the needle"}
    assert len(json.dumps(state)) > 10_000_000
    session = upload(state, [[{"op": "replace", "path": "/items/99999/title", "value": "changed"}]])
    view = view().open(session, event=0, tab="state")
    page = view.page
    expect(page.locator("#state-tree")).to_contain_text(re.compile("items.*100\u202f000"), timeout=60_000)
    page.evaluate(LONG_TASKS)
    began = page.evaluate("performance.now()")
    page.locator("#state-tree .name", has_text="items").click()
    expect(page.locator("#state-tree")).to_contain_text("0 – 99")
    search(view).fill("needle")
    expect(path(view)).to_have_text("/last")
    search(view).fill("item number 99998")
    expect(page.locator(".found")).to_have_text("1 of 1")
    expect(path(view)).to_have_text("/items/99998/title")
    expect(page.locator(".node[aria-selected=true]")).to_be_in_viewport()
    search(view).fill("o")
    expect(page.locator(".found")).to_contain_text("100\u202f000")
    page.keyboard.press("Enter")
    expect(page.locator(".found")).to_contain_text("2 of")
    assert page.locator("#state-tree .node").count() < 100
    # Reading or searching all of it in one task would take seconds, and a third of this time, however busy the machine is.
    long, took = page.evaluate("[longTasks, performance.now()]")
    assert max(long, default=0) < max(250, (took - began) / 10), f"tasks of {long} ms in {took - began} ms"
