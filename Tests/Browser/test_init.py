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
    stores = ["Model", "Basket", "Cart", "shop", "Sources/Flow/Flow.swift:7", "Sources/Property/Scene.swift:13", "store",
              "Vault", "Safe", "Ledger", "Tally", "Inbox", "Strict"]
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


TYPES = """struct AppState: Codable { var count = 0 }
enum AppAction: Codable { case add }

"""
#: By target: a source that is edited by hand, and the file with the printed lines in their places.
BY_HAND = {
    "Loop": (TYPES + "func reduce(_ state: AppState, with action: AppAction) -> AppState { state }", """{0}
{1}
{source}

func run(_ action: AppAction) {{
    {2}
    {3}
    {4}
    {5}
}}"""),
    "Actions": ("""protocol Action {}
struct AppState: Codable { var count = 0 }

func appReducer(action: Action, state: AppState?) -> AppState { state ?? AppState() }""", """{0}
{source}

@MainActor func run(_ action: any Action) {{
    var state = AppState()
    func send(_ action: any Action) {{}}
    {1}
    {2}
    {3}
}}"""),
    "Middleware": ("""import ReSwift

struct AppState: Codable { var count = 0 }
func appReducer(action: any Action, state: AppState?) -> AppState { state ?? AppState() }
@MainActor func make() -> Reducer<AppState> { appReducer }
@MainActor let store = Store(reducer: make(), state: nil)""", """{0}
{source}

{1}

@MainActor func run() {{
    {2}
    {3}
    {4}
}}"""),
    "Several": (TYPES + """@MainActor final class Model {
    var state = AppState()
    init() {}
    init(count: Int) { state.count = count }
    func send(_ action: AppAction) { state.count += 1; switch action { case .add: state.count += 1 } }
}""", """{0}
""" + TYPES.replace("{", "{{").replace("}", "}}") + """@MainActor final class Model {{
    var state = AppState()
    {1}
    init() {{
        {3}
    }}
    func send(_ action: AppAction) {{
        {2}
    }}
}}"""),
    "Guarded": (TYPES + """actor Model {
    var state = AppState()
    init() {}
    init(count: Int) { state.count = count }
    func send(_ action: AppAction) { switch action { case .add: state.count += 1 } }
}""", """{0}
""" + TYPES.replace("{", "{{").replace("}", "}}") + """actor Model {{
    var state = AppState()
    {1}
    init() {{
        state = track.start
        {3}
    }}
    func send(_ action: AppAction) {{
        {2}
    }}
}}
{4}"""),
    "Properties": (TYPES + """@MainActor final class Model {
    private(set) var items: [String] = []
    var query = ""
    func send(_ action: AppAction) {
        switch action {
        case .add: items.append(query); query = ""
        }
    }
}""", TYPES.replace("{", "{{").replace("}", "}}") + """{0}

@MainActor final class Model {{
    {1}
    func send(_ action: AppAction) {{
        switch action {{
        {2}
        }}
    }}
}}"""),
}


def test_the_lines_to_write_by_hand_compile_before_tools_version_6_1_too(tmp_path):
    folder = ROOT / ".build" / "fixtures" / "ByHand"
    shutil.rmtree(folder / "Sources", ignore_errors=True)
    shutil.copytree(ROOT / "Tests" / "Fixtures" / "Init" / "Sources" / "ReSwift", folder / "Sources" / "ReSwift")
    targets = ['.target(name: "ReSwift")']
    for name, (source, template) in BY_HAND.items():
        package = tmp_path / name
        (package / "Sources").mkdir(parents=True)
        (package / "Package.swift").write_text(f'// swift-tools-version: 5.9\nlet package = Package(name: "A", targets: [.target(name: "{name}")])\n')
        (package / "Sources" / "A.swift").write_text(source + "\n")
        command = [BUILD / "statetape", "init", package, "--package", ROOT]
        done = subprocess.run(command, text=True, capture_output=True, env=environment())
        assert done.returncode == 1, done
        printed = [line[2:] for line in done.stdout.splitlines() if line.startswith("  ")]
        manifest = [line.split("  //")[0] for line in printed if "in Package.swift" in line]
        lines = [line for line in printed if "in Package.swift" not in line]
        products = ", ".join([*manifest[1:], *['"ReSwift"'] * ("import ReSwift" in source)])
        targets.append(f'.target(name: "{name}", dependencies: [{products}])')
        (folder / "Sources" / name).mkdir()
        (folder / "Sources" / name / "A.swift").write_text(template.format(*lines, source=source) + "\n")
        dependency = manifest[0] if manifest else dependency
    (folder / "Package.swift").write_text(f"""// swift-tools-version: 5.9
import PackageDescription
let package = Package(name: "ByHand", platforms: [.macOS(.v14)], dependencies: [{dependency}], targets: [{", ".join(targets)}])
""")
    made = subprocess.run(
        ["swift", "build", "--package-path", folder, "--scratch-path", folder / "build"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert made.returncode == 0 and "warning" not in made.stdout, made.stdout[-9000:]
    # Once its state is one struct, init edits the class.
    shutil.copy(folder / "Sources" / "Properties" / "A.swift", tmp_path / "Properties" / "Sources" / "A.swift")
    assert "Found Model in Sources/A.swift" in init(tmp_path / "Properties", "--dry-run")


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
