"""Patches that grow, nest or never end: only their event is broken, and later events work."""

import json

import pytest

from target import tape


@pytest.fixture(scope="module")
def options():
    """The lowest limit that a server accepts, since tests up to a limit take time."""
    return {"options": ("--max-state", "32MiB")}


def event(seq, **members):
    return json.dumps({"seq": seq, "at": seq, **members}, separators=(",", ":"))


def init(seq, state):
    return event(seq, event="init", state=state)


def act(seq, patch):
    return event(seq, event="action", action={"type": "bomb"}, patch=patch)


def copy(source, path):
    return {"op": "copy", "from": source, "path": path}


def nested(depth):
    return json.loads("[" * depth + "]" * depth)


def doubled_depth(times):
    """Copies the whole state into its own deepest place, again and again."""
    path, operations = "", []
    for _ in range(times):
        operations.append(copy("", path + "/a"))
        path = (path + "/a") * 2 if path else "/a"
        if len(path) > 200_000:
            break
    return operations


#: Patches, each applied to `{"a":[], "s": "text"}` in an event of its own.
BOMBS = {
    "forty copies": [copy("", f"/x{n}") for n in range(40)],
    "copies into a copy": [operation for n in range(30) for operation in (copy("", "/b"), copy("/b", "/a/-"))],
    "moves of copies": [operation for n in range(30) for operation in (copy("/a", "/b"), {"op": "move", "from": "/b", "path": "/a/0"})],
    "twice the depth": doubled_depth(17),
    "a level each": [{"op": "add", "path": "/b", "value": nested(400)}, *({"op": "add", "path": "/b" + "/0" * n, "value": nested(100)} for n in range(1, 399, 90))],
    "deep, then deeper": [{"op": "replace", "path": "/a", "value": nested(500)}, {"op": "add", "path": "/a" + "/0" * 499 + "/-", "value": nested(480)}],
    "strings that double": [operation for _ in range(40) for operation in (copy("/s", "/t"), {"op": "add", "path": "/u", "value": "x" * 1000}, copy("", "/v"))],
    "a pointer of 500 KB": [{"op": "add", "path": "/a" * 250_000, "value": 1}],
    "a pointer of tildes": [{"op": "add", "path": "/" + "~0" * 200_000, "value": 1}],
    "an index past all": [{"op": "add", "path": "/a/99999999999999999999999", "value": 1}],
    "a negative index": [{"op": "add", "path": "/a/-1", "value": 1}],
    "a splice past all": [{"op": "splice", "path": "/s", "at": 9007199254740991, "remove": 9007199254740991, "insert": ""}],
    "a move into itself": [{"op": "move", "from": "", "path": "/a/0"}],
    "the whole removed": [{"op": "remove", "path": ""}, {"op": "add", "path": "/a", "value": 1}],
    "many tests": [{"op": "test", "path": "/a", "value": []}] * 10_000,
    "many operations": [{"op": "add", "path": f"/k{n}", "value": n} for n in range(20_000)],
    "many elements at the front": [{"op": "add", "path": "/a/0", "value": 0}] * 20_000,
    "many pieces of a string": [{"op": "splice", "path": "/s", "at": 0, "remove": 0, "insert": "x"}] * 20_000,
    "an operation that is none": [1, None, [], "add"],
    "a value of a patch": [{"op": "add", "path": "/a/-", "value": {"op": "add", "path": "/a", "value": nested(200)}}],
}
BIG = {"an object of many keys": [{"op": "replace", "path": f"/k{n * 7 % 20_000}", "value": n} for n in range(3_000)],
       "keys removed and added": [operation for n in range(1_500) for operation in (
           {"op": "remove", "path": f"/k{n}"}, {"op": "add", "path": f"/k{n}", "value": 0})]}


def lines_of(patch, state=None):
    """A bomb in the middle of a session, with full states before and after it."""
    state = {"a": [], "s": "text"} if state is None else state
    return [init(0, state), act(1, [{"op": "replace", "path": "/s" if "s" in state else "/k0", "value": "longer text"}]), act(2, patch),
            act(3, [{"op": "add", "path": "/after", "value": 1}]), init(4, {"n": 1}), act(5, [{"op": "replace", "path": "/n", "value": 2}]),
            event(6, event="end")]


def look_at_all(target, session):
    """Requests everything that needs states. Full states and all lines are there; no answer is an internal error."""
    path = f"/api/v1/sessions/{session}"
    for place in ["/states/2", "/states/3", "/overview", "/tape?from=3", "/tape?format=redux-devtools", f"/diff/{session}",
                  "/matches?path=/after", "/matches?value=1", "/histogram", "/tape?format=html"]:
        assert target.ask(path + place).status not in (500, 503, 504), place
    assert target.ask(path + "/states/1").status == 200
    assert target.ask(path + "/states/5").json == {"n": 2}
    assert target.ask("/healthz").status == 200


@pytest.mark.parametrize("name", [*BOMBS, *BIG])
def test_a_bomb_breaks_its_event_and_nothing_else(target, name):
    session = "BOMB-" + name.replace(" ", "-").replace(",", "")
    state = None if name in BOMBS else {f"k{n}": n for n in range(20_000)}
    lines = lines_of(BOMBS[name] if name in BOMBS else BIG[name], state)
    answer = target.ask("/api/v1/sessions", "POST", tape(session, lines))
    if answer.status == 422:
        # Refused because the line is not a valid event, or a pointer is not valid.
        assert "line" in answer.json or "next" in answer.json, answer
        return
    assert answer.status == 201, answer
    assert target.lines(session) == lines
    look_at_all(target, session)


def test_depth_that_grows_from_event_to_event(target):
    """Each patch is within the limit; their sum is 40 times as deep."""
    session, path = "DEEPENING-SESSION", ""
    lines = [init(0, [])]
    for seq in range(1, 20):
        lines.append(act(seq, [{"op": "add", "path": path + "/-" if seq == 1 else path + "/0/-", "value": nested(480)}]))
        path += "/0" * (480 if seq > 1 else 479)
    lines.append(init(len(lines), {"n": 2}))
    assert target.ask("/api/v1/sessions", "POST", tape(session, lines)).status == 201
    for seq in range(len(lines)):
        answer = target.ask(f"/api/v1/sessions/{session}/states/{seq}")
        assert answer.status in (200, 409), answer
        assert answer.status == 409 or answer.content.count(b"[") <= 512
    assert target.ask(f"/api/v1/sessions/{session}/states/{len(lines) - 1}").json == {"n": 2}


def test_bombs_from_a_connected_app(target):
    """An app's events are committed first and processed later, in the background and for pages that watch."""
    for name in ("forty copies", "twice the depth", "deep, then deeper", "many elements at the front"):
        app = type(target.witness)(target)
        app.send({"event": "init", "state": {"a": [], "s": "text"}})
        app.send({"event": "action", "action": {"type": "bomb"}, "patch": BOMBS[name]})
        app.send({"event": "replace", "state": {"n": 2}, "cause": {"set": True}})
        last = app.seq - 1
        # Enough events that the background work reads the states.
        for _ in range(300):
            app.record()
        assert target.ask(f"/api/v1/sessions/{app.session}/states/{last}").json == {"n": 2}
        target.recorded.append(app)
        app.stop()


def test_after_a_restart_every_bomb_is_still_only_one_broken_event(fresh):
    target = fresh(options=("--max-state", "32MiB"))
    for name in ("forty copies", "twice the depth"):
        session = "RESTART-" + name.replace(" ", "-").replace(",", "")
        assert target.ask("/api/v1/sessions", "POST", tape(session, lines_of(BOMBS[name]))).status == 201
    for _ in range(2):
        target.restart()
        target.check()
        for name in ("forty copies", "twice the depth"):
            look_at_all(target, "RESTART-" + name.replace(" ", "-").replace(",", ""))
    for name in ("forty copies", "twice the depth"):
        assert target.ask(f"/api/v1/sessions/RESTART-{name.replace(' ', '-')}", "DELETE").status == 204
