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
STEPS = ["Bug", "Diff", "Apply", "Fix"]
#: As wide as README on GitHub, so that all text is shown in its own size.
PAGE = (830, 590)
SCALE = 1.5
#: A change of a todo, as the diff begins it; others are of the history.
TODO = re.compile(r"^\s*lists")

#: The bug: the whole list is done, not the todo that was named.
REDUCER = COPY / "Sources" / "TodoExample" / "Reducers" / "TodosReducer.swift"
RIGHT = 'state.change(id, "done") { $0.done = date }'
WRONG = 'for todo in state.list.todos { state.change(todo.id, "done") { $0.done = date } }'

FRAMED = """<style>
    * { box-sizing: border-box; margin: 0; }
    body { position: relative; width: 830px; height: 638px; background: #1d2430; color: #e8ecf3; font: 15px system-ui, sans-serif; }
    header { display: flex; gap: 6px; align-items: center; height: 48px; padding: 0 12px; }
    header b { padding: 2px 10px; border-radius: 12px; background: #333d4e; color: #aab4c4; font-size: 14px; font-weight: 500; }
    header b.now { background: #f2c14e; color: #1d2430; font-weight: 700; }
    header span { margin-left: 10px; font-size: 18px; font-weight: 600; }
    img { display: block; width: 830px; height: 590px; }
    pre { position: absolute; left: 14px; bottom: 14px; width: 396px; padding: 0 14px 12px; overflow: hidden; border-radius: 8px;
          box-shadow: 0 4px 18px #0008; background: #0c1017; font: 14px/1.5 monospace; white-space: pre; }
    pre i { display: block; margin: 0 -14px 8px; padding: 3px 14px; background: #333d4e; color: #c8d0dc; font: 13px/1.5 system-ui, sans-serif; }
    pre u { display: block; white-space: pre-wrap; margin: 0 -14px; padding: 0 14px; background: #4a1f26; color: #ffc9cf; text-decoration: none; }
    pre u + u { background: #173f2b; color: #c4f2d4; }
    s { position: absolute; width: 22px; height: 22px; margin: -11px; border: 3px solid #d9480f; border-radius: 50%; background: #f2c14e66; }
</style>"""


def terminal(frame, typed=""):
    """The todos on the app's screen, and what is being typed below them."""
    todos = [line.rstrip() for line in frame.splitlines() if re.match(r" +\d+ [✓○]| \d+ open", line)]
    return "<i>the app, in a terminal</i>" + html.escape("\n".join([*todos, f" › {typed}▏"]))


def editor(name, *lines):
    return f"<i>{name}</i>" + "".join(f"<u>{html.escape(line)}</u>" for line in lines)


@pytest.fixture
def film(browser):
    """Takes down what the app and the page show; makes the picture of it afterwards, when it is asked for."""
    shots = []

    def take(step, caption, milliseconds, window, view, at=None):
        """`window` is what is before the page; `at` is where the pointer clicks."""
        page = base64.b64encode(view.page.screenshot()).decode()
        chips = "".join(f"<b{' class=now' if one == step else ''}>{one}</b>" for one in STEPS)
        box = at and at.bounding_box()
        pointer = "" if box is None else (
            f"<s style='left: {box['x'] + box['width'] / 2:.0f}px; top: {48 + box['y'] + box['height'] / 2:.0f}px'></s>")
        shots.append((milliseconds, f"""{FRAMED}<header>{chips}<span>{html.escape(caption)}</span></header>
            <img src="data:image/png;base64,{page}"><pre>{window}</pre>{pointer}"""))

    yield take
    if not UPDATES:
        return
    from PIL import Image
    context = browser.new_context(viewport={"width": PAGE[0], "height": PAGE[1] + 48}, device_scale_factor=SCALE)
    context.set_default_timeout(WAIT)
    page, images = context.new_page(), []
    for _, content in shots:
        page.set_content(content, wait_until="load")
        images.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    context.close()
    images[0].save(
        PICTURE, save_all=True, append_images=images[1:], duration=[time for time, _ in shots], loop=0, optimize=True)
    assert PICTURE.stat().st_size < 2_000_000


def newest(server):
    with urllib.request.urlopen(server.origin + "/api/v1/sessions") as answer:
        return json.load(answer)["sessions"][0]["session"]


def settled(view, seq):
    """Waits until the page shows an event and all around it."""
    expect(view.row(seq)).to_be_visible()
    expect(view.page.get_by_text("Skip inactivity")).to_be_visible()
    expect(view.page.locator("#panel .change").first).to_be_visible()


def test_the_picture_of_a_bug_found_and_fixed(view, server, todo, film):
    copy()
    text = REDUCER.read_text()
    assert text.count(RIGHT) == 1, "the reducer has changed"
    REDUCER.write_text(text.replace(RIGHT, WRONG))
    app = todo(program=build())
    app.type("list Friday", "add Buy milk", "add Call Ana", "add Book a table")
    app.shows(FRAME.format("Book a table"))
    pages, view = view, view(*PAGE, device_scale_factor=SCALE).open(newest(server))
    settled(view, 4)
    expect(view.row(4)).to_contain_text("Book a table")
    todos = app.shows(FRAME.format("Book a table")).group()
    film("Bug", "A todo app, and the page that records it", 1000, terminal(todos), view)
    film("Bug", "Tick the first todo", 800, terminal(todos, "done 1"), view)

    written = app.written
    app.type("done 1")
    bug = app.shows(FRAME.format("✓ Book a table"), after=written).group()
    assert "✓ Buy milk" in bug and "✓ Call Ana" in bug
    expect(view.row(5)).to_be_visible()
    film("Bug", "All three are ticked. Why?", 1100, terminal(bug), view)

    film("Diff", "Select the action", 500, terminal(bug), view, at=view.row(5))
    view.row(5).click()
    changes = view.page.locator("#panel .change")
    expect(changes.filter(has_text=TODO)).to_have_count(3)
    if UPDATES:
        wide = pages(1240, 700).open(newest(server), event=5)
        expect(wide.page.locator("#panel .change").filter(has_text=TODO)).to_have_count(3)
        expect(wide.page.locator("#session-list a").first).to_be_visible()
        wide.page.screenshot(path=GUIDE)
    film("Diff", "It changed “done” of three todos", 1600, terminal(bug), view)

    film("Apply", "Select the event before it …", 500, terminal(bug), view, at=view.row(4))
    view.row(4).click()
    apply = view.page.locator("#apply")
    expect(apply).to_be_enabled()
    film("Apply", "… and apply its state", 700, terminal(bug), view, at=apply)
    written = app.written
    apply.click()
    before = app.shows(FRAME.format("○ Book a table"), after=written).group()
    assert "✓" not in before
    expect(view.row(6)).to_be_visible()
    expect(view.outcome).to_contain_text("#6")
    film("Apply", "The running app is back in that state", 1200, terminal(before), view)

    launch = view.page.locator("#launch")
    film("Fix", "Let the next build start there, too", 800, terminal(before), view, at=launch)
    launch.click()
    expect(view.page.locator("#launch-state")).to_contain_text("#4")
    app.stop()
    mended = editor(
        "TodosReducer.swift", '- for todo in state.list.todos {\n      state.change(todo.id, "done") { … }\n  }',
        '+ state.change(id, "done") { … }')
    film("Fix", "Fix the reducer, and build", 1300, mended, view)
    fixed = todo()
    first = fixed.shows(FRAME.format("○ Book a table")).group()
    assert "○ Buy milk" in first and "✓" not in first
    view.open(newest(server))
    settled(view, 0)
    film("Fix", "The new build starts where you were", 900, terminal(first, "done 1"), view)
    written = fixed.written
    fixed.type("done 1")
    after = fixed.shows(FRAME.format("✓ Buy milk"), after=written).group()
    assert "○ Call Ana" in after and "○ Book a table" in after
    view.row(1).click()
    expect(changes.filter(has_text=TODO)).to_have_count(1)
    film("Fix", "One todo is ticked", 1600, terminal(after), view)
