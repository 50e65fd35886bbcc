"""A bug report in Markdown, on the clipboard."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def recorded(app):
    app = app(name="Todo", version="2.3", device="Ana’s phone", state={"todos": [], "count": 0})
    app.action("todos/add", {"title": "Milk"}, [{"op": "add", "path": "/todos/0", "value": {"title": "Milk"}}])
    for number in (1, 2, 3):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    app.send({"event": "note", "text": "error 422: no stock", "level": "error"})
    app.action("todos/rename", {"title": "Oats"}, [{"op": "replace", "path": "/todos/0/title", "value": "Oats"}])
    return app


def report(view, key=True):
    if key:
        view.page.keyboard.press("Shift+B")
    else:
        view.page.get_by_role("button", name="Share").click()
        view.page.get_by_role("menuitem", name="Copy bug report").click()
    expect(view.page.locator("#notice")).to_contain_text("copied, as Markdown.")
    return view.page.evaluate("navigator.clipboard.readText()")


@pytest.fixture
def reader(view):
    def make(*place, **more):
        opened = view(permissions=["clipboard-read", "clipboard-write"]).open(*place, **more)
        expect(opened.page.locator("#tools").get_by_role("button", name="Share")).to_be_visible()
        return opened
    return make


def test_it_has_steps_changes_errors_device_and_link(reader, recorded):
    view = reader(recorded.session, event=6)
    text = report(view)
    assert text.startswith("## `todos/rename` at `#6`\n")
    assert ("From `#0` `initial state`:\n\n1. `todos/add` `\"Milk\"` → `todos › 0 + {title: \"Milk\"}`\n"
            "2. `count/up` → `count = 3` ×3\n3. `todos/rename` `\"Oats\"` → `todos › 0 › title = \"Oats\"` ← here\n") in text
    assert "- `todos › 0 › title`: `\"Milk\"` → `\"Oats\"`\n" in text
    assert "### Errors\n\n- `#5` `error 422: no stock`\n" in text
    assert "- App: `Todo 2.3`\n" in text
    assert "- Device: `Ana’s phone`\n" in text
    assert re.search(r"- Time: `\d{4}-\d\d-\d\dT[\d:.]+Z`\n", text)
    assert f"- Session: `{recorded.session}, event #6`\n" in text
    assert f"- Link: <{view.server.url}?session={recorded.session}&event=6>\n" in text


def test_a_bookmark_comes_first(reader, server, recorded):
    data = json.dumps({"seq": 6, "text": "The name is lost\nSee @ops and #12 | <b>", "author": "Ana"}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{server.url}api/v1/sessions/{recorded.session}/bookmarks", data))
    view = reader(recorded.session, event=6)
    expect(view.page.locator("#event-bookmarks")).to_contain_text("The name is lost")
    text = report(view, key=False)
    assert text.startswith("## The name is lost\n\n> See @\u200bops and #\u200b12 \\| \\<b\\>\n>\n> — Ana\n\n### Steps\n")


def test_steps_begin_at_the_last_set_state_and_are_the_last_twenty(reader, recorded):
    recorded.send('"event":"replace","state":{"count":0},"cause":{"set":true}')
    recorded.action("after/it")
    view = reader(recorded.session, event=8)
    text = report(view)
    assert "From `#7` `state set`:\n\n1. `after/it` ← here\n" in text
    for number in range(30):
        recorded.action(f"step/{number}")
    steps = report(reader(recorded.session, event=38)).split("### Steps\n\nThe last actions:\n\n")[1].split("\n\n")[0].split("\n")
    assert steps[0] == "1. `step/10`" and steps[-1] == "20. `step/29` ← here" and len(steps) == 20


def test_a_patch_that_does_not_fit_is_reported_so(reader, recorded):
    recorded.action("todos/clear", patch=[{"op": "remove", "path": "/@ops"}])
    view = reader(recorded.session, event=7)
    text = report(view)
    assert text.startswith("## `todos/clear` at `#7`\n")
    assert "Can’t apply the patch: `/@ops: no value is at this path`\n" in text


def test_without_a_selection_it_asks_for_one(reader, recorded):
    view = reader(recorded.session)
    expect(view.selected).to_have_count(1)
    view.page.keyboard.press("Escape")
    expect(view.selected).to_have_count(0)
    view.page.keyboard.press("Shift+B")
    expect(view.page.locator("#notice")).to_contain_text("Select an event first.")


def test_foreign_text_cannot_leave_its_place(view):
    page = view().open().page
    for name, cases in (("code", CODE), ("prose", PROSE)):
        shown = page.evaluate("""async ([name, texts]) => {
            const module = await import('/model/bug-report.js');
            return texts.map((text) => module[name](text));
        }""", [name, list(cases)])
        assert shown == list(cases.values())


CODE = dict([
    ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a\n# b @ops | c", "`a # b @ops | c`"), ("\u202eabc\u0007", "`abc`"), ("  ", ""),
    ("```\n<script>", "```` ``` <script> ````"), ("x" * 600, "`" + "x" * 500 + "…`"),
])
PROSE = dict([
    ("# a", "\\# a"), ("1. a", "1\\. a"), ("- a", "\\- a"), ("[a](http://b)", "\\[a\\](http://b)"), ("*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`"),
    ("<img>", "\\<img\\>"), ("@ops", "@\u200bops"), ("see #1", "see #\u200b1"),
])