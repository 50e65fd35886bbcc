"""What `statetape init` writes, compiled against this package."""

import json
import os
import pty
import shutil
import subprocess

import pytest

from processes import BUILD, ROOT, environment
from waiting import until

pytestmark = pytest.mark.xdist_group("builds")


def init(folder, *arguments):
    command = [BUILD / "statetape", "init", folder, "--package", ROOT, *arguments]
    done = subprocess.run(command, text=True, capture_output=True, env=environment())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_kind_of_store_compiles_without_a_warning_and_the_app_is_recorded(tmp_path):
    # The folder stays the same, so that only what has changed is built again.
    folder = ROOT / ".build" / "fixtures" / "Init"
    shutil.rmtree(folder / "Sources", ignore_errors=True)
    shutil.copytree(ROOT / "Tests" / "Fixtures" / "Init", folder, dirs_exist_ok=True)
    record = folder / ".statetape-init"
    record.unlink(missing_ok=True)
    stores = ["Model", "Basket", "Cart", "shop", "Sources/Flow/Flow.swift:7", "Sources/Property/Scene.swift:13", "store"]
    for store in stores:
        init(folder, "--yes", "--store", store)
        record.unlink()
    assert "already: nothing was changed" in init(folder, "--yes")
    made = subprocess.run(
        ["swift", "build", "--package-path", folder, "--scratch-path", folder / "build"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert made.returncode == 0 and "warning" not in made.stdout, made.stdout[-9000:]
    tape = tmp_path / "a.tape"
    app = subprocess.Popen(
        [folder / "build" / "debug" / "Main"], stdin=subprocess.PIPE, text=True, env=environment(STATETAPE_FILE=str(tape)))
    try:
        def actions():
            lines = tape.read_text().splitlines(keepends=True)[1:] if tape.exists() else []
            events = [json.loads(line) for line in lines if line.endswith("\n")]
            return [event["action"]["type"] for event in events if event["event"] == "action"]

        until(lambda: actions() == ["add", "add"])
    finally:
        app.communicate("\n", timeout=20)


@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_in_a_terminal_it_asks(tmp_path, answer):
    model = ROOT / "Tests" / "Fixtures" / "Init" / "Sources" / "Model" / "Model.swift"
    source = tmp_path / "Sources" / "Model" / "Model.swift"
    source.parent.mkdir(parents=True)
    shutil.copy(model, source)
    (tmp_path / "Package.swift").write_text('let package = Package(name: "A", targets: [.target(name: "Model")])\n')
    ours, its = pty.openpty()
    command = [BUILD / "statetape", "init", "--package", ROOT]
    app = subprocess.Popen(command, cwd=tmp_path, stdin=its, stdout=its, stderr=its, text=True, env=environment())
    os.close(its)
    try:
        # The question ends without a line break.
        shown = b""
        while b"Make these changes? [y/N] " not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, answer.encode() + b"\n")
        assert app.wait(20) == (0 if answer == "y" else 1), shown
        # All that was shown before the command ended is in the terminal.
        if answer != "y":
            shown = os.read(ours, 4096)
            assert b"Nothing was changed." in shown and b"Error" not in shown
    finally:
        app.kill()
        os.close(ours)
    assert (source.read_text() != model.read_text()) == (answer == "y")
