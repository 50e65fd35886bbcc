"""`statetape run`, as a process that tests type into."""

import signal
import subprocess

from processes import BUILD, TIMEOUT, Output, environment
from waiting import until


class Run:
    """`statetape run` in a folder, typed into."""

    def __init__(self, folder, *options, command=("swift", "run", "Reloaded"), **variables):
        self.folder = folder
        self.process = subprocess.Popen(
            [BUILD / "statetape", "run", *options, "--", *command], cwd=folder, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            env=environment(**variables))
        self.output = Output(self.process.stdout)
        self.place = 0
        self.pids = []
        url = self.shows(r"statetape listening on (\S+)").group(1)
        self.url, self.origin = url, url.rstrip("/")

    def shows(self, pattern):
        """Waits for something after what was waited for last. The first build in a folder takes a minute or more."""
        found = self.output.wait(pattern, self.place, 10 * TIMEOUT)
        self.place += found.end()
        return found

    def launched(self, total):
        """Waits for a new process."""
        found = self.shows(r"(\d+) launched with total (-?\d+)")
        assert int(found.group(2)) == total, self.output.text
        self.pids.append(int(found.group(1)))
        return self.pids[-1]

    def launched_with(self, text):
        self.pids.append(int(self.shows(rf"(\d+) launched with total {text}\n").group(1)))

    def type(self, text, answer):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        self.shows(answer)

    def save(self, name, before, after):
        """Saves as editors do: a new file takes the place of the old one."""
        file = self.folder / name
        text = file.read_text()
        assert before in text
        temporary = file.with_name(f".{file.name}.tmp")
        temporary.write_text(text.replace(before, after))
        temporary.rename(file)

    def stop(self):
        """Ends it as Ctrl-C does; nothing is left."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            assert self.process.wait(TIMEOUT) == 0, self.output.text
        for pid in self.pids:
            until(lambda: not alive(pid), f"{pid} is left")


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().split(")")[1].split()[0] != "Z"
    except OSError:
        return False
