"""How it looks: a picture of every view at three widths in both themes (`.build/screenshots`), readable everywhere."""

import os
import shutil

import pytest
from playwright.sync_api import expect

from conftest import SCREENSHOTS
from processes import ROOT

DAY = [
    "pause 120ms", "add Buy milk #home #shop due:tomorrow", "pause 90ms", "add Call Ana about Friday #phone due:today",
    "filter open", "pause 30ms", "add Send the invoice to Okafor & Söhne #work due:+3", "pause 200ms",
    "add Pick up the guidebook #shop", "done 1", "sync", "wait-for sync", "tag 2 #errand", "list Work", "pause 140ms",
    "add Review the pull request #code due:today", "add Fix the flaky test #code #ci", "pause 60ms",
    "add Write the release notes #docs due:fri", "pause 15ms", "rename 2 Fix the flaky browser test", "done 2",
    "remove 1", "pause 250ms", "undo", "filter #code", "pause 80ms", "filter all", "list Inbox", "sync",
    "wait-for sync", "pause 40ms", "rename 2 Call Ana about next Friday", "pause 110ms", "done 1", "stay",
]
SIZES = {"360": (360, 740), "1280": (1280, 800), "2560": (2560, 1300)}

# The contrast of every text with its background, by WCAG 2.
UNREADABLE = """() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], under) => [r, g, b].map((part, index) => part * a + under[index] * (1 - a));
    const light = (colour) => colour.map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (one, other) => {
        const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    const ground = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
        return layers.reduceRight((under, layer) => over(layer, under), [255, 255, 255]);
    };
    const bad = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
        const under = ground(element);
        const ratio = contrast(over(rgba(getComputedStyle(element).color), under), under);
        if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${element.className || element.tagName}: ${walker.currentNode.data.slice(0, 30)}`);
    }
    const probe = document.createElement('span');
    document.body.append(probe);
    const names = ['text', 'muted', 'accent', 'warning', 'removed', ...Array.from({ length: 10 }, (_, n) => `hue-${n}`)];
    for (const name of names) {
        for (const behind of ['ground', 'bar', 'select', 'hover']) {
            probe.style.setProperty('color', `var(--${name})`);
            probe.style.setProperty('background-color', `var(--${behind})`);
            const style = getComputedStyle(probe);
            const ratio = contrast(rgba(style.color).slice(0, 3), rgba(style.backgroundColor).slice(0, 3));
            if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} --${name} on --${behind}`);
        }
    }
    probe.remove();
    return bad;
}"""


# Whether the parts that load after the first rows are loaded.
WHOLE = """document.body.dataset.view === 'sessions' || !document.getElementById('problem').hidden
    || document.querySelector('#tools .share') !== null && document.querySelector('#scrubber[hidden], #scrubber > *') !== null"""


def look(view, name):
    view.until(WHOLE)
    view.shot(name)
    assert view.page.evaluate(UNREADABLE) == []
    assert view.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the window"


@pytest.fixture
def day(todo):
    app = todo(script=DAY)
    app.shows(r"1 ○ Call Ana about next Friday")
    return app


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_views(view, server, day, app, size, scheme):
    width, height = SIZES[size]
    view = view(width, height, scheme).open()
    page = view.page
    expect(page.locator("#session-list")).to_contain_text("todo-example")
    app(name="Cart", version="0.9", device="iPad Air", state={"items": []}, branch="checkout").stop()
    app(name="Todo", version="2.2", device="build-7", state={}, ci="true", result="failed").stop()
    expect(page.locator("#session-list a")).to_have_count(3)
    if width < 720:
        look(view, f"sessions-{size}-{scheme}")
        page.locator("#session-list a", has_text="todo-example").click()
    expect(page.locator("#events .row", has_text="sync/finished").first).to_be_visible()
    look(view, f"timeline-{size}-{scheme}")

    page.locator("#events .row", has_text="todos/rename").last.click()
    expect(page.locator(".change").first).to_be_visible()
    if width > 2000:
        expect(page.locator("#beside [role=tree]")).to_be_visible()
    look(view, f"diff-{size}-{scheme}")
    page.keyboard.press("1")
    expect(page.locator("#panel .facts")).to_be_visible()
    look(view, f"action-{size}-{scheme}")
    page.keyboard.press("4")
    expect(page.locator("#panel .code")).to_be_visible()
    look(view, f"raw-{size}-{scheme}")
    page.keyboard.press("5")
    expect(page.locator("#panel .test")).to_be_visible()
    look(view, f"test-{size}-{scheme}")
    page.keyboard.press("3")
    page.get_by_role("button", name="Expand changes").click()
    expect(page.locator(".node.changed").first).to_be_visible()
    look(view, f"state-{size}-{scheme}")
    expect(page.locator("#apply")).to_be_enabled()
    page.keyboard.press("p")
    expect(view.outcome).to_contain_text("(recorded as")
    page.keyboard.press("n")
    expect(page.locator("#launch-state")).to_be_visible()
    look(view, f"start-{size}-{scheme}")
    if width < 720:
        page.get_by_text("‹ Timeline").click()
    page.locator("#filter").fill("nothing like it")
    expect(page.locator("#no-events")).to_contain_text("No event matches")
    look(view, f"no-match-{size}-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_empty_server(view, size, scheme):
    view = view(*SIZES[size], scheme).open()
    expect(view.page.locator("#welcome")).to_contain_text("No app has connected yet")
    expect(view.page.locator("#connection")).to_have_text("Connected")
    look(view, f"empty-{size}-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_and_colours(view, app, scheme):
    app = app(state={"a": 1})
    for letter in "abcdefghijklmnopqrstuvwxyz":
        app.action(f"{letter}/thing", patch=[{"op": "replace", "path": "/a", "value": letter}])
    app.send({"event": "note", "text": "Information"}, {"event": "note", "text": "A warning", "level": "warning"},
             {"event": "note", "text": "An error", "level": "error"},
             {"event": "gap", "count": 12, "reason": "spool-full"}, {"event": "replace", "state": {"a": 2}, "cause": {"set": True}},
             {"event": "action", "action": {"type": "fast/step"}, "skipped": True}, {"event": "novelty"},
             {"event": "end"})
    view = view(1000, 1000, scheme).open(app.session, event=30)
    expect(view.page.locator("#events .row", has_text="session ended")).to_be_visible()
    expect(view.page.locator("#panel .change")).to_have_count(0)
    look(view, f"marks-1000-{scheme}")


# The distances of the list from the top since it has rows, in pixels.
LIST_TOPS = """
    window.listTops = new Set();
    const look = () => {
        const list = document.getElementById('events');
        if (list?.querySelector('.row')?.checkVisibility()) listTops.add(list.getBoundingClientRect().top);
        requestAnimationFrame(look);
    };
    look();
"""


# A machine with few fonts shows wide letters.
@pytest.mark.parametrize("font", ["", "body, button, input { font-family: monospace !important }"], ids=["", "wide"])
@pytest.mark.parametrize("width", [320, 360, 720, 1000, 1280])
def test_rows_stay_in_place_when_the_rest_of_the_page_is_loaded(view, app, width, font):
    app = app(name="Shopping list", version="2.11", state={})
    app.action("count/up")
    view = view(width, 740)
    view.page.route("**/app.css", lambda route: route.fulfill(response=(css := route.fetch()), body=css.text() + font))
    view.page.add_init_script(LIST_TOPS)
    view.open(app.session)
    expect(view.row(1)).to_be_visible()
    view.until(WHOLE)
    view.draw()
    assert len(view.page.evaluate("[...listTops]")) == 1


def test_the_picture_of_the_readme(view, day):
    view = view(1280, 700, device_scale_factor=2).open()
    view.page.locator("#events .row", has_text="todos/rename").first.click()
    expect(view.page.locator(".change").first).to_be_visible()
    expect(view.page.locator("#apply")).to_be_enabled()
    view.page.keyboard.press("p")
    expect(view.outcome).to_contain_text("(recorded as")
    expect(view.page.locator("#events .row", has_text="state applied")).to_be_visible()
    view.shot("timeline")
    if os.environ.get("STATETAPE_UPDATE_PICTURE") == "1":
        shutil.copy(SCREENSHOTS / "timeline.png", ROOT / ".github" / "timeline.png")
