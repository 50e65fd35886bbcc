"""An app of our own over the app link: writes any events, and answers pushes as a test likes."""

import json
import secrets
import time
from contextlib import ExitStack

from websockets.sync.client import connect

from processes import TIMEOUT

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class App:
    """One session. Events are acknowledged, so committed, when a method returns."""

    def __init__(self, server, name="Tape", version="1.0", device="Test bench", state=None, token=None, header=None, **labels):
        stamp = int(time.time() * 1000)
        self.session = "".join(LETTERS[stamp >> shift & 31] for shift in range(45, -1, -5))
        self.session += "".join(secrets.choice(LETTERS) for _ in range(16))
        self.seq = 0
        self.acknowledged = 0
        #: The sent lines.
        self.lines = []
        self.at = 0.0
        self.pushes = []
        self.replays = []
        self.server = server
        self.hello = {
            "tape": 1, "session": self.session,
            "app": {"id": f"com.example.{name.lower()}", "name": name, "version": version},
            "device": {"id": f"device-{device}", "name": device, "os": "Debian 12"},
            "started": "2026-11-20T10:00:00.123Z", "stores": ["main"], "labels": labels,
            "key": secrets.token_hex(16), "next": 0, "fresh": True, "maxMessage": 1 << 24, **(header or {}),
        }
        if token:
            self.hello["token"] = token
        self.connect()
        if state is not None:
            self.init(state)

    def connect(self):
        """Connects, again if need be, and says hello."""
        self._open = ExitStack()
        self.socket = self._open.enter_context(connect(
            self.server.url.replace("http", "ws", 1) + "v1/app", subprotocols=["statetape.v1"], max_size=None,
            compression=None, ping_interval=None))
        self.socket.send(json.dumps({"hello": self.hello}))
        self.welcome = self.read("welcome")
        assert self.welcome["have"] >= self.acknowledged, "the server lost acknowledged events"
        self.hello.update(next=self.seq, fresh=False)

    def read(self, name, wait=TIMEOUT):
        """The next line of a name; pushes and replays that come before it, or with it, are kept."""
        kept = {"push": self.pushes, "replay": self.replays}
        if kept.get(name):
            return kept[name].pop(0)
        while True:
            message = self.socket.recv(wait)
            text = message if isinstance(message, str) else message.decode()
            found = []
            for line in filter(None, text.split("\n")):
                (kind, content), = json.loads(line).items()
                if kind == "ack":
                    self.acknowledged = content["next"]
                if kind == name and not found:
                    found.append(content)
                elif kind in kept:
                    kept[kind].append(content)
            if found:
                return found[0]

    def send(self, *events):
        """Writes events and waits for their commit. An event is a dictionary, or the text of its members."""
        lines = []
        for event in events:
            self.at += 12.5
            self.seq += event.get("count", 1) if isinstance(event, dict) else 1
            members = json.dumps(event, ensure_ascii=False)[1:-1] if isinstance(event, dict) else event
            lines.append(f'{{"seq":{self.seq - 1},"at":{self.at},{members}}}')
        self.lines += lines
        for begin in range(0, len(lines), 500):
            self.socket.send("\n".join(lines[begin:begin + 500]))
        while self.acknowledged < self.seq:
            self.read("ack")
        return self.seq - 1

    def init(self, state):
        return self.send({"event": "init", "state": state})

    def action(self, type, payload=None, patch=(), **more):
        action = {"type": type} if payload is None else {"type": type, "payload": payload}
        return self.send({"event": "action", "action": action, "patch": list(patch), **more})

    def refuse(self, **error):
        """Answers the next push with an error."""
        push = self.read("push")
        self.socket.send(json.dumps({"pushed": {"id": push["id"], "error": error}}))
        return push

    def accept(self, filled=(), ignored=(), kept=(), lost=()):
        """Plays the next push in."""
        push = self.read("push")
        event = {"event": "replace", "state": push["state"]} if "state" in push else {
            "event": "action", "action": push["action"], "patch": []}
        changes = {"filled": list(filled), "ignored": list(ignored), "kept": list(kept), "lost": list(lost)}
        seq = self.send({**event, "cause": {"push": push["id"], **{key: value for key, value in changes.items() if value}}})
        answer = {"id": push["id"], "seq": seq, **changes}
        self.socket.send(json.dumps({"pushed": answer}))
        return push

    def look(self):
        """Shows the state of the next step of time travel, which no event records."""
        push = self.read("push")
        assert "travel" in push
        self.socket.send(json.dumps({"pushed": {"id": push["id"], "seq": self.seq - 1}}))
        return push

    def stop(self):
        self._open.close()
