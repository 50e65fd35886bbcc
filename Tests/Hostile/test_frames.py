"""WebSocket frames and handshakes that violate RFC 6455, and valid ones that look wrong."""

import json
import struct

import pytest

from wire import close_code, close_frame, exchange, frame, frames, head, shake, statuses

LINKS = {"app": ("/v1/app", "statetape.v1"), "viewer": ("/v1/viewer", "statetape.viewer.v1")}
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

# Bytes after the handshake, and the codes that may end the connection; None: it ends without a close frame.
BROKEN = {
    "an unmasked text": (frame("{}", TEXT, masked=False), 1002, None),
    "an unmasked close": (frame(b"\x03\xe8", CLOSE, masked=False), 1002, None),
    "an unmasked ping": (frame(b"x", PING, masked=False), 1002, None),
    "a reserved bit": (frame("{}", TEXT, rsv=4), 1002, None),
    "another reserved bit": (frame("{}", TEXT, rsv=2), 1002, None),
    "the third reserved bit": (frame("{}", TEXT, rsv=1), 1002, None),
    **{f"opcode {code}": (frame("{}", code), 1002, 1003, None) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    "a continuation of nothing": (frame("{}", 0), 1002, None),
    "a text inside a text": (frame("{", TEXT, fin=False) + frame("{}", TEXT), 1002, None),
    "a ping in pieces": (frame(b"x", PING, fin=False), 1002, None),
    "a close in pieces": (frame(b"\x03\xe8", CLOSE, fin=False), 1002, None),
    "a long ping": (frame(b"x" * 126, PING), 1002, None),
    "a long close": (frame(b"\x03\xe8" + b"x" * 124, CLOSE), 1002, None),
    "a length in more bytes than it needs": (b"\x82\xfe\x00\x05" + bytes(4) + b"hello", 1002, 4000, None),
    "a length of 2^63": (b"\x82\xff\x80" + bytes(7) + bytes(4), 1002, 1009, 4003, None),
    "a length of 2^63 - 1": (b"\x82\xff\x7f" + b"\xff" * 7 + bytes(17 << 20), 1002, 1009, 4000, 4003, None),
    "a length of 4 GiB": (frame(bytes(17 << 20), length=1 << 32), 1009, 4000, 4003, None),
    "a message without end": (frame(b"x" * 65535, fin=False) + frame(b"x" * 65535, 0, fin=False) * 260, 1009, 4003, 4000, None),
    "a close of one byte": (frame(b"\x03", CLOSE), 1002, 1005, None),
    "text that is no UTF-8": (frame(b"\xff\xfe", TEXT), 1007),
    "a surrogate in text": (frame(b"\xed\xa0\x80", TEXT), 1007),
    "overlong text": (frame(b"\xc0\xaf", TEXT), 1007),
    "text past Unicode": (frame(b"\xf4\x90\x80\x80", TEXT), 1007),
    "text cut inside a character": (frame(b"\xe2\x82", TEXT), 1007),
    "bad UTF-8 over two frames": (frame(b"\xe2", TEXT, fin=False) + frame(b"\x28\xa1", 0), 1007),
    "a close reason that is no UTF-8": (close_frame(1000, b"\xff"), 1007, 1002),
    **{f"close code {code}": (close_frame(code), 1002, 1000, None) for code in
       (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)},
}

# Invalid values for the headers of a handshake.
HANDSHAKES = {
    "no key": {"Sec-WebSocket-Key": None}, "two versions": {"Sec-WebSocket-Version": "13, 8"},
    "version 8": {"Sec-WebSocket-Version": "8"}, "version 0": {"Sec-WebSocket-Version": "0"}, "no version": {"Sec-WebSocket-Version": None},
    "a foreign origin": {"Origin": "https://evil.example"}, "the null origin": {"Origin": "null"},
    "another site": {"Sec-Fetch-Site": "cross-site"}, "a subprotocol of another": {"Sec-WebSocket-Protocol": "chat"},
    "no subprotocol": {"Sec-WebSocket-Protocol": None}, "an upgrade to another": {"Upgrade": "h2c"},
    "no upgrade": {"Upgrade": None}, "no connection": {"Connection": None}, "a foreign host": {"Host": "evil.example"},
    "endless subprotocols": {"Sec-WebSocket-Protocol": ",".join(f"p{n}" for n in range(2000))},
}
EXTENSIONS = ["permessage-deflate; client_max_window_bits=0", "permessage-deflate; server_max_window_bits=99999999999",
              "permessage-deflate; client_max_window_bits=-1; client_max_window_bits=8", "x" * 3000, ";;;,,,", "permessage-deflate;" * 200]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("name", BROKEN)
def test_frames_that_break_the_protocol_end_their_connection(target, link, name):
    content, *allowed = BROKEN[name]
    with shake(target, *LINKS[link]) as peer:
        try:
            peer.sendall(content)
        except ConnectionError:
            pass
        assert close_code(peer) in allowed


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("name", HANDSHAKES)
def test_invalid_handshakes_are_refused(target, link, name):
    path, protocol = LINKS[link]
    headers = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": protocol, **HANDSHAKES[name]}
    host = headers.pop("Host", None)
    request = head(target, f"GET {path} HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items() if value), host=host)
    found = statuses(exchange(target, request))
    assert 101 not in found and 500 not in found and 200 not in found


@pytest.mark.parametrize("line", ["POST {} HTTP/1.1", "GET {} HTTP/1.0", "GET {}/../../healthz HTTP/1.1", "GET {}%00 HTTP/1.1"])
def test_other_requests_do_not_upgrade(target, line):
    request = head(target, line.format("/v1/app"), "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: statetape.v1")
    assert 101 not in statuses(exchange(target, request))


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_unknown_extensions_are_harmless(target, extension):
    request = head(target, "GET /v1/app HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: statetape.v1",
                   f"Sec-WebSocket-Extensions: {extension}")
    exchange(target, request)


@pytest.mark.parametrize("pieces", ["empty messages", "a byte a frame", "empty continuations", "pings between", "empty pongs", "a byte a packet"])
def test_unusual_but_valid_frames_are_accepted(target, pieces):
    hello = json.dumps({"hello": {**target.witness.hello, "session": f"ODD-{pieces.replace(' ', '-')}", "next": 0}}).encode()
    event = b'{"seq":0,"at":0,"event":"init","state":"\xf0\x9f\x91\x8d"}'
    with shake(target) as peer:
        if pieces == "empty messages":
            peer.sendall(frame(b"") + frame(b"", TEXT) + frame(hello) + frame(b"") + frame(event, TEXT) + frame(b""))
        elif pieces == "empty pongs":
            peer.sendall(frame(hello, TEXT) + frame(b"", PONG) * 5 + frame(event) + frame(b"x" * 125, PONG))
        elif pieces == "a byte a packet":
            for byte in frame(hello) + frame(event):
                peer.send(bytes([byte]))
        else:
            between = {"a byte a frame": b"", "empty continuations": frame(b"", 0, fin=False), "pings between": frame(b"", PING)}[pieces]
            for message in (hello, event):
                peer.sendall(frame(message[:1], TEXT, fin=False) + between.join(
                    frame(message[index:index + 1], 0, fin=False) for index in range(1, len(message))) + frame(b"", 0))
        received = b""
        while b'"next":1}' not in received:
            piece = peer.recv(65536)
            assert piece, frames(received)
            received += piece
    assert target.lines(f"ODD-{pieces.replace(' ', '-')}") == [event.decode()]


def test_a_close_is_answered_with_its_code(target):
    for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999):
        with shake(target) as peer:
            peer.sendall(close_frame(code, "Grüße".encode()))
            assert close_code(peer) in (code, 1000)


def test_a_flood_of_pings_and_closes_blocks_nobody(target):
    with shake(target) as peer:
        peer.sendall(frame(b"x" * 125, PING) * 4_000)
        peer.sendall(close_frame(1000) * 200)
        close_code(peer)
    with shake(target, *LINKS["viewer"]) as peer:
        peer.sendall(frame('{"watch":{"sessions":true}}\n' * 2_000))
        peer.sendall(struct.pack(">H", 0x8881) * 500)
        close_code(peer)
