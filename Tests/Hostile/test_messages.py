"""Replaces every number and every member of every message."""

import json

import pytest

from values import NUMBERS, TYPES
from wire import ask_all, close_code, connect, frame, frames, head, shake

# Messages of an app after its hello; `@` marks the position of a number.
EVENTS = [
    '{"seq":@,"at":0,"event":"init","state":1}',
    '{"seq":0,"at":@,"event":"init","state":1}',
    '{"seq":0,"at":0,"event":"gap","count":@,"reason":"memory"}',
    '{"seq":@,"at":0,"event":"gap","count":1,"reason":"memory"}',
    '{"seq":@,"at":0,"event":"gap","count":@,"reason":"memory"}',
    '{"seq":0,"at":0,"event":"action","action":{"type":"a"},"state":1,"took":@}',
    '{"seq":0,"at":0,"event":"action","action":{"type":"a"},"state":1,"dispatch":@}',
    '{"seq":0,"at":0,"event":"action","action":{"type":"a"},"state":1,"cause":{"seq":@}}',
    '{"seq":0,"at":0,"event":"action","action":{"type":"a"},"state":1,"cause":{"push":"p","of":@}}',
    '{"seq":0,"at":0,"event":"action","action":{"type":@},"state":1}',
    '{"seq":0,"at":0,"event":"replace","state":@,"cause":{"set":true}}',
    '{"seq":0,"at":0,"event":"init","store":@,"state":1}',
    '{"seq":0,"at":0,"event":@}',
    '{"seq":0,"at":0,"event":"note","text":"a","level":@,"data":@}',
    '{"seq":0,"at":0,"event":"end","reason":@}',
    '{"pushed":{"id":"p1","seq":@}}',
    '{"pushed":{"id":@,"seq":0}}',
    '{"pushed":{"id":"p1","error":@}}',
    '{"seq":0,"at":0,"event":"init","state":{"a":"text","b":[1,2]}}\n'
    '{"seq":1,"at":0,"event":"action","action":{"type":"a"},"patch":[{"op":"splice","path":"/a","at":@,"remove":0,"insert":"x"}]}',
    '{"seq":0,"at":0,"event":"init","state":{"a":"text","b":[1,2]}}\n'
    '{"seq":1,"at":0,"event":"action","action":{"type":"a"},"patch":[{"op":"splice","path":"/a","at":1,"remove":@,"insert":"x"}]}',
    '{"seq":0,"at":0,"event":"init","state":{"a":"text","b":[1,2]}}\n'
    '{"seq":1,"at":0,"event":"action","action":{"type":"a"},"patch":[{"op":"add","path":"/b/@","value":0}]}',
    '{"seq":0,"at":0,"event":"init","state":{"a":"text","b":[1,2]}}\n'
    '{"seq":1,"at":0,"event":"action","action":{"type":"a"},"patch":[{"op":"remove","path":@}]}',
]
HELLO_NUMBERS = ["tape", "next", "maxMessage", "attempt", "from"]
HELLO_TYPES = ["session", "app", "device", "started", "stores", "labels", "key", "fresh", "recovered", "compress", "token",
               "states", "recorder", "nobody"]

# A page's requests on its link.
REQUESTS = ['{"watch":@}', '{"watch":{"session":@}}', '{"watch":{"sessions":@}}', '{"unwatch":{"session":@}}', '{"unwatch":@}',
            '{"@":{}}', '{"watch":{"session":"a"},"x":@}', '@']


def hello(target, name, **members):
    """A hello as text."""
    return json.dumps({"hello": {**target.witness.hello, "session": name, "next": 0, **members}})


def odd_hello(target, name, member, text):
    """A hello with a member whose JSON no library writes."""
    return hello(target, name, **{member: "@"}).replace('"@"', text)


def converse(target, *messages):
    """Sends messages as an app, then one that ends the link, and returns everything that the server sends."""
    with shake(target) as peer:
        try:
            for message in messages:
                peer.sendall(frame(message))
            # Nothing may follow an end: the server answers everything before it closes.
            peer.sendall(frame("the end of this link"))
        except ConnectionError:
            pass
        received = b""
        while not any(opcode == 8 for opcode, _ in frames(received)):
            try:
                piece = peer.recv(65536)
            except ConnectionError:
                break
            if not piece:
                break
            received += piece
        return [content.decode() for opcode, content in frames(received) if opcode != 8]


def read_everything(target, session):
    """Requests everything about a session. No answer may be an internal error."""
    if target.ask(f"/api/v1/sessions/{session}").status == 404:
        return
    numbers = [0, 5, 2**53 - 1]
    places = ["", "/overview", "/histogram", "/matches?type=*", "/tape", "/tape?format=redux-devtools", "/bookmarks",
              f"/diff/{target.witness.session}", "/events?fields=head", "/events?q=a", "/tape?from=1",
              *(f"/{kind}/{number}" for kind in ("events", "states") for number in numbers),
              *(f"/events?from={number}" for number in numbers)]
    for place, answer in ask_all(target, [f"/api/v1/sessions/{session}{place}" for place in places]):
        assert answer.status < 500, f"{place}: {answer}"


@pytest.mark.parametrize("message", EVENTS)
def test_any_number_in_an_event(target, message):
    for index, value in enumerate(NUMBERS):
        session = f"EVENT-{EVENTS.index(message)}-{index}-SESSION"
        said = converse(target, hello(target, session), message.replace("@", value))
        assert any('"welcome"' in line for line in said), said
        acknowledged = [json.loads(part)["ack"]["next"] for line in said for part in line.split("\n") if part.startswith('{"ack"')]
        if acknowledged:
            assert target.lines(session), f"{value}: acknowledged but missing"
        read_everything(target, session)


@pytest.mark.parametrize("member", HELLO_NUMBERS)
def test_any_number_in_a_hello(target, member):
    for index, value in enumerate(NUMBERS):
        session = f"HELLO-{member}-{index}-SESSION"
        line = odd_hello(target, session, member, value)
        said = converse(target, line, '{"seq":0,"at":0,"event":"init","state":1}', '{"seq":5,"at":0,"event":"init","state":1}')
        assert said, value
        read_everything(target, session)


@pytest.mark.parametrize("member", HELLO_TYPES)
def test_any_type_of_a_member_in_a_hello(target, member):
    values = [*TYPES.values(), '""', '"\\u0000"', '"../../x"', '{"id":1}', '{"id":null}', '{"a":1}', '["deflate","deflate"]', '[[]]',
              json.dumps("x" * 9000), json.dumps({f"k{n}": "v" for n in range(900)})]
    for index, value in enumerate(values):
        session = f"TYPE-{member}-{index}-SESSION"
        line = odd_hello(target, session, member, value)
        assert converse(target, line, '{"seq":0,"at":0,"event":"init","state":1}'), value
        read_everything(target, session)


@pytest.mark.parametrize("request_line", REQUESTS)
def test_any_request_of_a_page(target, request_line):
    for value in [*NUMBERS, '""', '"\\u0000"', json.dumps(target.witness.session), "[" * 600, '{"a":' * 600, "\xff"]:
        with shake(target, "/v1/viewer", "statetape.viewer.v1") as peer:
            peer.sendall(frame(request_line.replace("@", value).encode("latin-1")) + frame("the end of this link"))
            assert close_code(peer) == 4000, value


@pytest.mark.parametrize("message", [
    b"", b"\n\n\n", b"{}", b"[]", b"null", b'"hello"', b'{"hello":null}', b'{"hello":[]}', b'{"hello":{}}', b'{"hello":{"tape":1}}',
    b'{"hello":{"hello":{}}}', b"\xef\xbb\xbf{}", b"\xff", b"\x00", b"\x00\x00\x00\xff\xff", b'{"pushed":{}}', b'{"seq":0,"at":0,"event":"x"}',
    b"{" * 8000, b'{"a":' * 3000, b'{"hello":' + b"[" * 600, b'{"hello":{"tape":1,"tape":1}}', b"x" * 16_000, b'{"hello":{"tape":2}}',
    b'{"hello":{"tape":9999999999999999999}}', b'{"error":{"code":"x","message":"y"}}', b"GET / HTTP/1.1\r\n\r\n"])
def test_a_first_message_other_than_a_hello_ends_the_link(target, message):
    with shake(target) as peer:
        peer.sendall(frame(message) + frame("the end of this link"))
        assert close_code(peer) in (4000, 4001, 4002, 4003, 1001, 1007)


def test_messages_before_the_hello_take_no_memory(target):
    """Each connection sends as much as it may before a hello."""
    before = target.resident
    peers = []
    try:
        for _ in range(64):
            peer = connect(target)
            peers.append(peer)
            peer.setblocking(False)
            try:
                peer.send(head(target, "GET /v1/app HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: statetape.v1"))
            except (BlockingIOError, ConnectionError):
                pass
        piece = frame(b"x" * 65535, length=15 << 20)
        rest = b"x" * (1 << 20)
        for peer in peers:
            peer.setblocking(True)
            try:
                peer.sendall(piece)
                for _ in range(13):
                    peer.sendall(rest)
            except (ConnectionError, TimeoutError):
                pass
        target.check()
        # After five seconds the server closes connections without a hello, which would free the memory anyway.
        target.settles_below(before + 200, seconds=2)
    finally:
        for peer in peers:
            peer.close()


def test_simultaneous_hellos_of_one_session(target):
    """Connections with other keys, newer attempts and the same session: one gets it, and events aren't mixed."""
    session = "CONTESTED-SESSION"
    first = hello(target, session, key="a" * 32)
    converse(target, first, '{"seq":0,"at":0,"event":"init","state":"mine"}')
    for number in range(20):
        said = converse(target, hello(target, session, key="b" * 32, attempt=number), '{"seq":1,"at":0,"event":"init","state":"theirs"}')
        assert not any('"welcome"' in line for line in said), said
    assert target.lines(session) == ['{"seq":0,"at":0,"event":"init","state":"mine"}']
