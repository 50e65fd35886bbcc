"""`statetape run` in a terminal of its own."""

import os
import pty
import subprocess

from processes import BUILD, Output, environment
from test_fixtures import ask
from waiting import until


class Screen:
    """A terminal whose foreground is `statetape run`."""

    def __init__(self, folder, *command):
        pid, self.descriptor = pty.fork()
        if pid == 0:
            os.chdir(folder)
            arguments = [BUILD / "statetape", "run", "--build", "true", "--watch", "src", "--", *command]
            os.execve(arguments[0], arguments, environment(HOME=str(folder), TERM="xterm"))
        self.pid = pid
        self.output = Output(open(self.descriptor, errors="replace", newline="", closefd=False))
        self.place = 0
        self.origin = self.shows(r"statetape listening on (http://[0-9.:]+)").group(1)

    def shows(self, pattern):
        found = self.output.wait(pattern, self.place)
        self.place += found.end()
        return found

    def runs(self, *members):
        """Waits until the command knows that its app runs."""
        def running():
            run, = ask(self, "GET", "/api/v1/runs")["runs"]
            return run["status"] == "running" and all(member in run for member in members)

        until(running, lambda: self.output.text[-2000:])

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def app(self):
        """The app's process. The command starts it by way of another one, which cleans up after it."""
        between = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True).stdout.split()
        app, = subprocess.run(["pgrep", "-P", ",".join(between)], capture_output=True, text=True).stdout.split()
        return int(app)

    def ended(self):
        return os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
