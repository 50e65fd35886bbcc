"""The launch state in the header."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect


def put(server, **start):
    urllib.request.urlopen(urllib.request.Request(
        server.url + "api/v1/start-states", method="PUT", data=json.dumps(start).encode())).close()


def shown(view, session):
    view.open(session)
    expect(view.row(0)).to_be_visible()
    return view.page.locator("#launch-state")


@pytest.mark.parametrize("start, text", [
    ({"seq": 1, "device": "device-Test bench"}, "Launches start at #1 on Test bench"),
    ({"seq": 1}, "Launches start at #1 on all devices"),
    ({"seq": 1, "labels": {"branch": "main"}, "once": True}, "The next launch starts at #1 on all devices with branch: main"),
    ({"seq": 1, "mode": "replay"}, "Launches replay up to #1 on all devices"),
    ({"mode": "latest", "session": None, "device": "device-Test bench"}, "Launches resume the last state of this device"),
])
def test_the_launch_state_names_its_devices(view, server, app, start, text):
    app = app(state={"a": 1}, branch="main")
    app.action("go")
    start = {"app": "com.example.tape", "session": app.session, **start}
    put(server, **{key: value for key, value in start.items() if value is not None})
    expect(shown(view(), app.session)).to_contain_text(text)


def test_the_launch_state_links_its_event_and_is_cleared_and_restored(view, server, app):
    app = app(state={"a": 1})
    app.action("go")
    put(server, app="com.example.tape", session=app.session, seq=1)
    view = view()
    start = shown(view, app.session)
    start.get_by_role("link", name="#1").click()
    expect(view.selected).to_have_id("event-1")
    start.get_by_role("button", name="Clear").click()
    expect(start).to_be_hidden()
    view.page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(start).to_contain_text("Launches start at #1 on all devices")


def test_a_cleared_launch_state_takes_its_outcome_away(view, server, app):
    app = app(state={"a": 1})
    app.action("go")
    view = view().open(app.session, event=1)
    view.page.get_by_role("button", name="Launch from this state").click()
    expect(view.outcome).to_contain_text("Launches start at #1")
    view.page.locator("#launch-state").get_by_role("button", name="Clear").click()
    expect(view.page.locator("#launch-state")).to_be_hidden()
    expect(view.outcome).to_be_empty()


def test_another_launch_state_says_which_one_it_replaces(view, app):
    app = app(state={"a": 1})
    app.action("go")
    view = view().open(app.session, event=1)
    launch = view.page.get_by_role("button", name="Launch from this state")
    launch.click()
    expect(view.outcome).to_contain_text("Launches start at #1")
    expect(view.outcome).not_to_contain_text("Replaced")
    view.row(0).click()
    launch.click()
    expect(view.outcome).to_contain_text("Launches start at #0")
    expect(view.outcome).to_contain_text("Replaced the one set at #1.")


def test_other_apps_launch_states_are_not_shown(view, server, app):
    build, other = app(state={}, ci="true"), app(state={}, device="Elsewhere")
    put(server, app="com.example.tape", session=other.session, seq=0, device="device-Test bench")
    expect(shown(view(), build.session)).to_be_hidden()
    expect(shown(view(), other.session)).to_be_hidden()
