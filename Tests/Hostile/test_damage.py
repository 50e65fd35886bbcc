"""Damages of an archive's file and log, seen from outside. `damages.py` tries any number of them."""

import json
import os
import shutil
import sqlite3
import subprocess

import pytest

from damages import EVENTS, FRAME, PAGE, UPLOADED, Damaged, Recording, damage, judge, lines_of
from processes import BUILD, TIMEOUT, Server, environment
from tape import App
from target import statetape, tape
from waiting import until
from wire import ask


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    return Recording(tmp_path_factory.mktemp("sound"))


# One of each kind, in the file and in the log.
@pytest.mark.parametrize("seed", [1, 5, 7, 10, 16, 19, 34, 36, 40, 58])
def test_a_damage_gives_no_wrong_answer_and_no_silent_loss(recording, tmp_path, seed):
    done = damage(recording.copy(tmp_path, seed % 2 == 1) / "data", seed)
    assert judge(tmp_path, recording.lines).faults == [], done


def test_a_server_without_damage_has_nothing_to_tell(recording, tmp_path):
    recording.copy(tmp_path, True)
    verdict = judge(tmp_path, recording.lines)
    assert not verdict.kinds and "acknowledged" not in (tmp_path / "server.log").read_text()


def test_a_cut_log_is_told_with_the_events_that_it_held(recording, tmp_path):
    log = recording.copy(tmp_path, True) / "data" / "archive.sqlite-wal"
    log.write_bytes(log.read_bytes()[:-3 * FRAME])
    check = statetape("check", "--data", tmp_path / "data")
    assert check.returncode == 1
    told = [line for line in check.stdout.splitlines() if "were acknowledged, and are missing" in line]
    assert told and "statetape repair" in check.stdout
    server = Damaged(tmp_path, web=None)
    try:
        for line in told:
            assert line in server.log
    finally:
        server.kill()


def test_repair_copies_what_can_be_read_and_leaves_the_damaged_folder(recording, tmp_path):
    data = recording.copy(tmp_path, False) / "data"
    file = data / "archive.sqlite"
    content = bytearray(file.read_bytes())
    content[:PAGE] = bytes(PAGE)
    file.write_bytes(content)
    server = Damaged(tmp_path, web=None)
    assert server.refuses and "statetape repair --data" in server.log
    before = {each.name: each.read_bytes() for each in data.iterdir()}
    (tmp_path / "there").mkdir()
    refused = statetape("repair", "--data", data, "--to", tmp_path / "there")
    assert refused.returncode == 1 and "exists already" in refused.stderr
    found = statetape("repair", "--data", data, "--to", tmp_path / "new" / "data")
    assert found.returncode == 1 and "the first page" in found.stdout
    assert before == {each.name: each.read_bytes() for each in data.iterdir()}
    assert not (tmp_path / "new" / "data" / "raw").exists()
    verdict = judge(tmp_path / "new", recording.lines)
    assert verdict.faults == []
    # Nothing but the list of tables was damaged.
    assert statetape("check", "--data", tmp_path / "new" / "data").returncode == 0
    again = statetape("repair", "--data", tmp_path / "new" / "data", "--to", tmp_path / "third")
    assert again.returncode == 0, again.stdout


ODD = {
    "pipe": os.mkfifo,
    "link": lambda path: path.symlink_to("../theirs"),
    "folder": os.mkdir,
}


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", ["acknowledged", "working", "archive.sqlite"])
def test_what_is_no_plain_file_stops_server_and_check_with_its_name(recording, tmp_path, name, kind):
    file = recording.copy(tmp_path, False) / "data" / name
    theirs = tmp_path / "theirs"
    theirs.write_text("theirs")
    file.unlink(missing_ok=True)
    ODD[kind](file)
    server = Damaged(tmp_path, web=None)
    try:
        assert server.refuses and f"{file} is a {kind}" in server.log
    finally:
        server.kill()
    check = statetape("check", "--data", tmp_path / "data")
    assert check.returncode == 1 and f"{file} is a {kind}" in check.stderr
    assert theirs.read_text() == "theirs"


def test_repair_waits_for_no_server(recording, tmp_path):
    recording.copy(tmp_path, True)
    server = Damaged(tmp_path, web=None)
    try:
        refused = statetape("repair", "--data", tmp_path / "data", "--to", tmp_path / "new")
        assert refused.returncode == 1 and "stop the server first" in refused.stderr
        assert not (tmp_path / "new").exists()
    finally:
        server.kill()
        shutil.rmtree(tmp_path / "data")


ARCHIVES = {
    "missing": lambda file, size: file.unlink(),
    "empty": lambda file, size: file.write_bytes(b""),
    "a text": lambda file, size: file.write_text("a text"),
    "zeros": lambda file, size: file.write_bytes(bytes(size)),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_repair_reads_a_log_that_was_started_anew(tmp_path, kind):
    """The archive is gone, and of its first page only a part of the log knows that SQLite no longer reads."""
    server = Server(tmp_path, web=None)
    assert ask(server, "/api/v1/sessions", "POST", tape(UPLOADED, lines_of(300))).status == 201
    until(lambda: ask(server, f"/api/v1/sessions/{UPLOADED}").json["sealed"] == 300, "sealing goes on")
    with sqlite3.connect(tmp_path / "data" / "archive.sqlite", timeout=20) as archive:
        # The log is in the archive now; the next commit begins it anew.
        until(lambda: archive.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()[0] == 0, "the log is in use")
    archive.close()
    app = App(server)
    app.send(*['"event":"init","state":{"n":0}'], *[f'"event":"replace","state":{{"n":{n}}},"cause":{{"set":true}}' for n in range(1, 50)])
    server.kill()
    server.errors.close()
    app.stop()
    file = tmp_path / "data" / "archive.sqlite"
    ARCHIVES[kind](file, file.stat().st_size)
    (tmp_path / "data" / "archive.sqlite-shm").unlink()
    found = statetape("repair", "--data", tmp_path / "data", "--to", tmp_path / "new" / "data")
    assert found.returncode == 1, found
    server = Damaged(tmp_path / "new", web=None)
    try:
        events = ask(server, f"/api/v1/sessions/{app.session}/events?limit=10000").content.decode().splitlines()
        assert events == app.lines
    finally:
        server.kill()
    check = statetape("check", "--data", tmp_path / "new" / "data")
    assert "were acknowledged" not in check.stdout.replace(UPLOADED, ""), check.stdout


#: Root may read and write everything. Without this right, the modes of files count for it, too.
BOUND = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-dac_override,-dac_read_search")
BOUND = BOUND if os.geteuid() == 0 else ()


def bounded(*arguments):
    return subprocess.run(
        [*BOUND, BUILD / "statetape", *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=False,
        env=environment(SWIFT_BACKTRACE="enable=no"))


def test_a_repair_that_fails_removes_what_it_made(recording, tmp_path):
    data = recording.copy(tmp_path, True) / "data"
    for _ in range(2):
        found = subprocess.run(
            ["prlimit", "--fsize=60000", BUILD / "statetape", "repair", "--data", data, "--to", tmp_path / "a" / "new"],
            capture_output=True, text=True, timeout=TIMEOUT, check=False, env=environment(SWIFT_BACKTRACE="enable=no"))
        assert found.returncode == 1 and "large" in found.stderr and "exists" not in found.stderr, found
        assert not (tmp_path / "a").exists()


def test_files_that_can_only_be_read_are_repaired(recording, tmp_path):
    data = recording.copy(tmp_path, True) / "data"
    for file in data.iterdir():
        file.chmod(0o444)
    found = bounded("repair", "--data", data, "--to", tmp_path / "new")
    assert found.returncode == 0, found


@pytest.mark.parametrize("name", ["", "archive.sqlite"])
@pytest.mark.parametrize("command", [["check", "--data"], ["move", "--to", "OTHER", "--from"], ["repair", "--to", "NEW", "--data"]], ids=str)
def test_what_may_not_be_read_is_named_with_the_reason(recording, tmp_path, command, name):
    data = recording.copy(tmp_path, False) / "data"
    (data / name).chmod(0)
    found = bounded(*[tmp_path / part if part.isupper() else part for part in command], data)
    (data / name).chmod(0o700)
    assert found.returncode == 1 and "ermission denied" in found.stderr and str(data) in found.stderr, found


FOREIGN = {
    "a database": ["CREATE TABLE notes(x)"],
    "one with a log": ["PRAGMA journal_mode = WAL", "CREATE TABLE notes(x)"],
    "one with migrations": ["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
                            "INSERT INTO grdb_migrations VALUES ('notes')", "CREATE TABLE notes(x)"],
    "one with a session": ["CREATE TABLE session(row INTEGER PRIMARY KEY, notes)"],
}


@pytest.mark.parametrize("isUsed", [False, True], ids=["in its own folder", "in a used folder"])
@pytest.mark.parametrize("kind", FOREIGN)
def test_the_database_of_another_program_stays_as_it_is(recording, tmp_path, kind, isUsed):
    data = recording.copy(tmp_path, True) / "data"
    if not isUsed:
        shutil.rmtree(data)
        data.mkdir()
    for suffix in ("", "-wal"):
        (data / f"archive.sqlite{suffix}").unlink(missing_ok=True)
    archive = sqlite3.connect(data / "archive.sqlite", isolation_level=None)
    for statement in FOREIGN[kind]:
        archive.execute(statement)
    archive.close()
    before = {each.name: each.read_bytes() for each in data.iterdir()}
    server = Damaged(tmp_path, web=None)
    try:
        assert server.refuses and f"{data}/archive.sqlite" in server.log and "StateTape" in server.log, server.log
    finally:
        server.kill()
    after = {each.name: each.read_bytes() for each in data.iterdir()}
    assert before == {name: after[name] for name in before}
    assert not set(after) - set(before) - {"lock"}


def test_another_archive_under_the_log_is_told_at_the_start(recording, tmp_path):
    data = recording.copy(tmp_path, True) / "data"
    (tmp_path / "other").mkdir()
    other = Server(tmp_path / "other", web=None)
    assert ask(other, "/api/v1/sessions", "POST", tape("OTHER-SESSION-000", lines_of(300))).status == 201
    other.stop()
    shutil.copyfile(tmp_path / "other" / "data" / "archive.sqlite", data / "archive.sqlite")
    check = statetape("check", "--data", data)
    assert check.returncode == 1 and "another archive" in check.stdout, check
    server = Damaged(tmp_path, web=None)
    try:
        assert "The archive's file is another one" in server.log, server.log
    finally:
        server.kill()


@pytest.mark.parametrize("tables", [["chunk"], ["head"], ["chunk", "head"]], ids=str)
def test_every_answer_has_the_same_gap(recording, tmp_path, tables):
    data = recording.copy(tmp_path, False) / "data"
    with sqlite3.connect(data / "archive.sqlite") as archive:
        row, = archive.execute("SELECT row FROM session WHERE id = ?", [UPLOADED]).fetchone()
        for table in tables:
            archive.execute(f"DELETE FROM {table} WHERE session = ?", [row])
    archive.close()
    server = Damaged(tmp_path, web=None)
    try:
        path = f"/api/v1/sessions/{UPLOADED}"
        whole = ask(server, f"{path}/tape").content.decode().splitlines()[1:]
        for query in ("?limit=10000", "?limit=1", "?limit=10000&fields=head", "?from=100&limit=1", "/5", "/299"):
            found = ask(server, f"{path}/events{query}").content.decode().splitlines()
            if tables == ["head"]:
                assert all(json.loads(line)["event"] != "gap" for line in found)
                continue
            if tables == ["chunk"] and "head" in query:
                # Of what is lost, this is known.
                assert len(found) == EVENTS
                continue
            gap, = map(json.loads, found)
            assert (gap["seq"], gap["count"]) == (EVENTS - 1, EVENTS), query
        assert len(whole) == (EVENTS if tables == ["head"] else 1)
    finally:
        server.kill()


@pytest.mark.parametrize("index", ["baseOfSession", "batchOfSession", "keyframeOfSession"])
def test_a_damaged_index_is_named_and_nothing_else(recording, tmp_path, index):
    data = recording.copy(tmp_path, False) / "data"
    with sqlite3.connect(data / "archive.sqlite") as archive:
        root, = archive.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [index]).fetchone()
    archive.close()
    with open(data / "archive.sqlite", "r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(bytes(PAGE))
    check = statetape("check", "--data", data)
    assert check.returncode == 1 and f"the index {index} can't be read" in check.stdout, check
    assert "1 problem." in check.stdout, check.stdout
