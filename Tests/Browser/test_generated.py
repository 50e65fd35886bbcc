"""Generated code, as it stands: in a package, beside its tape, built with warnings as errors, and run."""

import json
import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from processes import BUILD, ROOT, environment
from test_file import choose, page, static  # noqa: F401
from test_fixtures import FIXTURES, swift

pytestmark = pytest.mark.xdist_group("builds")

PACKAGE = FIXTURES / "GeneratedTests"


@pytest.fixture
def made():
    """The folders for what is generated, which are empty before and after."""
    tests, tapes = PACKAGE / "Tests" / "ShopTests", PACKAGE / "Tapes"

    def clean():
        for folder in (tests, tapes):
            shutil.rmtree(folder, ignore_errors=True)
        (PACKAGE / "Sources" / "Shop" / "Connect.swift").unlink(missing_ok=True)

    clean()
    tests.mkdir(parents=True)
    yield tests, tapes
    clean()


def code(view):
    lines = view.page.locator("#panel .test .source-line")
    expect(lines.last).to_have_text("}")
    return "\n".join(lines.all_text_contents()) + "\n"


def with_model(text):
    """The test of a class that reduces in a method, as the remark in it says."""
    call = re.search(r"^    // await Replay\(…\)\.verify\(…, (start: .*)\), and$", text, re.MULTILINE).group(1)
    text = re.sub(r"@Test func (\w+)\(\) \{", r"@MainActor @Test func \1() async {\n    let model = BasketModel()", text)
    text, count = re.subn(
        r"    Replay(\([^\n]*\)(?:\n        \.[^\n]*)*?\n        \.verify\(Basket.self, BasketAction.self, )reducer: basketReducer",
        lambda match: f"    await Replay{match.group(1)}{call}", text)
    assert count == 1, text
    return text


def test_what_the_page_and_the_command_generate_compiles_and_passes_as_it_stands(page, made, tmp_path):
    tests, tapes = made
    # The code of “Connect an app” is a file of the app. Its names are those of the app.
    connect = re.search(r"const swift = `(.*?)`", (ROOT / "web/views/connect.js").read_text(), re.DOTALL).group(1)
    imports = "\n".join(line for line in connect.splitlines() if line.startswith("import "))
    rest = connect.removeprefix(imports).strip()
    (PACKAGE / "Sources" / "Shop" / "Connect.swift").write_text(f"{imports}\n\n@MainActor func connected() {{\n{rest}\n_ = store\n}}\n")
    # A test target needs a file.
    (tests / "First.swift").write_text("import StateTapeTesting\n")
    _, scratch = swift("GeneratedTests", "build")
    tape = tmp_path / "shop.tape"
    subprocess.run([scratch / "debug" / "Shop"], check=True, env=environment(STATETAPE_FILE=str(tape)))
    header = json.loads(tape.read_text().split("\n")[0])
    assert header["target"] == "Shop" and header["types"]["main"] == {"state": "Shop.AppState", "action": "Shop.AppAction"}

    subprocess.run(
        [BUILD / "statetape", "export", tape, "--format", "test", "-o", tests / "Checkout.swift"], check=True,
        stdout=subprocess.DEVNULL)
    assert (tapes / "Checkout.tape").exists()
    (tests / "Checkout.swift").write_text(with_model((tests / "Checkout.swift").read_text()))
    view = page()
    choose(view, ("shop.tape", tape.read_bytes()))
    view.page.keyboard.press("5")
    lines = [json.loads(line) for line in tape.read_text().splitlines()[1:]]
    last = {line["store"]: line["seq"] for line in lines if line["event"] == "action" and "store" in line}
    assert sorted(last) == ["basket", "box", "cart", "issue", "notes"]
    for store, seq in last.items():
        view.row(seq).click()
        expect(view.page.locator("#panel .test")).to_contain_text(f'.store("{store}")')
        text = code(view)
        (tests / f"{store}.swift").write_text(with_model(text) if store == "basket" else text)
    with view.page.expect_download() as waiting:
        view.page.get_by_role("button", name="Download tape").click()
    # The last one has all events.
    waiting.value.save_as(tapes / waiting.value.suggested_filename)

    output, _ = swift("GeneratedTests", "build", "--build-tests")
    assert "warning" not in output and "unhandled" not in output, output
    output, _ = swift("GeneratedTests", "test", "--skip-build")
    assert re.search(r"Test run with 6 tests .*passed", output), output[-3000:]

    # The tape of a bug: the first state of the cart that the reducer doesn't lead to.
    file = tapes / "Checkout.tape"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    put = next(line for line in lines if line.get("store") == "cart" and line["event"] == "action")
    put["patch"][0]["value"] = 100
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder = tmp_path / "kept"
    ran = subprocess.run(
        [BUILD / "statetape", "ci", "--output", folder, "--", "swift", "test", "--skip-build", "--package-path", PACKAGE,
         "--scratch-path", scratch], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
    assert ran.returncode == 1 and "1 failing test left a tape." in ran.stdout, ran.stdout[-3000:]
    assert "statetape: checkout failed: Checkout.tape: first difference after event" in ran.stdout, ran.stdout[-3000:]
    # The folder of the recorders is gone, so that no line may name it.
    assert "recording-" not in ran.stdout, ran.stdout[-3000:]
    assert {"checkout.html", "checkout.tape"} <= {file.name for file in folder.iterdir()}
