"""A developer edits the types of the state, builds, and launches from a state of the earlier build."""

import json
import os
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from processes import ROOT, Output, environment
from test_fixtures import ask, events
from waiting import until

pytestmark = pytest.mark.xdist_group("builds")

COPY = ROOT / ".build" / "copies" / "Edits"
STATE = COPY / "Sources" / "Edits" / "State.swift"

#: Every kind of edit at once.
EDITS = {
    # A new member of the state, and a renamed one.
    '    var title = ""\n': '    var name = "none"\n    var theme = "light"\n',
    'title = "Mine"': 'name = "Mine"',
    # A renamed member, whose value a line in the app keeps.
    "qty": "quantity",
    # A changed type.
    "var count = 0": 'var count = "zero"',
    "count = 5": 'count = "five"',
    # A renamed case with a value, and a removed case in an element.
    "detail(id: Int)": "page(id: Int)",
    ".detail(id: 7)": ".page(id: 7)",
    "case food, tool": "case food, toy",
    "kind: .tool": "kind: .toy",
    # New members of an element, for one of which the app says which value older states have.
    "    var kind = Kind.food\n": "    var kind = Kind.food\n    var quantity = 1\n    var unit = \"piece\"\n",
    "func migrate(_ tape: Recorder) {}": """func migrate(_ tape: Recorder) {
    tape.renamed("/cart/qty", to: "/cart/quantity")
    tape.added("/items/*/unit", "pieces")
}""",
}


def build():
    scratch = ROOT / ".build" / "fixtures" / "Edits"
    made = subprocess.run(
        ["swift", "build", "--package-path", COPY, "--scratch-path", scratch], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    assert made.returncode == 0, made.stdout[-5000:]
    return scratch / "debug" / "Edits"


def run(program, server):
    """Runs the app; returns the state that it started with, what it said on standard error, and its session."""
    known = {one["session"] for one in ask(server, "GET", "/api/v1/sessions")["sessions"]}
    app = subprocess.Popen(
        [program], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(STATETAPE_URL=server.url, HOME=str(server.folder)))
    state, said = app.communicate(timeout=60)
    assert app.returncode == 0, said
    session = next(one for one in ask(server, "GET", "/api/v1/sessions")["sessions"] if one["session"] not in known)
    return json.loads(state), said, session


def launch_from(server, session, seq):
    ask(server, "PUT", "/api/v1/start-states", {"app": session["app"]["id"], "session": session["session"], "seq": seq})


def test_a_state_survives_edits_of_its_types(view, server):
    shutil.copytree(ROOT / "Tests" / "Fixtures" / "Edits", COPY, dirs_exist_ok=True)
    started, _, old = run(build(), server)
    assert started["note"] == "same"
    launch_from(server, old, 1)
    text = STATE.read_text()
    for before, after in EDITS.items():
        assert before in text, before
        text = text.replace(before, after)
    STATE.write_text(text)
    program = build()

    started, said, new = run(program, server)
    assert started == {
        "accounts": [{"name": "Ana", "password": ""}], "cart": {"quantity": 3}, "count": "zero", "items": [
            {"id": 1, "kind": "food", "quantity": 0, "title": "Milk", "unit": "pieces"}],
        "name": "none", "note": "kept", "screen": {"list": {}}, "theme": "light"}
    cause = events(server, new["session"])[0]["cause"]
    assert sorted(cause["filled"]) == ["/items/0/quantity", "/name", "/theme"]
    assert cause["ignored"] == ["/title"]
    assert sorted((one["path"], one["instead"], one.get("secret", False)) for one in cause["lost"]) == [
        ("/accounts/0/password", "empty", True), ("/count", "initial", False), ("/items/1", "removed", False),
        ("/screen", "initial", False)]
    assert "hunter2" not in json.dumps(cause) and "startFailed" not in new

    view = view().open(new["session"], event=0, tab="action")
    expect(view.row(0)).to_contain_text("3 lost, 1 secret missing, 3 filled in")
    expect(view.row(0).get_by_label("warning")).to_be_visible()
    expect(view.page.locator("#panel")).to_contain_text("/count (the initial state’s value): expected a string")
    expect(view.page.locator("#start-failed")).to_be_hidden()
    view.shot("edited-1280-light")
    view.check()

    # Nothing of this state can be kept.
    STATE.write_text("""import StateTape

struct AppState: Codable {
    var note = 0
    mutating func fill() { note = 1 }
}

enum AppAction: String, Codable { case fill }

func migrate(_ tape: Recorder) {}
""")
    started, said, failed = run(build(), server)
    assert started == {"note": 0}
    assert "could not launch as the server asked" in said and "/note" in said
    # The server stores it after the app's last event, which the app waits for.
    found = until(lambda: ask(server, "GET", f"/api/v1/sessions/{failed['session']}").get("startFailed"))
    assert found["path"] == "/note"
    # The same message into a pipe that nobody reads does not end the app.
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=write,
            env=environment(STATETAPE_URL=server.url, HOME=str(server.folder))) as app:
        os.close(write)
        assert app.communicate(timeout=60)[0] == b'{"note":0}\n'
    assert app.returncode == 0
    note = next(line for line in events(server, failed["session"]) if line["event"] == "note")
    assert note["level"] == "warning" and "push" in note["cause"]
    view.open(failed["session"])
    expect(view.page.locator("#start-failed")).to_contain_text("Not launched as asked: expected a number, found a string, at /note")
    expect(view.page.get_by_title("The app did not launch as asked").first).to_contain_text("▲")
    view.shot("start-failed-1280-light")
