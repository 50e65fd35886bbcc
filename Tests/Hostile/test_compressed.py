"""Compressed messages of an app: bombs, invalid streams, and messages that only claim to be compressed."""

import json
import zlib

import pytest

from wire import close_code, frame, frames, shake

LIMIT = 64 << 20


class Stream:
    """The single deflate stream of a connection, as in the format."""

    def __init__(self, bits=12, level=9):
        self.packer = zlib.compressobj(level, zlib.DEFLATED, -bits)

    def message(self, content, piece=None):
        packed = self.packer.compress(content) if piece is None else b"".join(self.packer.compress(piece) for _ in range(content))
        packed += self.packer.flush(zlib.Z_SYNC_FLUSH)
        return b"\0" + packed[:-4]


def open_link(target, session, compress=("deflate",)):
    peer = shake(target)
    hello = {**target.witness.hello, "session": session, "next": 0, "compress": list(compress)}
    peer.sendall(frame(json.dumps({"hello": hello})))
    received = b""
    while b'"welcome"' not in received:
        piece = peer.recv(65536)
        assert piece, frames(received)
        received += piece
    return peer


def event(seq, text="x"):
    return json.dumps({"seq": seq, "at": seq, "event": "note", "text": text}, separators=(",", ":")).encode()


def acknowledged(peer, next):
    received = b""
    while b'{"ack":{"next":%d}}' % next not in received:
        piece = peer.recv(65536)
        assert piece, received[-300:]
        received += piece


BROKEN = {
    "no stream": b"\0", "rubbish": b"\0\xff\xfe\xfd" * 20, "a block of no type": b"\0\x07", "the stream's end": b"\0\x03\x00",
    "a stored block that is too short": b"\0\x00\xff\xff\x00\x00abc", "a far reference": b"\0" + zlib.compress(b"a" * 300, 9)[2:-4][:3],
    "a header of zlib": b"\0" + zlib.compress(b"{}"), "a header of gzip": b"\0\x1f\x8b\x08\0\0\0\0\0\0\3",
    "another byte first": b"\1{}", "marks only": b"\0" * 1000, "a mark in a line": b'{"seq":0\0}',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_message_that_is_no_piece_of_the_stream_ends_the_link(target, name):
    session = f"BROKEN-STREAM-{list(BROKEN).index(name)}"
    stream = Stream()
    with open_link(target, session) as peer:
        peer.sendall(frame(stream.message(event(0))))
        acknowledged(peer, 1)
        peer.sendall(frame(BROKEN[name]) + frame(stream.message(event(1))))
        # A manipulated stream, or the message after it, ends the link.
        assert close_code(peer) in (1007, 4000, 4005, 1002)
    assert target.lines(session)[0] == event(0).decode()


def test_a_window_that_is_too_large_is_no_way_in(target):
    stream = Stream(bits=15)
    noise = json.dumps("".join(chr(33 + (n * n * 7919) % 90) for n in range(30_000)).replace("\\", "/").replace('"', "'"))
    with open_link(target, "WIDE-WINDOW-SESSION") as peer:
        for seq in range(3):
            peer.sendall(frame(stream.message(b'{"seq":%d,"at":0,"event":"init","state":%s}' % (seq, noise.encode()))))
        peer.sendall(frame("the end of this link"))
        assert close_code(peer) in (1007, 4000)


def test_a_compressed_bomb_is_too_big(target):
    for number in range(2):
        with open_link(target, f"DEFLATE-BOMB-{number}") as peer:
            bomb = Stream().message(80, piece=b" " * (1 << 20))
            assert len(bomb) < 1 << 20
            peer.sendall(frame(bomb))
            assert close_code(peer) == 1009


def test_long_messages_in_a_few_bytes(target):
    """Small messages that decompress to large ones: memory stays bounded, and other apps still record."""
    peers = []
    for number in range(2):
        peer = open_link(target, f"FULL-MESSAGE-{number}")
        stream = Stream()
        room = LIMIT // 2
        for seq in range(2):
            line = b'{"seq":%d,"at":0,"event":"init","state":"%s"}' % (seq, b"x" * room)
            peer.sendall(frame(stream.message(line)))
        peers.append(peer)
    target.check()
    for peer in peers:
        acknowledged(peer, 2)
        peer.close()


def test_messages_are_only_decompressed_if_the_welcome_allows_it(target):
    for compress in ((), ("gzip",), ("deflate " * 100,)):
        with open_link(target, f"NOT-GRANTED-{len(compress)}-{len(str(compress))}", compress) as peer:
            peer.sendall(frame(Stream().message(event(0))))
            assert close_code(peer) in (4000, 1007)


def test_a_byte_at_a_time_is_the_same_stream(target):
    session, stream = "SLOW-STREAM-SESSION", Stream()
    with open_link(target, session) as peer:
        for seq in range(20):
            message = stream.message(event(seq, "naïve 👍"))
            peer.sendall(frame(message[:1], fin=False) + b"".join(frame(message[at:at + 1], 0, fin=False) for at in range(1, len(message))) + frame(b"", 0))
        acknowledged(peer, 20)
    assert target.lines(session) == [event(seq, "naïve 👍").decode() for seq in range(20)]
