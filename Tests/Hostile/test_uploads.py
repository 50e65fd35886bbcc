"""Misleading files: bombs, endless lines, invalid texts, exports of other tools."""

import gzip
import io
import json
import zlib

import pytest

from target import tape
from wire import connect, exchange, head, read_all, statuses

LINE = '{"seq":0,"at":0,"event":"init","state":1}'


def upload(target, body, **headers):
    return target.ask("/api/v1/sessions", "POST", body, **headers)


def packed(*parts, level=9):
    return b"".join(gzip.compress(part, level) for part in parts)


def bomb(mebibytes, piece=b"\n"):
    """A small file that decompresses to this many bytes."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9) as file:
        block = piece * (1 << 20) if len(piece) == 1 else piece
        for _ in range(mebibytes):
            file.write(block)
    return out.getvalue()


def start(session):
    return tape(session, [])


def broken_files():
    whole = packed(tape("PACKED-TAPE-SESSION", [LINE]))
    return {
        "nothing": b"", "line feeds": b"\n" * 100_000, "zeros": bytes(100_000), "only a header": tape("ONLY-HEADER-SESSION", []),
        "no header": (LINE + "\n").encode(), "UTF-16": tape("UTF16-SESSION-0", [LINE]).decode().encode("utf-16"),
        "a byte order mark": b"\xef\xbb\xbf" + tape("BOM-SESSION-00", [LINE]), "Latin-1": tape("LATIN-SESSION-0", []) + '{"seq":0,"at":0,"event":"é"}'.encode("latin-1"),
        "cut gzip": whole[:-9], "gzip with a wrong sum": whole[:-8] + bytes(8), "gzip of gzip": gzip.compress(whole),
        "gzip and rubbish": whole + b"rubbish", "an empty member first": packed(b"") + whole, "only a magic": b"\x1f\x8b",
        "an endless name": b"\x1f\x8b\x08\x08" + bytes(6) + b"x" * 500_000, "flags": b"\x1f\x8b\x08\xff" + bytes(40),
        "zlib": zlib.compress(tape("ZLIB-SESSION-00", [LINE])), "bare deflate": zlib.compress(tape("ZLIB-SESSION-00", [LINE]))[2:-4],
        "brackets": b"[" * 2_000_000, "braces": b'{"a":' * 400_000, "a deep header": b'{"tape":' * 600,
        "a deep state": tape("DEEP-STATE-SESSION", ['{"seq":0,"at":0,"event":"init","state":' + "[" * 600 + "]" * 600 + "}"]),
        "a header of 1 MB": tape("LONG-HEADER-SESSION", [LINE], labels={"k": "x" * 1_000_000}),
        "a header of many labels": tape("MANY-LABELS-SESSION", [LINE], labels={f"k{n}": "" for n in range(50_000)}),
        "the same key twice": b'{"tape":1,"tape":1}\n', "a number of 2 000 digits": tape("DIGITS-SESSION-0", ['{"seq":0,"at":0,"event":"init","state":' + "1" * 2000 + "}"]),
        "an exponent of ten digits": tape("EXPONENT-SESSION", ['{"seq":0,"at":0,"event":"init","state":1e9999999999}']),
        "seqs that go back": tape("BACKWARD-SESSION", [LINE, LINE.replace(":0,", ":5,", 1), LINE]),
        "a gap in the seqs": tape("JUMPING-SESSION", [LINE, '{"seq":9,"at":0,"event":"note","text":"x"}']),
        "a seq below from": tape("FROM-SESSION-00", [LINE], **{"from": 5}),
        "events after the end": tape("AFTER-END-SESSION", ['{"seq":0,"at":0,"event":"end"}', '{"seq":1,"at":0,"event":"note","text":"x"}']),
        "a gap of everything": tape("WIDE-GAP-SESSION", ['{"seq":9007199254740991,"at":0,"event":"gap","count":9007199254740992,"reason":"x"}']),
        "a gap up to the last": tape("LAST-GAP-SESSION", ['{"seq":9007199254740990,"at":0,"event":"gap","count":9007199254740991,"reason":"x"}', '{"seq":9007199254740991,"at":1,"event":"note","text":"x"}']),
        "HTML": b"<html><body>hello</body></html>", "a picture": b"\x89PNG\r\n\x1a\n" + bytes(1000), "SQLite": b"SQLite format 3\x00" + bytes(4000),
        "a session named as a path": tape("../../etc/passwd", [LINE]), "a session named as SQL": tape("'; DROP TABLE session;--", [LINE]),
    }


@pytest.mark.parametrize("name", broken_files())
def test_a_file_that_is_not_a_tape_gets_a_clear_error(target, name):
    answer = upload(target, broken_files()[name])
    assert answer.status in (200, 201, 400, 409, 413, 415, 422), answer
    if answer.status >= 400:
        assert answer.json["detail"], answer
    else:
        session = answer.json["session"]
        for place in ["", "/events", "/events/0", "/states/0", "/overview", "/tape", "/histogram", "/states/9007199254740991",
                      "/events?from=9007199254740990", "/tape?from=9007199254740990"]:
            assert target.ask(f"/api/v1/sessions/{session}{place}").status < 500, place


HEADER = start("BOMB-SESSION-00000")
BOMBS = {
    "A hundred MiB of line feeds": lambda: packed(HEADER) + bomb(100),
    "A hundred MiB of one line": lambda: packed(HEADER) + bomb(100, b"x"),
    "A hundred MiB of spaces": lambda: bomb(100, b" "),
    "A hundred MiB of an export": lambda: packed(b'{"payload":"[]","actionsById":{') + bomb(100, b" "),
    "10 000 members": lambda: packed(HEADER) + packed(b"\n") * 10_000,
    "100 000 empty members": lambda: packed(HEADER) + packed(b"") * 100_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_no_memory(target, name):
    body = BOMBS[name]()
    assert len(body) < 4 << 20
    before = target.resident
    answer = upload(target, body)
    assert answer.status in (200, 201, 400, 413, 422), answer
    target.settles_below(before + 200)


def test_a_line_of_70_mb_is_refused(target):
    header = start("LONG-LINE-SESSION")
    answer = upload(target, header + b'{"seq":0,"at":0,"event":"init","state":"' + b"x" * (70 << 20) + b'"}\n')
    assert answer.status in (413, 422) and answer.json["detail"], answer


def test_memory_is_returned_after_uploads(target):
    header = start("BACK-SESSION-0000")
    before = target.resident
    for number in range(4):
        upload(target, packed(header.replace(b"0000", b"%04d" % number)) + bomb(20, b"x"))
        upload(target, header.replace(b"0000", b"%04d" % number) + b'{"seq":0,"at":0,"event":"init","state":"' + b"x" * (15 << 20) + b'"}\n')
    target.check()
    target.settles_below(before + 200)


def test_an_upload_that_ends_early_keeps_its_whole_lines(target):
    lines = [LINE] + [f'{{"seq":{seq},"at":{seq},"event":"note","text":"n"}}' for seq in range(1, 50)]
    body = tape("CUT-SHORT-SESSION", lines)
    for cut in (10, 100, len(body) // 2, len(body) - 2):
        with connect(target) as peer:
            peer.sendall(head(target, "POST /api/v1/sessions HTTP/1.1", f"Content-Length: {len(body)}") + body[:cut])
    answer = upload(target, body)
    while answer.status == 409 and answer.json["code"] == "taken":
        # The server may not have noticed yet that the previous connection closed.
        answer = upload(target, body)
    assert answer.status in (200, 201), answer
    assert target.lines("CUT-SHORT-SESSION") == lines


def test_chunks_of_any_size_make_the_same_tape(target):
    lines = [LINE] + [f'{{"seq":{seq},"at":{seq},"event":"note","text":"n"}}' for seq in range(1, 20)]
    for size in (1, 2, 7, 4096):
        session = f"CHUNKED-SESSION-{size}"
        body = tape(session, lines)
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[at:at + size]), body[at:at + size]) for at in range(0, len(body), size))
        answer = exchange(target, head(target, "POST /api/v1/sessions HTTP/1.1", "Transfer-Encoding: chunked", "Connection: close") + chunks + b"0\r\n\r\n")
        # A server may require the length instead.
        assert statuses(answer)[0] in (201, 411, 501), answer
        if statuses(answer)[0] == 201:
            assert target.lines(session) == lines


def redux(actions):
    """A Redux DevTools export with this many actions."""
    return json.dumps({
        "actionsById": {str(n): {"type": "PERFORM_ACTION", "action": {"type": "A", "n": n}, "timestamp": 1461248785265 + n} for n in range(actions)},
        "stagedActionIds": list(range(actions)), "skippedActionIds": [], "currentStateIndex": actions - 1, "nextActionId": actions,
        "computedStates": [{"state": {"n": n}} for n in range(actions)]}).encode()


def test_a_long_export_of_the_redux_devtools_is_read_in_one_go(target):
    answer = upload(target, redux(5_000))
    assert answer.status == 201, answer
    assert len(target.lines(answer.json["session"])) == 5_000


@pytest.mark.parametrize("body", [
    b'{"payload":"[","actionsById":{}}', b'{"payload":1}', b'{"payload":"1"}', b'{"payload":"[1,null,[],\\"x\\"]"}', b'{"payload":"[]","preloadedState":"{"}',
    b'{"actionsById":{},"stagedActionIds":[0,1,99,-1,1e9,"x",null]}', b'{"actionsById":{"0":null},"stagedActionIds":[0,0,0]}',
    b'{"actionsById":{"0":{"timestamp":1e400}},"stagedActionIds":[0]}', b'{"actionsById":{"0":{"timestamp":-9223372036854775808}},"stagedActionIds":[0]}',
    b'{"actionsById":{"1":{"action":{"type":{}}},"0":{}},"stagedActionIds":[0,1],"computedStates":[{"state":1},{"error":1}]}',
    b'{"payload":"' + b'\\"' * 100_000 + b'"}', b'{"actionsById":' + b'{"a":' * 600,
    b'{"payload":"[{\\"type\\":\\"@@STATETAPE/replace\\",\\"payload\\":{\\"cause\\":1}}]"}'])
def test_an_odd_export_of_the_redux_devtools_is_answered(target, body):
    answer = upload(target, body)
    assert answer.status in (200, 201, 400, 413, 422), answer
    if answer.status < 400:
        for place in ("/events", "/states/0", "/states/1", "/overview", "/tape?format=redux-devtools"):
            assert target.ask(f"/api/v1/sessions/{answer.json['session']}{place}").status < 500


def test_slow_uploads_end_and_leave_room(target):
    """More uploads than allowed start and stall; a normal one must still succeed."""
    still = []
    try:
        for _ in range(24):
            peer = connect(target)
            still.append(peer)
            peer.sendall(head(target, "POST /api/v1/sessions HTTP/1.1", "Content-Length: 1000000") + b'{"tape":1,')
        # Slow uploads are answered or cut off; nobody waits longer than that.
        answers = [upload(target, tape(f"HONEST-SESSION-{n}", [LINE])).status for n in range(2)]
        while 503 in answers:
            read_all(still.pop(0))
            answers = [upload(target, tape("HONEST-SESSION-9", [LINE])).status]
        assert answers[-1] in (200, 201)
    finally:
        for peer in still:
            peer.close()
