"""The history of a value follows it when the elements around it are inserted, removed or moved."""

import json

import pytest
from playwright.sync_api import expect

from static import StaticHost
from test_file import HEADER, choose


def tape(state, *patches):
    lines = [json.dumps(HEADER), json.dumps({"seq": 0, "at": 0, "event": "init", "state": state})]
    for seq, patch in enumerate(patches, 1):
        lines.append(json.dumps({"seq": seq, "at": seq, "event": "action", "action": {"type": f"a{seq}"}, "patch": patch}))
    return ("\n".join(lines) + "\n").encode()


def put(path, value):
    return {"op": "replace", "path": path, "value": value}


def add(path, value):
    return {"op": "add", "path": path, "value": value}


def remove(path):
    return {"op": "remove", "path": path}


def move(source, path):
    return {"op": "move", "from": source, "path": path}


KEYS = {"byID": ["b", {"t": 1}]}
LIST = {"items": [{"n": 1}, {"n": 2}, {"n": 3}], "other": 0}


@pytest.fixture
def page(view, tmp_path):
    host = StaticHost(tmp_path)
    made = view(at=host)
    made.expected += ["status of 404"]
    yield made.open()
    host.stop()


@pytest.mark.parametrize("content, event, path, previous, following", [
    (tape(KEYS, [put("/byID/1/t", 2)], [add("/byID/0", "a"), add("/byID/1", {"t": 9})], [put("/byID/3/t", 3)]), 3, "byID›3›t",
     "Previous change: #1 → 2, then at byID › 1 › t", "Next change: none"),
    (tape(KEYS, [put("/byID/1/t", 2)], [add("/byID/0", "a"), add("/byID/1", {"t": 9})], [put("/byID/3/t", 3)]), 1, "byID›1›t",
     "Previous change: #0 → 1", "Next change: #3 → 3, then at byID › 3 › t"),
    (tape(LIST, [put("/items/2/n", 4)], [remove("/items/0")], [put("/items/1/n", 5)]), 3, "items›1›n",
     "Previous change: #1 → 4, then at items › 2 › n", "Next change: none"),
    (tape(LIST, [put("/items/2/n", 4)], [move("/items/2", "/items/0")], [put("/items/0/n", 5)]), 3, "items›0›n",
     "Previous change: #1 → 4, then at items › 2 › n", "Next change: none"),
    (tape(LIST, [put("/items/2/n", 4)], [move("/items/0", "/items/2")], [put("/items/1/n", 5)], [remove("/items/1")]), 1, "items›2›n",
     "Previous change: #0 → 3", "Next change: #3 → 5, then at items › 1 › n"),
    (tape(LIST, [put("/other", 1)], [add("/items/1", {"n": 7})], [put("/items/1/n", 8)]), 3, "items›1›n",
     "Previous change: #2 → 7", "Next change: none"),
    (tape(LIST, [add("/items/-", {"n": 7})], [put("/items/0/n", 5)], [remove("/items/0")]), 2, "items›0›n",
     "Previous change: #0 → 1", "Next change: #3 (removed)"),
    # The names of members are no indices.
    (tape({"byName": {"1": {"t": 1}}}, [put("/byName/1/t", 2)], [add("/byName/0", {"t": 9})], [put("/byName/1/t", 3)]), 3, "byName›1›t",
     "Previous change: #1 → 2", "Next change: none"),
    # An event that changes a value and then moves it, and the other way round.
    (tape(LIST, [put("/items/2/n", 4), add("/items/0", {"n": 0})], [put("/items/3/n", 5)]), 2, "items›3›n",
     "Previous change: #1 → 4", "Next change: none"),
    (tape(LIST, [add("/items/0", {"n": 0}), put("/items/3/n", 4)], [put("/other", 1)]), 1, "items›3›n",
     "Previous change: #0 → 3, then at items › 2 › n", "Next change: none"),
    (tape(LIST, [put("/items/1/n", 4)], [put("/items/1/n", 9), add("/items/0", {"n": 0})]), 1, "items›1›n",
     "Previous change: #0 → 2", "Next change: #2 → 9, then at items › 2 › n"),
], ids=["keys", "keys-next", "removed", "moved", "moved-over", "inserted", "appended", "names", "then-moved", "moved-before",
        "changed-and-moved"])
def test_the_history_follows_the_value(page, content, event, path, previous, following):
    choose(page, ("run.tape", content))
    expect(page.row(0)).to_be_visible()
    page.row(event).click()
    page.page.keyboard.press("2")
    name = path.replace("›", " › ")
    page.page.get_by_role("button", name=f"History of {name}").click()
    moments = page.page.locator(".moment")
    expect(moments.nth(0)).to_have_text(previous)
    expect(moments.nth(1)).to_have_text(following)


@pytest.mark.parametrize("content, event, keys, expected", [
    (tape(KEYS, [put("/byID/1/t", 2)], [add("/byID/0", "a"), add("/byID/1", {"t": 9})], [add("/other", 1)]), 3, "/byID/3/t", 1),
    (tape(LIST, [put("/items/2/n", 4), add("/items/0", {"n": 0})], [put("/other", 1)]), 2, "/items/3/n", 1),
    (tape(LIST, [put("/items/2/n", 4)], [add("/items/0", {"n": 0})]), 2, "/items/3/n", 1),
    (tape(LIST, [put("/items/2/n", 4)], [add("/items/0", {"n": 0})]), 2, "/items/0/n", None),
], ids=["keys", "then-moved", "inserted", "new"])
def test_the_last_change_of_a_value_in_the_state_follows_it(page, content, event, keys, expected):
    choose(page, ("run.tape", content))
    expect(page.row(0)).to_be_visible()
    page.row(event).click()
    page.page.keyboard.press("3")
    page.page.get_by_label("Search keys and values in this state").fill(keys.rsplit("/", 1)[1])
    expect(page.page.locator(".tree-path")).not_to_have_text("whole state")
    while page.page.locator(".tree-path").text_content() != keys:
        before = page.page.locator(".tree-path").text_content()
        page.page.keyboard.press("Enter")
        expect(page.page.locator(".tree-path")).not_to_have_text(before)
    page.page.get_by_role("button", name="Last change").click()
    if expected is None:
        expect(page.page.locator("#notice")).to_contain_text(f"No change of {keys} before #{event}.")
    else:
        expect(page.page.locator("#event-seq")).to_have_text(f"#{expected}")
