"""Damages of an archive's file and log, and what the server and the commands answer then.

`python damages.py [count] [first seed]` tries a number of damages and prints what it has found.
"""

import collections
import json
import random
import shutil
import sys
import tempfile
from http.client import HTTPException
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[1] / "Browser"))

from processes import Server
from tape import App
from target import statetape, tape
from waiting import until
from wire import ask

UPLOADED = "UPLOADED-SESSION-0"
EVENTS = 900
PAGE = 4_096
#: A frame of the log: its header and a page.
FRAME = PAGE + 24


def lines_of(count):
    lines = ['{"seq":0,"at":0,"event":"init","state":{"n":0}}']
    for seq in range(1, count):
        lines.append(
            f'{{"seq":{seq},"at":{seq},"event":"action","action":{{"type":"count/{seq % 7}"}},'
            f'"patch":[{{"op":"replace","path":"/n","value":{seq}}},{{"op":"add","path":"/text","value":"{seq * 7919}"}}]}}')
    return lines


class Recording:
    """The data folder of a killed server, and the acknowledged lines of each session."""

    def __init__(self, folder):
        self.folder = folder
        self.lines = {}
        server = Server(folder, web=None)
        lines = lines_of(EVENTS)
        assert ask(server, "/api/v1/sessions", "POST", tape(UPLOADED, lines)).status == 201
        self.lines[UPLOADED] = lines
        first = self.record(server, "First", 300)
        first.stop()
        for session in self.lines:
            until(lambda: ask(server, f"/api/v1/sessions/{session}").json["sealed"] == len(self.lines[session]), "sealing goes on")
        server.stop()
        # From here on, everything is in the log only.
        server = Server(folder, web=None)
        self.apps = [self.record(server, name, count) for name, count in (("Second", 120), ("Third", 40))]
        for _ in range(6):
            for app in self.apps:
                self.extend(app, 5)
        server.kill()
        server.errors.close()
        for app in self.apps:
            app.stop()

        # The same without a log: everything is in the file.
        self.merged = folder / "merged"
        self.merged.mkdir()
        shutil.copytree(folder / "data", self.merged / "data")
        Server(self.merged, web=None).stop()

    def record(self, server, name, count):
        app = App(server, name=name, state={"n": 0})
        self.lines[app.session] = app.lines
        self.extend(app, count - 1)
        return app

    @staticmethod
    def extend(app, count):
        for _ in range(count):
            app.action("count", None, [{"op": "add", "path": "/n", "value": app.seq}])

    def copy(self, folder, isLog):
        shutil.copytree((self.folder if isLog else self.merged) / "data", folder / "data")
        # The index of the log is made again.
        (folder / "data" / "archive.sqlite-shm").unlink(missing_ok=True)
        return folder


def damage(data, seed):
    """Damages a file of an archive. Returns what was done."""
    chance = random.Random(seed)
    isLog = seed % 2 == 1
    file = data / ("archive.sqlite-wal" if isLog else "archive.sqlite")
    content = bytearray(file.read_bytes())
    unit = FRAME if isLog else PAGE
    start = 32 if isLog else 0
    count = (len(content) - start) // unit
    kind = chance.choice(["flipped", "zeroed", "cut", "noise", "many flipped"])
    number = chance.randrange(count)
    place = start + number * unit
    if kind == "flipped":
        at = chance.randrange(len(content))
        content[at] ^= 1 << chance.randrange(8)
        number = (at - start) // unit
    elif kind == "many flipped":
        for _ in range(20):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    elif kind == "zeroed":
        content[place:place + unit] = bytes(unit)
    elif kind == "noise":
        content[place:place + unit] = chance.randbytes(unit)
    else:
        del content[place + chance.choice([0, 100]):]
    file.write_bytes(content)
    return f"{file.name}: {kind} at {number} of {count}"


class Damaged(Server):
    """A server that may refuse to start."""

    refuses = False

    def start(self, listen):
        try:
            super().start(listen)
        except AssertionError:
            self.process.wait(30)
            self.refuses = True

    @property
    def log(self):
        self.errors.flush()
        return (self.folder / "server.log").read_text(errors="replace")


class Verdict:
    """What was wrong after one damage."""

    def __init__(self):
        self.faults = []
        self.kinds = collections.Counter()

    def add(self, kind, text):
        self.kinds[kind] += 1
        if len(self.faults) < 8:
            self.faults.append(f"{kind}: {text}")


def judge(folder, lines):
    """Looks at everything in a damaged archive."""
    verdict = Verdict()
    server = Damaged(folder, web=None, SWIFT_BACKTRACE="enable=no")
    told = ""
    if server.refuses:
        verdict.kinds["refused to start"] += 1
        if "statetape repair" not in server.log:
            verdict.add("no way out", server.log[-300:])
            return verdict
        told += server.log
        fixed = folder / "fixed"
        fixed.mkdir()
        found = statetape("repair", "--data", folder / "data", "--to", fixed / "data")
        told += found.stdout + found.stderr
        if found.returncode not in (0, 1) or not (fixed / "data").exists():
            verdict.add("repair failed", found.stderr[-300:])
            return verdict
        server = Damaged(fixed, web=None)
        if server.refuses:
            verdict.add("repaired one refuses", server.log[-300:])
            return verdict
    try:
        # What the server found at its start; a check runs while it does.
        check = statetape("check", "--data", server.folder / "data")
        told += check.stdout + check.stderr + server.log
        if check.returncode not in (0, 1):
            verdict.add("check failed", check.stderr[-300:])
        for session, expected in lines.items():
            look(server, session, expected, told, verdict)
    finally:
        told = server.log
        server.kill()
        server.errors.close()
    if "Fatal error" in told or "crashed" in told:
        verdict.add("crash", told[-300:])
    return verdict


def look(server, session, expected, told, verdict):
    path = f"/api/v1/sessions/{session}"
    try:
        summary = ask(server, path)
        if summary.status != 200:
            isTold = any(text in told for text in (session, "the database:", "the list of sessions", "the table session"))
            if summary.status != 404 or not isTold:
                verdict.add("lost" if summary.status == 404 else "5xx", f"{session}: {summary.status}")
            return
        covered = 0
        for text in ask(server, f"{path}/tape").content.decode().splitlines()[1:]:
            event = json.loads(text)
            first = event["seq"] - event.get("count", 1) + 1
            if first > covered:
                break
            covered = event["seq"] + 1
            if event["event"] == "gap":
                if event.get("reason") not in ("damaged", "lost"):
                    verdict.add("wrong", f"{session}: {text}")
            elif text != expected[event["seq"]]:
                verdict.add("wrong", f"{session}: {text}")
        if covered < len(expected) and session not in told:
            verdict.add("silent", f"{session}: {covered} of {len(expected)} events")
        if covered < min(len(expected), summary.json["events"]):
            verdict.add("cut", f"{session}: {covered} of {summary.json['events']}")
        for seq in [*range(0, len(expected), 83), len(expected) - 1]:
            state = ask(server, f"{path}/states/{seq}")
            if state.status >= 500:
                verdict.add("5xx", f"{session}/states/{seq}: {state.content[:100]}")
            elif state.status == 200 and state.json["n"] != seq:
                verdict.add("wrong", f"{session}/states/{seq}: {state.json}")
            event = ask(server, f"{path}/events/{seq}")
            if event.status >= 500:
                verdict.add("5xx", f"{session}/events/{seq}: {event.content[:100]}")
    except (OSError, HTTPException, ValueError) as error:
        verdict.add("cut", f"{session}: {error!r}")


def main(count=100, seed=0):
    totals = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "sound").mkdir()
        recording = Recording(folder / "sound")
        for seed in range(seed, seed + count):
            place = folder / str(seed)
            place.mkdir()
            done = damage(recording.copy(place, seed % 2 == 1) / "data", seed)
            verdict = judge(place, recording.lines)
            totals.update(verdict.kinds.keys())
            print(seed, done, dict(verdict.kinds), *verdict.faults[:3], sep=" | ", flush=True)
            shutil.rmtree(place)
    print(f"{count} damages:", dict(totals) or "no fault")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
