"""`statetape demo`: its script, until somebody takes over."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

from processes import BUILD, TIMEOUT, Output, environment
from test_fixtures import ask, events
from waiting import until

ROWS, COLUMNS = 26, 100


class Demo:
    """The demo in a terminal of its own, or without one."""

    def __init__(self, folder, has_terminal=True):
        command = [str(BUILD / "statetape"), "demo", "--listen", "127.0.0.1:0", "--data", str(folder / "data")]
        variables = environment(HOME=str(folder), TERM="xterm")
        self.person, app = pty.openpty() if has_terminal else os.pipe()
        if has_terminal:
            fcntl.ioctl(app, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=app if has_terminal else subprocess.DEVNULL, stdout=app, stderr=app, cwd=folder, env=variables,
            start_new_session=True, preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if has_terminal else None)
        os.close(app)
        # A prompt ends in no newline.
        self.output = Output(iter(lambda: os.read(self.person, 65536).decode(errors="replace"), ""))
        self.origin = self.output.wait(r"statetape listening on (http://[0-9.:]+)").group(1)
        self.output.wait("Buy milk")
        session, = ask(self, "GET", "/api/v1/sessions")["sessions"]
        self.session = session["session"]
        self.path = f"/api/v1/sessions/{self.session}"

    @property
    def screen(self):
        """What the last frame shows."""
        frame = re.split(r"\x1b\[H|--- frame \d+ ---", self.output.text)[-1]
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame).replace("\r", "")

    def shows(self, *texts):
        until(lambda: all(text in self.screen for text in texts), lambda: self.screen)

    def type(self, text):
        os.write(self.person, text.encode())

    def actions(self):
        """The types of the recorded actions, with their numbers."""
        return [(line["seq"], line["action"]["type"]) for line in events(self, self.session) if line["event"] == "action"]

    def first(self, type):
        """The first event of the type, as soon as it is recorded."""
        found = lambda: next((line for line in events(self, self.session) if line.get("action", {}).get("type") == type), None)
        return until(found, lambda: self.screen)

    def push(self, **members):
        return ask(self, "POST", self.path + "/push", {"store": "main", **members})["seq"]


@pytest.fixture
def demo(tmp_path):
    made = []

    def make(**options):
        made.append(Demo(tmp_path, **options))
        return made[-1]

    yield make
    for one in made:
        one.process.terminate()
        one.process.wait(TIMEOUT)
        os.close(one.person)


def key(demo):
    demo.type("z")
    demo.shows("The script has stopped: you have typed.", "› z")
    demo.type("\x7f")


def apply(demo):
    demo.push(state=ask(demo, "GET", demo.path + "/states/0"))
    demo.shows("The script has stopped: a state was applied.", "⟵ applied state", "Inbox 2")


def edit(demo):
    state = ask(demo, "GET", demo.path + "/states/0")
    state["lists"][0]["name"] = "Edited"
    demo.push(state=state)
    demo.shows("The script has stopped: a state was applied.", "⟵ applied state", "Edited 2")


def dispatch(demo):
    demo.push(action=demo.first("todos/add")["action"])
    demo.shows("The script has stopped: an action was dispatched from outside.")


def travel(demo):
    ask(demo, "POST", demo.path + "/travel", {"seq": 0})
    demo.shows("The script has stopped: a state was applied.", "⟵ applied state", "Inbox 2")
    ask(demo, "POST", demo.path + "/control", {"locked": False, "queue": "discard"})


@pytest.mark.parametrize("takeover", [key, apply, edit, dispatch, travel], ids=lambda one: one.__name__)
def test_the_script_stops_when_somebody_takes_over(demo, takeover):
    demo = demo()
    demo.shows("A script types here. Press a key, or apply a state on the page, and it stops.")
    takeover(demo)
    before = len(demo.actions())
    demo.type("add Wash the car\r")
    demo.shows("Wash the car")
    assert "The script has" not in demo.screen
    # Three syncs take longer than the longest pause of the script.
    for number in range(3):
        demo.type("sync\r")
        until(lambda: len(demo.actions()) == before + 3 + 2 * number, lambda: demo.screen)
    assert [type.split("/")[0] for _, type in demo.actions()[before:]] == ["todos"] + ["sync"] * 6
    demo.type("\x03")
    assert demo.process.wait(TIMEOUT) == 0


def test_an_applied_state_stays_although_a_sync_of_the_script_was_running(demo):
    demo = demo()
    started = demo.first("sync/started")["seq"]
    applied = demo.push(state=ask(demo, "GET", f"{demo.path}/states/{started}"))
    demo.shows("⟵ applied state", "syncing…")
    demo.type("sync\r")
    until(lambda: demo.actions()[-1][1] == "sync/finished", lambda: demo.screen)
    # The script's sync would have finished first.
    assert demo.first("sync/finished")["cause"]["seq"] > applied


def test_without_a_terminal_the_script_runs_and_stops_too(demo):
    demo = demo(has_terminal=False)
    demo.shows("A script types here. Apply a state on the page, and it stops.")
    demo.push(state=ask(demo, "GET", demo.path + "/states/0"))
    demo.shows("The script has stopped: a state was applied.", "Inbox 2")
    assert "Type a command" not in demo.output.text and "\x1b" not in demo.output.text
    # The app goes on, and takes what is pushed next.
    assert demo.push(state=ask(demo, "GET", demo.path + "/states/0")) > 0
    demo.process.terminate()
    assert demo.process.wait(TIMEOUT) == 0
