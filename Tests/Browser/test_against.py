"""The diff against any other event, and the history of a value."""

import json

import pytest
from playwright.sync_api import expect


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def app(app):
    app = app(state={"count": 0, "list": [1, 2, 3, 4, 5], "text": "The quick brown fox jumps over the lazy dog. " * 3, "a b": 0})
    app.action("up", None, [{"op": "replace", "path": "/count", "value": 1}])
    app.action("text", None, [{"op": "splice", "path": "/text", "at": 4, "remove": 5, "insert": "slow"}])
    app.action("list", None, [{"op": "remove", "path": "/list/1"}, {"op": "remove", "path": "/list/1"}])
    app.action("up", None, [{"op": "replace", "path": "/count", "value": 7}])
    app.action("other", None, [{"op": "replace", "path": "/a b", "value": 1}])
    app.action("up", None, [{"op": "replace", "path": "/count", "value": 8}])
    return app


def changes(view):
    return view.page.locator(".change")


def test_selected_events_are_compared_with_the_chosen_one(view, app):
    view = view().open(app.session, event=1)
    page = view.page
    expect(page.locator(".against")).to_contain_text("Compared with the previous event")
    page.keyboard.press("x")
    expect(page.locator("#panel")).to_contain_text("Select another event to compare it with this one.")
    page.keyboard.press("End")
    expect(page.locator(".against")).to_contain_text("Compared with #1")
    expect(page.locator(".change .path")).to_have_text(["count", "list › 1", "list › 2", "text", "a b"])
    expect(changes(view).first).to_contain_text("1→8")
    expect(changes(view).nth(3).locator("ins")).to_have_text("slow")
    assert "against=1" in page.url
    view.shot("against-1280-light")
    page.reload()
    expect(changes(view)).to_have_count(5)
    page.get_by_label("Compare with the previous event").click()
    expect(changes(view)).to_have_count(1)
    assert "against" not in page.url


def test_the_event_to_compare_with_is_chosen_by_number(view, app):
    view = view().open(app.session, event=4)
    page = view.page
    page.get_by_role("button", name="the previous event").click()
    page.get_by_label("Event number").fill("6")
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_contain_text("#6 is later, so its additions appear as removals.")
    expect(changes(view).first).to_contain_text("8→7")
    page.get_by_role("button", name="#6").click()
    page.get_by_role("button", name="First event").click()
    expect(changes(view).first).to_contain_text("0→7")
    page.get_by_role("button", name="#0").click()
    page.get_by_role("button", name="Previous event", exact=True).click()
    expect(changes(view).first).to_contain_text("1→7")


def test_changes_are_copied_as_a_json_patch_that_fits(view, app):
    view = view()
    view.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    view.open(app.session, event=6, against=1)
    fits = """async ([session, from, to]) => {
        const { apply } = await import('/json/patch.js');
        const { equal } = await import('/json/value.js');
        const state = async (seq) => (await fetch(`/api/v1/sessions/${session}/states/${seq}`)).json();
        const end = performance.now() + 30000;
        const copied = async () => (await navigator.clipboard.readText()) !== 'nothing yet';
        while (!(await copied()) && performance.now() < end) await new Promise(requestAnimationFrame);
        const patch = JSON.parse(await navigator.clipboard.readText());
        return [equal(apply(await state(from), patch), await state(to)), [...new Set(patch.map(({ op }) => op))].sort()];
    }"""
    for seq, before, against in ((6, 1, 1), (1, 6, 6), (2, 1, None)):
        view.open(app.session, event=seq, **({} if against is None else {"against": against}))
        view.page.evaluate("navigator.clipboard.writeText('nothing yet')")
        view.page.get_by_role("button", name="Copy as JSON Patch").click()
        fit, operations = view.page.evaluate(fits, [app.session, before, seq])
        assert fit and set(operations) <= {"add", "remove", "replace"}


def test_the_previous_and_next_change_of_a_value(view, app):
    view = view().open(app.session, event=4)
    page = view.page
    changes(view).get_by_role("button", name="History of count").click()
    history = page.get_by_role("group", name="History")
    expect(history).to_contain_text("Previous change: #1 → 1")
    expect(history).to_contain_text("Next change: #6 → 8")
    view.shot("history-1280-light")
    history.get_by_role("link", name="#1").click()
    expect(page.locator("#event-seq")).to_have_text("#1")
    changes(view).get_by_role("button", name="History of count").click()
    expect(history).to_contain_text("Previous change: #0 → 0")
    expect(history).to_contain_text("Next change: #4")
    history.get_by_role("button", name="Show in state").click()
    expect(page.locator(".tree-path")).to_have_text("/count")
    page.keyboard.press("2")
    changes(view).get_by_role("button", name="History of count").click()
    history.get_by_role("button", name="Filter by this path").click()
    expect(page.get_by_role("button", name="Remove path:/count")).to_be_visible()


def test_many_changes_are_grouped_and_shown_in_pieces(view, app):
    big = [{"op": "add", "path": f"/new{index % 2}", "value": {}} for index in range(2)]
    big += [{"op": "add", "path": f"/new{index % 2}/key{index}", "value": index} for index in range(400)]
    seq = app.action("big", None, big)
    view = view().open(app.session, event=seq)
    page = view.page
    groups = page.locator(".group > summary")
    expect(groups).to_have_text(["new0 201 added", "new1 201 added"])
    expect(changes(view)).to_have_count(100)
    page.get_by_role("button", name="Show 50 more of 201 changes").first.click()
    expect(changes(view)).to_have_count(150)
    expect(changes(view).nth(149).locator(".path")).to_contain_text("new1")
    view.shot("groups-1280-light")
    huge = [{"op": "add", "path": f"/huge{index}", "value": json.dumps(index)} for index in range(1500)]
    seq = app.action("huge", None, huge)
    view.open(app.session, event=seq)
    expect(page.locator("#panel")).to_contain_text("The first 1000 of 1\u202f500 changes.")
