"""The real server and the real example app, as processes whose output can be waited for."""

import contextlib
import os
import re
import signal
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build" / "debug"
#: The time limit, in seconds, of a wait for a process, the server or the page.
TIMEOUT = int(os.environ.get("STATETAPE_WAIT", "60"))


class Output:
    """What a process has written so far; waits for what is still to come."""

    def __init__(self, stream):
        self.text = ""
        self._more = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        # The last process that had a terminal open is gone.
        with contextlib.suppress(OSError):
            for line in stream:
                with self._more:
                    self.text += line
                    self._more.notify_all()
        with self._more:
            self._ended = True
            self._more.notify_all()

    def whole(self, timeout=TIMEOUT):
        """All of it. A process may be gone before what it wrote is read."""
        with self._more:
            assert self._more.wait_for(lambda: self._ended, timeout), f"the output goes on:\n{self.text[-20000:]}"
        return self.text

    def wait(self, pattern, after=0, timeout=TIMEOUT):
        """The match of a pattern after a place in the output, as soon as it is there."""
        found = None

        def there():
            nonlocal found
            found = re.search(pattern, self.text[after:], re.DOTALL)
            return found or self._ended

        with self._more:
            self._more.wait_for(there, timeout)
        assert found, f"{pattern!r} did not come; there was:\n{self.text[after:][-20000:]}"
        return found


class Server:
    """`statetape serve`, with the page of `web`, or the built-in one if that is None."""

    def __init__(self, folder, listen="127.0.0.1:0", tokens=(), options=(), prefix=(), web=ROOT / "web", **variables):
        self.folder = folder
        self.web = ("--web", web) if web else ()
        self.tokens = tokens
        self.options = options
        #: A command that starts the server, such as `prlimit`.
        self.prefix = prefix
        self.variables = variables
        self.errors = open(folder / "server.log", "a")
        self.start(listen)

    def start(self, listen):
        self.process = subprocess.Popen(
            [*self.prefix, BUILD / "statetape", "serve", "--listen", listen, "--data", self.folder / "data",
             *self.web, *(part for token in self.tokens for part in ("--token", token)), *self.options],
            stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=self.folder, env=environment(**self.variables))
        self.output = Output(self.process.stdout)
        printed = self.output.wait(r"statetape listening on (http://[^/\s]+/\S*)\n").group(1)
        self.url, _, self.fragment = printed.partition("#")
        self.origin = self.url.rstrip("/")

    def kill(self):
        """Ends it without notice."""
        self.process.kill()
        self.process.wait()

    def restart(self):
        """Starts it again, at the same address and over the same data."""
        self.start(self.origin.removeprefix("http://"))

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            code = self.process.wait(TIMEOUT)
            assert code == 0, f"the server ended with {code}:\n{(self.folder / 'server.log').read_text()[-20_000:]}"
        self.errors.close()


class Todo:
    """`todo-example`, typed into, or with a script to follow."""

    def __init__(self, server, folder, program=BUILD / "todo-example", script=None):
        options = []
        if script:
            (folder / "script").write_text("\n".join(script))
            options = ["--script", folder / "script"]
        self.process = subprocess.Popen(
            [program, "--plain", "--today", "2026-11-20", *options], text=True, cwd=folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment(STATETAPE_URL=server.url, STATETAPE_LABELS="branch=main", HOME=str(folder)))
        self.output = Output(self.process.stdout)
        self.output.wait(r"--- frame 1 ---")

    def type(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def shows(self, pattern, after=0):
        """Waits until a frame shows something."""
        return self.output.wait(pattern, after)

    @property
    def written(self):
        return len(self.output.text)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(TIMEOUT)


def environment(**more):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("STATETAPE_")}
    # On a busy machine, a server needs more than 300 ms for the launch state.
    return {**kept, "STATETAPE_LAUNCH_WAIT": "20", **more}
