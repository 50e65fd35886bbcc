"""A damaged archive: the server continues or says why it doesn't start, and never returns a wrong event."""

import json
import random
import shutil
import sqlite3
import subprocess
from http.client import HTTPException

import pytest

from processes import Server
from target import ADDRESS_SPACE, Target, statetape, tape
from waiting import until
from wire import ask

SESSION = "DAMAGED-SESSION-0"
PATH = f"/api/v1/sessions/{SESSION}"
VALUES = [-1, 255, 2**31, 2**53, 2**63 - 1, -2**63, 1.5, None, "x", b"\xff\x00"]
EVENTS = 1_400


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The data folder of a stopped server, and the lines of its session: sealed, bookmarked and labelled."""
    target = Target(tmp_path_factory.mktemp("sound"))
    lines = ['{"seq":0,"at":0,"event":"init","state":{"n":0,"list":[]}}']
    for seq in range(1, EVENTS):
        lines.append(f'{{"seq":{seq},"at":{seq},"event":"action","action":{{"type":"count/{seq % 7}"}},'
                     f'"patch":[{{"op":"replace","path":"/n","value":{seq}}},{{"op":"add","path":"/list/-","value":"{seq * 7919}"}}]}}')
    assert target.ask("/api/v1/sessions", "POST", tape(SESSION, lines)).status == 201
    assert target.ask(f"{PATH}/bookmarks", "POST", {"seq": 1, "text": "here"}).status == 201
    assert target.ask(PATH, "PATCH", {"title": "Damaged", "kept": True, "labels": {"a": "b"}}).status == 200
    start = {"app": "com.example.hostile", "mode": "state", "session": SESSION, "seq": 5}
    assert target.ask("/api/v1/start-states", "PUT", start).status == 200
    # Sealing runs in the background, so wait for it.
    until(lambda: target.ask(PATH).json["sealed"] >= 1_280, "few events are sealed")
    target.witness.stop()
    target.stop()
    return target.folder / "data", lines


@pytest.fixture
def copied(sound, tmp_path):
    """A copy of the undamaged data, to damage."""
    shutil.copytree(sound[0], tmp_path / "data")
    return tmp_path


def places():
    return [
        "/api/v1/sessions", "/api/v1/sessions?q=count", "/api/v1/sessions?label=a:b", "/api/v1/start-states", "/metrics", PATH,
        f"{PATH}/overview", f"{PATH}/histogram", f"{PATH}/matches?type=*", f"{PATH}/matches?path=/n", f"{PATH}/events?fields=head&limit=9",
        f"{PATH}/tape?format=redux-devtools&to=300", f"{PATH}/bookmarks", f"{PATH}/diff/{SESSION}",
        *(f"{PATH}/{kind}/{seq}" for kind in ("events", "states") for seq in (0, 255, 256, 700, 1_399)),
        *(f"{PATH}/events?from={seq}&limit=3" for seq in (0, 256, 1_399)),
    ]


def look_at_all(server):
    """Requests everything. Damaged data may cause an error; the server must not exit."""
    for place in places():
        try:
            ask(server, place)
        except (OSError, HTTPException) as error:
            # A download of damaged data breaks off.
            assert server.process.poll() is None, f"{place}: {error}"
    assert server.process.poll() is None
    assert ask(server, "/healthz").status in (200, 503)


def expect_no_wrong_data(server, lines):
    for seq, line in enumerate(lines[:1_280:37]):
        answer = ask(server, f"{PATH}/events/{seq * 37}")
        assert answer.status != 200 or answer.content.decode() == line, "the server returned another event"
    for seq in range(0, 1_280, 151):
        answer = ask(server, f"{PATH}/states/{seq}")
        assert answer.status != 200 or answer.json["n"] == seq, "the server returned another state"


class Damaged(Server):
    """A server on a damaged folder."""

    # Whether it exited instead of listening.
    refuses = False

    def start(self, listen):
        try:
            super().start(listen)
        except AssertionError as silence:
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                # It hangs or is slow; neither counts as a refusal.
                self.kill()
                raise silence from None
            self.refuses = True


def started(folder):
    """The server on a damaged folder, or None if it refuses to start and says why."""
    server = Damaged(folder, prefix=("prlimit", f"--as={ADDRESS_SPACE}"), SWIFT_BACKTRACE="enable=no")
    if not server.refuses:
        return server
    log = (folder / "server.log").read_text()
    assert "rror" in log or "archive" in log or "database" in log, log
    assert "Fatal error" not in log and "💣" not in log and "crashed" not in log, log[:3000]
    return None


def survive(folder, lines=None):
    server = started(folder)
    check = statetape("check", "--data", folder / "data")
    assert check.returncode in (0, 1), f"check ended with {check.returncode}: {check.stderr[-1500:]}"
    if server is None:
        return
    try:
        look_at_all(server)
        if lines:
            expect_no_wrong_data(server, lines)
        # Damaged sessions can be deleted.
        assert ask(server, PATH, "DELETE").status in (204, 404, 500, 503)
        assert server.process.poll() is None
        server.stop()
    finally:
        server.kill()


def columns(database):
    """The numbers in the archive: every column of every table that isn't text or blob."""
    tables = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'wordText%' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'")]
    for table in tables:
        for _, name, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall():
            if kind in ("INTEGER", "REAL"):
                yield table, name


def test_any_number_in_a_row(copied):
    """Rows are changed while the server runs, and restored."""
    target = Target(copied)
    database = sqlite3.connect(copied / "data" / "archive.sqlite", timeout=20, isolation_level=None)
    row, = database.execute("SELECT row FROM session WHERE id = ?", [SESSION]).fetchone()
    tried = 0
    for table, column in columns(database):
        owner = "row" if table == "session" else "session"
        names = [name for _, name, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall()]
        if column == owner or owner not in names:
            continue
        kept = database.execute(f'SELECT rowid, "{column}" FROM "{table}" WHERE "{owner}" = ?', [row]).fetchall()
        if not kept:
            continue
        for value in VALUES:
            changed, old = kept[len(kept) // 2]
            try:
                database.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', [value, changed])
            except sqlite3.IntegrityError:
                continue
            tried += 1
            for place in (PATH, f"{PATH}/states/700", f"{PATH}/events?from=699&limit=3", f"{PATH}/events?fields=head&from=600&limit=200",
                          f"{PATH}/bookmarks", "/api/v1/sessions"):
                try:
                    ask(target, place)
                except (OSError, HTTPException) as error:
                    assert target.process.poll() is None, f"{table}.{column} = {value!r}: {place}: {error}\n{target.log[-2000:]}"
            assert target.process.poll() is None, f"{table}.{column} = {value!r}"
            # A row whose own number was changed is found by the new one.
            is_there = database.execute(f'SELECT 1 FROM "{table}" WHERE rowid = ?', [changed]).fetchone()
            back = database.execute(
                f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', [old, changed if is_there else value])
            assert back.rowcount == 1, f"{table}.{column} = {value!r} stays"
    assert tried > 150
    database.close()
    target.check()
    target.finish()


@pytest.mark.parametrize("value", [2**63 - 1, "x"])
def test_the_server_starts_over_wrong_numbers(copied, value):
    with sqlite3.connect(copied / "data" / "archive.sqlite") as database:
        for table, column in list(columns(database)):
            if column not in ("row", "session", "word"):
                try:
                    database.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ?', [value])
                except sqlite3.IntegrityError:
                    pass
    database.close()
    survive(copied)


# Changes to the session's rows, or to their content.
ROWS = {
    "no first line": "DELETE FROM chunk WHERE first = 0",
    "a missing block": "DELETE FROM chunk WHERE first = (SELECT first FROM chunk ORDER BY first LIMIT 1 OFFSET 2)",
    "no blocks": "DELETE FROM chunk", "no heads": "DELETE FROM head", "no names": "DELETE FROM name", "no keyframes": "DELETE FROM keyframe",
    "no bases": "DELETE FROM base", "no batches": "DELETE FROM batch",
    "an empty block": "UPDATE chunk SET lines = x'' WHERE first > 0", "a cut block": "UPDATE chunk SET lines = substr(lines, 1, length(lines) / 2)",
    "text for a block": "UPDATE chunk SET lines = 'text'",
    "blocks of each other": "UPDATE chunk SET lines = (SELECT lines FROM chunk ORDER BY first LIMIT 1)",
    "heads of each other": "UPDATE head SET columns = (SELECT columns FROM head ORDER BY first DESC LIMIT 1)",
    "a block that claims 2^60 bytes": "UPDATE chunk SET lines = x'28b52ffde0000000000000001001000000' WHERE first > 0",
    "keyframes that claim 2^60 bytes": "UPDATE keyframe SET state = x'28b52ffde0000000000000001001000000'",
    "blocks that overlap": "UPDATE chunk SET next = next + 1000 WHERE first = 0", "a base far ahead": "UPDATE base SET seq = 9007199254740991",
    "a base whose line is gone": "UPDATE base SET seq = 5000",
    "a header that is no JSON": "UPDATE session SET header = '{'",
    "a header without end": "UPDATE session SET header = (SELECT replace(hex(zeroblob(300)), '00', '['))",
    "no session": "DELETE FROM session", "no tables": "DROP TABLE chunk",
    "a replay that is no JSON": "UPDATE session SET replay = '{'", "an id with a NUL": "UPDATE session SET id = 'A' || char(0) || row || '-0123456789'",
    "a mode that is none": "UPDATE startState SET mode = 'x', labels = '[', seq = -5",
}


@pytest.mark.parametrize("name", ROWS)
def test_missing_or_wrong_rows(copied, name):
    with sqlite3.connect(copied / "data" / "archive.sqlite") as database:
        database.execute(ROWS[name])
    database.close()
    survive(copied)


@pytest.mark.parametrize("seed", range(6))
def test_flipped_bits(copied, sound, seed):
    chance = random.Random(seed)
    file = copied / "data" / "archive.sqlite"
    content = bytearray(file.read_bytes())
    for _ in range(1 + seed % 3):
        content[chance.randrange(100 if seed < 5 else 0, len(content))] ^= 1 << chance.randrange(8)
    file.write_bytes(content)
    survive(copied, sound[1])


@pytest.mark.parametrize("size", [0, 100, 40_000, -4096])
def test_a_truncated_file(copied, sound, size):
    file = copied / "data" / "archive.sqlite"
    content = file.read_bytes()
    file.write_bytes(content[:size] if size else b"")
    survive(copied, sound[1])


@pytest.mark.parametrize("name, content", [
    ("archive.sqlite-wal", b"rubbish" * 5_000), ("archive.sqlite-wal", bytes.fromhex("377f0682002de218") + bytes(9000)),
    ("archive.sqlite-shm", b"\xff" * 32_768), ("archive.sqlite", b"text\n" * 3_000), ("archive.sqlite-journal", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(600))],
    ids=["log", "log with a header", "shared memory", "text", "journal"])
def test_files_that_are_not_an_archive(copied, sound, name, content):
    (copied / "data" / name).write_bytes(content)
    survive(copied, sound[1])


def test_events_around_a_damaged_block_are_served(copied, sound):
    with sqlite3.connect(copied / "data" / "archive.sqlite") as database:
        first, next, rowid = database.execute("SELECT first, next, rowid FROM chunk ORDER BY first LIMIT 1 OFFSET 2").fetchone()
        database.execute("UPDATE chunk SET lines = zeroblob(length(lines)) WHERE rowid = ?", [rowid])
    database.close()
    server = started(copied)
    lines = sound[1]
    try:
        for seq in (0, first - 1, next, EVENTS - 1):
            answer = ask(server, f"{PATH}/events/{seq}")
            assert answer.status == 200 and answer.content.decode() == lines[seq], f"{seq}: {answer}"
        found = ask(server, f"{PATH}/tape").content.decode().splitlines()[1:]
        assert found[:first] == lines[:first] and found[-1] == lines[-1]
        assert len([line for line in found if line in set(lines)]) >= EVENTS - (next - first)
        assert [json.loads(line)["event"] for line in found].count("gap") <= 1
        server.stop()
    finally:
        server.kill()
    check = statetape("check", "--data", copied / "data")
    assert check.returncode == 1 and str(first) in check.stdout
