"""The app while its actions are queued, and a recording replayed by its reducers."""

import json
import urllib.request

from waiting import until


def ask(server, path, method="GET", body=None):
    request = urllib.request.Request(
        server.url + "api/v1/" + path, method=method, data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or "null")


def live(server, *others):
    """The live session that is none of the others, as soon as the server has its first event."""
    return until(lambda: next((one for one in ask(server, "sessions")["sessions"]
                               if one["live"] and one.get("events", 0) > 0 and one["session"] not in others), None))


def test_queued_input_runs_after_the_lock_ends(server, todo):
    app = todo()
    app.type("add Buy milk")
    app.shows("Buy milk")
    session = live(server)["session"]
    control = f"sessions/{session}/control"
    assert ask(server, control, "POST", {"locked": True}) == {"recording": True, "locked": True}
    # The answer to a push comes after the lock.
    written = app.written
    ask(server, f"sessions/{session}/push", "POST", {"seq": 0})
    app.type("add Call Ana", "help")
    app.shows("quit", after=written)
    assert "Call Ana" not in app.output.text[written:]
    assert ask(server, f"sessions/{session}")["locked"]
    ask(server, control, "POST", {"locked": False, "queue": "replay"})
    app.shows(r"--- frame \d+ ---\n.*?Call Ana", after=written)


def test_a_recording_is_replayed_in_a_new_launch(server, todo):
    first = todo()
    first.type("add Buy milk", "add Call Ana", "done 1")
    first.shows(r"frame 4")
    session = live(server)
    until(lambda: ask(server, f"sessions/{session['session']}")["events"] == 4)
    first.stop()
    ask(server, "start-states", "PUT", {
        "app": session["app"]["id"], "session": session["session"], "seq": 3, "mode": "replay", "once": True})
    second = todo()
    second.shows("Call Ana")
    run = live(server, session["session"])["session"]
    replay = until(lambda: (found := ask(server, f"sessions/{run}").get("replay")) and found["status"] == "done" and found)
    assert replay["played"] == replay["compared"] == 3
    assert "divergence" not in replay
    # The lock has ended.
    written = second.written
    second.type("add Sleep")
    second.shows("Sleep", after=written)
