"""Playback: at the recorded pace, through the rows that the filter shows, until something stops it."""

import pytest
from playwright.sync_api import expect

from test_scrubber import drawn, slider, tape


@pytest.fixture
def server(shared):
    return shared


def seen(view):
    """Records each selection from now on, and when a key or a button was pressed last."""
    view.page.evaluate("""() => {
        window.seen = [];
        for (const kind of ['keydown', 'click']) addEventListener(kind, () => { window.pressed = performance.now(); }, { capture: true });
        const slider = document.querySelector('[role=slider]');
        new MutationObserver(() => seen.push([+slider.getAttribute('aria-valuenow'), performance.now()]))
            .observe(slider, { attributes: true, attributeFilter: ['aria-valuenow'] });
    }""")
    return lambda: view.page.evaluate("window.seen")


def test_playback_keeps_the_recorded_pace_and_stops_at_the_end(view, app):
    app = tape(app, 100, 400, 700, 1300)
    # Moves in one frame are one step.
    app.at = 1600
    app.send({"event": "end"})
    app.stop()
    view = view().open(app.session, event=0)
    expect(view.page.locator(".change")).to_be_visible()
    drawn(view)
    steps = seen(view)
    view.page.keyboard.press(" ")
    expect(view.page.get_by_role("button", name="Pause tape")).to_be_visible()
    expect(slider(view)).to_have_attribute("aria-valuenow", "5")
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()
    taken, start = steps(), view.page.evaluate("window.pressed")
    at = [12.5, 100, 400, 700, 1300, 1612.5]
    # A late frame takes several steps at once, but no step is earlier than on the tape.
    seqs = [seq for seq, _ in taken]
    assert seqs == sorted(set(seqs)) and seqs[0] > 0 and seqs[-1] == 5
    for seq, time in taken:
        assert time - start >= at[seq] - at[0] - 1, taken
    view.page.get_by_role("button", name="10× speed").click()
    # A browser may stall, but at the recorded pace no try ends sooner than the tape.
    for _ in range(5):
        before = len(steps())
        # Playing again starts from the beginning.
        view.page.get_by_role("button", name="Play tape").click()
        view.until(f"seen.length > {before + 1} && seen.at(-1)[0] === 5")
        again, restart = steps()[before:], view.page.evaluate("window.pressed")
        seqs = [seq for seq, _ in again]
        assert seqs == sorted(set(seqs)) and seqs[0] == 0
        for seq, time in again:
            assert time - restart >= (at[seq] - at[0]) / 10 - 1, again
        if again[-1][1] - restart < at[-1] - at[0]:
            break
    else:
        pytest.fail(f"10× took {again}")


def test_playing_steps_through_the_rows_that_the_filter_shows(view, app):
    app = tape(app, *range(1000, 8000, 1000))
    app.stop()
    view = view().open(app.session, filter="type:group1")
    expect(view.rows).to_have_count(2)
    drawn(view)
    steps = seen(view)
    view.page.keyboard.press(" ")
    view.until("seen.length >= 2 && document.querySelector('.play:not(.is-playing)')")
    assert [seq for seq, _ in steps()] == [2, 5]


def test_an_early_shortcut_starts_playback(view, app):
    app = tape(app, 100, 60_000)
    view = view()
    held = []
    view.page.route("**/views/scrubber.js", lambda route: held.append(route))
    with view.page.expect_request("**/views/scrubber.js"):
        view.open(app.session, event=1)
    view.page.keyboard.press(" ")
    held[0].continue_()
    expect(view.page.get_by_role("button", name="Pause tape")).to_be_visible()


def test_selecting_an_event_stops_playback(view, app):
    app = tape(app, 100, 60_000, 61_000)
    view = view().open(app.session, event=1)
    expect(view.page.locator(".change")).to_be_visible()
    view.page.keyboard.press(" ")
    expect(view.page.get_by_role("button", name="Pause tape")).to_be_visible()
    view.row(0).click()
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()
    expect(view.selected).to_have_id("event-0")


def test_inactivity_can_be_skipped(view, app):
    app = tape(app, 100, 90_100, 180_100)
    app.stop()
    view = view().open(app.session, event=1)
    view.page.get_by_label("Skip inactivity").check()
    view.page.keyboard.press("]")
    expect(view.selected).to_have_id("event-2")
    view.page.keyboard.press("[")
    expect(view.selected).to_have_id("event-1")
    view.page.get_by_role("button", name="Play tape").click()
    expect(slider(view)).to_have_attribute("aria-valuenow", "3")


def test_space_plays_after_a_click_on_a_control(view, app):
    app = tape(app, 100, 60_000, 120_000)
    app.stop()
    view = view().open(app.session, event=1)
    page, skip = view.page, view.page.get_by_label("Skip inactivity")
    play, pause = page.get_by_role("button", name="Play tape"), page.get_by_role("button", name="Pause tape")
    skip.click()
    expect(skip).to_be_focused()
    page.keyboard.press(" ")
    expect(pause).to_be_visible()
    expect(skip).to_be_checked()
    page.get_by_role("button", name="10× speed").click()
    page.keyboard.press(" ")
    expect(play).to_be_visible()
    # One that was reached by Tab takes the key.
    page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    page.keyboard.press(" ")
    expect(skip).not_to_be_checked()
    expect(play).to_be_visible()


def test_playing_a_live_tape_to_its_end_follows_it(view, app):
    app = tape(app, *range(10, 2010, 10))
    view = view().open(app.session, event=190)
    expect(view.row(190)).to_be_in_viewport()
    view.page.evaluate("document.getElementById('events').scrollTop = 0")
    view.page.get_by_role("button", name="10× speed").click()
    view.page.get_by_role("button", name="Play tape").click()
    expect(slider(view)).to_have_attribute("aria-valuenow", "200")
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()
    app.action("new/one")
    expect(view.row(201)).to_be_in_viewport()
