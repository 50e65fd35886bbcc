"""A developer edits a reducer of the running app, builds, launches: the app is at the chosen state, with the new behaviour."""

import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from processes import ROOT

# Tests that build Swift packages run one after the other: a build takes all cores, and some share a folder.
pytestmark = pytest.mark.xdist_group("builds")

#: A copy of the package to be edited. It stays from run to run, so that its builds are short.
COPY = ROOT / ".build" / "hot-reload"

#: A whole frame with some text.
FRAME = r"--- frame \d+ ---(?:(?!--- frame).)*?{}.*?\n [●◌][^\n]*\n"

#: The edit: one more member of the state, and a reducer and a screen that make use of it.
EDIT = {
    "State/AppState.swift": ("    var lastID = 3\n", "    var lastID = 3\n    var everDone = 0\n"),
    "Reducers/TodosReducer.swift": (
        'state.change(id, "done") { $0.done = date }',
        'state.change(id, "done") { $0.done = date; $0.title += "!" }\n        state.everDone += 1'),
    "Terminal/Frame.swift": (
        'Line(" \\(todos.count - done) open · \\(done) done")',
        'Line(" \\(todos.count - done) open · \\(done) done · \\(state.everDone) ever done")'),
}


def copy():
    for name in ["Package.swift", "Sources", "Tests"]:
        source, target = ROOT / name, COPY / name
        if source.is_file():
            COPY.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
        else:
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target)


def build():
    made = subprocess.run(
        ["swift", "build", "--product", "todo-example"], cwd=COPY, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    assert made.returncode == 0, made.stdout[-5000:]
    return COPY / ".build" / "debug" / "todo-example"


def edit():
    for name, (before, after) in EDIT.items():
        file = COPY / "Sources" / "TodoExample" / name
        text = file.read_text()
        assert text.count(before) == 1, f"{name} has changed: {before!r} is not there once"
        file.write_text(text.replace(before, after))


def test_an_edited_reducer_continues_at_the_launch_state(view, todo, capsys):
    copy()
    program = build()
    app = todo(program=program)
    app.type("add Buy milk", "add Call Ana", "done 3")
    before = app.shows(FRAME.format("✓ Buy milk")).group()
    assert "ever done" not in before
    view = view().open()
    expect(view.row(3)).to_be_visible()
    view.row(2).click()
    view.page.get_by_role("button", name="Launch from this state").click()
    expect(view.page.locator("#launch-state")).to_contain_text("Launches start at #2")
    app.stop()

    edit()
    again = todo(program=build())
    first = again.shows(FRAME.format("Call Ana")).group()
    assert "Buy milk" in first and "Call Ana" in first and "✓" not in first
    assert "0 ever done" in first
    again.type("done 3")
    after = again.shows(FRAME.format("✓ Buy milk")).group()
    assert "Buy milk!" in after and "1 ever done" in after

    with capsys.disabled():
        print(f"\nbefore the edit:\n{before}\nlaunched after it:\n{first}\nand the next action:\n{after}")
