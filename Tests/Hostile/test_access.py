"""Roles, tokens and cookies: only a valid token or cookie gives access."""

import hashlib
import json
import subprocess
from functools import reduce

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from description import operations
from processes import BUILD, environment
from tape import App
from waiting import until
from wire import exchange, head, statuses

TOKENS = {"app": "app-token-8f2c", "view": "view-token-91ab", "control": "control-token-77d0"}
INCLUDED = {"app": {"app"}, "view": {"view"}, "control": {"app", "view", "control"}}


@pytest.fixture(scope="module")
def options():
    return {"tokens": [f"{role}={token}" for role, token in TOKENS.items()], "witness_token": TOKENS["control"]}


# Faulty comparisons of hashes. A wrong token that one of them accepts is a good attack.
CARELESS = [
    lambda right, guess: right[-1] == guess[-1],
    lambda right, guess: right[0] == guess[0],
    lambda right, guess: sum(right) % 256 == sum(guess) % 256,
    lambda right, guess: reduce(lambda found, pair: found ^ pair[0] ^ pair[1], zip(right, guess), 0) == 0,
    lambda right, guess: reduce(lambda found, pair: (found | pair[0]) ^ pair[1], zip(right, guess), 0) == 0,
]


def near_misses(token, count):
    """Wrong tokens that a faulty comparison accepts."""
    right = hashlib.sha256(token.encode()).digest()
    guesses = [(guess, hashlib.sha256(guess.encode()).digest()) for guess in map("guess-{}".format, range(8_000))]
    return [guess for same in CARELESS for guess in [text for text, hash in guesses if same(right, hash)][:count]]


def wrong_tokens():
    token = TOKENS["control"]
    near = ["", token[:-1], token + "x", token + "\x00", token.upper(), " " + token + "x", token[::-1], token * 2,
            "x" * 4000, "null", "true", "*", "%", "'", hashlib.sha256(token.encode()).hexdigest()]
    return near + [wrong for right in TOKENS.values() for wrong in near_misses(right, 4)]


def cookies(target, token):
    """The cookie that a login with a token sets."""
    answer = target.ask("/api/v1/login", "POST", {"token": token})
    assert answer.status == 204, answer
    return answer.headers["Set-Cookie"].split(";")[0]


def expected(role, given):
    if role is None or given and (role == "any" or role in INCLUDED[given]):
        return None
    return 403 if given else 401


@pytest.mark.parametrize("given", [None, *TOKENS])
def test_each_role_reaches_its_endpoints_and_no_others(target, given):
    bearer = {"Authorization": f"Bearer {TOKENS[given]}"} if given else {}
    cookie = {"Cookie": cookies(target, TOKENS[given]), "Origin": target.origin} if given else {}
    for operation in operations(target):
        # The session doesn't exist, so an allowed request changes nothing.
        address = operation.address({"id": "ABSENT-SESSION", "other": "ABSENT-SESSION", "seq": "0", "n": "0", "device": "-"})
        body = "{}" if operation.method != "GET" else ""
        for headers in (bearer, cookie):
            lines = [f"{name}: {value}" for name, value in headers.items()]
            answer = exchange(target, head(
                target, f"{operation.method} {address} HTTP/1.1", f"Content-Length: {len(body)}", "Connection: close",
                *lines) + body.encode())
            status, = statuses(answer)
            refused = expected(operation.role, given)
            if refused:
                assert status == refused, f"{operation} with {given}: {answer[:500]}"
            elif operation.path != "/api/v1/login":
                assert status not in (401, 403), f"{operation} with {given}: {answer[:500]}"


def test_wrong_tokens_open_nothing(target):
    path = "/api/v1/sessions?limit=1"
    right = cookies(target, TOKENS["control"])
    name, _, value = right.partition("=")
    for token in wrong_tokens():
        if token.isprintable():
            answer = statuses(exchange(target, head(
                target, f"GET {path} HTTP/1.1", f"Authorization: Bearer {token}", "Connection: close")))
            assert answer and answer[0] in (401, 429), token
            crumbs = f"Cookie: {name}={token}"
            assert statuses(exchange(target, head(target, f"GET {path} HTTP/1.1", crumbs, "Connection: close")))[0] in (401, 429)
        answer = target.ask("/api/v1/login", "POST", {"token": token})
        # A token that is too long is ignored, and not compared.
        assert answer.status in (401, 422, 429), token
        # Clients with a valid token are not blocked by others that guess.
        assert target.ask(path).status == 200
    for wrong in [value[:-1], value + "0", value[::-1], value.upper() if value.upper() != value else value.lower()]:
        if wrong != value:
            answer = exchange(target, head(target, f"GET {path} HTTP/1.1", f"Cookie: {name}={wrong}", "Connection: close"))
            assert statuses(answer)[0] in (401, 429)


@pytest.mark.parametrize("body", [
    b"", b"{}", b"[]", b"null", b'"x"', b'{"token":null}', b'{"token":[]}', b'{"token":{}}', b'{"token":1}',
    b'{"token":true}', b'{"token":["' + TOKENS["control"].encode() + b'"]}', b'{"Token":"' + TOKENS["control"].encode() + b'"}',
    b'{"token":"a","token":"' + TOKENS["control"].encode() + b'"}', b"\xff", b"[" * 600])
def test_a_login_without_a_token_text_is_refused(target, body):
    answer = target.ask("/api/v1/login", "POST", body)
    assert 400 <= answer.status < 500 and "Set-Cookie" not in answer.headers


def test_wrong_tokens_in_a_hello_record_nothing(target):
    for token in [None, TOKENS["view"], *wrong_tokens()[:12]]:
        hello = {**target.witness.hello, "session": "WRONG-TOKEN-SESSION", "token": token}
        with connect(target.url.replace("http", "ws", 1) + "v1/app", subprotocols=["statetape.v1"], compression=None) as socket:
            socket.send(json.dumps({"hello": hello}))
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    assert "welcome" not in str(socket.recv(30)), token
            assert closed.value.rcvd.code == 4001, token
    assert target.ask("/api/v1/sessions/WRONG-TOKEN-SESSION").status == 404


@pytest.mark.parametrize("headers", [
    ["Origin: https://evil.example"], ["Origin: null"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
    ["Origin: http://127.0.0.1:1"], ["Origin: http://127.0.0.1.evil.example"], []])
def test_a_cookie_from_elsewhere_writes_nothing(target, headers):
    cookie = cookies(target, TOKENS["control"])
    answer = exchange(target, head(
        target, f"DELETE /api/v1/sessions/{target.witness.session} HTTP/1.1", f"Cookie: {cookie}", "Connection: close", *headers))
    assert statuses(answer) == [403]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "", "[::1", "*", "..",
                                  "localhost.", "%31%32%37.0.0.1", "127.0.0.1\t.evil.example", "127.0.0.1, evil.example"])
def test_a_foreign_host_is_refused(target, host):
    answer = exchange(target, head(
        target, "GET /api/v1/sessions HTTP/1.1", f"Authorization: Bearer {TOKENS['control']}", "Connection: close", host=host or " "))
    assert statuses(answer) == [200] if host == "localhost." else statuses(answer) in ([400], [403])


def test_an_app_token_adds_nothing_to_a_session_that_another_app_recorded(target):
    app = App(target, token=TOKENS["app"])
    app.init({"n": 0})
    app.stop()
    header = json.dumps({name: app.hello[name] for name in ("tape", "session", "app", "started")})

    def upload(role, *lines, query=""):
        body = "".join(line + "\n" for line in (header, *lines) if line).encode()
        until(lambda: not target.ask(f"/api/v1/sessions/{app.session}").json["live"], "the app has not left")
        return target.ask(f"/api/v1/sessions{query}", "POST", body, token=TOKENS[role])

    more = '{"seq":1,"at":99,"event":"note","text":"not mine"}'
    assert upload("app", app.lines[0]).status == 200
    for refused in (upload("app", app.lines[0], more), upload("app", app.lines[0], query="?label=a:b"),
                    target.ask(f"/api/v1/sessions?session={app.session}&from=1", "POST", more.encode() + b"\n",
                               token=TOKENS["app"])):
        assert refused.status == 403 and refused.json["code"] == "role", refused
    assert target.lines(app.session) == app.lines
    assert upload("control", app.lines[0], more).status == 200
    assert len(target.lines(app.session)) == 2
    # What an upload has begun, another one goes on with.
    one, two = ('{"seq":%d,"at":%d,"event":"note","text":"x"}' % (seq, seq) for seq in (0, 1))
    own = header.replace(app.session, "UPLOADED-SESSION-0001")
    for lines in ([one], [one, two]):
        body = "".join(line + "\n" for line in (own, *lines)).encode()
        assert target.ask("/api/v1/sessions", "POST", body, token=TOKENS["app"]).status in (200, 201)


SAME = {
    "options": (["view=same-token-1", "control=same-token-1"], {}, {}),
    "options of three": (["app=same-token-1", "view=other-token-1", "control=same-token-1"], {}, {}),
    "an option and the environment": (["view=same-token-1"], {"STATETAPE_TOKEN": "same-token-1"}, {}),
    "an option and a file": (["control=same-token-1"], {}, {"view-token": "same-token-1"}),
    "files": ([], {}, {"view-token": "same-token-1", "token": "same-token-1"}),
}


@pytest.mark.parametrize("kind", SAME)
def test_one_value_for_two_roles_is_refused_at_the_start(tmp_path, kind):
    tokens, variables, files = SAME[kind]
    (tmp_path / "data").mkdir()
    for name, content in files.items():
        (tmp_path / "data" / name).write_text(content + "\n")
    found = subprocess.run(
        [BUILD / "statetape", "serve", "--listen", "0.0.0.0:0", "--data", tmp_path / "data",
         *(part for token in tokens for part in ("--token", token))],
        capture_output=True, text=True, timeout=20, check=False, env=environment(**variables))
    assert found.returncode == 1 and "two roles" in found.stderr and "same-token-1" not in found.stderr, found
