"""The result of a replay, in the session that it started."""

import re

import pytest
from playwright.sync_api import expect

SIZES = {"360": (360, 740), "1280": (1280, 800), "2560": (2560, 1440)}


@pytest.fixture
def recorded(app):
    one = app(name="Todo", state={"n": 0})
    for number in range(1, 6):
        one.action("counter/add", {"by": 1}, [{"op": "replace", "path": "/n", "value": number}])
    one.stop()
    return one


def replay(app, server, view, source, values, status="done"):
    """A new run of the app: its reducers lead to other values."""
    view.page.request.put(f"{server.url}api/v1/start-states", data={
        "app": "com.example.todo", "session": source.session, "seq": 5, "mode": "replay", "once": True})
    run = app(name="Todo", version="1.1")
    start = run.welcome["start"]["id"]
    run.init({"n": 0})
    run.read("replay")
    for of, value in enumerate(values, 1):
        run.send({"event": "action", "action": {"type": "counter/add", "payload": {"by": 1}}, "state": {"n": value},
                  "cause": {"push": start, "of": of}})
    if status == "done":
        import json
        run.socket.send(json.dumps({"pushed": {"id": start, "seq": len(values), "filled": [], "ignored": []}}))
    if status == "lost":
        run.stop()
    return run


def test_the_comparison_of_a_replay_leads_from_the_recording_to_the_new_run(view, app, server, recorded):
    view = view()
    run = replay(app, server, view, recorded, [1, 2, 30, 40, 50])
    view.open(run.session)
    view.page.get_by_role("button", name="Compare sessions").click()
    there = view.page.get_by_label("Differences of the pair", exact=True)
    expect(there.locator("del")).to_have_text("3")
    expect(there.locator("ins")).to_have_text("30")
    expect(view.page.locator(".titles")).to_contain_text(re.compile("Todo 1.0.*on the left.*Todo 1.1.*on the right"))
    expect(view.page.get_by_role("button", name="Swap sides")).to_have_count(0)
    # The row of either side opens its own session.
    view.page.locator(".pair.is-difference a").nth(1).dblclick()
    expect(view.page.locator("#event-seq")).to_have_text("#3")
    assert f"session={run.session}" in view.page.url


def test_the_first_difference_of_a_replay_has_a_patch_and_both_events(view, app, server, recorded):
    view = view()
    run = replay(app, server, view, recorded, [1, 2, 30, 40, 50])
    view.open(run.session)
    told = view.page.locator(".replay")
    expect(told).to_contain_text("Replayed 5 actions of the recording, from #0 to #5.")
    expect(told).to_contain_text("≠ First difference: #3 and #3 of the recording, in store main. 3 states compared with the recording.")
    expect(told.locator("del")).to_have_text("3")
    expect(told.locator("ins")).to_have_text("30")
    expect(view.page.get_by_label("first difference of the replay")).to_have_count(1)
    expect(view.row(3).get_by_label("first difference of the replay")).to_be_visible()
    mark = view.page.locator("#replay")
    expect(mark).to_have_text("Replay: first difference at #3")
    mark.click()
    expect(view.page.locator("#event-seq")).to_have_text("#3")
    assert run.session in view.page.url
    view.page.go_back()
    told.get_by_role("link", name="#3").nth(1).click()
    expect(view.page.locator("#event-seq")).to_have_text("#3")
    view.until(f"location.search.includes('{recorded.session}')")


def test_the_two_runs_are_compared_from_there(view, app, server, recorded):
    view = view()
    run = replay(app, server, view, recorded, [1, 2, 30, 40, 50])
    view.open(run.session)
    view.page.locator(".replay").get_by_role("button", name="Compare sessions").click()
    expect(view.page.locator(".verdict")).to_contain_text("First difference: #3 and #3")


def test_a_replay_without_a_difference(view, app, server, recorded):
    view = view()
    run = replay(app, server, view, recorded, [1, 2, 3, 4, 5])
    view.open(run.session)
    expect(view.page.locator(".replay")).to_contain_text("= No difference: 5 states compared with the recording.")
    expect(view.page.locator("#replay")).to_be_hidden()


def test_a_replay_whose_app_disconnected(view, app, server, recorded):
    view = view()
    run = replay(app, server, view, recorded, [1, 2], "lost")
    view.open(run.session)
    expect(view.page.locator(".replay")).to_contain_text("The app disconnected before the end.")
    expect(view.page.locator(".replay")).to_contain_text("It reached #2 of #5.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["1280", "2560"])
def test_how_it_looks(view, app, server, recorded, size, scheme):
    from test_look import look
    view = view(*SIZES[size], scheme)
    run = replay(app, server, view, recorded, [1, 2, 30, 40, 50])
    view.open(run.session)
    expect(view.page.locator(".replay del")).to_have_text("3")
    look(view, f"replay-{size}-{scheme}")
