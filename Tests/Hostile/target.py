"""The server under attack, and the witness: an app that records during all attacks."""

import json
import subprocess

from processes import BUILD, TIMEOUT, Server, environment
from tape import App
from waiting import until
from wire import ask

# Bytes of address space for a server: it fails with an error long before the machine does.
ADDRESS_SPACE = 8 << 30
# The peak memory in MiB that a server may have used after an attack.
MEMORY = 768


class Witness(App):
    """Records an event of each kind, then one more at each check."""

    def __init__(self, server, **options):
        super().__init__(server, name="Witness", **options)
        self.expected = {"n": 0, "text": "naïve 👍 " * 12}
        self.init(self.expected)
        self.action("text/edit", None, [{"op": "splice", "path": "/text", "at": 2, "remove": 2, "insert": "i"}])
        self.send({"event": "note", "text": "watching", "level": "warning"})
        self.send({"event": "action", "action": {"type": "skip"}, "skipped": True})
        self.send({"event": "init", "store": "other", "state": [1.5, None, "é"]})
        self.send({"event": "detach", "store": "other"})

    def record(self):
        self.action("witness/count", {"n": self.seq}, [{"op": "replace", "path": "/n", "value": self.seq}])


class Target(Server):
    """`statetape serve` with a memory limit."""

    def __init__(self, folder, memory=MEMORY, prefix=(), witness_token=None, **options):
        self.memory = memory
        #: Whether an attack has broken it.
        self.is_lost = False
        # A crash report takes seconds to print, and its first line is enough.
        super().__init__(
            folder, prefix=(*prefix, "prlimit", f"--as={ADDRESS_SPACE}"), SWIFT_BACKTRACE="enable=no", **options)
        self.token = witness_token
        self.witness = Witness(self, token=witness_token)
        # More sessions whose acknowledged lines are verified at each check.
        self.recorded = []

    @staticmethod
    def program():
        return BUILD / "statetape"

    def ask(self, path, method="GET", body=None, token=None, **headers):
        return ask(self, path, method, body, token=token or self.token, **headers)

    def check(self):
        """The server is alive and healthy, still records, and returns all acknowledged events."""
        assert self.process.poll() is None, f"the server exited with {self.process.returncode}:\n{self.log[-3000:]}"
        health = self.ask("/healthz")
        assert health.status == 200, health
        self.witness.record()
        self.read_back()
        assert self.peak < self.memory, f"the server used {self.peak} MiB"

    def read_back(self):
        for app in [self.witness, *self.recorded]:
            assert self.lines(app.session) == app.lines[:app.acknowledged]

    def lines(self, session):
        """All event lines of a session."""
        found, start = [], 0
        while True:
            page = self.ask(f"/api/v1/sessions/{session}/events?from={start}")
            assert page.status == 200, page
            found += page.content.decode().splitlines()
            if int(page.headers["StateTape-Next"]) == start:
                return found
            start = int(page.headers["StateTape-Next"])

    @property
    def log(self):
        self.errors.flush()
        return (self.folder / "server.log").read_text(errors="replace")

    @property
    def peak(self):
        """The process's peak memory so far, in MiB."""
        return self.status("VmHWM") >> 10

    @property
    def resident(self):
        """The process's current memory, in MiB."""
        return self.status("VmRSS") >> 10

    def settles_below(self, bound, seconds=TIMEOUT):
        """Waits until memory drops below a number of MiB: it is returned step by step."""
        until(lambda: self.resident < bound, lambda: f"the server keeps {self.resident} MiB, above {bound}", seconds)

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(name))

    def restart(self):
        """Kills the server and starts it again. The witness reconnects, like an app."""
        self.kill()
        super().restart()
        self.witness.stop()
        self.witness.connect()

    def finish(self):
        """Stops the server. Its archive must have no problems."""
        self.witness.stop()
        if self.is_lost:
            self.kill()
            self.errors.close()
        else:
            self.stop()
            self.check_archive()

    def check_archive(self):
        found = statetape("check", "--data", self.folder / "data")
        assert found.returncode == 0, found.stdout + found.stderr


def statetape(*arguments, **options):
    """Runs another command of the program."""
    return subprocess.run(
        [BUILD / "statetape", *arguments], capture_output=True, text=True, timeout=12 * TIMEOUT,
        env=environment(SWIFT_BACKTRACE="enable=no"),
        **options)


def tape(session, lines, **header):
    """A tape in the file format."""
    header = {"tape": 1, "session": session, "app": {"id": "com.example.hostile"}, "started": "2026-11-20T10:00:00.123Z",
              **header}
    return "".join(line + "\n" for line in [json.dumps(header), *lines]).encode()
