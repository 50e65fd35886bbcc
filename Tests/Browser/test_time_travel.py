"""Time travel: the running app shows each state that the scrubber comes to."""

import json
import re

from playwright.sync_api import expect


class Pushes:
    """The pushes that the page sends, and how many were on their way at once."""

    def __init__(self, view):
        self.seqs = []
        self.running = set()
        self.most = 0
        view.page.on("request", self._begin)
        for event in ("requestfinished", "requestfailed"):
            view.page.on(event, lambda request: self.running.discard(request))

    def _begin(self, request):
        if request.url.endswith("/push"):
            self.seqs.append(request.post_data_json["seq"])
            self.running.add(request)
            self.most = max(self.most, len(self.running))


def follow(view):
    box = view.page.get_by_label("Time travel")
    expect(box).to_be_enabled()
    box.check()
    return box


def slider(view):
    return view.page.get_by_role("slider", name="Selected event")


def drawn(view):
    expect(view.page.locator(".track .bars")).to_have_attribute("d", re.compile("M.*z"))


def test_the_app_shows_the_state_at_the_scrubber(view, todo):
    app = todo()
    app.type("add Buy milk", "add Call Ana", "add Sleep", "done 1")
    app.shows("frame 5")
    view = view()
    pushes = Pushes(view)
    view.open()
    expect(view.row(4)).to_be_visible()
    view.row(2).click()
    written = app.written
    follow(view)
    frame = app.shows(r"--- frame \d+ ---\n(?:(?!--- frame).)*applied state", after=written).group()
    assert "Call Ana" in frame and "Sleep" not in frame
    written = app.written
    view.page.keyboard.press("[")
    frame = app.shows(r"--- frame \d+ ---\n(?:(?!--- frame).)*applied state", after=written).group()
    assert "Buy milk" in frame and "Call Ana" not in frame
    expect(view.row(6)).to_contain_text("state applied")
    # Events of pushes don't move the selection and are not applied again.
    expect(slider(view)).to_have_attribute("aria-valuenow", "1")
    assert pushes.seqs == [2, 1] and pushes.most == 1
    view.page.keyboard.press("End")
    expect(view.selected).to_have_id("event-6")
    view.page.keyboard.press("Home")
    expect(view.row(7)).to_contain_text("state applied")
    assert pushes.seqs == [2, 1, 0]


def test_dragging_leaves_one_push_on_its_way_and_the_latest_wins(view, todo):
    app = todo()
    app.type(*[f"add Number {number}" for number in range(30)])
    app.shows("Number 29")
    view = view()
    pushes = Pushes(view)
    view.open()
    expect(view.row(30)).to_be_visible()
    view.row(30).click()
    follow(view)
    expect(view.row(31)).to_contain_text("state applied")
    drawn(view)
    box = view.page.locator(".track").bounding_box()
    written = app.written
    view.page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 20)
    view.page.mouse.down()
    with view.page.expect_response(lambda answer: answer.url.endswith("/push") and answer.request.post_data_json["seq"] == 0):
        for step in range(40):
            view.page.mouse.move(box["x"] + (box["width"] - 2) * (39 - step) / 40, box["y"] + 20)
        view.page.mouse.up()
    expect(slider(view)).to_have_attribute("aria-valuenow", "0")
    app.shows(r"--- frame \d+ ---\n(?:(?!Number|--- frame).)*applied state", after=written)
    assert pushes.most == 1
    assert pushes.seqs[-1] == 0 and len(pushes.seqs) <= 42
    assert all(seq <= 30 for seq in pushes.seqs), "an applied state was applied again"
    view.shot("follow-1280-light")


def test_playback_steps_the_app_and_ends(view, todo):
    app = todo()
    app.type("add Buy milk", "add Call Ana", "add Sleep")
    app.shows("frame 4")
    view = view()
    pushes = Pushes(view)
    view.open()
    expect(view.row(3)).to_be_visible()
    view.page.keyboard.press("Home")
    expect(view.selected).to_have_id("event-0")
    follow(view)
    expect(view.row(4)).to_contain_text("state applied")
    written = app.written
    with view.page.expect_request_finished(lambda one: one.url.endswith("/push") and json.loads(one.post_data)["seq"] == 3):
        view.page.get_by_role("button", name="Play tape").click()
    expect(slider(view)).to_have_attribute("aria-valuenow", "3")
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()
    view.until("!document.querySelector('.play.is-playing')")
    app.shows("Sleep", after=written)
    assert pushes.most == 1 and pushes.seqs[0] == 0 and pushes.seqs[-1] == 3
    assert sorted(set(pushes.seqs)) == pushes.seqs


def test_an_error_is_shown_once_and_unticks_the_box(view, app):
    app = app(state={"a": 1})
    app.action("go")
    view = view()
    view.expected.append("422")
    pushes = Pushes(view)
    view.open(app.session, event=1)
    box = follow(view)
    app.refuse(code="decode", message="Expected to decode String.", path="/a")
    expect(view.outcome).to_contain_text("The app couldn’t decode this")
    expect(box).not_to_be_checked()
    view.page.keyboard.press("[")
    expect(view.selected).to_have_id("event-0")
    expect(view.outcome).to_be_empty()
    expect(view.page.locator(".why")).to_contain_text("Expected to decode String.")
    assert pushes.seqs == [1]


def test_without_a_live_app_it_is_disabled_and_says_why(view, app):
    app = app(state={"a": 1})
    view = view(1000, 700).open(app.session, event=0)
    box = follow(view)
    app.accept()
    expect(view.row(1)).to_contain_text("state applied")
    app.stop()
    expect(box).to_be_disabled()
    expect(box).not_to_be_checked()
    expect(box).to_have_accessible_description("The app is not running. Start it first.")


def test_the_apps_own_actions_can_be_queued_meanwhile(view, todo):
    app = todo()
    app.type("add Buy milk")
    app.shows("Buy milk")
    view = view().open()
    expect(view.row(1)).to_be_visible()
    view.row(0).click()
    lock = view.page.locator("#scrubber").get_by_role("button", name="Queue actions")
    expect(lock).to_be_hidden()
    follow(view)
    expect(view.row(2)).to_contain_text("state applied")
    lock.click()
    unlock = view.page.locator("#scrubber").get_by_role("button", name="Stop queueing")
    expect(unlock).to_be_visible()
    written = app.written
    app.type("add Call Ana", "help")
    app.shows("quit", after=written)
    assert "Call Ana" not in app.output.text[written:]
    unlock.click()
    view.page.get_by_role("menuitem", name="Run queued actions").click()
    app.shows("Call Ana", after=written)
    expect(lock).to_be_visible()
