"""The tutorial, done as it is written: the files of its text, built, run, changed, and launched where the bug was. Then its
bug again, made into a test as the article of the first test says."""

import os
import re
import shutil
import subprocess

import pytest

from processes import BUILD, ROOT, TIMEOUT, Output, environment
from test_fixtures import ask
from waiting import until

pytestmark = pytest.mark.xdist_group("builds")

ARTICLE = ROOT / "Sources" / "StateTape" / "StateTape.docc" / "Tutorial.md"
FIRST_TEST = ROOT / "Sources" / "StateTapeTesting" / "StateTapeTesting.docc" / "FirstTest.md"
#: It stays from run to run, so that its builds are short.
FOLDER = ROOT / ".build" / "tutorial"
SOURCE = FOLDER / "Tally" / "Sources" / "Tally" / "Tally.swift"

#: What the article takes for granted of an app whose class reduces.
MODEL = """import StateTapeTesting
import Testing

@testable import Tally

@MainActor final class TallyModel {
    var state = AppState()

    func send(_ action: AppAction) { appReducer(&state, action) }
}

"""


def blocks(article, language="swift"):
    return [block.partition("\n```")[0] + "\n" for block in article.read_text().split(f"```{language}\n")[1:]]


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def build():
    made = subprocess.run(
        ["swift", "build"], cwd=FOLDER / "Tally", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert made.returncode == 0 and "warning" not in made.stdout, made.stdout[-5000:]


def launch(server):
    app = subprocess.Popen(
        [FOLDER / "Tally" / ".build" / "debug" / "Tally"], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        bufsize=1, env=environment(STATETAPE_URL=server.url, HOME=str(server.folder)))
    return app, Output(app.stdout)


def recorded(server, app, count):
    """The newest session, as soon as it has so many events."""

    def there():
        assert app.poll() is None
        return [session["session"] for session in ask(server, "GET", "/api/v1/sessions?limit=1")["sessions"]
                if session.get("events", 0) >= count]

    return until(there)[0]


def test_the_tutorial_leads_where_it_says(server):
    text = ARTICLE.read_text()
    manifest, source, state, undo = blocks(ARTICLE)
    write(FOLDER / "Tally" / "Package.swift", manifest.replace('"../StateTape"', f'"{ROOT}"'))
    write(SOURCE, source)
    build()
    app, output = launch(server)
    app.stdin.write("5\n7\nundo\n")
    app.stdin.flush()
    session = recorded(server, app, 4)
    # What the article shows of the terminal, without what is typed there.
    printed = re.findall(r"AppState\([^)]*\)", text.partition("## 3.")[2])
    pushed = ask(server, "POST", f"/api/v1/sessions/{session}/push", {"seq": 2})
    assert pushed["seq"] == 4
    start = {"app": "Tally", "session": session, "seq": 2, "mode": "state"}
    ask(server, "PUT", "/api/v1/start-states", start)
    app.kill()
    app.wait()
    # A killed process has not written all of its output to a pipe; the tape has it.
    states = [ask(server, "GET", f"/api/v1/sessions/{session}/states/{seq}") for seq in range(5)]
    assert [f"AppState(numbers: {state['numbers']}, total: {state['total']})" for state in states] == printed[:5]

    changed = re.sub(r"struct AppState.*?\n}\n", lambda _: state, source, count=1, flags=re.DOTALL)
    changed = re.sub(r"    case \.undo:\n.*?\n    }\n", lambda _: undo, changed, count=1, flags=re.DOTALL)
    assert changed.count("undone") == 2
    write(SOURCE, changed)
    build()
    app, output = launch(server)
    app.stdin.write("undo\n")
    app.stdin.close()
    assert app.wait(TIMEOUT) == 0
    assert re.findall(r"AppState\(.*", output.whole()) == printed[5:]


def test_the_first_test_is_made_as_the_article_says():
    folder = FOLDER / "Tally"
    for name in ("Tests", "Tapes", "bug.tape"):
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    (manifest, source, *_), (model, target, undo) = blocks(ARTICLE), blocks(FIRST_TEST)
    record, make, test, again = blocks(FIRST_TEST, "sh")

    def run(command, code=0, **options):
        done = subprocess.run(
            ["sh", "-e", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(PATH=f"{BUILD}:{os.environ['PATH']}"), **options)
        assert done.returncode == code and "warning" not in done.stdout, done.stdout[-5000:]
        return done.stdout

    manifest = manifest.replace('"../StateTape"', f'"{ROOT}"')
    write(folder / "Package.swift", manifest)
    write(SOURCE, source)
    run(record, input="5\n7\nundo\n")
    run(make)
    write(folder / "Package.swift", manifest.replace("            ]),\n    ]", "            ]),\n" + target + "    ]"))
    other = folder / "Tests" / "TallyTests" / "Model.swift"
    write(other, MODEL + model.replace("func undo", "func undoOfModel"))
    # Two builds side by side may find a database locked: that of the package, and that of its plugins.
    run("swift build --build-tests")
    assert "2 tests" in run(test)
    other.unlink()
    write(SOURCE, re.sub(r"    case \.undo:\n.*?\n    }\n", lambda _: undo, source, count=1, flags=re.DOTALL))
    printed = re.search(r"\n```\n(Undo.*?)```", FIRST_TEST.read_text(), re.DOTALL).group(1)
    failed = run(test, 1)
    assert all(line.strip() in failed for line in printed.splitlines()), failed
    run(again, 1)
    run(test)
