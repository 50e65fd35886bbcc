"""A tape from a file answers as the server does: the same tape in both, every resource compared."""

import json
import re
from urllib.parse import quote, urlencode

import pytest

HEADER = {"tape": 1, "session": "01JFILEANSWERS00000000000A", "app": {"id": "com.example.file", "name": "File", "version": "1.0"},
          "device": {"name": "Bench"}, "started": "2026-11-20T10:00:00.123Z", "stores": ["main", "side"], "labels": {"branch": "main"}}


def put(path, value):
    return {"op": "replace", "path": path, "value": value}


def action(type, outcome=None, **more):
    return {"event": "action", "action": {"type": type, **({"payload": more.pop("payload")} if "payload" in more else {})},
            **({"patch": []} if outcome is None else outcome), **more}


def events():
    """Of every kind, whole and broken."""
    yield {"event": "init", "state": {"count": 0, "list": [], "text": "", "__proto__": 1}}
    for number in range(1, 40):
        patch = [put("/count", number)] + ([{"op": "add", "path": "/list/-", "value": {"id": number, "name": f"é{number}"}}] if number % 3 == 0 else [])
        yield action(["todos/add", "todos/remove", "sync/start"][number % 3], {"patch": patch}, payload={"by": number, "who": "Ana"},
                     took=0.25 * number, caller="App.swift:1", stack=["App.press()", "main (app)"] if number == 1 else {"seq": 1})
    yield {"event": "init", "store": "side", "state": [1, 2]}
    yield action("side/push", {"patch": [{"op": "add", "path": "/-", "value": 3}]}, store="side", dispatch=7)
    yield action("todos/big", {"skipped": True})
    yield action("todos/after", {"patch": [put("/count", 41)]})
    yield action("todos/text", {"patch": [put("/text", "abc é 😀 " * 20)]})
    yield action("todos/splice", {"patch": [{"op": "splice", "path": "/text", "at": 4, "remove": 2, "insert": "ß"}]})
    yield {"event": "note", "text": "mark <b>é</b>", "level": "warning", "data": {"k": 1}}
    yield {"event": "note", "text": "bad", "level": "error"}
    yield {"event": "note", "text": "plain " * 40}
    yield {"event": "replace", "cause": {"push": "p1"}, "state": {"count": 7, "list": [], "text": "t"}}
    yield action("todos/played", {"patch": [put("/count", 8)]}, cause={"push": "p2"})
    yield action("todos/wrong", {"patch": [{"op": "remove", "path": "/absent"}]})
    yield action("todos/lost", {"patch": [put("/count", 9)]})
    yield {"event": "replace", "cause": {"set": True}, "state": {"count": 10, "list": [{"id": 1}], "text": "u"}}
    yield action("todos/unfinished", {}, unfinished=True)
    yield action("todos/move", {"patch": [{"op": "move", "from": "/text", "path": "/moved"}, {"op": "copy", "from": "/count", "path": "/copy"}, {"op": "test", "path": "/copy", "value": 10}]})
    yield {"event": "gap", "count": 5, "reason": "overflow"}
    yield action("todos/adrift", {"patch": [put("/count", 11)]})
    yield {"event": "replace", "cause": {"control": "recording"}, "state": {"count": 12, "list": [], "text": ""}}
    yield {"event": "detach", "store": "side"}
    yield {"event": "mystery", "store": "side", "thing": 1}
    yield {"event": "init", "store": "Lists/A", "state": {"patch": {"op": "replace", "inner": "deep \"patch\" }, ["}}}
    yield action("Mixed/Case", {"patch": [{"op": "add", "path": "/patch/seq", "value": {"at": [], "op": {"action": {}}}}]}, store="Lists/A",
                 payload={"action": "event", "type": [{"seq": 3}]})
    yield action("bare", {"patch": []}, store="Lists/A", payload="took")
    yield {"event": "init", "store": "side", "state": "again"}
    for number in range(30):
        yield action("a/b/c" if number % 2 else "a/bc", {"patch": [put("/count", number), put("/list", [number]), put("/text", "x"), put("/text", "y")]})
    yield {"event": "end", "reason": "closed"}


def lines(events, header=HEADER):
    yield json.dumps(header)
    seq, at = -1, 0.0
    for event in events:
        seq += event.get("count", 1)
        at = round(at + 37.125 * (1 + seq % 5), 3)
        yield f'{{"seq":{seq},"at":{at},' + json.dumps(event, ensure_ascii=seq % 2 == 0)[1:]


@pytest.fixture
def tape():
    made = list(lines(events()))
    # Numbers that a double can't hold, and keys that look like indices.
    made[3] = made[3].replace('"who": "Ana"', '"who": 12345678901234567890.10')
    return "\n".join(made) + "\n"


class Both:
    """The server, and the page that has opened the same file."""

    def __init__(self, view, server, *tapes):
        self.page = view.page
        self.server = server
        view.open()
        for number, tape in enumerate(tapes):
            answer = self.page.evaluate("async (body) => { const r = await fetch('/api/v1/sessions', { method: 'POST', body }); return [r.status, await r.text()]; }", tape)
            assert answer[0] == 201, answer
        self.page.evaluate(r"""async (tapes) => {
            const { OpenedFiles } = await import('/file/opened.js');
            const { request } = await import('/link/http.js');
            const files = globalThis.files = new OpenedFiles();
            // A scan may stop before its limit, after 50 ms: it is gone on with, as a page does.
            const whole = async (path, get) => {
                const url = new URL(path, location.href);
                const list = /\/events$|\/matches$/.exec(url.pathname)?.[0];
                let limit = Number(url.searchParams.get('limit') ?? Infinity);
                const parts = [];
                for (;;) {
                    const [status, text, next, seq] = await get(url);
                    if (!list || status !== 200) return [status, text, seq];
                    const document = list === '/matches' ? JSON.parse(text) : null;
                    const found = document?.seqs ?? text.split('\n').filter(Boolean);
                    parts.push(...found);
                    limit -= found.length;
                    const on = document ? document.next : Number(next) < Number(globalThis.end) ? Number(next) : null;
                    if (on === null || limit <= 0 || on <= Number(url.searchParams.get('from') ?? -1)) return [status, document ? JSON.stringify(parts) : parts.join('\n'), `${on}`];
                    url.searchParams.set('from', on);
                    if (document) url.searchParams.set('offset', document.offset);
                    if (limit < Infinity) url.searchParams.set('limit', limit);
                }
            };
            const read = async (r) => [r.status, await r.text(), r.headers.get('StateTape-Next'), r.headers.get('StateTape-Seq')];
            globalThis.answer = async (path) => [
                await whole(path, async (url) => {
                    try {
                        return await read(await request(url.pathname + url.search));
                    } catch (error) { return [error.status, JSON.stringify(error.document), null, null]; }
                }),
                await whole(path, async (url) => read(await fetch(url))),
            ];
            files.addEventListener('session', ({ detail }) => { globalThis.end = detail.events; });
            for (const [number, text] of tapes.entries()) {
                const last = new Promise((resolve) => files.addEventListener('progress', () => {
                    if ([...files.files.values()].every(({ done }) => done)) resolve();
                }));
                await files.add(new Blob([text]), `tape ${number}`);
                await last;
            }
        }""", list(tapes))

    def ask(self, path):
        return self.page.evaluate("(path) => globalThis.answer(path)", path)

    def same(self, path, change=lambda document: document):
        """The answer of both."""
        file, server = self.ask(path)
        read = lambda text: change(json.loads(text, parse_float=str, parse_int=str))
        assert file[0] == server[0], (path, file[:2], server[:2])
        if file[0] == 400:
            # Their messages differ.
            assert [json.loads(text)["code"] for text in (file[1], server[1])] == ["bad-query"] * 2
            return None
        if "/events?" in path:
            assert [line(text) for text in file[1].splitlines()] == [line(text) for text in server[1].splitlines()], path
        else:
            assert read(file[1]) == read(server[1]), path
        assert file[2:] == server[2:], path
        return read(server[1]) if "/events?" not in path else server[1]


def line(text):
    return json.loads(text, parse_float=str, parse_int=str)


def without(*names):
    return lambda document: {name: value for name, value in document.items() if name not in names}


@pytest.fixture
def both(view, server, tape):
    view = view()
    view.expected.append("responded with a status of 4")
    return Both(view, server, tape)


PATH = f"/api/v1/sessions/{HEADER['session']}"


def test_the_summary(both):
    both.same(PATH, without("received", "lastSeen", "file", "sealed", "version", "kept"))


def test_every_line_and_every_state(both):
    count = int(both.same(PATH, without("received", "lastSeen", "file", "sealed", "version", "kept"))["events"])
    for seq in range(count + 2):
        both.same(f"{PATH}/events/{seq}")
        for store in ("main", "side", "none"):
            both.same(f"{PATH}/states/{seq}?store={store}")
    # Backwards, and back and forth.
    for seq in [*range(count - 1, -1, -3), 5, 60, 6, 61]:
        both.same(f"{PATH}/states/{seq}")


QUERIES = [
    {}, {"from": 10, "limit": 7}, {"limit": 0}, {"from": 58, "limit": 3}, {"from": 10_000},
    {"type": "todos"}, {"type": "todos/add"}, {"type": "todos/ad"}, {"type": "*/b"}, {"type": "a/*"}, {"type": "*o*s"},
    {"-type": "todos"}, {"type": ["sync", "side"]}, {"type": "todos", "-type": "todos/remove"},
    {"type": "TODOS"}, {"type": "*DO*/Ad*"}, {"type": "*do*/ad"}, {"type": "TODOS/add", "-type": "*ADD*"},
    {"store": "side"}, {"-store": "main"}, {"store": ["main", "none"]}, {"store": "SIDE"}, {"store": "*"}, {"store": "*I*"},
    {"store": "sid"}, {"store": "*d*"}, {"-store": "S*"}, {"store": "Lists/*"}, {"store": "lists/a"}, {"store": "lists"},
    # The format's own names and numbers are not searched.
    {"q": "patch"}, {"q": "op"}, {"q": "replace"}, {"q": "seq"}, {"q": "payload"}, {"q": "value"}, {"q": "path"}, {"q": "event"},
    {"q": "action"}, {"q": "type"}, {"q": "at"}, {"q": "37."}, {"q": "took"}, {"q": "0.25"}, {"q": "splice"}, {"q": "insert"},
    {"q": "level"}, {"q": "caller"}, {"q": "press()"}, {"q": "stack"}, {"q": "data"}, {"-q": "patch"}, {"q": "count"}, {"-q": "replace"},
    # The event's content: keys of the payload, paths, values, notes, state, reasons.
    {"q": "who"}, {"q": "\"Who\": "}, {"q": "/list/-"}, {"q": "/MOVED"}, {"q": "mark <b>"}, {"q": "ERROR"}, {"q": "overflow"},
    {"q": "gap"}, {"q": "init"}, {"q": "app.swift:1"}, {"q": "p2"}, {"q": "push"}, {"q": "closed"}, {"q": "thing"}, {"q": "side"},
    {"q": "true"}, {"q": "\"ß\""}, {"q": "Ana\"}"}, {"q": "}]"}, {"q": "\","}, {"q": "inner"}, {"q": "Deep \\\"patch\\\""}, {"q": "__PROTO__"},
    {"q": ["who", "patch"]}, {"q": "who", "-q": "ana"}, {"q": "a", "-q": ["todos", "patch"]}, {"q": "todos/ADD", "type": "*add"},
    {"q": "ANA"}, {"q": "é7"}, {"-q": "todos"}, {"q": ["todos", "9"]}, {"q": "warn"},
    {"re": "todos/(add|remove)"}, {"re": "\\d{3}"}, {"-re": "^.*seq"}, {"re": "é\\d+"}, {"re": "("},
    {"path": "/count"}, {"path": "/list"}, {"path": "/list/0"}, {"path": ""}, {"-path": "/count"}, {"path": "/moved"}, {"path": "x"},
    {"value": "Ana"}, {"value": "7"}, {"value": "7.0"}, {"value": "id"}, {"value": "ß"}, {"-value": "Ana"}, {"value": "12345678901234567890.1"},
    {"value": "count"}, {"type": "todos", "value": "9", "path": "/count"}, {"limit": "x"},
]


def test_filters(both):
    for query in QUERIES:
        text = urlencode(query, doseq=True, quote_via=quote)
        both.same(f"{PATH}/events?{text}")
        both.same(f"{PATH}/events?{text}&fields=head")
        both.same(f"{PATH}/events?{text}&fields=preview")
        both.same(f"{PATH}/events?{text}&fields=types")
        both.same(f"{PATH}/matches?{text}")
        both.same(f"{PATH}/matches?{text}&offset=3" + ("" if "limit" in query else "&limit=5"))
        filters = {name: value for name, value in query.items() if name not in ("from", "limit")}
        both.same(f"{PATH}/histogram?{urlencode(filters, doseq=True, quote_via=quote)}&buckets=17")


def test_histograms_and_the_overview(both):
    for buckets in ("1", "200", "2000", "0", "x"):
        both.same(f"{PATH}/histogram?buckets={buckets}")
        both.same(f"{PATH}/activity?buckets={buckets}&pause=100")
    both.same(f"{PATH}/overview", as_floats)


def as_floats(value):
    """Figures are reckoned with: 12.5 is 12.50."""
    if isinstance(value, dict):
        return {name: as_floats(member) for name, member in value.items()}
    if isinstance(value, list):
        return [as_floats(member) for member in value]
    return float(value) if isinstance(value, str) and re.fullmatch(r"-?[\d.]+(e-?\d+)?", value) else value


def test_the_file_is_the_same(both):
    file, server = both.ask(f"{PATH}/tape")
    assert [line(one) for one in file[1].splitlines()] == [line(one) for one in server[1].splitlines()]
    for part in ("from=10&to=20", "from=57", "from=60&to=61", "to=3"):
        file, server = both.ask(f"{PATH}/tape?{part}")
        assert [line(one) for one in file[1].splitlines()] == [line(one) for one in server[1].splitlines()], part


def test_a_file_for_the_redux_devtools_is_the_same(both):
    for part in ("", "from=1", "from=10&to=20", "from=57", "from=45&store=side", "from=500", "store=none", "to=0"):
        both.same(f"{PATH}/tape?format=redux-devtools&{part}", as_floats)


def with_payload(events, payload):
    """Another payload of the first action that has a `by`."""
    at = next(at for at, event in enumerate(events) if "by" in (event.get("action", {}).get("payload") or {}))
    changed = {**events[at], "action": {**events[at]["action"], "payload": payload}}
    return [*events[:at], changed, *events[at + 1:]]


CHANGES = {
    "same": lambda events: events,
    "action": lambda events: events[:10] + [action("other")] + events[11:],
    "payload": lambda events: events[:10] + [{**events[10], "action": {"type": events[10]["action"]["type"], "payload": 0}}] + events[11:],
    "member": lambda events: with_payload(events, {"by": 1, "who": "Bea"}),
    "element": lambda events: with_payload(events, {"by": [1, {"a/b": 2.50}], "who": "Ana"}),
    "state": lambda events: events[:10] + [{**events[10], "patch": [put("/count", 1000)]}] + events[11:],
    "shorter": lambda events: events[:30],
    "kind": lambda events: events[:10] + [{"event": "detach"}] + events[11:],
    "notes": lambda events: [event for event in events if event["event"] != "note"],
    "gap": lambda events: events[:20] + [{"event": "gap", "count": 2, "reason": "lost"}] + events[22:],
    "stores": lambda events: events[:40] + [events[42], events[40], events[41]] + events[43:],
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_first_difference_of_two_tapes(view, server, change):
    other = {**HEADER, "session": "01JFILEANSWERS00000000000B"}
    made = list(events())
    both = Both(view(), server, "\n".join(lines(made)), "\n".join(lines(CHANGES[change](made), other)))
    one = HEADER["session"]
    both.same(f"/api/v1/sessions/{one}/diff/{other['session']}")
    both.same(f"/api/v1/sessions/{other['session']}/diff/{one}")
