"""The scrubber: activity over time, position, dragging."""

import re

import pytest
from playwright.sync_api import expect

from waiting import until

SIZES = {"360": (360, 740), "1280": (1280, 800), "2560": (2560, 1440)}


def tape(app, *steps):
    """A session of events at given moments."""
    app = app(state={"count": 0})
    for number, at in enumerate(steps):
        app.at = at - 12.5
        app.action(f"group{number % 3}/step", patch=[{"op": "replace", "path": "/count", "value": number}])
    return app


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def busy(app):
    """A minute: bursts, quiet stretches, a gap, a push, a bookmark's worth of events."""
    app = app(state={"count": 0})
    number = 0
    for second in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 40, 41, 42, 43, 44, 50, 51, 52, 58, 59]:
        app.at = second * 1000.0
        burst = []
        for _ in range(second % 7 * 3 + 1):
            number += 1
            burst.append({"event": "action", "action": {"type": f"group{number % 3}/step"},
                          "patch": [{"op": "replace", "path": "/count", "value": number}]})
        app.send(*burst)
    app.send({"event": "gap", "count": 30, "reason": "spool-full"})
    app.send({"event": "replace", "state": {"count": 0}, "cause": {"push": "p1"}})
    app.at = 64_000
    app.action("last/one")
    return app


def clock(box):
    """Where a drag selects events."""
    return box["y"] + box["height"] - 5


def slider(view):
    return view.page.get_by_role("slider", name="Selected event")


def value(view):
    return int(slider(view).get_attribute("aria-valuenow"))


def path(view, name):
    return view.page.locator(f".track .{name}").get_attribute("d") or ""


def drawn(view):
    expect(view.page.locator(".track .bars")).to_have_attribute("d", re.compile("M.*z"))


def test_activity_gaps_inactivity_and_pushes_are_drawn_each_as_one_path(view, busy):
    view = view().open(busy.session)
    drawn(view)
    assert path(view, "bars").count("M") > 20
    # 9 s to 20 s, 29 s to 40 s, and what is shorter but more than two seconds.
    assert path(view, "idle").count("M") >= 4
    assert path(view, "gap").count("M") == 1
    assert path(view, "push").count("M") == 1
    # Lines are drawn as one path each, however many events there are.
    assert view.page.locator(".track svg path:not(.tick)").count() == 15


def test_the_filter_s_part_is_darker(view, busy):
    view = view().open(busy.session)
    drawn(view)
    assert path(view, "match") == ""
    view.page.locator("#filter").fill("type:group1")
    view.until("document.querySelector('.track .match').getAttribute('d')?.includes('M')")
    # Every third event, drawn over the bars of all.
    expect(view.page.locator(".track svg")).to_have_class("is-filtered")
    assert 0 < path(view, "match").count("M") <= path(view, "bars").count("M")
    view.page.locator("#filter").fill("last/one")
    view.until("document.querySelector('.track .match').getAttribute('d')?.match(/M/g)?.length === 1")
    view.page.locator("#filter").fill("")
    view.until("!document.querySelector('.track .match').getAttribute('d')")


def test_bookmarks_are_flags(view, busy, server):
    view = view()
    view.open(busy.session)
    drawn(view)
    assert path(view, "flag") == ""
    view.page.request.post(f"{server.url}api/v1/sessions/{busy.session}/bookmarks", data={"seq": 20, "text": "bug here"})
    view.until("document.querySelector('.track .flag').getAttribute('d')?.match(/M/g)?.length === 1")


def test_the_handle_shows_the_position_and_moves_by_keys(view, busy):
    view = view()
    # Right after the gap there is no state.
    view.expected.append("409")
    view.open(busy.session, event=20)
    expect(slider(view)).to_have_attribute("aria-valuenow", "20")
    last = int(slider(view).get_attribute("aria-valuemax"))
    expect(view.page.locator(".position")).to_have_text(f"#20 / {last}")
    expect(slider(view)).to_have_attribute("aria-valuetext", re.compile(rf"^#20 of {last}, 0:0\d\.\d\d\d$"))
    slider(view).focus()
    press = view.page.keyboard.press
    press("ArrowRight")
    expect(view.selected).to_have_id("event-21")
    press("ArrowLeft")
    press("ArrowDown")
    expect(view.selected).to_have_id("event-19")
    press("Home")
    expect(view.selected).to_have_id("event-0")
    press("PageUp")
    expect(slider(view)).not_to_have_attribute("aria-valuenow", "0")
    assert value(view) >= 10
    press("End")
    expect(slider(view)).to_have_attribute("aria-valuenow", str(last))
    press("[")
    expect(slider(view)).to_have_attribute("aria-valuenow", str(last - 1))
    press("]")
    expect(slider(view)).to_have_attribute("aria-valuenow", str(last))
    view.page.get_by_role("button", name="Step back").click()
    expect(slider(view)).to_have_attribute("aria-valuenow", str(last - 1))


def test_dragging_selects_and_hovering_shows_a_tip(view, busy):
    view = view().open(busy.session)
    drawn(view)
    box = view.page.locator(".track").bounding_box()
    mouse, middle = view.page.mouse, clock(box)
    mouse.move(box["x"] + 1, middle)
    tip = view.page.locator(".tip")
    expect(tip).to_contain_text("· 0:00.")
    expect(tip).to_contain_text("#0 initial state")
    pause = view.page.evaluate("document.querySelector('.track .idle').getAttribute('d').match(/M([\\d.]+) \\S+H([\\d.]+)/).slice(1).map(Number)")
    mouse.move(box["x"] + sum(pause) / 2, middle)
    expect(tip).to_contain_text("11 s idle, no events")
    mouse.move(box["x"] + box["width"] * 0.4, middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.5, middle, steps=5)
    view.draw()
    one = value(view)
    mouse.move(box["x"] + 1, middle, steps=5)
    expect(view.selected).to_have_id("event-0")
    mouse.move(box["x"] + box["width"] * 0.5, middle, steps=5)
    expect(slider(view)).to_have_attribute("aria-valuenow", str(one))
    mouse.up()
    mouse.move(box["x"] + box["width"] * 0.9, middle)
    expect(slider(view)).to_have_attribute("aria-valuenow", str(one))
    view.until(f"location.search.includes('event={one}')")


def test_at_any_moment_one_row_is_selected(view, busy):
    """A drag selects in a frame that has yet to draw."""
    view = view().open(busy.session)
    drawn(view)
    box = view.page.locator(".track").bounding_box()
    view.page.evaluate("""() => {
      window.most = 0;
      const count = () => window.most = Math.max(window.most, document.querySelectorAll('#events .row[aria-selected=true]').length);
      new MutationObserver(count).observe(document.getElementById('events'), { subtree: true, attributes: true });
    }""")
    mouse, middle = view.page.mouse, clock(box)
    mouse.move(box["x"] + box["width"] * 0.5, middle)
    mouse.down()
    mouse.move(box["x"] + 1, middle, steps=10)
    expect(view.row(0)).to_have_attribute("aria-selected", "true")
    near = 2
    while not 5 < value(view) < 20:
        mouse.move(box["x"] + near, middle)
        until(lambda: view.row(value(view)).get_attribute("aria-selected") == "true")
        near += 2
    for at in (1, near, 1, near, 1):
        mouse.move(box["x"] + at, middle)
        until(lambda: view.row(value(view)).get_attribute("aria-selected") == "true")
    mouse.up()
    assert view.page.evaluate("window.most") == 1


def test_a_finger_drags_too(view, busy):
    view = view(360, 740, has_touch=True, is_mobile=True).open(busy.session)
    drawn(view)
    box = view.page.locator(".track").bounding_box()
    view.page.touchscreen.tap(box["x"] + box["width"] * 0.5, box["y"] + 10)
    expect(view.page.locator("#event-seq")).to_be_visible()
    view.draw()
    assert 0 < value(view) < int(slider(view).get_attribute("aria-valuemax"))


def test_dragging_loads_one_state_at_a_time(view, app):
    app = app(state={"count": 0, "text": "x" * 20_000})
    app.send(*[{"event": "action", "action": {"type": "go"}, "patch": [{"op": "replace", "path": "/count", "value": number}]}
               for number in range(3000)])
    view = view()
    asked, running, most = [], set(), [0]

    def begin(request):
        if "/states/" in request.url:
            asked.append(request)
            running.add(request)
            most[0] = max(most[0], len(running))

    view.page.on("request", begin)
    view.page.on("requestfinished", lambda request: running.discard(request))
    view.page.on("requestfailed", lambda request: running.discard(request))
    view.open(app.session, tab="state")
    drawn(view)
    box = view.page.locator(".track").bounding_box()
    view.page.mouse.move(box["x"] + 5, clock(box))
    view.page.mouse.down()
    for step in range(60):
        view.page.mouse.move(box["x"] + 5 + step * (box["width"] - 20) / 60, clock(box))
    view.page.mouse.up()
    view.until("document.querySelector('.position').textContent.startsWith('#2') && !document.querySelector('#panels [aria-busy=true]')")
    # One for the selection, and at most one prefetch for a step back.
    assert most[0] <= 2 and len(asked) > 2


def test_a_live_session_is_read_again_at_most_once_a_second(view, app):
    app = tape(app, 100, 200)
    view = view()
    times = []
    view.page.on("request", lambda request: "/activity" in request.url and times.append(request))
    view.open(app.session)
    drawn(view)
    before = len(times)
    began = view.page.evaluate("performance.now()")
    for number in range(60):
        app.action("more/of", patch=[{"op": "replace", "path": "/count", "value": number}])
    expect(view.row(62)).to_be_visible()
    view.until("document.querySelector('[role=slider]').getAttribute('aria-valuemax') === '62'")
    took = view.page.evaluate("performance.now()") - began
    assert len(times) - before <= 2 + took / 1000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_how_it_looks(view, busy, size, scheme):
    from test_look import look
    view = view(*SIZES[size], scheme).open(busy.session, event=60, filter="group1" if size != "360" else "")
    drawn(view)
    expect(view.page.locator(".change")).to_be_visible()
    look(view, f"scrubber-{size}-{scheme}")
    if size == "360":
        expect(view.page.get_by_role("button", name="Step back")).to_be_hidden()
        view.page.get_by_role("button", name="Playback options").click()
        expect(view.page.get_by_role("button", name="Step back")).to_be_visible()
        look(view, f"scrubber-open-{size}-{scheme}")


def test_the_address_keeps_up_with_a_long_drag(view, busy):
    """Chromium drops the address's changes, and complains, past two hundred in ten seconds."""
    view = view().open(busy.session)
    drawn(view)
    box = view.page.locator(".track").bounding_box()
    view.page.mouse.move(box["x"], clock(box))
    view.page.mouse.down()
    for step in range(300):
        view.page.mouse.move(box["x"] + step % 150 * 2, clock(box))
    view.page.mouse.up()
    view.draw()
    chosen = view.page.locator(".position").text_content().split()[0].removeprefix("#")
    view.until(f"new URLSearchParams(location.search).get('event') === '{chosen}'")
