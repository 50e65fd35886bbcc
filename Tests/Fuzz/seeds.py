"""Writes the seeds of the fuzz targets from the golden files: seeds.py FOLDER"""

import json
import struct
import sys
import zlib
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
GOLDEN = TESTS / "TapeFormatTests" / "Golden"
TAPE = (GOLDEN / "session.tape").read_bytes().splitlines()
CONTROL = (GOLDEN / "control.jsonl").read_bytes().splitlines()


def text(value):
    return json.dumps(value, ensure_ascii=False).encode()


def cases():
    """The table of JSON texts, without the long ones."""
    for entry in json.loads((GOLDEN / "json-cases.json").read_text()):
        yield entry["text"].encode() if "text" in entry else bytes.fromhex(entry.get("hex", ""))


def lines():
    yield from TAPE
    yield from CONTROL
    yield from cases()


def patches():
    for name in ("patches.json", "patch-cases.json"):
        for entry in json.loads((GOLDEN / name).read_text()):
            yield b"\n".join([text(entry["before"]), text(entry["patch"]), text(entry.get("after"))])


def hellos():
    hello = next(line for line in CONTROL if line.startswith(b'{"hello"'))
    yield hello
    yield b"\x01".join([hello, *TAPE[1:]])
    yield b"\x01".join([hello, b"\n".join(TAPE[1:])])
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    packed = [b"\0" + (packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4] for line in TAPE[1:]]
    yield b"\x01".join([hello.replace(b'"fresh"', b'"compress":["deflate"],"fresh"'), *packed])
    yield b"\x01".join([hello.replace(b'"fresh"', b'"from":5,"fresh"'), *TAPE[1:]])


def messages():
    for level in (0, 1, 9):
        packer = zlib.compressobj(level, zlib.DEFLATED, -12)
        yield b"\x01".join((packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4] for line in TAPE)
    yield b"\x01".join(TAPE)


def checksum(kind, ticket, payload):
    mask = (1 << 64) - 1
    total = len(payload) ^ kind << 56
    words = [payload[at:at + 8] for at in range(0, len(payload) - len(payload) % 8, 8)]
    rest = payload[len(words) * 8:]
    for word in [ticket, *(struct.unpack("<Q", one)[0] for one in words), int.from_bytes(rest, "big")]:
        total = (total ^ word) * 0x9E3779B97F4A7C15 & mask
        total ^= total >> 29
    return total


def record(kind, ticket, payload):
    """A record of a spool's segment."""
    return struct.pack("<IIQQBB6x", 0xFE5453FF, len(payload), ticket, checksum(kind, ticket, payload), kind, 0) + payload


def segments():
    records = [record(1, number, line) for number, line in enumerate(TAPE[1:])]
    yield b"STTAPE1\n" + b"".join(records)
    yield b"STTAPE1\n" + records[0] + b"rubbish" + b"".join(records[1:])
    yield b"STTAPE1\n" + record(2, 0, b'{"seq":4,"at":1,"event":"gap","count":5,"reason":"memory"}') + records[-1][:-3]
    yield b"STT"
    yield record(3, 1, b'{"type":"a"}')


def redux():
    actions = {str(n): {"type": "PERFORM_ACTION", "action": {"type": "ADD", "payload": n}, "timestamp": 1461248785265 + n} for n in range(4)}
    states = [{"state": {"n": n, "list": [n] * n}} for n in range(3)] + [{"state": {"n": 3}, "error": "no"}]
    lifted = {"actionsById": actions, "nextActionId": 4, "stagedActionIds": [0, 1, 2, 3], "skippedActionIds": [], "currentStateIndex": 3,
              "computedStates": states, "committedState": {"n": 0}}
    yield text(lifted)
    yield text({"payload": json.dumps([{"type": "A"}, {"type": "B", "payload": 1}, {"x": 1}]), "preloadedState": json.dumps({"n": 1})})
    yield text({"payload": json.dumps(lifted)})


def frame(content, opcode=1, fin=0x80):
    size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + struct.pack(">H", len(content))
    return bytes([fin | opcode]) + size + bytes(4) + content


def connections():
    web, plain = b"\x01", b"\xff"
    yield web + frame(b"hello") + frame(b"", 9) + frame(b"\x03\xe8", 8)
    yield web + frame(b"he", 2, 0) + frame(b"", 0, 0) + frame(b"llo", 0) + frame(b"x" * 300)
    yield web + frame(b"\xff") + frame(b"\x03\xe8\xff", 8)
    yield web + b"\x82\xff" + bytes(7) + b"\x05" + bytes(4) + b"hello"
    yield plain + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    yield plain + b"GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
    yield plain + b"POST /?a=b&c=%41 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    yield plain + b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    yield plain + b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: a\r\n\r\n"
    yield plain + b"\x16\x03\x01\x00\xc8"


SEEDS = {"line": lines, "header": lambda: [TAPE[0], *(line for line in CONTROL if b'"session"' in line)], "patch": patches, "hello": hellos,
         "compressed": messages, "spool": segments, "redux": redux, "framing": connections}

for target, make in SEEDS.items():
    folder = Path(sys.argv[1]) / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(make()):
        (folder / f"seed-{number:03}").write_bytes(content)
