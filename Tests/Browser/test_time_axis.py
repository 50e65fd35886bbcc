"""The time axis of the scrubber: short pauses, the clock, lanes, zoom and ranges."""

import re

import pytest
from playwright.sync_api import expect

from test_scrubber import drawn, path, slider, tape


@pytest.fixture
def server(shared):
    return shared


def drag(view, *shares, height=20):
    """Drags over the chart, between shares of its width."""
    box = view.page.locator(".track").bounding_box()
    places = [box["x"] + share * (box["width"] - 1) for share in shares]
    view.page.mouse.move(places[0], box["y"] + height)
    view.page.mouse.down()
    for place in places[1:]:
        view.page.mouse.move(place, box["y"] + height, steps=3)
    view.page.mouse.up()


def chip(view):
    return view.page.locator(".chip.range")


@pytest.fixture
def paused(app):
    """Two stretches of ten seconds, with three minutes between them."""
    return tape(app, *range(1000, 11_000, 500), *range(190_000, 200_000, 500))


def test_a_long_pause_is_short_and_labelled_and_the_clock_is_written(view, paused):
    view = view(1440, 900, timezone_id="Europe/Berlin").open(paused.session)
    drawn(view)
    expect(view.page.locator(".track .idle-text").first).to_have_text(re.compile("3 min"))
    # The events take most of the chart, not five pixels.
    edges = view.page.evaluate("[...document.querySelector('.track .bars').getAttribute('d').matchAll(/M([\\d.]+)/g)].map((one) => Number(one[1]))")
    width = view.page.locator(".track").bounding_box()["width"]
    assert max(edges[1:19]) - edges[0] > width * 0.35
    clocks = view.page.locator(".track .clock").all_text_contents()
    # The session began at 10:00:00 UTC.
    assert clocks[0].startswith("11:00:0") and any(one.startswith("11:03:") for one in clocks)
    assert clocks == sorted(clocks)


def test_dragging_across_the_chart_lists_a_range_whose_chip_removes_it(view, paused):
    view = view(groups=False).open(paused.session, event=3)
    drawn(view)
    drag(view, 0.56, 1)
    expect(chip(view)).to_be_visible()
    expect(chip(view)).to_have_text(re.compile(r"^\d\d:\d\d:\d\d–\d\d:\d\d:\d\d ✕$"))
    expect(view.rows).to_have_count(20)
    expect(view.row(21)).to_be_visible()
    expect(view.row(3)).to_be_hidden()
    # The selection stays, and steps stay in the range.
    expect(slider(view)).to_have_attribute("aria-valuenow", "3")
    view.page.keyboard.press("Home")
    expect(view.selected).to_have_id("event-21")
    view.page.keyboard.press("k")
    expect(view.selected).to_have_id("event-21")
    view.until("new URLSearchParams(location.search).get('range') === '21-40'")
    view.page.locator("#filter").fill("type:group1")
    expect(view.rows).to_have_count(6)
    view.page.locator("#filter").fill("")
    view.page.reload()
    expect(view.rows).to_have_count(20)
    chip(view).click()
    expect(chip(view)).to_be_hidden()
    expect(view.rows).not_to_have_count(20)
    view.until("!location.search.includes('range')")


def test_escape_removes_the_range_and_a_link_leaves_it(view, paused):
    view = view().open(paused.session, range="30-35")
    expect(view.rows).to_have_count(6)
    view.page.locator("#events").focus()
    view.page.keyboard.press("Escape")
    expect(chip(view)).to_be_hidden()
    expect(view.rows).not_to_have_count(6)
    view.open(paused.session, range="900-999")
    expect(view.page.locator("#no-events")).to_contain_text("No event is in this range.")
    view.open(paused.session, range="nonsense")
    expect(view.row(40)).to_be_visible()
    expect(chip(view)).to_be_hidden()


def test_the_wheel_zooms_around_the_pointer_and_keys_around_the_selection(view, paused):
    view = view().open(paused.session, event=30)
    drawn(view)
    whole = view.page.get_by_role("button", name="Whole session")
    expect(whole).to_be_hidden()
    box = view.page.locator(".track").bounding_box()
    view.page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 20)
    before = view.page.locator(".track .clock").all_text_contents()
    view.page.mouse.wheel(0, -100)
    expect(whole).to_be_visible()
    expect(view.page.locator(".track .clock")).not_to_have_text(before)
    view.until("document.querySelector('.track .bars').getAttribute('d').match(/M/g).length < 40")
    whole.click()
    expect(view.page.locator(".track .clock")).to_have_text(before)
    slider(view).focus()
    view.page.keyboard.press("+")
    # The next one waits for the axis of the first.
    view.page.keyboard.press("+")
    expect(view.page.locator(".track .idle-text")).to_have_count(0)
    expect(view.page.locator(".track .clock").first).to_contain_text("10:03:")
    view.page.get_by_role("button", name="List these").click()
    expect(chip(view)).to_be_visible()
    expect(view.row(30)).to_be_visible()
    expect(view.row(3)).to_be_hidden()
    slider(view).focus()
    view.page.keyboard.press("0")
    expect(view.page.locator(".track .clock")).to_have_text(before)


def test_types_and_what_stands_out_have_lanes(view, app):
    app = tape(app, *range(1000, 8000, 500))
    app.send({"event": "note", "text": "bad", "level": "error"}, {"event": "note", "text": "hm", "level": "warning"}, {"event": "note", "text": "mark"})
    view = view().open(app.session)
    drawn(view)
    for name in ("type-0", "type-1", "type-2"):
        assert path(view, name).count("M") > 3
    assert path(view, "type-3") == ""
    for name in ("error", "warning", "note"):
        assert path(view, name).count("M") == 1
    box = view.page.locator(".track").bounding_box()
    view.page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 20)
    expect(view.page.locator(".tip")).to_contain_text("1 error")
