"""Malicious servers against an app: the app works, its memory stays bounded, and it exits normally."""

import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from processes import BUILD, TIMEOUT, Output, environment
from wire import read_all

# A placeholder of the same length as the app's session id: the lengths of frames are computed before.
SESSION = "THE-SESSION-OF-THIS-VERY-A"
WELCOME = {"session": SESSION, "have": 0, "server": "hostile/1", "maxMessage": 16777216, "recording": True, "locked": False}


def line(kind, **members):
    return json.dumps({kind: members}).encode()


def welcome(**members):
    return line("welcome", **{**WELCOME, **members})


def odd_welcome(member, text):
    return welcome(**{member: "@"}).replace(b'"@"', text.encode())


def frame(content, opcode=1, fin=0x80):
    size = (bytes([len(content)]) if len(content) < 126 else b"\x7e" + struct.pack(">H", len(content)) if len(content) < 65536
            else b"\x7f" + struct.pack(">Q", len(content)))
    return bytes([fin | opcode]) + size + content


def push(number, **content):
    return line("push", id=f"p{number}", store="main", **content)


NUMBERS = ["-1", "9007199254740991", "9223372036854775808", "1e400", "-0", "1.5", '"1"', "null", "[]", "{}"]

# The bytes that a server sends after the handshake and the app's hello.
SENT = {
    "nothing": b"", "rubbish": os.urandom(3000), "an empty message": frame(b""), "no JSON": frame(b"{"), "brackets": frame(b"[" * 100_000),
    "no UTF-8": frame(b"\xff\xfe"), "a masked frame": b"\x81\x82\x00\x00\x00\x00{}", "a reserved bit": b"\xf1\x02{}", "opcode 7": b"\x87\x00",
    "a frame of 2^63 bytes": b"\x82\x7f\x80" + bytes(7) + b"x" * 1000, "a message without end": (frame(b"x" * 60_000, 2, 0) + frame(b"x" * 60_000, 0, 0) * 400),
    "a line of 30 MB": frame(b'{"push":"' + b"x" * 30_000_000 + b'"}'), "close 1000": frame(struct.pack(">H", 1000), 8), "close 4001": frame(struct.pack(">H", 4001), 8),
    "close 4005": frame(struct.pack(">H", 4005), 8), "close 4006": frame(struct.pack(">H", 4006), 8), "close 4010": frame(struct.pack(">H", 4010), 8),
    "close 1009": frame(struct.pack(">H", 1009), 8), "close 5000": frame(struct.pack(">H", 5000), 8), "a close of one byte": frame(b"\x03", 8),
    "pings": frame(b"x" * 125, 9) * 5_000, "an error": frame(line("error", code="x" * 10_000, message="y")),
    **{f"have {text}": frame(odd_welcome("have", text)) for text in NUMBERS},
    **{f"a maxMessage of {text}": frame(odd_welcome("maxMessage", text)) for text in ["0", "1", *NUMBERS]},
    "another session": frame(welcome(session="ANOTHER-SESSION")), "two welcomes": frame(welcome()) + frame(welcome(have=5)), "locked, and gone": frame(welcome(locked=True)) + frame(line("control", locked=True)) + frame(struct.pack(">H", 1000), 8),
    "a replay without actions": frame(welcome(start={"id": "p1", "mode": "replay", "states": {}})),
    "a replay that trickles": frame(welcome(start={"id": "p1", "mode": "replay"})) + frame(line("replay", id="p1", of=0, store="main", action={"type": "x"})) * 20,
    "a start that is none": frame(welcome(start={"id": "p1", "mode": "state", "states": {"main": None, "x": []}})),
    "a deep start": frame(b'{"welcome":' + json.dumps(WELCOME)[:-1].encode() + b',"start":{"id":"p1","mode":"state","states":{"main":' + b"[" * 500 + b"]" * 500 + b"}}}}"),
    **{f"an ack of {text}": frame(welcome()) + frame(b'{"ack":{"next":' + text.encode() + b"}}") for text in NUMBERS},
    "acks that go back": frame(welcome()) + b"".join(frame(line("ack", next=n)) for n in (1, 0, 1, 0)),
    "a thousand pushes": frame(welcome()) + b"".join(frame(push(n, state={"n": n})) for n in range(1000)),
    "pushes of actions": frame(welcome()) + b"".join(frame(push(n, action={"type": "x" * 1000, "payload": [n]})) for n in range(300)),
    "one push again and again": frame(welcome()) + frame(push(1, state=None)) * 1000, "a deep push": frame(welcome()) + frame(b'{"push":{"id":"p","state":' + b"[" * 505 + b"]" * 505 + b"}}"),
    "a push of 10 MB": frame(welcome()) + frame(push(1, state={"x": "y" * 10_000_000})), "a push that has expired": frame(welcome()) + frame(push(1, state={}, expires=0)),
    "wants": frame(welcome()) + frame(line("want", state="main")) * 1000, "wants of no store": frame(welcome()) + frame(line("want", state="x" * 5000)) * 100,
    "pause and go on": frame(welcome()) + (frame(line("control", recording=False)) + frame(line("control", recording=True))) * 500,
    "lock and unlock": frame(welcome()) + (frame(line("control", locked=True)) + frame(line("control", locked=False, queue="replay"))) * 500,
    "unlock with another word": frame(welcome()) + frame(line("control", locked=True)) + frame(line("control", locked=False, queue="eat")),
    "replays of no start": frame(welcome()) + frame(line("replay", id="p9", of=3, store="main", action={"type": "x"})) * 200 + frame(line("replay", id="p9", done=True)),
}

# Invalid answers to the handshake.
HANDSHAKES = {
    "HTTP 200": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP 401": b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n",
    "a redirect": b"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "HTTP 503": b"HTTP/1.1 503 No\r\n\r\n",
    "rubbish": b"\x00\xff" * 3000, "endless headers": b"HTTP/1.1 101 x\r\n" + b"X-A: b\r\n" * 50_000, "a wrong key": b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\nSec-WebSocket-Protocol: statetape.v1\r\n\r\n", "half a line": b"HTT", "nothing at all": b"",
}


class Hostile:
    """A server that answers every connection in the same way, and counts them."""

    def __init__(self, sent=None, handshake=None):
        self.sent, self.handshake = sent, handshake
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.answered = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(peer,), daemon=True).start()

    def answer(self, peer):
        try:
            peer.settimeout(TIMEOUT)
            request = read_all(peer, b"\r\n\r\n")
            if self.handshake is not None:
                peer.sendall(self.handshake)
                self.answered.set()
                if self.handshake:
                    peer.close()
                return
            key = next((one.split(b": ")[1] for one in request.split(b"\r\n") if one.lower().startswith(b"sec-websocket-key")), b"")
            accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            peer.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept +
                         b"\r\nSec-WebSocket-Protocol: statetape.v1\r\n\r\n")
            hello = self.message(peer)
            session = json.loads(hello)["hello"]["session"].encode()
            peer.sendall(self.sent.replace(SESSION.encode(), session) if len(self.sent) < 100_000 else self.sent)
            self.answered.set()
            while peer.recv(65536):
                pass
        except OSError:
            self.answered.set()

    def message(self, peer):
        """The content of the app's first frame."""
        received = b""
        while True:
            received += peer.recv(65536)
            if len(received) < 8:
                continue
            length, start = received[1] & 127, 2
            if length == 126:
                length, start = struct.unpack(">H", received[2:4])[0], 4
            if len(received) >= start + 4 + length:
                mask = received[start:start + 4]
                return bytes(byte ^ mask[index & 3] for index, byte in enumerate(received[start + 4:start + 4 + length]))

    def stop(self):
        self.listener.close()


def do(process, output, item):
    """Adds an item. A replay discards actions at its end, so repeat until the item is visible."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        process.stdin.write(f"add {item}\n")
        process.stdin.flush()
        try:
            # A server can lock an app for five seconds at most.
            return output.wait(item, timeout=3)
        except AssertionError:
            assert process.poll() is None
    raise AssertionError(f"{item} never arrived")


def live_under(server, folder):
    """The example app works for its user whatever the server does, and exits on `quit`."""
    process = subprocess.Popen(
        ["prlimit", f"--as={4 << 30}", BUILD / "todo-example", "--plain", "--today", "2026-11-20"], text=True, cwd=folder, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        # Such a server has no launch state.
        env=environment(
            STATETAPE_URL=server.url, STATETAPE_SPOOL=str(folder), HOME=str(folder), STATETAPE_LAUNCH_WAIT="0.3",
            SWIFT_BACKTRACE="enable=no"))
    try:
        output = Output(process.stdout)
        output.wait(r"--- frame 1 ---")
        assert server.answered.wait(TIMEOUT)
        for number in range(3):
            do(process, output, f"Hostile-{number}")
        with open(f"/proc/{process.pid}/status") as status:
            peak = next(int(one.split()[1]) for one in status if one.startswith("VmHWM")) >> 10
        process.stdin.write("quit\n")
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 0
        assert peak < 256, f"the app used {peak} MiB"
    finally:
        process.kill()
        process.wait()
        server.stop()


@pytest.mark.parametrize("attacks", [
    {name: {"sent": content} for name, content in SENT.items()}, {name: {"handshake": content} for name, content in HANDSHAKES.items()}],
    ids=["what it sends", "what it answers"])
def test_a_hostile_server_does_not_hurt_the_app(tmp_path, attacks):
    def run(name):
        folder = tmp_path / str(list(attacks).index(name))
        folder.mkdir()
        try:
            live_under(Hostile(**attacks[name]), folder)
        except Exception as error:
            return f"{name}: {error!r}"

    # Each attack mostly waits, but starts a process first.
    with ThreadPoolExecutor(min(12, 3 * os.cpu_count())) as pool:
        assert list(filter(None, pool.map(run, attacks))) == []
