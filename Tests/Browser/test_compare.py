"""Two sessions side by side."""

import re

import pytest
from playwright.sync_api import expect

SIZES = {"360": (360, 740), "1280": (1280, 800), "2560": (2560, 1440)}


def run(app, values, version="1.0", **labels):
    """A run that counts: each value is the state after an action; a text is an action's type alone."""
    app = app(name="Todo", version=version, state={"count": 0, "title": "x"}, **labels)
    for value in values:
        if isinstance(value, str):
            app.action(value, {"by": 1})
        else:
            app.action("count/set", {"to": value}, [{"op": "replace", "path": "/count", "value": value}])
    return app


@pytest.fixture
def two(app):
    """The first difference is the state of #4; later one has another action."""
    one = run(app, [1, 2, 3], "1.0", branch="main")
    other = run(app, [1, 2, 3], "1.1", branch="new")
    for each, value in ((one, 4), (other, 5)):
        each.action("count/up", {"by": 1}, [{"op": "replace", "path": "/count", "value": value}])
        each.action("todos/add")
    other.action("only/here")
    for each in (one, other):
        each.action("sync/started")
        each.action("sync/finished")
    return one, other


def pairs(view):
    return view.page.locator(".pair:not([hidden])")


def texts(view):
    """Each row as it reads: sequence and label of both sides, and the sign between."""
    return view.page.evaluate("""[...document.querySelectorAll('.pair:not([hidden])')].sort((a, b) => a.dataset.row - b.dataset.row).map((row) =>
        [...row.querySelectorAll('[role=gridcell]:has(a)')].map((cell) => cell.firstElementChild.hidden ? ''
            : cell.querySelector('.seq').textContent + ' ' + cell.querySelector('.label').textContent).join(' | ') + ' ' + row.querySelector('.sign').textContent)""")


def compare(view, one, other):
    view.open(one.session, view="compare", other=other.session)
    expect(view.page.locator(".verdict")).to_be_visible()
    expect(pairs(view).first).to_be_visible()
    return view


def test_the_first_difference_is_marked_with_its_patch(view, two):
    view = compare(view(), *two)
    expect(view.page.locator(".verdict")).to_have_text(
        "≠ First difference: #4 and #4: the same action led to different states. Compared 5 pairs of events.")
    parting = view.page.locator(".pair.is-difference")
    expect(parting).to_be_in_viewport()
    expect(parting).to_contain_text("count/up")
    expect(parting.get_by_label("first difference")).to_have_text("≠")
    there = view.page.locator(".there")
    expect(there).to_contain_text("Left to right: 1 change")
    expect(there.locator(".change")).to_contain_text("count")
    expect(there.locator("del")).to_have_text("4")
    expect(there.locator("ins")).to_have_text("5")


def test_rows_are_paired_by_position_and_then_by_type(view, two):
    view = compare(view(), *two)
    assert texts(view) == [
        "0 initial state | 0 initial state ", "1 count/set | 1 count/set ", "2 count/set | 2 count/set ",
        "3 count/set | 3 count/set ", "4 count/up | 4 count/up ≠", "5 todos/add | 5 todos/add ",
        " | 6 only/here ›", "6 sync/started | 7 sync/started ", "7 sync/finished | 8 sync/finished "]
    expect(view.page.locator(".how")).to_contain_text("After the first difference, events of the same type stand side by side.")


def test_the_grid_has_rows_and_cells_only(view, two):
    view = compare(view(), *two)
    assert view.page.evaluate("""[...document.querySelectorAll('[role=grid] [role=row]:not([hidden])')].map((row) =>
        [...row.children].map((cell) => `${cell.role} ${cell.ariaColIndex}`).join()).filter((one) => one !== 'gridcell 1,gridcell 2,gridcell 3')""") == []
    expect(view.page.get_by_role("grid").get_by_role("gridcell", name="first difference")).to_have_count(1)


@pytest.fixture
def apart(app):
    """Differ at #1, #3, and #5, which only the right has; #4 is equal except for an id."""
    def record(side):
        each = run(app, [side], branch="main" if side == 1 else "new")
        each.action("same/thing", {"by": 1})
        each.action("count/up", patch=[{"op": "replace", "path": "/title", "value": f"title {side}"}])
        each.action("make/it", {"id": f"id {side}"}, [{"op": "add", "path": "/made", "value": True}])
        if side == 2:
            each.action("only/here")
        each.action("at/last")
        return each
    return record(1), record(2)


def found(view):
    return view.page.locator(".found")


def test_next_and_previous_go_through_all_differences(view, apart):
    view = compare(view(), *apart)
    which = view.page.locator(".which")
    expect(which).to_contain_text("#1 count/set")
    next, previous = (view.page.get_by_role("button", name=name) for name in ("Next ›", "‹ Previous"))
    next.click()
    expect(found(view)).to_have_text("#3 and #3 differ.")
    expect(view.page.locator(".there .change")).to_contain_text(["count", "title"])
    view.page.keyboard.press("n")
    expect(found(view)).to_have_text("#4 and #4 differ.")
    view.page.keyboard.press("n")
    expect(found(view)).to_have_text("#5 is only on the right.")
    expect(which).to_contain_text("None on the left: compared with the event before it there.")
    view.page.keyboard.press("n")
    expect(found(view)).to_have_text("No later difference.")
    previous.click()
    expect(found(view)).to_have_text("#4 and #4 differ.")
    view.page.keyboard.press("Shift+N")
    expect(found(view)).to_have_text("#3 and #3 differ.")
    # Outside of the comparison, n sets the launch state.
    expect(view.page.locator("#launch-state")).to_be_hidden()


def test_the_rows_that_next_stops_at_are_marked_whatever_they_show(view, app):
    """A row shows one value of a payload and three changes; these differ in another value, and in the fourth change."""
    def record(side):
        each = run(app, [side])
        each.action("same/name", {"name": "a", "size": side})
        each.action("same/thing", {"by": 1})
        each.action("many/changes", patch=[{"op": "add", "path": f"/{key}", "value": 1} for key in "abc"]
                    + [{"op": "add", "path": "/d", "value": side}])
        each.action("same/end")
        return each
    view = compare(view(), record(1), record(2))
    expect(view.page.locator(".pair.is-different")).to_have_count(2)
    assert [row for row in texts(view) if row.endswith("≠")] == [
        "1 count/set | 1 count/set ≠", "2 same/name | 2 same/name ≠", "4 many/changes | 4 many/changes ≠"]
    for number in (2, 4):
        view.page.keyboard.press("n")
        expect(found(view)).to_have_text(f"#{number} and #{number} differ.")
    view.page.keyboard.press("n")
    expect(found(view)).to_have_text("No later difference.")
    view.page.get_by_role("button", name="Ignore d").click()
    expect(view.page.locator(".pair.is-different")).to_have_count(1)


def test_an_ignored_path_is_no_difference_until_it_is_removed(view, apart):
    view = compare(view(), *apart)
    for shown in ("#3 and #3 differ.", "#4 and #4 differ."):
        view.page.keyboard.press("n")
        expect(found(view)).to_have_text(shown)
    view.page.get_by_role("button", name="Ignore (action) › payload › id").click()
    expect(view.page.locator(".ignored")).to_contain_text("(action) › payload › id")
    expect(view.page.locator(".there")).to_contain_text("1 ignored change.")
    expect(view.page.locator(".there .path")).to_have_text(["count", "title"])
    view.page.keyboard.press("Shift+N")
    expect(found(view)).to_have_text("#3 and #3 differ.")
    view.page.keyboard.press("n")
    expect(found(view)).to_have_text("#5 is only on the right.")
    view.page.reload()
    expect(view.page.locator(".ignored")).to_contain_text("(action) › payload › id")
    view.page.get_by_role("button", name="Stop ignoring (action) › payload › id").click()
    expect(view.page.locator(".ignored")).to_be_hidden()
    view.page.keyboard.press("n")
    expect(found(view)).to_have_text("#3 and #3 differ.")
    view.page.keyboard.press("n")
    expect(found(view)).to_have_text("#4 and #4 differ.")


def test_any_two_events_are_compared(view, apart):
    view = compare(view(), *apart)
    pairs(view).filter(has_text="same/thing").get_by_role("link").first.click()
    which = view.page.locator(".which")
    expect(which).to_contain_text("#2 same/thing ↔ #2 same/thing")
    pairs(view).filter(has_text="make/it").get_by_role("link").last.click(modifiers=["Shift"])
    expect(which).to_contain_text("#2 same/thing ↔ #4 make/it")
    expect(view.page.locator(".there .path")).to_contain_text(["made"])
    view.page.keyboard.press("Shift+ArrowUp")
    expect(which).to_contain_text("#2 same/thing ↔ #3 count/up")


def test_the_headers_have_start_times_and_labels(view, apart):
    view = compare(view(), *apart)
    expect(view.page.locator(".titles > div")).to_contain_text([
        re.compile("20 Nov 2026, .*branch: main"), re.compile("20 Nov 2026, .*branch: new")])


def test_sides_are_swapped(view, two):
    one, other = two
    view = compare(view(), one, other)
    view.page.get_by_role("button", name="Swap sides").click()
    expect(view.page.locator(".there del")).to_have_text("5")
    assert f"session={other.session}" in view.page.url and f"other={one.session}" in view.page.url
    expect(view.page.locator(".pair", has_text="only/here")).to_contain_text("‹")
    assert "6 only/here |  ‹" in texts(view)


def test_each_side_s_event_opens_in_its_own_session(view, two):
    one, other = two
    view = compare(view(), one, other)
    view.page.locator(".pair", has_text="only/here").get_by_role("link").dblclick()
    expect(view.page.locator("#view")).to_be_hidden()
    expect(view.page.locator("#event-label")).to_have_text("only/here")
    assert f"session={other.session}" in view.page.url and "event=6" in view.page.url
    view.page.go_back()
    expect(view.page.locator(".verdict")).to_be_visible()
    view.page.locator(".pair", has_text="count/up").get_by_role("link").first.click()
    view.page.locator(".there").get_by_role("link", name="#4 count/up").first.click()
    expect(view.page.locator("#event-seq")).to_have_text("#4")
    assert f"session={one.session}" in view.page.url


def test_by_keyboard_both_columns_step_together(view, two):
    view = compare(view(), *two)
    grid = view.page.get_by_role("grid")
    grid.focus()
    expect(grid).to_have_attribute("aria-activedescendant", "pair-4-0")
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("ArrowRight")
    expect(grid).to_have_attribute("aria-activedescendant", "pair-5-1")
    view.page.keyboard.press("Enter")
    expect(view.page.locator("#event-label")).to_have_text("todos/add")
    assert f"session={two[1].session}" in view.page.url


def test_equal_sessions_have_no_difference(view, app):
    view = compare(view(), run(app, [1, 2]), run(app, [1, 2]))
    expect(view.page.locator(".verdict")).to_have_text("= No difference. Compared 3 pairs of events.")
    expect(pairs(view)).to_have_count(3)
    expect(view.page.locator(".there")).to_be_hidden()


def test_unknown_states_are_counted(view, app):
    one, other = run(app, [1]), run(app, [1])
    one.send({"event": "action", "action": {"type": "quiet"}, "skipped": True})
    other.action("quiet")
    view = compare(view(), one, other)
    expect(view.page.locator(".verdict")).to_contain_text("The state is unknown after 1 event and was not compared there.")


@pytest.mark.parametrize("kind, said", [
    ("action", "the actions differ"), ("ended", "the right session ends here"), ("kind", "events are of different kinds"),
])
def test_kinds_of_the_first_difference(view, app, kind, said):
    one, other = run(app, [1]), run(app, [1])
    one.action("a/b", {"by": 1})
    if kind == "action":
        other.action("a/b", {"by": 2})
    if kind == "kind":
        other.send({"event": "replace", "state": {"count": 9}, "cause": {"set": True}})
    view = compare(view(), one, other)
    expect(view.page.locator(".verdict")).to_contain_text(said)
    expect(view.page.locator(".pair.is-difference")).to_be_visible()
    if kind == "action":
        expect(view.page.locator(".there del")).to_have_text("1")
        expect(view.page.locator(".there ins")).to_have_text("2")
        expect(view.page.locator(".there .path")).to_have_text("(action) › payload › by")


def test_the_picker_lists_sessions_of_the_same_app_first(view, app):
    one = run(app, [1])
    app(name="Todo", version="0.9", device="Old phone", state={}).stop()
    app(name="Cart", device="iPad Air", state={}).stop()
    view = view().open(one.session)
    expect(view.row(1)).to_be_visible()
    view.page.keyboard.press("c")
    choices = view.page.locator(".picker li")
    expect(choices).to_have_count(2)
    expect(choices.nth(0)).to_contain_text("Old phone")
    expect(choices.nth(1)).to_contain_text("iPad Air")
    view.page.get_by_role("searchbox", name="Search sessions to compare with").fill("iPad")
    expect(choices).to_have_count(1)
    view.page.get_by_role("searchbox", name="Search sessions to compare with").fill("nothing like it")
    expect(view.page.locator(".picker")).to_contain_text("No matching sessions.")
    view.page.get_by_role("searchbox", name="Search sessions to compare with").fill("")
    expect(choices).to_have_count(2)
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("Enter")
    expect(view.page.locator(".verdict")).to_be_visible()
    view.page.keyboard.press("Escape")
    expect(view.page.locator("#view")).to_be_hidden()


def test_the_picker_says_that_there_is_no_other_session(view, app):
    one = run(app, [1])
    view = view().open(one.session)
    view.more("Compare")
    expect(view.page.locator(".picker")).to_contain_text("No other session yet.")


def test_an_unknown_or_deleted_session_leads_to_the_picker(view, two, server):
    one, other = two
    view = view()
    view.expected.append("404")
    other.stop()
    view.page.request.delete(f"{server.url}api/v1/sessions/{other.session}")
    view.open(one.session, view="compare", other=other.session)
    expect(view.page.locator(".picker [role=alert]")).to_contain_text("It may have been deleted. Choose another.")
    expect(view.page.get_by_role("searchbox", name="Search sessions to compare with")).to_be_focused()


def test_long_sessions_are_read_around_the_first_difference(view, app):
    runs = []
    for last in (1, 2):
        each = app(name="Long", state={"count": 0})
        each.send(*[{"event": "action", "action": {"type": f"group{number % 5}/step"}, "patch": []} for number in range(2500)])
        each.action("parts/here", patch=[{"op": "replace", "path": "/count", "value": last}])
        each.send(*[{"event": "action", "action": {"type": f"group{(number * last) % 5}/step"}, "patch": []} for number in range(1500)])
        runs.append(each)
    view = compare(view(), *runs)
    expect(view.page.locator(".pair.is-difference")).to_be_in_viewport()
    expect(view.page.locator(".pair.is-difference")).to_contain_text("parts/here")
    assert view.page.locator(".pair").count() < 80
    more = view.page.get_by_role("button", name="events before")
    expect(more).to_have_text(re.compile(r"Show more of 1.501 events before"))
    # A failure says so, and loses no events.
    view.expected.append("503")
    view.page.route("**/events?from=*", lambda route: route.fulfill(status=503, body="{}"))
    more.click()
    expect(view.page.locator("#view")).to_contain_text("The server answered 503")
    expect(more).to_be_enabled()
    view.page.unroute("**/events?from=*")
    more.click()
    expect(more).to_have_text(re.compile(r"Show more of 501 events before"))
    expect(view.page.locator("#view")).not_to_contain_text("The server answered 503")
    expect(view.page.locator(".pair.is-difference")).to_be_in_viewport()
    expect(view.page.get_by_role("button", name="Show more of 501 events after")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_how_it_looks(view, two, size, scheme):
    from test_look import look
    view = compare(view(*SIZES[size], scheme), *two)
    look(view, f"compare-{size}-{scheme}")
    view.page.get_by_role("button", name="Change session…").click()
    expect(view.page.locator(".picker li")).to_have_count(1)
    look(view, f"compare-picker-{size}-{scheme}")


def test_a_late_answer_of_the_search_takes_no_focus(view, app):
    one, other = app(state={}, device="One"), app(state={}, device="Other")
    view = view().open(one.session, view="compare")
    search = view.page.get_by_label("Search sessions to compare with")
    found = view.page.locator(".picker li button")
    expect(found).to_have_count(1)
    view.page.route(re.compile("q=Other"), lambda route: None)
    search.fill("Other")
    search.press("ArrowDown")
    expect(found).to_be_focused()
    found.evaluate("(button) => { button.className = 'old'; }")
    view.page.unroute(re.compile("q=Other"))
    expect(view.page.locator(".picker .old")).to_have_count(0)
    expect(found).to_be_focused()
