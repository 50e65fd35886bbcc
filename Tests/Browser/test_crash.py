"""A server that is killed: nothing acknowledged is lost, and the app delivers the rest when the server is back."""

import json
import subprocess
import urllib.request

import pytest

from processes import BUILD, Output, environment
from waiting import until


def get(server, path):
    with urllib.request.urlopen(server.origin + path) as answer:
        return json.load(answer)


def events(server, session):
    """All of them: an answer stops where a scan has taken long enough, and names where to go on."""
    kept, start, end = [], 0, 1
    while start < end:
        path = f"{server.origin}/api/v1/sessions/{session}/events?from={start}&limit=10000"
        with urllib.request.urlopen(path) as answer:
            kept += [json.loads(line) for line in answer]
            start, end = int(answer.headers["StateTape-Next"]), int(answer.headers["StateTape-Committed"])
    return kept


@pytest.mark.parametrize("count", [1, 500, 20_000])
def test_acknowledged_events_survive_a_kill(server, app, count):
    app = app(state={"n": 0})
    for n in range(1, count + 1):
        app.socket.send(
            f'{{"seq":{n},"at":{n},"event":"action","action":{{"type":"count"}},'
            f'"patch":[{{"op":"replace","path":"/n","value":{n}}}]}}')
    # The first acknowledgement, usually of some of them.
    app.read("ack")
    server.kill()
    server.restart()
    kept = events(server, app.session)
    assert [event["seq"] for event in kept] == list(range(len(kept)))
    assert len(kept) >= app.acknowledged > 1
    last = len(kept) - 1
    assert get(server, f"/api/v1/sessions/{app.session}/states/{last}") == {"n": last}


def test_the_app_continues_without_the_server_and_delivers_later(server, todo, view):
    app = todo()
    app.type(*[f"add before {n}" for n in range(20)])
    app.shows("before 19")
    server.kill()
    app.type(*[f"add away {n}" for n in range(20)])
    app.shows("away 19")
    server.restart()
    page = view()
    # The browser logs each failed connection.
    page.expected.append("WebSocket connection|ERR_CONNECTION")
    page.open()
    page.row(40).wait_for()
    (session,) = get(server, "/api/v1/sessions")["sessions"]
    kept = events(server, session["session"])
    assert [event["seq"] for event in kept] == list(range(41))
    state = get(server, f"/api/v1/sessions/{session['session']}/states/40")
    shown = [todo["title"] for todo in state["lists"][0]["todos"]]
    assert shown[-40:] == [f"before {n}" for n in range(20)] + [f"away {n}" for n in range(20)]


def test_a_server_killed_again_and_again_has_every_event_once(server, todo, view):
    app = todo()
    sent = 0
    for round in range(5):
        app.type(*[f"add todo {sent + n}" for n in range(50)])
        sent += 50
        # Kill the server while they are sent.
        app.shows(f"todo {sent - 25}\n")
        server.kill()
        app.shows(f"todo {sent - 1}\n")
        server.restart()
    view().open().row(sent).wait_for()
    app.type("quit")
    assert app.process.wait(20) == 0
    (session,) = get(server, "/api/v1/sessions")["sessions"]
    kept = events(server, session["session"])
    assert [event["seq"] for event in kept] == list(range(sent + 2))
    assert kept[-1]["event"] == "end"
    state = get(server, f"/api/v1/sessions/{session['session']}/states/{sent}")
    assert [todo["title"] for todo in state["lists"][0]["todos"]][-sent:] == [f"todo {n}" for n in range(sent)]


def test_a_killed_app_leaves_a_valid_tape_file(tmp_path):
    app = subprocess.Popen(
        [BUILD / "todo-example", "--plain", "--demo"], text=True, cwd=tmp_path, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=environment(STATETAPE_FILE=str(tmp_path / "%s.tape"), HOME=str(tmp_path)))
    try:
        Output(app.stdout)
        tape = until(lambda: next(tmp_path.glob("*.tape"), None))
        until(lambda: tape.read_bytes().count(b"\n") > 30)
    finally:
        app.kill()
        app.wait()
    lines = tape.read_text().splitlines()
    assert tape.read_text().endswith("\n")
    assert tape.stem == json.loads(lines[0])["session"]
    assert [json.loads(line)["seq"] for line in lines[1:]] == list(range(len(lines) - 1))
    check = subprocess.run([BUILD / "statetape", "check", tape], text=True, capture_output=True)
    assert check.returncode == 0 and "no problems" in check.stdout, check.stdout + check.stderr
