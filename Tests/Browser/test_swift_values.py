"""Values as Swift people write them, by the types that the tape has on the line of a store's first state."""

import json

import pytest
from playwright.sync_api import expect

from processes import ROOT
from test_file import HEADER, choose, page, static  # noqa: F401
from test_html_export import disk, made  # noqa: F401

SWIFT = {"state": 0, "action": 3, "types": [
    {"name": "Shop", "members": {"phase": 1, "due": "Date", "sentAt": "Int", "coupon": {"optional": "String"}, "color": 4, "lines": {"array": 2}}},
    {"name": "Phase", "cases": {"paying": {"_0": 2}, "browsing": {}}},
    {"name": "Address", "members": {"street": "String", "zip": "String"}},
    {"name": "ShopAction", "cases": {"pay": {"_0": 2}, "cart": {"_0": 5}}},
    {"name": "Color", "rawValues": {"inProgress": "in_progress"}},
    {"name": "CartAction", "cases": {"add": {"title": "String", "note": {"optional": "String"}}}},
]}
ADDRESS = {"street": "Main St", "zip": "1"}
STATE = {"phase": {"browsing": {}}, "due": 816_868_800, "sentAt": 1_763_632_800, "coupon": None, "color": "in_progress", "lines": [ADDRESS]}
PAY = [{"op": "replace", "path": "/phase", "value": {"paying": {"_0": ADDRESS}}}, {"op": "replace", "path": "/due", "value": 816_955_200},
       {"op": "replace", "path": "/sentAt", "value": 1_763_632_900}, {"op": "replace", "path": "/coupon", "value": "MAY"}]
EVENTS = [
    {"event": "init", "state": STATE, "swift": SWIFT},
    {"event": "action", "action": {"type": "pay", "payload": {"_0": ADDRESS}}, "patch": PAY},
    {"event": "action", "action": {"type": "cart/add", "payload": {"title": "Milk"}}, "patch": []},
]
WRITTEN = '.paying(Address(street: "Main St", zip: "1"))'


@pytest.fixture
def server(shared):
    return shared


def node(view, name):
    return view.page.locator("#state-tree .node", has=view.page.locator(".name", has_text=name)).locator(".value")


def check(view):
    """Looks at the event of the payment."""
    page = view.page
    view.row(1).click()
    page.keyboard.press("3")
    expect(node(view, "phase")).to_have_text(WRITTEN)
    page.keyboard.press("2")
    expect(page.locator("#panel ins").first).to_have_text(WRITTEN)
    page.keyboard.press("1")
    expect(page.locator("#panel pre.swift")).to_have_text('.pay(Address(street: "Main St", zip: "1"))')


def test_the_text_of_each_shape_is_that_of_swift(view):
    cases = json.loads((ROOT / "Tests/Fixtures/swift-values.json").read_text())
    assert len(cases) > 30
    told = view(timezone_id="UTC").open().page.evaluate("""async (text) => {
        const { parse } = await import('/json/parse.js');
        const { TypeTable } = await import('/model/type-table.js');
        const { actionText, swiftText } = await import('/model/swift-text.js');
        return parse(text).map(({ swift, state, action }) => {
            const table = TypeTable.read(swift);
            return { text: table && swiftText(table.state, state, 400), actionText: action && table && actionText(table, action) };
        });
    }""", json.dumps(cases))
    wrong = [(case["kind"], found, case) for case, found in zip(cases, told, strict=True)
             if found["text"] != case["text"] or found["actionText"] != case.get("actionText")]
    assert wrong == []


def test_states_changes_and_actions_are_shown_as_swift(view, app):
    app = app()
    app.send(*EVENTS)
    view = view(timezone_id="UTC").open(app.session)
    check(view)
    view.page.keyboard.press("2")
    changes = view.page.locator("#panel .change")
    expect(changes.nth(0).locator("del")).to_have_text(".browsing")
    expect(changes.nth(1).locator("ins")).to_have_attribute("data-date", "21 Nov 2026, 12:00:00")
    # By its name it would be a date.
    expect(changes.nth(2).locator("ins")).not_to_have_attribute("data-date")
    expect(changes.nth(3).locator("del")).to_have_text("nil")
    expect(changes.nth(3).locator("ins")).to_have_text('"MAY"')
    view.shot("swift-changes")
    view.page.keyboard.press("3")
    expect(node(view, "due")).to_have_attribute("data-date", "21 Nov 2026, 12:00:00")
    expect(node(view, "sentAt")).not_to_have_attribute("data-date")
    expect(node(view, "color")).to_have_text(".inProgress")
    expect(node(view, "state")).to_have_text("Shop")
    expect(node(view, "lines")).to_have_text('[Address(street: "Main St", zip: "1")]')
    view.page.get_by_role("button", name="Expand changes").click()
    view.shot("swift-state")
    view.page.get_by_role("button", name="Swift", exact=True).click()
    expect(node(view, "phase")).to_have_text('{paying: {_0: {street: "Main St", zip: "1"}}}')
    expect(node(view, "color")).to_have_text('"in_progress"')
    view.page.reload()
    expect(node(view, "color")).to_have_text('"in_progress"')
    expect(view.page.get_by_role("button", name="Swift", exact=True)).to_have_attribute("aria-pressed", "false")
    view.page.get_by_role("button", name="Swift", exact=True).click()
    expect(node(view, "color")).to_have_text(".inProgress")
    view.row(2).click()
    view.page.keyboard.press("1")
    expect(view.page.locator("#panel pre.swift")).to_have_text('.cart(.add(title: "Milk", note: nil))')
    view.shot("swift-action")


def test_a_second_store_has_the_table_of_the_first(view, app):
    app = app()
    app.send(*EVENTS, {"event": "init", "store": "detail", "state": STATE, "swift": {"seq": 0}})
    app.send({"event": "action", "store": "detail", "action": {"type": "pay", "payload": {"_0": ADDRESS}}, "patch": PAY})
    view = view().open(app.session)
    view.row(4).click()
    view.page.keyboard.press("3")
    expect(node(view, "phase")).to_have_text(WRITTEN)


def test_followed_events_are_not_asked_for(view, app):
    app = app()
    app.send(*EVENTS)
    view = view().open(app.session)
    check(view)
    asked = []
    view.page.on("request", lambda request: "fields=types" in request.url and asked.append(request.url))
    app.send(EVENTS[2])
    view.row(3).click()
    expect(view.page.locator("#panel pre.swift")).to_contain_text(".cart(.add(")
    assert asked == []


def test_a_value_that_is_not_as_its_type_says_stays_json(view, app):
    app = app(header={"labels": {}})
    app.send({**EVENTS[0], "state": {**STATE, "phase": {"paying": {"_0": {"street": 5, "zip": "1"}}}}})
    view = view().open(app.session)
    view.row(0).click()
    view.page.keyboard.press("3")
    expect(node(view, "state")).to_have_text("Shop")
    expect(node(view, "phase")).to_have_text(".paying({…})")


def test_a_tape_in_a_file_shows_them(page):  # noqa: F811
    view = page()
    lines = [HEADER, *({"seq": seq, "at": seq, **event} for seq, event in enumerate(EVENTS))]
    choose(view, ("shop.tape", "".join(json.dumps(line) + "\n" for line in lines).encode()))
    check(view)


def test_a_page_of_a_tape_shows_them(disk, tmp_path):  # noqa: F811
    lines = [HEADER, *({"seq": seq, "at": seq, **event} for seq, event in enumerate(EVENTS))]
    view = disk(made(tmp_path, "".join(json.dumps(line) + "\n" for line in lines).encode()))
    check(view)


LONG = {f"m{number}": number for number in range(200_000)}
DEEP = None
for _ in range(400):
    DEEP = {"optional": DEEP}
#: Tables that no recorder writes, of which nothing may be shown but JSON. Of a type with members of odd kinds, its name.
HOSTILE = {
    "text": "x", "list": [], "number": 5, "no types": {"state": 0}, "types that are no list": {"state": 0, "types": {"0": {"name": "A", "members": {}}}},
    "another seq": {"seq": 99}, "its own seq": {"seq": 0}, "an odd seq": {"seq": {"seq": 0}}, "a negative seq": {"seq": -1},
    "no such type": {"state": 7, "types": []}, "an inherited one": {"state": "constructor", "types": [{"name": "A", "members": {"a": "__proto__"}}]},
    "no whole number": {"state": 0.5, "types": [{"name": "A", "members": {}}]},
    "odd entries": {"state": {"array": 0}, "types": [None, 5, "A", [], {}, {"name": 5}, {"name": "A", "cases": 5}]},
    "members of odd kinds": {"state": 0, "types": [{"name": "A", "members": {"a": True, "b": [[]], "c": {"dictionary": 5}, "d": {"optional": 1, "array": 2}}}]},
    "itself": {"state": 0, "types": [{"name": "A", "rawValue": 0}]},
    "each other": {"state": 0, "types": [{"name": "A", "rawValue": 1}, {"name": "B", "rawValue": {"optional": 0}}]},
    "deep": {"state": DEEP, "types": []}, "many types": {"state": 0, "types": [{"name": "A", "members": {"a": 1}}] * 100_000},
    "many members": {"state": 0, "types": [{"name": "A", "members": LONG}]}, "many cases": {"state": 0, "types": [{"name": "A", "cases": LONG}]},
    "a long name": {"state": 0, "types": [{"name": "A" * 100_000, "members": {"a": "Int"}}]},
    "names of other characters": {"state": 0, "types": [{"name": "A\u202e\u0000<b>", "members": {"a": "Int"}}]},
    "members of other characters": {"state": 0, "types": [{"name": "A", "members": {"a": "Int", "b\u202e\u0000": "Int"}}]},
    "members of objects": {"state": 0, "types": [{"name": "A", "members": {"__proto__": "Int", "constructor": "Int"}}]},
    "raw values": {"state": 0, "types": [{"name": "A", "rawValues": {"a": {"a": 1}, "b\u202e": [1]}}]},
}


def test_types_that_come_after_the_session_was_left_are_dropped(view, app):
    one, other = app(device="One"), app(device="Other")
    one.send(*EVENTS)
    other.send(*EVENTS)
    view = view()
    held = []
    view.page.route("**/views/swift-values.js", lambda route: held.append(route))
    with view.page.expect_request("**/views/swift-values.js"):
        view.open(one.session, event=1)
    # The page has no tape until it has read the other session's summary.
    view.page.route(f"**/api/v1/sessions/{other.session}", lambda route: held.append(route))
    with view.page.expect_request(f"**/api/v1/sessions/{other.session}"):
        view.page.locator("#sessions").get_by_text("Other").click()
    held[0].continue_()
    view.page.evaluate("import('/views/swift-values.js').then(() => {})")
    held[1].continue_()
    expect(view.page.locator("#event-label")).to_have_text("cart/add")


def test_a_hostile_table_shows_json(view, app):
    app = app()
    state = {"a": {"a": {"a": 1}}}
    for swift in HOSTILE.values():
        app.send({"event": "init", "state": state, "swift": swift}, {"event": "action", "action": {"type": "a/a/a", "payload": state}, "patch": []})
    view = view().open(app.session)
    page = view.page
    expect(view.row(app.seq - 1)).to_be_visible()
    page.locator("#events").focus()
    page.keyboard.press("Home")
    for number, name in enumerate(HOSTILE):
        seq = 2 * number
        page.keyboard.press("ArrowDown")
        expect(view.selected).to_have_id(f"event-{seq + 1}")
        for key in "12":
            view.page.keyboard.press(key)
            expect(view.page.locator("#panel")).not_to_have_attribute("aria-busy", "true")
        view.page.keyboard.press("3")
        expect(node(view, "state")).to_have_text("A" if name == "members of odd kinds" else "{1}")
        page.keyboard.press("ArrowDown")


def test_a_type_that_contains_itself_ends(view):
    text = view().open().page.evaluate("""async () => {
        const { TypeTable } = await import('/model/type-table.js');
        const { swiftText } = await import('/model/swift-text.js');
        const table = TypeTable.read({ state: 0, types: [{ name: 'A', members: { a: { array: 0 }, b: { array: 0 }, c: { array: 0 } } }] });
        let value = { a: [], b: [], c: [] };
        for (let depth = 0; depth < 400; depth += 1) value = { a: [value, value, value], b: [value, value, value], c: [value, value, value] };
        const began = performance.now();
        return [swiftText(table.state, value).length, performance.now() - began];
    }""")
    assert text[0] < 2_000 and text[1] < 500, text
