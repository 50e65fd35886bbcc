"""Packages that use this one: without its traits, and with everything on the main actor."""

import json
import os
import subprocess
import urllib.parse
import urllib.request

import pytest

from processes import ROOT, Output, environment
from waiting import until

pytestmark = pytest.mark.xdist_group("builds")

FIXTURES = ROOT / "Tests" / "Fixtures"


def swift(name, *arguments):
    """Runs the package manager on a fixture, with a build folder that stays from run to run."""
    scratch = ROOT / ".build" / "fixtures" / name
    command = ["swift", *arguments, "--package-path", FIXTURES / name, "--scratch-path", scratch]
    made = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if "database is locked" in made.stdout:
        # On a busy machine, the package manager's build may begin while that of its plugins still has the database.
        made = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert made.returncode == 0, made.stdout[-5000:]
    return made.stdout, scratch


def test_an_app_without_traits_resolves_nothing_but_this_package():
    resolved = FIXTURES / "NoTraits" / "Package.resolved"
    resolved.unlink(missing_ok=True)
    output, scratch = swift("NoTraits", "build")
    assert "warning" not in output, output
    # Without a package from elsewhere there is nothing to pin.
    assert not resolved.exists() or json.loads(resolved.read_text())["pins"] == []
    assert os.listdir(scratch / "checkouts") == [] if (scratch / "checkouts").exists() else True
    ran = subprocess.run(
        [scratch / "debug" / "NoTraits"], text=True, stdout=subprocess.PIPE, env=environment(), timeout=20)
    assert ran.returncode == 0, ran.stdout


def test_an_app_on_the_main_actor_is_encoded_and_decoded_where_its_conformances_belong(server):
    _, scratch = swift("MainActorApp", "build")
    app = subprocess.Popen(
        [scratch / "debug" / "MainActorApp"], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=environment(STATETAPE_URL=server.url, HOME=str(server.folder)))
    try:
        output = Output(app.stdout)

        def recorded():
            """The session with its first states and last actions, once all stores have acted."""
            assert app.poll() is None, output.text
            for session in ask(server, "GET", "/api/v1/sessions")["sessions"]:
                lines = events(server, session["session"])
                inits = {line.get("store", "main"): line["state"] for line in lines if line["event"] == "init"}
                actions = {line.get("store", "main"): line["action"] for line in lines if line["event"] == "action"}
                # Two stores of its own, one of each of ten recipes, and one more of the dispatcher's.
                if len(actions) == 13:
                    return session["session"], inits, actions

        session, inits, actions = until(recorded, why=lambda: output.text)
        path = f"/api/v1/sessions/{session}"
        for store, state in inits.items():
            if "count" in state:
                state["count"] = 40
            assert ask(server, "POST", path + "/push", {"store": store, "state": state})["seq"] > 0
            if store == "cart":
                assert actions[store]["type"] == "probe"
                assert ask(server, "POST", path + "/push", {"store": store, "action": actions[store]})["seq"] > 0
            if "count" in state:
                seq = ask(server, "POST", path + "/push", {"store": store, "action": actions[store]})["seq"]
                after = ask(server, "GET", f"{path}/states/{seq}?store={urllib.parse.quote(store)}")
                assert after["count"] == 43, store
        app.stdin.write("go on\n")
        app.stdin.flush()
        assert app.wait(20) == 0, output.text
        assert output.whole().endswith("ok\n")
    finally:
        app.kill()


def taped_tests(**variables):
    """Runs the fixture's tests, of which three fail."""
    (FIXTURES / "TapedTests" / "Package.resolved").unlink(missing_ok=True)
    # `swift test` alone would build twice, and the second build may find the first one's database locked.
    _, scratch = swift("TapedTests", "build", "--build-tests")
    ran = subprocess.run(
        ["swift", "test", "--skip-build", "--package-path", FIXTURES / "TapedTests", "--scratch-path", scratch],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(**variables))
    assert ran.returncode == 1, ran.stdout[-5000:]
    assert not (scratch / "checkouts").exists() or os.listdir(scratch / "checkouts") == []
    return ran


def test_each_failing_test_of_twenty_side_by_side_leaves_one_tape_with_its_own_events(tmp_path):
    ran = taped_tests(STATETAPE_FILE=f"{tmp_path}/%s.tape")
    tapes = {}
    for file in tmp_path.iterdir():
        header, *lines = [json.loads(line) for line in file.read_text().splitlines()]
        tapes[header["labels"]["test"]] = (header["labels"], lines)
        assert f"The tape of the failed test: {file}" in ran.stdout
    assert sorted(tapes) == ["countsOnce", "staysEmpty", "testCounts"], ran.stdout[-5000:]
    expected = {
        "countsOnce": ("CartTests", ["first", "NOTE", "second"], "(store.state.count → 1) == 2"),
        "staysEmpty": ("CartTests", ["lost", "NOTE"], "Broken()"),
        "testCounts": ("CartCases", ["bread", "NOTE"], 'XCTAssertEqual failed: ("1") is not equal to ("3")'),
    }
    for test, (suite, order, message) in expected.items():
        labels, lines = tapes[test]
        assert (labels["suite"], labels["outcome"]) == (suite, "failed")
        told = [line["action"]["payload"]["_0"] if line["event"] == "action" else "NOTE"
                for line in lines if line["event"] in ("action", "note")]
        assert told == order, test
        note = next(line for line in lines if line["event"] == "note")
        assert note["level"] == "error" and message in note["text"] and "CartTests.swift:" in note["caller"]
        assert lines[-1]["event"] == "end"


def test_the_tapes_of_failing_tests_are_sent_to_the_server_with_their_links(server, tmp_path):
    ran = taped_tests(STATETAPE_URL=server.url, STATETAPE_BRANCH="main", TMPDIR=str(tmp_path))
    sessions = ask(server, "GET", "/api/v1/sessions?label=outcome:failed&label=branch:main")["sessions"]
    assert sorted(session["labels"]["test"] for session in sessions) == ["countsOnce", "staysEmpty", "testCounts"]
    for session in sessions:
        assert f"On the server: {server.origin}/?session={session['session']}" in ran.stdout
    assert len(ask(server, "GET", "/api/v1/sessions")["sessions"]) == 3


def ask(server, method, path, body=None):
    request = urllib.request.Request(
        server.origin + path, method=method, data=body and json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def events(server, session):
    with urllib.request.urlopen(f"{server.origin}/api/v1/sessions/{session}/events") as answer:
        return [json.loads(line) for line in answer]
