"""Time travel: the running app shows each state that the page comes to, and the tape gets one event of it."""

import re

from playwright.sync_api import expect


class Steps:
    """The steps that the page asks for, and how many were on their way at once."""

    def __init__(self, view):
        self.seqs = []
        self.running = set()
        self.most = 0
        view.page.on("request", self._begin)
        for event in ("requestfinished", "requestfailed"):
            view.page.on(event, lambda request: self.running.discard(request))

    def _begin(self, request):
        if request.url.endswith("/travel"):
            self.seqs.append(request.post_data_json["seq"])
            self.running.add(request)
            self.most = max(self.most, len(self.running))


def box(view):
    return view.page.get_by_label("Time travel", exact=True)


def travel(view):
    expect(box(view)).to_be_enabled()
    box(view).check()


def bar(view):
    return view.page.get_by_role("group", name="Leave time travel")


def shows(view, seq):
    expect(bar(view)).to_contain_text(f"The app shows #{seq}.")


def slider(view):
    return view.page.get_by_role("slider", name="Selected event")


def drawn(view):
    expect(view.page.locator(".track .bars")).to_have_attribute("d", re.compile("M.*z"))


def count(view):
    """The number of events on the tape."""
    session = re.search(r"session=(\w+)", view.page.url)[1]
    return view.page.request.get(f"{view.server.url}api/v1/sessions/{session}").json()["events"]


def opened(view, app, *commands):
    app.type(*commands)
    app.shows(f"frame {len(commands) + 1}")
    view = view().open()
    expect(view.row(len(commands))).to_be_visible()
    return view


def test_ten_steps_back_and_the_return_leave_one_event(view, todo):
    app = todo()
    view = opened(view, app, *[f"add Number {number}" for number in range(12)])
    steps = Steps(view)
    view.row(12).click()
    travel(view)
    shows(view, 12)
    for seq in range(11, 1, -1):
        view.page.keyboard.press("[")
        shows(view, seq)
    assert steps.seqs == list(range(12, 1, -1)) and steps.most == 1
    assert count(view) == 13
    view.shot("travel-1280-light")
    written = app.written
    # What the user does in the app meanwhile waits.
    app.type("done 1", "help")
    app.shows("quit", after=written)
    assert "1 done" not in app.output.text[written:]
    expect(bar(view)).to_contain_text("1 action of its own is queued.")
    bar(view).get_by_role("button", name="Return to the latest").click()
    app.shows(r"--- frame \d+ ---\n(?:(?!--- frame).)*Number 11(?:(?!--- frame).)*13 open · 1 done", after=written)
    expect(box(view)).not_to_be_checked()
    expect(view.row(13)).to_contain_text("time travel")
    expect(view.row(13)).to_contain_text("looked at #12, #11, … #2")
    expect(view.row(14)).to_contain_text("todos/done")
    assert count(view) == 15


def test_the_app_shows_the_state_at_the_scrubber(view, todo):
    app = todo()
    view = opened(view, app, "add Buy milk", "add Call Ana", "add Sleep", "done 1")
    view.row(2).click()
    written = app.written
    travel(view)
    shows(view, 2)
    frame = app.shows(r"--- frame \d+ ---\n(?:(?!--- frame).)*Call Ana(?:(?!--- frame).)*", after=written).group()
    assert "Sleep" not in frame
    written = app.written
    view.page.keyboard.press("Home")
    shows(view, 0)
    app.shows(r"--- frame \d+ ---", after=written)


def test_the_state_that_was_come_to_can_be_kept(view, todo):
    app = todo()
    view = opened(view, app, "add Buy milk", "add Call Ana")
    view.row(1).click()
    travel(view)
    shows(view, 1)
    app.type("add Never", "help")
    app.shows("quit")
    bar(view).get_by_label("Discard queued actions").check()
    bar(view).get_by_role("button", name="Keep this state").click()
    expect(view.row(3)).to_contain_text("state applied")
    expect(view.row(3)).to_contain_text("looked at #1")
    expect(view.row(4)).to_contain_text("1 action of “main” was dropped")
    written = app.written
    app.type("add Sleep")
    frame = app.shows(r"--- frame \d+ ---\n(?:(?!--- frame).)*Sleep", after=written).group()
    assert "Buy milk" in frame and "Call Ana" not in frame and "Never" not in frame


def test_unticking_the_box_asks_how_to_leave(view, todo):
    app = todo()
    view = opened(view, app, "add Buy milk")
    view.row(0).click()
    travel(view)
    shows(view, 0)
    box(view).click()
    expect(view.page.get_by_role("menuitem", name="Return to the latest")).to_be_focused()
    expect(box(view)).to_be_checked()
    view.page.keyboard.press("Enter")
    expect(view.row(2)).to_contain_text("time travel")
    expect(box(view)).not_to_be_checked()


def test_it_shows_applied_and_dispatched_rows_and_its_own_row_is_passed_over(view, app):
    app = app(state={"a": 0})
    app.action("go", patch=[{"op": "replace", "path": "/a", "value": 1}])
    app.send({"event": "replace", "state": {"a": 2}, "cause": {"push": "p"}})
    app.action("sent", patch=[{"op": "replace", "path": "/a", "value": 3}], cause={"push": "q"})
    app.send({"event": "replace", "patch": [], "cause": {"travel": {"count": 2, "seqs": [1, 0]}}})
    app.action("last", patch=[{"op": "replace", "path": "/a", "value": 4}])
    app.send({"event": "replace", "patch": [], "cause": {"travel": {"count": 5, "seqs": [5, 4, 3, 2, 1]}}})
    view = view().open(app.session, event=1)
    expect(view.row(6)).to_contain_text("looked at #5, #4, … #1")
    travel(view)
    assert app.look()["state"] == {"a": 1}
    shows(view, 1)
    for seq, state in [(2, 2), (3, 3), (5, 4)]:
        view.page.keyboard.press("]")
        expect(view.selected).to_have_id(f"event-{seq}")
        assert app.look()["state"] == {"a": state}
        shows(view, seq)
    view.page.keyboard.press("End")
    expect(view.selected).to_have_id("event-5")
    view.page.keyboard.press("[")
    expect(view.selected).to_have_id("event-3")
    assert app.look()["state"] == {"a": 3}
    shows(view, 3)


def test_an_ended_session_is_shown_in_the_running_app(view, app):
    old = app(state={"a": 1})
    old.action("go", patch=[{"op": "replace", "path": "/a", "value": 2}])
    old.stop()
    running = app(state={"a": 9})
    view = view().open(old.session, event=0)
    travel(view)
    push = running.look()
    assert push["state"] == {"a": 1} and push["travel"] == 0
    shows(view, 0)
    view.page.keyboard.press("]")
    assert running.look()["state"] == {"a": 2}
    shows(view, 1)


def test_dragging_leaves_one_step_on_its_way_and_the_latest_wins(view, todo):
    app = todo()
    view = opened(view, app, *[f"add Number {number}" for number in range(30)])
    steps = Steps(view)
    view.row(30).click()
    travel(view)
    shows(view, 30)
    drawn(view)
    place = view.page.locator(".track").bounding_box()
    clock = place["y"] + place["height"] - 5
    view.page.mouse.move(place["x"] + place["width"] - 2, clock)
    view.page.mouse.down()
    for step in range(40):
        view.page.mouse.move(place["x"] + (place["width"] - 2) * (39 - step) / 40, clock)
    view.page.mouse.up()
    expect(slider(view)).to_have_attribute("aria-valuenow", "0")
    shows(view, 0)
    assert steps.most == 1
    assert steps.seqs[-1] == 0 and len(steps.seqs) <= 42
    assert count(view) == 31


def test_playback_steps_the_app_and_ends(view, todo):
    app = todo()
    view = opened(view, app, "add Buy milk", "add Call Ana", "add Sleep")
    steps = Steps(view)
    view.page.keyboard.press("Home")
    expect(view.selected).to_have_id("event-0")
    travel(view)
    shows(view, 0)
    view.page.get_by_role("button", name="Play tape").click()
    expect(slider(view)).to_have_attribute("aria-valuenow", "3")
    shows(view, 3)
    view.until("!document.querySelector('.play.is-playing')")
    assert steps.most == 1 and steps.seqs == sorted(set(steps.seqs)) and steps.seqs[0] == 0 and steps.seqs[-1] == 3


def test_an_error_ends_it_and_stays_beside_the_box(view, app):
    app = app(state={"a": 1})
    app.action("go")
    view = view()
    view.expected.append("422")
    steps = Steps(view)
    view.open(app.session, event=1)
    travel(view)
    app.refuse(code="decode", message="Expected to decode String.", path="/a")
    expect(view.outcome).to_contain_text("The app couldn’t decode this")
    expect(box(view)).not_to_be_checked()
    view.page.keyboard.press("[")
    expect(view.selected).to_have_id("event-0")
    expect(view.outcome).to_be_empty()
    expect(view.page.locator(".why")).to_contain_text("Expected to decode String.")
    assert steps.seqs == [1]


def test_an_event_without_a_state_is_named_and_the_app_keeps_the_one_before(view, app):
    app = app(state={"a": 1})
    app.send({"event": "gap", "count": 3, "reason": "overflow"})
    view = view()
    view.expected.append("409")
    view.open(app.session, event=0)
    travel(view)
    app.look()
    shows(view, 0)
    view.page.keyboard.press("]")
    expect(bar(view)).to_contain_text("The app shows #0. Its own actions are queued. No state is known after event 3.")
    expect(box(view)).to_be_checked()


def test_when_the_app_goes_it_ends_and_says_why(view, app):
    app = app(state={"a": 1})
    view = view(1000, 700).open(app.session, event=0)
    travel(view)
    app.look()
    shows(view, 0)
    app.stop()
    expect(box(view)).to_be_disabled()
    expect(box(view)).not_to_be_checked()
    expect(box(view)).to_have_accessible_description("The app is not running. Start it first.")
    expect(bar(view)).to_be_hidden()


def test_closing_the_page_returns_the_app_to_its_latest_state(view, todo):
    app = todo()
    view = opened(view, app, "add Buy milk", "add Call Ana")
    view.row(0).click()
    travel(view)
    shows(view, 0)
    written = app.written
    view.page.goto("about:blank")
    app.shows(r"--- frame \d+ ---\n(?:(?!--- frame).)*Call Ana", after=written)


def test_another_page_can_end_it(view, todo):
    app = todo()
    other = view()
    one = opened(view, app, "add Buy milk", "add Call Ana")
    one.row(0).click()
    travel(one)
    shows(one, 0)
    other.open()
    other.page.get_by_role("button", name="Stop queueing").click()
    other.page.get_by_role("menuitem", name="Run queued actions").click()
    expect(box(one)).not_to_be_checked()
    expect(one.page.locator(".why")).to_contain_text("The app’s actions run again, on its latest state.")
    expect(one.row(3)).to_contain_text("time travel")


def test_it_lasts_longer_than_a_minute(view, app):
    app = app(state={"a": 1})
    view = view()
    view.page.clock.install()
    view.open(app.session, event=0)
    travel(view)
    app.look()
    shows(view, 0)
    with view.page.expect_request("**/control") as renewed:
        view.page.clock.run_for(21_000)
    assert renewed.value.post_data_json == {"locked": True}
