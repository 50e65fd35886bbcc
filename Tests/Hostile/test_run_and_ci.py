"""What `statetape ci` and `statetape run` start ends with them, whatever the build, the app or a signal does."""

import contextlib
import fcntl
import os
import pty
import signal
import subprocess
import termios
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

    def __init__(self, folder, *arguments, terminal=False, **variables):
        self.keyboard, screen = pty.openpty() if terminal else (None, subprocess.PIPE)
        self.process = subprocess.Popen(
            [BUILD / "statetape", *arguments], cwd=folder, text=True, start_new_session=True,
            stdin=screen if terminal else subprocess.DEVNULL, stdout=screen,
            stderr=screen if terminal else subprocess.STDOUT, env=environment(TMPDIR=str(folder), **variables),
            preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if terminal else None)
        if terminal:
            os.close(screen)
        self.output = Output(open(self.keyboard, errors="replace") if terminal else self.process.stdout)
        self.pids = []

    def left(self, count):
        """Waits for so many processes."""
        place = 0
        while len(self.pids) < count:
            found = self.output.wait(r"pid (\d+)\n", place)
            place += found.end()
            self.pids.append(int(found.group(1)))
        return self.pids

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
    ci.process.send_signal(number)
    ci.leaves_nothing()
    assert ci.process.wait(TIMEOUT) == (-number if number == signal.SIGKILL else 128 + number)


def test_what_the_command_of_ci_left_outlives_its_own_end(start):
    ci = start("ci", "--", "sh", "-c", LEFT["in its group"] + "; exit 3")
    assert ci.process.wait(TIMEOUT) == 3
    assert alive(ci.left(1)[0])


def run(start, folder, app, *options, build="true", **variables):
    """`statetape run` of a shell script."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "a.txt").write_text("a")
    (folder / "app.sh").write_text(app)
    return start("run", "--build", build, "--watch", "src", *options, "--", "sh", "app.sh", **variables)


def folders(folder):
    return [path.name for path in folder.glob("statetape-*-*")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL])
def test_what_the_app_of_run_left_ends_with_run(start, tmp_path, number):
    command = run(start, tmp_path, "\n".join(LEFT.values()) + "\necho pid $$; exec sleep 1000")
    command.left(len(LEFT) + 1)
    command.process.send_signal(number)
    command.leaves_nothing()
    assert command.process.wait(TIMEOUT) == (-number if number == signal.SIGKILL else 0), command.output.text
    assert len(folders(tmp_path)) == (1 if number == signal.SIGKILL else 0)


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGKILL])
def test_a_build_ends_with_run(start, tmp_path, number):
    command = run(start, tmp_path, "", build="\n".join(LEFT.values()) + "\necho pid $$; sleep 1000")
    command.left(len(LEFT) + 1)
    command.process.send_signal(number)
    command.leaves_nothing()


def test_the_next_start_removes_what_a_killed_one_left(start, tmp_path):
    """Folders of others, of live runs, and those that only have such a name stay."""
    dead = run(start, tmp_path, "echo pid $$; exec sleep 1000")
    dead.left(1)
    dead.process.send_signal(signal.SIGKILL)
    dead.leaves_nothing()
    left = folders(tmp_path)
    live = run(start, tmp_path, "echo pid $$; exec sleep 1000")
    live.left(1)
    name = "statetape-run-" + "0123456789abcdef" * 2
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lock").touch()
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    kept = [name, "statetape-run-mine", "statetape-run-" + "1" * 32]
    for folder in kept[1:]:
        (tmp_path / folder).mkdir()
    (tmp_path / "statetape-run-mine" / "lock").touch()
    # No lock can be opened here.
    (tmp_path / kept[2] / "lock").mkdir()
    old = [path / "lock" for path in tmp_path.glob("statetape-*-*")]
    for lock in old:
        os.utime(lock, (1, 1))
    kept += [folder for folder in folders(tmp_path) if folder not in left]
    third = run(start, tmp_path, "echo pid $$; exec sleep 1000")
    third.left(1)
    assert not set(left) & set(folders(tmp_path)) and set(kept) <= set(folders(tmp_path))
    assert (tmp_path / "elsewhere" / "lock").exists()


@pytest.mark.parametrize("key", [b"\x03", b"\x1c"])
@pytest.mark.parametrize("kind", ["ci", "run"])
def test_a_key_of_the_terminal_ends_everything(start, tmp_path, kind, key):
    """Ctrl-C and Ctrl-\\."""
    app = "\n".join(LEFT.values()) + "\necho pid $$; exec sleep 1000"
    command = (
        run(start, tmp_path, app, terminal=True) if kind == "run"
        else start("ci", "--", "sh", "-c", app, terminal=True))
    command.left(len(LEFT) + 1)
    os.write(command.keyboard, key)
    command.leaves_nothing()
    code = 0 if kind == "run" else 128 + (signal.SIGINT if key == b"\x03" else signal.SIGQUIT)
    assert command.process.wait(TIMEOUT) == code, command.output.text
    assert "Thread 0" not in command.output.text and folders(tmp_path) == []


def test_the_end_of_a_build_is_the_end_of_its_process(start, tmp_path):
    command = run(start, tmp_path, "echo pid $$; exec sleep 1000", build="sleep 1000 & echo pid $!")
    command.left(2)
    command.process.send_signal(signal.SIGTERM)
    assert command.process.wait(TIMEOUT) == 0


@pytest.mark.parametrize("place", ["/proc/self", "/proc", "/sys"])
def test_files_of_the_kernel_are_not_watched(start, place):
    command = start("run", "--build", "true", "--watch", place, "--", "true")
    assert command.process.wait(TIMEOUT) == 64
    assert f"{place}, can't be watched: the kernel makes its files." in command.output.whole()


def test_a_linked_source_file_is_watched(start, tmp_path):
    (tmp_path / "target").write_text("1")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "link").symlink_to(tmp_path / "target")
    command = run(start, tmp_path, "echo pid $$; exec sleep 1000")
    command.left(1)
    (tmp_path / "target").write_text("2")
    command.output.wait("because of link", timeout=20)
    command.left(2)


def test_a_save_without_a_change_restarts_an_app_that_crashed(start, tmp_path):
    command = run(start, tmp_path, "echo pid $$; exec sleep 1000")
    os.kill(command.left(1)[0], signal.SIGSEGV)
    command.output.wait("Save a file, changed or not")
    (tmp_path / "src" / "a.txt").write_text("a")
    command.left(2)


def test_a_save_while_the_app_crashes_restarts_it(start, tmp_path):
    """A crash report takes seconds, in which developers already save."""
    command = run(start, tmp_path, "echo pid $$; exec sleep 1000")
    pid = command.left(1)[0]

    def saved():
        # In one step: a file that is empty for a moment has changed.
        (tmp_path / "a.new").write_text("a")
        (tmp_path / "a.new").rename(tmp_path / "src" / "a.txt")
        return "Nothing has changed in a.txt. The app keeps running." in command.output.text

    until(saved, lambda: command.output.text)
    os.kill(pid, signal.SIGSEGV)
    command.left(2)
