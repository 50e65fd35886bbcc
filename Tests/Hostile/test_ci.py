"""Whatever the command of `statetape ci` does to files: its exit code comes through, and what is told is true."""

import json
import os
import socket
import subprocess

import pytest

from processes import BUILD, TIMEOUT, environment

HEADER = {
    "tape": 1, "session": "SESSION-OF-A-TEST-1", "app": {"id": "com.example"}, "started": "2026-11-20T10:00:00Z",
    "labels": {"test": "one", "suite": "S"}}
LINES = [
    HEADER, {"seq": 0, "at": 0, "event": "init", "state": {"n": 0}},
    {"seq": 1, "at": 1, "event": "note", "level": "error", "text": "it broke"}]
INDEX = "./statetape-ci/index.html"
LEAVE = 'cp one.tape "$(dirname "$STATETAPE_FILE")"'
NONE = "no failing test left a tape"


def ci(folder, script, *options, **variables):
    """Runs a shell script that leaves with code 7."""
    (folder / "one.tape").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return subprocess.run(
        [BUILD / "statetape", "ci", *options, "--", "sh", "-c", f"{script}\nexit 7"], cwd=folder, text=True,
        capture_output=True, timeout=TIMEOUT, check=False, env=environment(**variables))


#: The cases of a report, and whether they say that the test has passed when it was run again.
REPORTS = {
    "a pass": ('<testcase name="one" classname="S"/>', False),
    "two passes": ('<testcase name="one" classname="S"/>' * 2, False),
    "a skip, then a pass": (
        '<testcase name="one" classname="S"><skipped/></testcase><testcase name="one" classname="S"/>', False),
    "no case of the test": ('<testcase name="two" classname="S"/>', False),
    "a failure": ('<testcase name="one" classname="S"><failure/></testcase>', False),
    "a failure, then a pass": (
        '<testcase name="one" classname="S"><failure/></testcase><testcase name="one" classname="S"/>', True),
    "an error, then a pass": (
        '<testcase name="one" classname="S"><error/></testcase><testcase name="one" classname="S"/>', True),
    "Maven's": ('<testcase name="one" classname="S"><flakyError/></testcase>', True),
}


@pytest.mark.parametrize("report", REPORTS)
def test_only_a_test_that_failed_before_was_run_again(tmp_path, report):
    cases, is_retried = REPORTS[report]
    (tmp_path / "report").write_text(f"<testsuite>{cases}</testsuite>")
    found = ci(tmp_path, f"{LEAVE}; cp report tests.xml", "--junit", "tests.xml")
    assert found.returncode == 7 and ("passed when it was run again" in found.stderr) == is_retried, found
    assert ("1 failing test left a tape" in found.stderr) != is_retried, found


def fifo(path):
    os.mkfifo(path)


def read_fifo(path):
    os.mkfifo(path)
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))


def listening(path):
    socket.socket(socket.AF_UNIX).bind(str(path))


#: What may lie where GITHUB_STEP_SUMMARY leads.
PLACES = {
    "a FIFO": fifo, "a FIFO that is read": read_fifo, "a folder": os.mkdir, "a socket": listening,
    "a device": lambda path: os.symlink("/dev/zero", path),
    "a terminal": lambda path: os.symlink("/dev/tty", path),
    "a link to itself": lambda path: os.symlink(path, path),
    "a place in no folder": lambda path: os.symlink("no/such", path),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_summary_goes_to_a_file_only(tmp_path, place):
    path = tmp_path / "summary"
    held = PLACES[place](path)
    found = ci(tmp_path, LEAVE, GITHUB_STEP_SUMMARY=str(path))
    assert found.returncode == 7 and "1 failing test left a tape" in found.stderr, found
    assert f"warning: The job summary {path} can't be written: " in found.stderr, found
    if held:
        held.close()


@pytest.mark.parametrize("kind", ["mkfifo tests.xml", "mkdir tests.xml", "ln -s /dev/zero tests.xml"])
def test_a_report_that_is_no_file_is_a_warning(tmp_path, kind):
    found = ci(tmp_path, f"{LEAVE}; {kind}", "--junit", "tests.xml")
    assert found.returncode == 7 and "warning: tests.xml got no links: " in found.stderr, found
    assert "1 failing test left a tape" in found.stderr, found


#: What the command does to the folders, whether its tapes are lost, and whether the index can be written.
DEEDS = {
    "removes the folder": ("rm -r statetape-ci", True, False),
    "replaces the folder by a file": ("rm -r statetape-ci; touch statetape-ci", True, False),
    "moves the folder": ("mv statetape-ci elsewhere", True, False),
    "puts a folder in the place of the index": ("mkdir statetape-ci/index.html", False, False),
    "removes that of STATETAPE_FILE": ('rm -r "$(dirname "$STATETAPE_FILE")"', True, True),
    "replaces that of STATETAPE_FILE": (
        'rm -r "$(dirname "$STATETAPE_FILE")"; mkdir "$(dirname "$STATETAPE_FILE")"', True, True),
    "links that of STATETAPE_FILE": (
        'rm -r "$(dirname "$STATETAPE_FILE")"; mkdir other; ln -s ../other "$(dirname "$STATETAPE_FILE")"', True, True),
    "nothing": ("", False, True),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_gone_is_said(tmp_path, deed):
    script, is_lost, has_index = DEEDS[deed]
    found = ci(tmp_path, script)
    assert found.returncode == 7, found
    assert (f"See {INDEX}" in found.stderr) == has_index, found
    assert (NONE in found.stderr) != is_lost, found
    assert ("was removed or replaced" in found.stderr) == is_lost, found
    if has_index:
        assert (NONE in (tmp_path / "statetape-ci" / "index.html").read_text()) != is_lost


def test_a_cut_report_is_described(tmp_path):
    found = ci(tmp_path, f"{LEAVE}; printf '<testsuite><testcase>' > tests.xml", "--junit", "tests.xml")
    assert "got no links: it is not a JUnit XML file: it ends before </testcase>." in found.stderr, found
