"""Thousands of strings that try to be more than text, through a real server, in every place that shows data."""

import json
import urllib.request
from itertools import cycle

import pytest
from playwright.sync_api import expect

from hostile import strings

COUNT = 4000
FORBIDDEN = ("main :is(img, script, style, iframe, object, embed, link, meta, base, video, audio, math, template),"
             "main svg:not(#scrubber svg, #view svg)")


def ask(server, method, path, body):
    request = urllib.request.Request(server.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def pointer(text):
    return "/" + text.replace("~", "~0").replace("/", "~1")


@pytest.fixture
def evil(app, server):
    """One run made of nothing else, and one to compare with."""
    words = strings(COUNT)
    # Names must not be empty, and labels are short.
    names = cycle([word for word in words if 0 < len(word) < 100])
    text = cycle(words)
    runs = []
    for _ in range(2):
        run = app(name=next(names), version=next(names), device=next(names), state={},
                  **{f"label{number}": next(names) for number in range(4)}, **{next(names)[:60]: next(names)})
        runs.append(run)
    run = runs[0]
    events, keys = [], set()
    stores = [next(names) for _ in range(3)]
    for store in stores:
        events.append({"event": "init", "store": store, "state": {next(names): {next(text): [next(text)]}}})
    for index, word in enumerate(words):
        action = {"type": word, "payload": {next(text): [next(text), {next(text): next(text)}]}}
        patch = []
        if word not in keys and len(word) < 300:
            keys.add(word)
            patch = [{"op": "add", "path": pointer(word), "value": {next(text): next(text)}}]
        if index % 3 == 0:
            events.append({"event": "action", "action": action, "patch": patch, "caller": next(text), "took": 0.5})
        if index % 11 == 0:
            events.append({"event": "note", "text": next(text), "level": ["error", "warning", next(names)][index % 3], "data": {next(text): 1}})
        if index % 40 == 0:
            events.append({"event": next(names), "store": stores[index % 3], "text": next(text), "reason": next(text)})
        if index % 50 == 0:
            events.append({"event": "action", "store": stores[index % 3], "action": action, "patch": [], "cause": {"seq": next(text), "push": next(text)}})
        if index % 200 == 0:
            events.append({"event": "gap", "count": 3, "reason": next(text)})
            events.append({"event": "init", "state": {next(text): next(text) for _ in range(20)}})
            keys.clear()
    run.send(*events)
    runs[1].send(*events[:300], *events[400:600])
    for number in range(20):
        ask(server, "POST", f"api/v1/sessions/{run.session}/bookmarks",
            {"seq": number * 7, "text": next(names), "author": next(names)})
    ask(server, "PATCH", f"api/v1/sessions/{run.session}", {"title": next(names), "labels": {next(names)[:60]: next(names)}})
    return runs


def quiet(view):
    """The panel has what it was asked for."""
    expect(view.page.locator("#panel")).not_to_have_attribute("aria-busy", "true")


def unharmed(view):
    page = view.page
    assert page.evaluate("(selector) => [...document.querySelectorAll(selector)].map((one) => one.outerHTML.slice(0, 200))", FORBIDDEN) == []
    assert page.evaluate("({}).polluted === undefined && Object.keys(Object.prototype).length === 0")
    assert page.evaluate("[...document.querySelectorAll('main *, dialog *')].every((one) => ![...one.attributes].some(({ name }) => name.startsWith('on')))")
    links = page.evaluate("[...document.querySelectorAll('a[href]')].map((one) => one.protocol + '//' + one.host)")
    assert set(links) <= {view.server.origin}, links


def test_every_string_is_shown_as_text(view, evil, server):
    run, other = evil
    view = view(groups=True).open()
    page, keys = view.page, view.page.keyboard
    expect(page.locator("#session-list a")).to_have_count(2)
    unharmed(view)
    view.open(run.session, event=run.seq - 1)
    expect(view.selected).to_have_id(f"event-{run.seq - 1}")
    page.locator("#search").fill("<img")
    page.locator("#search").fill("")
    page.locator("#events").click(position={"x": 5, "y": 5})

    # Draw every row, and every kind of event in every tab.
    keys.press("Home")
    previous = ""
    while True:
        for step in range(40):
            keys.press("PageDown")
        keys.press("ArrowDown")
        for key in "1234":
            keys.press(key)
            quiet(view)
        unharmed(view)
        now = page.locator("#events").get_attribute("aria-activedescendant")
        if now == previous:
            break
        previous = now
    keys.press("Home")
    for step in range(60):
        keys.press("ArrowDown")
        if step % 4 == 0:
            for key in "1342":
                keys.press(key)
                quiet(view)
    keys.press("3")
    quiet(view)
    page.get_by_role("button", name="Expand changes").click()
    keys.press("Enter")
    for key in ["End", "ArrowUp", "ArrowRight", "Home"] + ["ArrowDown", "ArrowRight"] * 20:
        keys.press(key)
    page.get_by_role("button", name="Pin").first.click()
    page.get_by_role("searchbox", name="Search this state").or_(page.get_by_placeholder("Search this state")).first.fill("alert")
    unharmed(view)
    keys.press("Escape")
    keys.press("Escape")

    # Filters, through the field and through the address.
    for text in strings(120, seed=2):
        if text.strip() and len(text) < 200:
            page.locator("#filter").fill(text)
    page.locator("#filter").fill("alert -img type:a")
    expect(page.locator("#shown")).to_contain_text("of")
    unharmed(view)
    page.locator("#filter").fill("")

    for view_name in ("overview", "compare"):
        view.open(run.session, view=view_name, other=other.session)
        expect(page.locator("#view")).to_be_visible()
        expect(page.locator("#view h2, #view h3, #view .verdict").first).to_be_visible()
        unharmed(view)
    view.open(run.session, view="compare")
    expect(page.locator("#view input").first).to_be_visible()
    unharmed(view)

    view.open(run.session, event=14, tab="action")
    quiet(view)
    keys.press("?")
    expect(page.locator("#keys")).to_be_visible()
    keys.press("Escape")
    page.get_by_role("button", name="Share").click()
    unharmed(view)
    keys.press("Escape")
    view.more("Bookmarks")
    unharmed(view)
    keys.press("Escape")
    keys.press("Escape")
    keys.press("Shift+D")
    expect(page.locator("dialog[open]")).to_be_visible()
    unharmed(view)
    keys.press("Escape")
    for text in strings(60, seed=3):
        view.open(run.session, filter=text[:100], tab=text[:20], other=text[:40], view=text[:20])
    unharmed(view)
    view.open(strings(20, seed=4)[0])
    expect(page.locator("#problem")).to_be_visible()
    unharmed(view)
    # What the browser logs of answers that were asked for: a session that isn't there, a state after a gap, a filter
    # that is none.
    view.expected += ["404", "409", "400"]


def test_the_generator_covers_all_kinds():
    words = strings(COUNT)
    assert len(set(words)) == COUNT
    for kind in ("<script", "onerror=", "javascript:", "__proto__", "\u202e", "\u200b", "{{", "${", "</textarea>", "\x00", "~1", ""):
        assert any(kind in word for word in words), kind
    assert words == strings(COUNT)
