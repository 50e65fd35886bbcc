"""What `statetape ci` and `statetape run` start ends with them, whatever the build, the app or a signal does."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import pytest

from processes import BUILD, TIMEOUT, Output, environment
from waiting import until

#: Ways in which a command leaves a process behind. Each prints its id.
LEFT = {
    "in its group": "sleep 1000 & echo pid $!",
    "in a session of its own": "setsid sh -c 'echo pid $$; exec sleep 1000' &",
    "as an orphan": "(setsid sh -c 'echo pid $$; exec sleep 1000' &)",
    "deaf to signals": "(trap '' TERM INT HUP QUIT; setsid sh -c 'echo pid $$; while :; do sleep 1; done' &)",
    "stopped": "setsid sh -c 'echo pid $$; kill -STOP $$' &",
}


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


class Command:
    """A command in a session of its own, whose output tells the processes that it has left."""

    def __init__(self, folder, *arguments, **variables):
        self.folder = folder
        self.process = subprocess.Popen(
            [BUILD / "statetape", *arguments], cwd=folder, text=True, stdin=subprocess.DEVNULL, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(TMPDIR=str(folder), **variables))
        self.output = Output(self.process.stdout)
        self.pids = []

    def left(self, count):
        """Waits for so many processes."""
        place = 0
        while len(self.pids) < count:
            found = self.output.wait(r"pid (\d+)\n", place)
            place += found.end()
            self.pids.append(int(found.group(1)))
        return self.pids

    def send(self, number):
        self.process.send_signal(number)

    def leaves_nothing(self):
        until(
            lambda: not any(map(alive, self.pids)),
            lambda: f"still there: {[pid for pid in self.pids if alive(pid)]}\n{self.output.text}", 15)

    def finish(self):
        for pid in [self.process.pid, *self.pids]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(TIMEOUT)


@pytest.fixture
def start(tmp_path):
    commands = []

    def begin(*arguments, **variables):
        commands.append(Command(tmp_path, *arguments, **variables))
        return commands[-1]

    yield begin
    for command in commands:
        command.finish()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL])
def test_what_the_command_of_ci_left_ends_with_a_signal(start, number):
    script = "\n".join(LEFT.values()) + "\necho pid $$; exec sleep 1000"
    ci = start("ci", "--", "sh", "-c", script)
    pids = ci.left(len(LEFT) + 1)
    assert all(map(alive, pids))
    ci.send(number)
    ci.leaves_nothing()
    assert ci.process.wait(TIMEOUT) == (-number if number == signal.SIGKILL else 128 + number)


def test_what_the_command_of_ci_left_outlives_its_own_end(start):
    ci = start("ci", "--", "sh", "-c", LEFT["in its group"] + "; exit 3")
    assert ci.process.wait(TIMEOUT) == 3
    assert alive(ci.left(1)[0])
