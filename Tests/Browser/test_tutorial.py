"""The tutorial, done as it is written: the files of its text, built, run, changed, and launched where the bug was."""

import re
import subprocess

import pytest

from processes import ROOT, TIMEOUT, Output, environment
from test_fixtures import ask
from waiting import until

pytestmark = pytest.mark.xdist_group("builds")

ARTICLE = ROOT / "Sources" / "StateTape" / "StateTape.docc" / "Tutorial.md"
#: It stays from run to run, so that its builds are short.
FOLDER = ROOT / ".build" / "tutorial"
SOURCE = FOLDER / "Tally" / "Sources" / "Tally" / "Tally.swift"


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
    manifest, source, state, undo = [
        block.partition("\n```")[0] + "\n" for block in text.split("```swift\n")[1:]]
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
