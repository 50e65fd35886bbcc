"""README's app, pasted as it stands: compiled without a warning, run, recorded, and put back into an earlier state. Then it
is pasted once more into the same shell."""

import os
import pty
import re
import subprocess

import pytest

from processes import BUILD, ROOT, Output, environment
from test_fixtures import ask
from test_tutorial import recorded

pytestmark = pytest.mark.xdist_group("builds")

#: The folder that holds the clone. It stays from run to run, so that its builds are short.
FOLDER = ROOT / ".build" / "readme"
ADDRESS = "http://127.0.0.1:8080"


def pasted():
    block, = re.findall(r"```sh\n(mkdir .*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    return block


def test_the_app_is_short():
    assert len(pasted().splitlines()) <= 40


def test_the_app_as_it_is_pasted_is_recorded_and_takes_states(server):
    FOLDER.mkdir(parents=True, exist_ok=True)
    clone = FOLDER / "StateTape"
    clone.unlink(missing_ok=True)
    os.symlink(ROOT, clone)
    assert pasted().count(ADDRESS) == 1
    ours, its = pty.openpty()
    app = subprocess.Popen(
        ["sh", "-e", "-c", pasted().replace(ADDRESS, server.origin) * 2], cwd=FOLDER, stdin=its, stdout=its, stderr=its,
        env=environment(HOME=str(server.folder)))
    os.close(its)
    try:
        output = Output(open(ours, errors="replace", newline="", closefd=False))
        # It builds first.
        output.wait(r"Count: 0\. Type a number:", timeout=900)
        os.write(ours, b"5\n7\n")
        output.wait(r"Count: 12\.")
        session = recorded(server, app, 3)
        push = [BUILD / "statetape", "push", session, "--seq", "1", "--server", server.url]
        assert subprocess.run(push, env=environment(), text=True, capture_output=True).stdout == "Applied: event 3.\n"
        output.wait(r"Count: 12\..*Count: 5\.")
        # Ctrl-D.
        os.write(ours, b"\x04")
        output.wait(r"Count: 5\..*Count: 0\. Type a number:", timeout=900)
        os.write(ours, b"\x04")
        assert app.wait(20) == 0
    finally:
        app.kill()
        os.close(ours)
    assert "warning" not in output.text, output.text
    package = FOLDER / "Counter"
    assert {place.name for place in package.iterdir()} - {".build", "Package.resolved"} == {"Package.swift", "Sources"}
    assert [place.name for place in (package / "Sources").iterdir()] == ["Counter.swift"]
    states = [ask(server, "GET", f"/api/v1/sessions/{session}/states/{seq}") for seq in range(4)]
    assert [state["count"] for state in states] == [0, 5, 12, 5]
