"""The story that README begins with: a bug, the diff that shows it, the state before it applied, the app fixed.

    STATETAPE_UPDATE_PICTURE=1 .venv/bin/python -m pytest Tests/Browser -k picture

makes the pictures from it, also that of the guide for testers.
"""

import base64
import html
import io
import json
import os
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import WAIT
from processes import ROOT
from test_hot_reload import COPY, FRAME, build, copy

# It edits and builds the copy of the package of that other test.
pytestmark = pytest.mark.xdist_group("builds")

PICTURE = ROOT / ".github" / "story.png"
#: The whole page, in the guide for testers.
GUIDE = ROOT / "Sources" / "StateTapeServer" / "StateTapeServer.docc" / "page.png"
UPDATES = os.environ.get("STATETAPE_UPDATE_PICTURE") == "1"
STEPS = ["Bug", "Diff", "Apply", "Fixed"]
PAGE = (880, 600)
#: A change of a todo, as the diff begins it; others are of the history.
TODO = re.compile(r"^\s*lists")

#: The bug: the whole list is done, not the todo that was named.
REDUCER = COPY / "Sources" / "TodoExample" / "Reducers" / "TodosReducer.swift"
RIGHT = 'state.change(id, "done") { $0.done = date }'
WRONG = 'for todo in state.list.todos { state.change(todo.id, "done") { $0.done = date } }'

FRAMED = """<style>
    * { box-sizing: border-box; margin: 0; }
    body { width: 1280px; height: 680px; padding: 14px; background: #1d2430; color: #e8ecf3; font: 17px system-ui, sans-serif; }
    header { display: flex; gap: 10px; align-items: center; height: 42px; }
    header b { padding: 3px 14px; border-radius: 14px; background: #333d4e; color: #aab4c4; font-weight: 500; }
    header b.now { background: #f2c14e; color: #1d2430; font-weight: 700; }
    header span { margin-left: 14px; font-size: 20px; }
    main { display: flex; gap: 14px; margin-top: 10px; }
    pre { width: 358px; height: 600px; padding: 12px 14px; overflow: hidden; border-radius: 8px; background: #0c1017; font: 13.5px/1.55 monospace; white-space: pre; }
    pre i { display: block; margin: -2px 0 12px; color: #8a94a6; font: 14px system-ui, sans-serif; }
    img { width: 880px; height: 600px; border-radius: 8px; }
</style>"""


@pytest.fixture
def film(browser, view):
    """Takes down what the app and the page show; makes the picture of it afterwards, when it is asked for."""
    shots = []

    def take(step, caption, milliseconds, frame, view):
        page = base64.b64encode(view.page.screenshot()).decode()
        chips = "".join(f"<b{' class=now' if one == step else ''}>{one}</b>" for one in STEPS)
        screen = html.escape("\n".join(line.rstrip() for line in frame.strip().splitlines()[1:]))
        shots.append((milliseconds, f"""{FRAMED}<header>{chips}<span>{html.escape(caption)}</span></header>
            <main><pre><i>the app, in a terminal</i>{screen}</pre><img src="data:image/png;base64,{page}"></main>"""))

    yield take
    if not UPDATES or len(shots) < len(STEPS):
        return
    from PIL import Image
    context = browser.new_context(viewport={"width": 1280, "height": 680})
    context.set_default_timeout(WAIT)
    page, images = context.new_page(), []
    for _, content in shots:
        page.set_content(content, wait_until="load")
        images.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    context.close()
    images[0].save(
        PICTURE, save_all=True, append_images=images[1:], duration=[time for time, _ in shots], loop=0, optimize=True)
    assert PICTURE.stat().st_size < 1_500_000


def newest(server):
    with urllib.request.urlopen(server.origin + "/api/v1/sessions") as answer:
        return json.load(answer)["sessions"][0]["session"]


def test_the_picture_of_a_bug_found_and_fixed(view, server, todo, film):
    copy()
    text = REDUCER.read_text()
    assert text.count(RIGHT) == 1, "the reducer has changed"
    REDUCER.write_text(text.replace(RIGHT, WRONG))
    app = todo(program=build())
    app.type("list Friday", "add Buy milk", "add Call Ana", "add Book a table")
    app.shows(FRAME.format("Book a table"))
    pages, view = view, view(*PAGE).open(newest(server))
    expect(view.row(4)).to_be_visible()

    written = app.written
    app.type("done 1")
    bug = app.shows(FRAME.format("✓ Book a table"), after=written).group()
    assert "✓ Buy milk" in bug and "✓ Call Ana" in bug
    expect(view.row(5)).to_be_visible()
    film("Bug", "I typed “done 1”, and every todo is ticked", 1700, bug, view)

    view.row(5).click()
    changes = view.page.locator("#panel .change")
    expect(changes.filter(has_text=TODO)).to_have_count(3)
    if UPDATES:
        wide = pages(1240, 700).open(newest(server), event=5)
        expect(wide.page.locator("#panel .change").filter(has_text=TODO)).to_have_count(3)
        expect(wide.page.locator("#session-list a").first).to_be_visible()
        wide.page.screenshot(path=GUIDE)
    film("Diff", "The action changed three todos: the reducer is wrong", 2000, bug, view)

    view.row(4).click()
    expect(view.page.locator("#apply")).to_be_enabled()
    written = app.written
    view.page.locator("#apply").click()
    before = app.shows(FRAME.format("○ Book a table"), after=written).group()
    assert "✓" not in before
    expect(view.row(6)).to_be_visible()
    expect(view.outcome).to_contain_text("#6")
    film("Apply", "The state before the bug, applied to the running app", 1900, before, view)

    view.page.locator("#launch").click()
    expect(view.page.locator("#launch-state")).to_contain_text("#4")
    app.stop()
    fixed = todo()
    first = fixed.shows(FRAME.format("○ Book a table")).group()
    assert "○ Buy milk" in first and "✓" not in first
    written = fixed.written
    fixed.type("done 1")
    after = fixed.shows(FRAME.format("✓ Buy milk"), after=written).group()
    assert "○ Call Ana" in after and "○ Book a table" in after
    view.open(newest(server))
    view.row(1).click()
    expect(changes.filter(has_text=TODO)).to_have_count(1)
    film("Fixed", "Reducer fixed, app rebuilt: it starts in that state, and “done 1” ticks one", 2200, after, view)
