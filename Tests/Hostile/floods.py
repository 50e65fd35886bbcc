"""What view-only links and apps may do to a server while people with control work with it.

Run as a script, it prints for each flood, in full size: how long control's requests and an app's acknowledgements take
meanwhile, the most memory, and the memory at rest afterwards. With --release it takes that build.
"""

import contextlib
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[1] / "Browser"))

import processes  # noqa: E402  (needs the path above)
import target as target_module  # noqa: E402
from processes import TIMEOUT  # noqa: E402
from tape import App  # noqa: E402
from target import Target, tape  # noqa: E402
from waiting import until  # noqa: E402
from wire import connect, frame, head, read_all, shake  # noqa: E402

TOKENS = {"control": "control-token", "view": "view-token", "app": "app-token"}
OPTIONS = {"tokens": [f"{role}={value}" for role, value in TOKENS.items()], "witness_token": TOKENS["control"]}
EVENTS = "FLOOD-EVENTS-SESSION"
STATE = "FLOOD-STATE-SESSION-1"
LARGE = "FLOOD-LARGE-SESSION-1"
#: A state of many times the longest line grows by so many actions.
PARTS = 16
LIMIT = 400


def bearer(role):
    return f"Authorization: Bearer {TOKENS[role]}"


def rows(megabytes):
    return "[" + ",".join(f'{{"id":{number},"text":"{"y" * 70}"}}' for number in range(int(megabytes * 10_240))) + "]"


def fill(target, megabytes, large):
    """Sessions with 4 000 events of 2 KB, with a state in one line, and with a larger state made by many."""
    lines = ['{"seq":0,"at":0,"event":"init","state":{}}']
    lines += [f'{{"seq":{seq},"at":{seq},"event":"note","text":"{seq} {"x" * 2_000}"}}' for seq in range(1, 4_000)]
    assert target.ask("/api/v1/sessions", "POST", tape(EVENTS, lines)).status == 201
    lines = [f'{{"seq":0,"at":0,"event":"init","state":{{"rows":{rows(megabytes)}}}}}',
             '{"seq":1,"at":1,"event":"action","action":{"type":"a"},"patch":[{"op":"add","path":"/n","value":1}]}']
    assert target.ask("/api/v1/sessions", "POST", tape(STATE, lines)).status == 201
    part = rows(large / PARTS)
    lines = ['{"seq":0,"at":0,"event":"init","state":{}}']
    lines += [f'{{"seq":{seq},"at":{seq},"event":"action","action":{{"type":"a"}},'
              f'"patch":[{{"op":"add","path":"/part{seq}","value":{part}}}]}}' for seq in range(1, PARTS + 1)]
    assert target.ask("/api/v1/sessions", "POST", tape(LARGE, lines)).status == 201


def unread(target, count, path):
    """Connections that ask and read nothing."""
    peers = []
    for _ in range(count):
        peer = connect(target)
        peer.sendall(head(target, f"GET {path} HTTP/1.1", bearer("view")))
        peers.append(peer)
    return peers


def lists(target, count):
    return unread(target, count, f"/api/v1/sessions/{EVENTS}/events?limit=4000")


def states(target, count):
    return unread(target, count, f"/api/v1/sessions/{STATE}/states/1")


def large(target, count):
    return unread(target, count, f"/api/v1/sessions/{LARGE}/states/{PARTS}")


def exports(target, count):
    return unread(target, count, f"/api/v1/sessions/{EVENTS}/tape?format=html")


def tapes(target, count):
    """Downloads in whose one line there is a large state."""
    return unread(target, count, f"/api/v1/sessions/{STATE}/tape")


def leavers(target, count):
    """Clients that ask for a large state, one after another, and don't wait for it."""
    for _ in range(count):
        unread(target, 1, f"/api/v1/sessions/{STATE}/states/1")[0].close()
    return []


def searches(target, count):
    return unread(target, count, f"/api/v1/sessions/{EVENTS}/events?re=(x%2Bx%2B)%2By")


def viewers(target, count):
    """Pages that read nothing, not even a ping. Those beyond the limit are refused."""
    peers = []
    for _ in range(count):
        with contextlib.suppress(AssertionError):
            peers.append(shake(target, "/v1/viewer", "statetape.viewer.v1", bearer("view")))
    return peers


def uploads(target, count):
    """Uploads that never end."""
    peers = []
    for _ in range(count):
        peer = connect(target)
        peer.sendall(head(target, "POST /api/v1/sessions HTTP/1.1", bearer("app"), "Content-Length: 100000000"))
        peers.append(peer)
    return peers


def halves(target, count):
    """Apps that send half of a large state, and stop."""
    peers = []
    start = b'{"seq":0,"at":0,"event":"init","state":"' + b"x" * (30 << 20)
    for number in range(count):
        peer = shake(target)
        peers.append(peer)
        session = {"session": f"FLOOD-HALF-SESSION-{number:03}", "next": 0, "fresh": True, "token": TOKENS["app"]}
        peer.sendall(frame(json.dumps({"hello": {**target.witness.hello, **session}}), opcode=1))
        read_all(peer, b"welcome")
        # The server may have no room, and drop others or this one.
        with contextlib.suppress(OSError):
            peer.sendall(frame(start, opcode=1, length=60 << 20))
    return peers


def sends_large_state(target):
    """Whether an app's state of 2 MB is acknowledged."""
    app = App(target, name="Large", token=TOKENS["app"])
    app.init({"text": "z" * (2 << 20)})
    app.stop()
    return True


#: The flood, how many connections it has in full, and in a test.
FLOODS = {
    "lists": (lists, 400, 80), "states": (states, 300, 60), "large": (large, 24, 24), "exports": (exports, 400, 80),
    "tapes": (tapes, 400, 80), "leavers": (leavers, 4_000, 400),
    "searches": (searches, 200, 80), "viewers": (viewers, 256, 256), "uploads": (uploads, 64, 20), "halves": (halves, 40, 12),
}


def control(target):
    """What a person with control does: the list, a login, and an event's line."""
    for path, method, body in (
            ("/api/v1/sessions", "GET", None), ("/api/v1/login", "POST", {"token": TOKENS["control"]}),
            (f"/api/v1/sessions/{EVENTS}/events/7", "GET", None)):
        start = time.monotonic()
        answer = target.ask(path, method, body)
        assert answer.status in (200, 204), f"{path}: {answer}"
        yield time.monotonic() - start


def opens_page(target):
    """Whether a page with control gets a place."""
    with shake(target, "/v1/viewer", "statetape.viewer.v1", bearer("control")):
        return True


@contextlib.contextmanager
def sampled(target):
    """The most memory meanwhile, in MiB."""
    peak = [target.resident]
    done = threading.Event()

    def sample():
        while not done.wait(0.02):
            peak[0] = max(peak[0], target.resident)

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def measure(name, folder):
    """One flood in full."""
    flood, count, _ = FLOODS[name]
    target = Target(folder, memory=8_192, **OPTIONS)
    fill(target, 15, 232)
    # What is measured is the flood, not the compression of what was recorded just now.
    recorded = [EVENTS, STATE, LARGE]
    summary = lambda session: target.ask(f"/api/v1/sessions/{session}").json
    until(
        lambda: all(said["sealed"] == said["events"] for said in map(summary, recorded)),
        lambda: "the sessions are not compressed", seconds=600)
    target.restart()
    with sampled(target) as peak:
        peers = flood(target, count)
        asked, acknowledged, start = [], [], time.monotonic()
        while time.monotonic() - start < 15:
            asked += control(target)
            before = time.monotonic()
            target.witness.record()
            acknowledged.append(time.monotonic() - before)
        assert opens_page(target) and sends_large_state(target)
        for peer in peers:
            peer.close()
        ended = time.monotonic()
    while target.resident > LIMIT / 2 and time.monotonic() - ended < TIMEOUT:
        time.sleep(0.1)
    rest = time.monotonic() - ended
    p99 = lambda times: sorted(times)[max(0, len(times) * 99 // 100 - 1)] * 1_000
    print(f"{name:9} {count:4} connections: control p99 {p99(asked):5.0f} ms of {len(asked):4},"
          f" acknowledgement p99 {p99(acknowledged):5.0f} ms, memory {peak[0]:5} MiB, at rest {target.resident} MiB after {rest:.1f} s")
    target.witness.stop()
    target.kill()


if __name__ == "__main__":
    names = sys.argv[1:]
    if "--release" in names:
        names.remove("--release")
        processes.BUILD = target_module.BUILD = processes.ROOT / ".build" / "release"
    for flood_name in names or FLOODS:
        with tempfile.TemporaryDirectory() as place:
            measure(flood_name, Path(place))
