"""The Test tab: the Swift test that replays the tape up to an event."""

import json
import re

import pytest
from playwright.sync_api import expect

from processes import ROOT
from test_file import HEADER, choose, page, static, tape  # noqa: F401
from test_html_export import disk, made  # noqa: F401

COUNT = [{"op": "replace", "path": "/count", "value": 1}]


@pytest.fixture
def server(shared):
    return shared


def code(view):
    """The shown lines of code."""
    lines = view.page.locator("#panel .test .source-line")
    expect(lines.last).to_have_text("}")
    return lines.all_text_contents()


def save(view):
    with view.page.expect_download() as waiting:
        view.page.get_by_role("button", name="Download tape").click()
    header, *events = map(json.loads, open(waiting.value.path()).read().splitlines())
    return waiting.value.suggested_filename, header, [event["seq"] for event in events]


def test_the_code_replays_the_tape_up_to_the_event(view, app):
    app = app(name="Todo List", state={"count": 0})
    app.action("cart/applyCoupon", {"code": "MAY"}, COUNT)
    app.send({"event": "note", "text": "Look here"})
    view = view().open(app.session, event=1)
    page = view.page
    page.keyboard.press("5")
    assert code(view) == [
        "import StateTapeTesting", "import Testing", "", "@testable import <#App#>", "",
        "@Test func replaysCartApplyCoupon() {",
        # Above the test, Swift Testing would print them with each of its failures.
        "    // The tape belongs in the folder Tapes beside Package.swift; in Xcode, beside this file.",
        "    // The tape doesn't name all types: replace each <#…#> with a name of your app.", f'    Replay("{app.session}.tape")', "        .events(0...1)",
        "        .verify(<#AppState#>.self, <#AppAction#>.self, reducer: <#appReducer#>)", "}"]
    view.until("location.search.includes('tab=test')")
    page.reload()
    expect(page.get_by_role("tab", name="Test")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#panel .test")).to_contain_text("events(0...1)")
    assert save(view)[0] == f"{app.session}.tape"
    assert save(view)[2] == [0, 1]
    page.keyboard.press("j")
    expect(page.locator("#panel .test")).to_contain_text("func replaysEvent2() {")
    app.action("count/up", None, COUNT)
    expect(view.row(3)).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("#panel .test")).to_contain_text("events(0...3)")
    assert save(view)[2] == [0, 1, 2, 3]


def test_each_kind_of_type_is_imported_and_named_as_by_the_command(view):
    cases = json.loads((ROOT / "Tests/Fixtures/tested-stores.json").read_text())
    assert len(cases) > 15
    told = view().open().page.evaluate("""async (cases) => {
        const { TestedStores } = await import('/model/tested-stores.js');
        return cases.map(({ header }) => {
            const stores = new TestedStores(header, [{ name: 'main', types: header.types?.main }]);
            return { imports: stores.imports, verify: stores.verify('main'), remarks: stores.remarks };
        });
    }""", cases)
    for case, found in zip(cases, told, strict=True):
        assert (found["imports"], found["verify"]) == (case["imports"], case["verify"]), case["kind"]
        assert len(found["remarks"]) == len(case["remarks"]), (case["kind"], found["remarks"])
        assert all(part in remark and "\n" not in remark for remark, part in zip(found["remarks"], case["remarks"]))


def test_the_names_come_from_the_header_or_from_the_line_of_a_later_store(view, app):
    main = {"state": "Shop.AppState", "action": "Shop.AppAction"}
    app = app(state={"count": 0}, header={"types": {"main": main}, "target": "Shop"})
    types = {"state": "Shop.Detail.State", "action": "Shop.Detail.Action"}
    app.send({"event": "init", "store": "detail", "types": types, "state": {"count": 0}})
    view = view().open(app.session, event=0, tab="test")
    assert code(view)[-2] == "        .verify(AppState.self, AppAction.self, reducer: appReducer)"
    assert "    // This is the first state, which no action made: select a later event for a test of some." in code(view)
    assert "@testable import Shop" in code(view) and not any("<#" in line for line in code(view))
    assert any("apply: { model.send($0); return model.state }" in line for line in code(view))
    view.row(1).click()
    expect(view.page.locator("#panel .test")).to_contain_text(".verify(Detail.State.self, Detail.Action.self, reducer: detailReducer)")


def test_several_stores_and_what_cannot_be_replayed(view, app):
    app = app(state={"count": 0})
    app.send({"event": "init", "store": 'cart "1"\\(x)\u202e', "state": {"count": 0}})
    app.action("log/in", {"password": {"$redacted": True}}, COUNT)
    app.action("log/out", {"redacted": False}, [{"op": "add", "path": "/token", "value": {"$redacted": True}}])
    view = view().open(app.session, event=0, tab="test")
    assert not any(".store(" in line for line in code(view))
    view.row(1).click()
    expect(view.page.locator("#panel .test")).to_contain_text(r'.store("cart \"1\"\\(x)\u{202e}")')
    assert not any("secret" in line or "missing" in line for line in code(view))
    view.row(3).click()
    expect(view.page.locator("#panel .test")).to_contain_text('.store("main")')
    assert "    // The tape lacks secrets. To replay their actions, replace .skippingSecrets() by" in code(view)
    assert '    // .secret("/payload/password", VALUE)' in code(view)
    assert "        .skippingSecrets()" in code(view)
    app.send({"event": "gap", "count": 3, "reason": "full"}, {"event": "action", "action": {"type": "on"}, "state": {}})
    expect(view.row(7)).to_be_visible()
    view.row(7).click()
    expect(view.page.locator("#panel .test")).to_contain_text("// Events 4 to 6 are missing: the next state replaces them.")


def test_hostile_names_give_identifiers(view, app):
    names = {
        "<script>alert(1)</script>": "replaysScriptAlert1Script", '"; fatalError() //': "replaysFatalError", "🎉": "replaysEvent3",
        "a\n}\nfunc b(": "replaysAFuncB", "2nd/try": "replays2NdTry", "kärra/läggTill": "replaysKärraLäggTill", "": "replaysEvent7",
        "`class`": "replaysClass", "\u202ea\ufe0fb\u200dc": "replaysAbc", "x" * 5000: "replays" + "X" + "x" * 59}
    app = app(name="<#import#>", state={"count": 0})
    for name in names:
        app.action(name, None, COUNT)
    view = view().open(app.session, event=1, tab="test")
    for seq, name in enumerate(names.values(), 1):
        expect(view.page.locator("#event-seq")).to_have_text(f"#{seq}")
        expect(view.page.locator("#panel .test")).to_contain_text(f"@Test func {name}() {{")
        lines = code(view)
        assert lines[3] == "@testable import <#App#>" and len(lines) == 12
        assert re.fullmatch(r"\w+", name)
        view.page.keyboard.press("j")
    assert view.page.evaluate("document.querySelectorAll('#panel :is(img, script, style, svg)').length") == 0


def test_before_the_first_state_there_is_nothing_to_replay(view, app):
    app = app()
    app.send({"event": "note", "text": "Starting"}, {"event": "init", "state": {"count": 0}})
    view = view().open(app.session, event=0, tab="test")
    expect(view.page.locator("#panel")).to_have_text("Nothing to replay before the first state.")
    view.page.keyboard.press("j")
    assert "events(0...1)" in code(view)[10]


def test_the_code_is_copied_and_a_refusal_is_shown(view, app):
    app = app(state={"count": 0})
    view = view(permissions=["clipboard-read", "clipboard-write"]).open(app.session, event=0, tab="test")
    page = view.page
    source = "\n".join(code(view)) + "\n"
    page.get_by_role("button", name="Copy code").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == source
    page.reload()
    page.evaluate("""() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
        document.execCommand = () => false;
    }""")
    page.get_by_role("button", name="Copy code").click()
    dialog = page.get_by_role("dialog", name="The browser refused to copy")
    field = dialog.get_by_role("textbox", name="Text to copy")
    expect(field).to_be_focused()
    assert field.evaluate("(field) => field.value.slice(field.selectionStart, field.selectionEnd)") == source
    page.keyboard.press("Control+c")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Copy code")).to_be_focused()


def test_a_file_without_a_server(page):
    view = page()
    choose(view, ("run.tape", tape()))
    expect(view.row(39)).to_contain_text("count/up")
    view.row(20).click()
    view.page.keyboard.press("5")
    assert code(view)[5] == "@Test func replaysCartAdd() {"
    assert code(view)[8:10] == [f'    Replay("{HEADER["session"]}.tape")', "        .events(0...20)"]
    name, header, seqs = save(view)
    assert (name, header["app"], seqs) == (f"{HEADER['session']}.tape", HEADER["app"], list(range(21)))


def test_a_part_of_a_tape_starts_at_its_first_event(page):
    view = page()
    header = json.dumps({**HEADER, "from": 10, "states": {"main": {"count": 9}}})
    choose(view, ("part.tape", "\n".join([header, *tape().decode().splitlines()[11:]]).encode()))
    expect(view.row(39)).to_contain_text("count/up")
    view.row(20).click()
    view.page.keyboard.press("5")
    assert code(view)[9].endswith(".events(10...20)")
    assert save(view)[2] == list(range(10, 21))


def test_the_page_in_one_file(disk, tmp_path):
    view = disk(made(tmp_path, tape()))
    expect(view.row(39)).to_contain_text("count/up")
    view.row(20).click()
    view.page.keyboard.press("5")
    assert "events(0...20)" in code(view)[9]
    assert save(view)[2] == list(range(21))


def test_on_a_phone_nothing_scrolls_sideways(view, app):
    app = app(name="Todo", state={"count": 0})
    app.action("a" * 200, None, COUNT)
    view = view(360, 740).open(app.session, event=1, tab="test")
    code(view)
    view.until("document.documentElement.scrollWidth <= innerWidth")
    for box in ("#panel", "#panel .code", "#tabs"):
        assert view.page.locator(box).evaluate("(box) => box.scrollWidth <= box.clientWidth"), box
    for label in ("Copy code", "Download tape"):
        expect(view.page.get_by_role("button", name=label)).to_be_visible()
