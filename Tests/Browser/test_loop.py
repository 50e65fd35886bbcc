"""Replaying a range in the running example app, and debugging one event."""

import json

import pytest
from playwright.sync_api import expect

from test_look import look


def opened(view, app, groups=False):
    """A session with three todos, added by #1 to #3."""
    app.type("add Buy milk", "add Call Ana", "add Sleep")
    view = view(groups=groups).open()
    expect(view.row(3)).to_contain_text("todos/add")
    return view


def panel(view, seq):
    view.row(seq).click()
    view.page.keyboard.press("r")
    panel = view.page.get_by_role("region", name="Replay in the app")
    expect(panel).to_be_visible()
    return panel


def frame(title):
    return rf"--- frame \d+ ---(?:(?!--- frame).)*?{title}.*?\n [●◌][^\n]*\n"


def state(view, seq):
    session = view.page.url.split("session=")[1].split("&")[0]
    return view.page.request.get(f"{view.server.url}api/v1/sessions/{session}/states/{seq}").json()


def titles(view, seq):
    return [todo["title"] for todo in state(view, seq)["todos"]["items"]]


def test_a_range_runs_again_without_one_action_and_with_another_edited(view, todo):
    app = todo()
    view = opened(view, app)
    before = state(view, 3)
    shown = panel(view, 1)
    expect(shown.get_by_label("First event")).to_have_value("1")
    expect(shown.get_by_label("Last event")).to_have_value("3")
    expect(shown.get_by_role("listitem")).to_have_count(3)
    shown.get_by_role("checkbox", name="Replay #2").uncheck()
    shown.get_by_role("button", name="Edit #3").click()
    dialog = view.page.get_by_role("dialog")
    text = dialog.get_by_role("textbox", name="Action as JSON")
    action = json.loads(text.input_value())
    text.fill(json.dumps(action).replace("Sleep", "Wake up"))
    dialog.get_by_role("button", name="Use this action").click()
    expect(shown.get_by_role("listitem").nth(2)).to_contain_text("edited")
    shown.get_by_role("button", name="Replay", exact=True).click()
    outcome = shown.get_by_role("status")
    expect(outcome).to_contain_text("Replayed 2 actions.")
    expect(outcome).to_contain_text("≠ First difference: #3, replayed as #6: ")
    expect(outcome).to_contain_text("2 states compared with the recording.")
    view.shot("loop-1280-light")
    # Each event names its original, and the state is as before.
    expect(view.row(5).get_by_label("replay in the app")).to_be_visible()
    expect(view.row(7)).to_contain_text("replayed, state put back")
    assert state(view, 7) == before
    assert "Wake up" in json.dumps(state(view, 6)) and "Call Ana" not in json.dumps(state(view, 6))
    # The app runs its own actions again.
    app.type("add Read")
    app.shows(frame("Read"))
    expect(view.row(8)).to_contain_text("todos/add")
    view.page.keyboard.press("Shift+R")
    expect(outcome).to_contain_text("replayed as #11")


def test_the_same_code_shows_no_difference_and_the_state_can_be_kept(view, todo):
    app = todo()
    view = opened(view, app)
    shown = panel(view, 1)
    view.row(2).click(modifiers=["Shift"])
    expect(shown.get_by_label("Last event")).to_have_value("2")
    expect(shown.get_by_role("listitem")).to_have_count(2)
    shown.get_by_role("checkbox", name="Keep the state afterwards").check()
    written = app.written
    shown.get_by_role("button", name="Replay", exact=True).click()
    expect(shown.get_by_role("status")).to_contain_text("= No difference: 2 states compared with the recording.")
    expect(view.row(6)).to_contain_text("todos/add")
    assert state(view, 6) == state(view, 2)
    expect(view.row(7)).to_have_count(0)
    app.type("help")
    app.shows("quit", after=written)


def test_g_runs_one_event_from_the_state_before_it(view, todo):
    app = todo()
    view = opened(view, app)
    view.row(2).click()
    view.page.keyboard.press("g")
    expect(view.outcome).to_contain_text("Ran #2 from the state before it")
    expect(view.row(5)).to_contain_text("todos/add")
    assert state(view, 4) == state(view, 1) and state(view, 5) == state(view, 2)


def test_the_events_of_a_replay_share_a_row(view, todo):
    app = todo()
    view = opened(view, app, groups=True)
    shown = panel(view, 3)
    shown.get_by_label("First event").fill("1")
    shown.get_by_label("First event").press("Tab")
    expect(shown.get_by_role("listitem")).to_have_count(3)
    view.page.keyboard.press("Escape")
    view.page.keyboard.press("Shift+R")
    expect(view.row(8)).to_contain_text("×5")
    expect(view.row(8)).to_contain_text("replayed, state put back")


def test_a_later_run_replays_the_tape_of_an_ended_one(view, app, server):
    first = app(name="Todo", state={"n": 0})
    for number in range(1, 4):
        first.action("counter/add", {"by": 1}, [{"op": "replace", "path": "/n", "value": number}])
    first.stop()
    later = app(name="Todo", version="1.1", state={"n": 0})
    view = view().open(first.session)
    expect(view.row(3)).to_be_visible()
    shown = panel(view, 2)
    shown.get_by_role("button", name="Replay", exact=True).click()
    loop = later.read("loop")
    assert loop["states"] == {"main": {"n": 1}}
    replays = [later.read("replay") for _ in range(3)]
    assert [one.get("of") for one in replays] == [2, 3, None]
    later.send({"event": "replace", "state": {"n": 1}, "cause": {"loop": loop["id"]}})
    expect(shown.get_by_role("button", name="Stop")).to_be_visible()
    for of, value in [(2, 2), (3, 30)]:
        later.send({"event": "action", "action": {"type": "counter/add"}, "state": {"n": value},
                    "cause": {"loop": loop["id"], "of": of}})
    expect(shown.get_by_role("status")).to_contain_text("Replaying: 2 actions so far.")
    later.socket.send(json.dumps({"pushed": {"id": loop["id"], "seq": 3}}))
    outcome = shown.get_by_role("status")
    expect(outcome).to_contain_text("≠ First difference: #3, replayed as #3 of another session: n 3 → 30")


def test_a_replay_can_be_stopped(view, app, server):
    one = app(name="Todo", state={"n": 0})
    one.action("counter/add", {"by": 1}, [{"op": "replace", "path": "/n", "value": 1}])
    view = view().open(one.session)
    expect(view.row(1)).to_be_visible()
    shown = panel(view, 1)
    shown.get_by_role("button", name="Replay", exact=True).click()
    loop = one.read("loop")
    shown.get_by_role("button", name="Stop").click()
    assert one.read("loop") == {"id": loop["id"], "stop": True}
    error = {"code": "stopped", "message": "the replay was stopped"}
    one.socket.send(json.dumps({"pushed": {"id": loop["id"], "next": 2, "error": error}}))
    expect(shown.get_by_role("status")).to_contain_text("Stopped after 0 actions.")
    expect(shown.get_by_role("button", name="Stop")).to_be_hidden()


def test_the_launch_menu_has_a_replay_with_new_code(view, app, server):
    one = app(name="Todo", state={"n": 0})
    one.action("counter/add", {"by": 1}, [{"op": "replace", "path": "/n", "value": 1}])
    view = view().open(one.session)
    view.row(1).click()
    view.page.get_by_role("button", name="Launch state", exact=True).click()
    view.page.get_by_role("menuitem", name="Launch and replay with new code").click()
    expect(view.outcome).to_contain_text("The next launch replays up to #1")
    expect(view.page.locator("#launch-state")).to_contain_text("The next launch replays up to #1 on Test bench")
    later = app(name="Todo", version="1.1")
    assert later.welcome["start"]["mode"] == "replay"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (2560, 1300)])
def test_the_panel_is_readable_at_every_size(view, todo, size, scheme):
    app = todo()
    app.type("add Buy milk", "add Call Ana", "add Sleep")
    view = view(*size, scheme)
    sessions = view.page.request.get(f"{view.server.url}api/v1/sessions").json()["sessions"]
    view.open(sessions[0]["session"])
    expect(view.row(3)).to_contain_text("todos/add")
    shown = panel(view, 1)
    shown.get_by_role("checkbox", name="Replay #2").uncheck()
    view.page.keyboard.press("Shift+R")
    expect(shown.get_by_role("status")).to_contain_text("First difference")
    look(view, f"loop-{size[0]}-{scheme}")
