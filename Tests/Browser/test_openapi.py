"""The API's own description: valid, and true of what the server answers."""

import json
import urllib.error
import urllib.request
from gzip import decompress
from urllib.parse import urlencode

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate


#: Their causes; event 5 is in a gap.
EFFECTS = [1, 9, 5, 11]


class Client:
    """Asks without following redirects."""

    def __init__(self, server):
        self.server = server
        self.opener = urllib.request.build_opener(NoRedirect)

    def __call__(self, path, method="GET", body=None, **headers):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.origin + path, data=data, method=method, headers=headers)
        try:
            answer = self.opener.open(request)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            content = answer.read()
        if answer.headers["Content-Encoding"] == "gzip":
            content = decompress(content)
        return answer.status, answer.headers, content


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Description:
    """Holds answers against the description."""

    def __init__(self, document):
        self.document = document

    def resolve(self, part):
        while "$ref" in part:
            part_of = self.document
            for name in part["$ref"].removeprefix("#/").split("/"):
                part_of = part_of[name]
            part = part_of
        return part

    def errors(self, schema, value):
        # The references lead into the whole document.
        validator = Draft202012Validator({**self.document, **schema})
        return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(value)]

    def check(self, path, method, status, headers, content, address):
        try:
            self.compare(path, method, status, headers, content)
        except AssertionError as error:
            raise AssertionError(f"{address}: {error}") from None

    def compare(self, path, method, status, headers, content):
        responses = self.document["paths"][path][method]["responses"]
        response = self.resolve(responses.get(str(status)) or responses["default"])
        for name, header in response.get("headers", {}).items():
            value = headers[name]
            schema = self.resolve(header)["schema"]
            given = int(value) if schema.get("type") == "integer" else value
            assert self.errors(schema, given) == [], name
        if "content" not in response:
            assert content == b""
            return
        type = headers["Content-Type"].split(";")[0]
        assert type in response["content"], f"{type} is not described"
        described = response["content"][type]
        if type in ("application/json", "application/problem+json"):
            assert self.errors(described["schema"], json.loads(content)) == []
        elif type == "application/x-ndjson":
            for line in content.splitlines():
                assert self.errors(described["x-line"], json.loads(line)) == [], line[:300]
        else:
            assert self.errors(described["schema"], content.decode()) == []


@pytest.fixture
def recorded(server, app):
    """A server with some of everything: a live app, an ended one, gaps, notes, a start state, refusals."""
    ended = app(name="Ended", state={"n": 0})
    ended.send({"event": "end", "reason": "closed"})
    live = app(state={"n": 0, "todos": []}, branch="main")
    live.action("todos/add", {"title": "Milk"}, [{"op": "add", "path": "/todos/-", "value": "Milk"}], took=0.25)
    live.send({"event": "action", "action": {"type": "sync"}, "skipped": True})
    live.send({"event": "note", "text": "Here", "level": "warning"})
    live.send({"event": "gap", "count": 3, "reason": "memory"})
    live.send({"event": "replace", "state": {"n": 4, "todos": []}, "cause": {"set": True}})
    live.send({"event": "init", "store": "other", "state": [1.5, None, "é"]})
    for cause in EFFECTS:
        live.action("effect", cause={"seq": cause})
    ask = Client(server)
    path = f"/api/v1/sessions/{live.session}"
    assert ask(path, "PATCH", {"title": "The bug", "kept": True})[0] == 200
    start = {"app": "com.example.tape", "session": live.session, "seq": 1, "labels": {"branch": "main"}}
    assert ask("/api/v1/start-states", "PUT", start)[0] == 200
    run = {
        "status": "failed", "command": "swift run App", "changed": ["Sources/App/App.swift"], "message": "Can't build.",
        "errors": [{"file": "App.swift", "line": 3, "column": 5, "text": "no"}], "seconds": 3.5, "buildSeconds": 3,
    }
    assert ask("/api/v1/runs/RUN", "PUT", run)[0] == 200
    mark = {"seq": 1, "text": "bug here", "author": "Ana"}
    assert ask(f"{path}/bookmarks", "POST", mark)[0] == 201
    assert ask("/healthz", Host="evil.example")[0] == 403
    return live.session, ended.session


def requests(session, other):
    """Every GET's addresses, with the status of its answer, by the path that the description gives it."""
    one = f"/api/v1/sessions/{session}"
    filters = urlencode([
        ("type", "todos"), ("store", "main"), ("q", "milk"), ("re", "Mi.k"), ("path", "/todos"), ("value", "Milk"),
        ("-type", "other"), ("-q", "nowhere"), ("-cause", "3"),
    ])
    return {
        "/healthz": [("/healthz", 200)],
        "/metrics": [("/metrics", 200)],
        "/openapi.json": [("/openapi.json", 200)],
        "/api/v1/login": [("/api/v1/login", 200)],
        "/api/v1/connect": [
            ("/api/v1/connect", 200), ("/api/v1/connect?format=svg&scheme=todo", 200),
            ("/api/v1/connect?address=none", 404),
        ],
        "/api/v1/refusals": [("/api/v1/refusals", 200)],
        "/api/v1/sessions": [
            ("/api/v1/sessions", 200), ("/api/v1/sessions?limit=1", 200), ("/api/v1/sessions?live=perhaps", 400),
            ("/api/v1/sessions?app=com.example.tape&label=branch:main&live=true&q=tape", 200),
        ],
        "/api/v1/sessions/{id}": [(one, 200), (one[:-4], 307), ("/api/v1/sessions/absent", 404)],
        "/api/v1/sessions/{id}/events": [
            (f"{one}/events", 200), (f"{one}/events?fields=head", 200),
            (f"{one}/events?fields=preview", 200), (f"{one}/events?from=2&limit=2&v=1", 200),
            (f"{one}/events?{filters}", 200), (f"{one[:-4]}/events", 307), (f"{one}/events?from=x", 400),
        ],
        "/api/v1/sessions/{id}/events/{seq}": [
            *((f"{one}/events/{seq}", 200) for seq in range(9)), (f"{one}/events/99", 404),
        ],
        "/api/v1/sessions/{id}/events/{seq}/causes": [
            *((f"{one}/events/{seq}/causes", 200) for seq in range(len(EFFECTS) + 9)), (f"{one}/events/99/causes", 404),
            (f"{one[:-4]}/events/1/causes", 307),
        ],
        "/api/v1/sessions/{id}/states/{seq}": [
            (f"{one}/states/1", 200), (f"{one}/states/8?store=other", 200), (f"{one}/states/2", 409),
            (f"{one}/states/1?store=other", 404), (f"{one[:-4]}/states/1", 307),
        ],
        "/api/v1/sessions/{id}/matches": [(f"{one}/matches", 200), (f"{one}/matches?{filters}&offset=1", 200)],
        "/api/v1/sessions/{id}/histogram": [(f"{one}/histogram", 200), (f"{one}/histogram?buckets=0", 400)],
        "/api/v1/sessions/{id}/activity": [
            (f"{one}/activity", 200), (f"{one}/activity?buckets=9&pause=5&from=1&to=6", 200), (f"{one}/activity?pause=0", 400),
        ],
        "/api/v1/sessions/{id}/overview": [(f"{one}/overview", 200)],
        "/api/v1/sessions/{id}/diff/{other}": [
            (f"{one}/diff/{session}", 200), (f"{one}/diff/{other}", 200), (f"{one}/diff/absent", 404),
        ],
        "/api/v1/sessions/{id}/tape": [
            (f"{one}/tape", 200), (f"{one}/tape?from=1&to=2", 200), (f"{one}/tape?format=redux-devtools", 200),
            (f"{one}/tape?format=none", 400),
        ],
        "/api/v1/sessions/{id}/bookmarks": [(f"{one}/bookmarks", 200)],
        "/api/v1/runs": [("/api/v1/runs", 200)],
        "/api/v1/start-states": [("/api/v1/start-states", 200)],
    }


def test_the_description_is_valid(server):
    document = json.loads(Client(server)("/openapi.json")[2])
    validate(document)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            assert "default" in operation["responses"], f"{method} {path}"
            if path.startswith("/api/") and path != "/api/v1/login":
                assert operation["x-role"] in ("app", "view", "control"), f"{method} {path}"


def test_every_answer_to_a_get_is_as_described(server, recorded):
    ask = Client(server)
    description = Description(json.loads(ask("/openapi.json")[2]))
    described = {path for path, item in description.document["paths"].items() if "get" in item}
    asked = requests(*recorded)
    assert described == set(asked), "paths without a request here, or no longer described"
    for path in sorted(described):
        for address, expected in asked[path]:
            for headers in ({}, {"Accept-Encoding": "gzip"}):
                status, given, content = ask(address, **headers)
                assert status == expected, f"{address}: {status} {content[:300]}"
                description.check(path, "get", status, given, content, address)
                if status == 200 and given["ETag"]:
                    status, given, content = ask(address, **headers, **{"If-None-Match": given["ETag"]})
                    # A live app changes its summary in between.
                    assert status in (200, 304), f"{address}: {status} {content[:300]}"
                    assert status == 200 or "304" in description.document["paths"][path]["get"]["responses"], address
                    description.check(path, "get", status, given, content, address)


def test_violations_of_a_description_are_found():
    description = Description({"components": {"schemas": {"A": {"type": "object", "required": ["n"]}}}})
    schema = {"$ref": "#/components/schemas/A"}
    assert description.errors(schema, {"n": 1}) == []
    assert description.errors(schema, {}) == ["$: 'n' is a required property"]
