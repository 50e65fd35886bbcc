"""What started an event, and what it started: in the Action tab, in the list, as a filter and in a bug report."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from test_file import choose, page, static  # noqa: F401  (fixtures)
from test_look import look


@pytest.fixture
def server(shared):
    return shared


def typed(app, type, cause=None, **more):
    return app.action(type, patch=[], **more, **({} if cause is None else {"cause": cause}))


@pytest.fixture
def search(app):
    """A search whose effect loads results, which start two more; 3 belongs to nobody."""
    app = app(name="Search", state={"n": 0})
    typed(app, "search/typed")
    typed(app, "search/request", {"seq": 1})
    typed(app, "other/tick")
    typed(app, "search/results", {"seq": 2})
    typed(app, "images/load", {"seq": 4})
    typed(app, "history/add", {"seq": 4})
    typed(app, "images/loaded", {"seq": 5})
    return app


def facts(view):
    return view.page.locator("#panel .facts")


def started(view):
    """The terms about causes."""
    return view.page.locator("#panel .facts dt:visible").filter(has_text="Started")


def chain(view):
    return view.page.get_by_role("list").and_(view.page.locator(".chain")).get_by_role("listitem")


def effects(view):
    return view.page.get_by_role("tree", name="Started").get_by_role("treeitem")


def test_the_action_tab_has_the_chain_and_the_tree(view, search):
    view = view().open(search.session, event=4, tab="action")
    expect(chain(view)).to_have_text(["#1 search/typed", "#2 search/request +13 ms", "#4 this event +25 ms"])
    expect(started(view)).to_have_text(["Started by", "Started (3)"])
    expect(effects(view)).to_have_text(["▾#5 images/load +13 ms", "#7 images/loaded +25 ms", "#6 history/add +25 ms"])
    expect(effects(view).nth(1)).to_have_attribute("aria-level", "2")
    chain(view).get_by_role("link", name="#1").click()
    expect(view.selected).to_have_id("event-1")
    expect(started(view)).to_have_text(["Started (5)"])
    effects(view).get_by_text("images/loaded").click()
    expect(chain(view)).to_have_count(5)
    expect(started(view)).to_have_text(["Started by"])


def test_an_event_without_causes_and_effects_shows_neither(view, search):
    view = view().open(search.session, event=3, tab="action")
    expect(facts(view)).to_contain_text("other/tick")
    with view.page.expect_response(lambda answer: answer.url.endswith("/4/causes")):
        view.page.keyboard.press("j")
    expect(chain(view)).to_have_count(3)
    with view.page.expect_response(lambda answer: answer.url.endswith("/3/causes")):
        view.page.keyboard.press("k")
    expect(facts(view)).to_contain_text("other/tick")
    expect(started(view)).to_have_count(0)
    expect(view.row(3).locator(".mark")).to_have_text("")


def test_the_tree_is_used_with_the_keyboard(view, search):
    view = view().open(search.session, event=1, tab="action")
    tree, keys = view.page.get_by_role("tree", name="Started"), view.page.keyboard
    expect(effects(view)).to_have_count(5)
    tree.focus()

    def at(seq):
        expect(tree).to_have_attribute("aria-activedescendant", f"effect-{seq}")

    at(2)
    keys.press("ArrowLeft")
    expect(effects(view)).to_have_text(["▸#2 search/request +13 ms 4 events"])
    keys.press("ArrowRight")
    expect(effects(view)).to_have_count(5)
    for key, seq in [("ArrowRight", 4), ("ArrowDown", 5), ("ArrowRight", 7), ("ArrowLeft", 5), ("End", 6), ("ArrowUp", 7), ("Home", 2)]:
        keys.press(key)
        at(seq)
    keys.press("Space")
    expect(effects(view)).to_have_count(1)
    expect(view.selected).to_have_id("event-1")
    keys.press("Enter")
    expect(view.selected).to_have_id("event-2")


def test_a_live_session_grows_the_tree(view, search):
    view = view().open(search.session, event=4, tab="action")
    expect(effects(view)).to_have_count(3)
    typed(search, "other/tick")
    typed(search, "images/shown", {"seq": 7})
    expect(effects(view)).to_have_text(["▾#5 images/load +13 ms", "▾#7 images/loaded +25 ms", "#9 images/shown +25 ms", "#6 history/add +25 ms"])


def test_the_list_marks_started_rows_and_the_relatives_of_one(view, search):
    view = view().open(search.session, event=4)
    expect(view.row(2).get_by_role("img", name="started by another event")).to_be_visible()
    related = view.page.locator("#events .is-cause, #events .is-effect")
    expect(view.page.locator("#events .is-cause")).to_have_id("event-2")
    expect(related).to_have_count(3)
    view.row(5).hover()
    expect(view.page.locator("#events .is-cause")).to_have_id("event-4")
    expect(view.page.locator("#events .is-effect")).to_have_id("event-7")
    view.page.locator("#top").hover()
    expect(view.page.locator("#events .is-cause")).to_have_id("event-2")
    expect(view.page.locator("#events .is-effect")).to_have_count(2)


def test_a_cause_filters_the_timeline(view, search):
    view = view().open(search.session, event=4, tab="action")
    view.page.get_by_role("button", name="Filter by this cause").click()
    expect(view.rows).to_have_count(2)
    assert [row.get_attribute("data-seq") for row in view.rows.all()] == ["5", "6"]
    field = view.page.locator("#filter")
    view.page.get_by_role("button", name="Remove cause:4").click()
    field.fill("-cause:4 search")
    expect(view.rows).to_have_count(3)
    view.expected.append("status of 400")
    field.fill("cause:4x")
    expect(view.page.locator("#filter-error")).to_have_text("It must be the number of an event: cause:4x")


def test_causes_that_cannot_be(view, app):
    app = app(state={})
    for cause in [{"seq": 1}, {"seq": 3}, {"seq": 2 ** 53}, {"seq": "0"}]:
        typed(app, "odd", cause)
    app.send({"event": "gap", "count": 4, "reason": "memory"})
    typed(app, "after/gap", {"seq": 7})
    view = view().open(app.session, event=1, tab="action")
    for seq, text in [(1, '{"seq":1}'), (2, '{"seq":3}'), (3, '{"seq":9007199254740992}'), (4, '{"seq":"0"}')]:
        expect(facts(view)).to_contain_text(text)
        expect(started(view)).to_have_count(0)
        expect(view.row(seq).locator(".mark")).to_have_text("")
        view.page.keyboard.press("j")
    expect(effects(view)).to_have_text(["#9 after/gap +13 ms"])
    view.page.keyboard.press("j")
    expect(chain(view)).to_have_text(["#7 not recorded", "#9 this event"])


def test_long_chains_and_wide_trees_stay_small(view, app):
    app = app(state={})
    app.send(*({"event": "action", "action": {"type": "poll"}, "patch": [], "cause": {"seq": seq}} for seq in range(1200)))
    app.send(*({"event": "action", "action": {"type": "row"}, "patch": [], "cause": {"seq": 1200}} for _ in range(300)))
    view = view().open(app.session, event=1200, tab="action")
    expect(chain(view)).to_have_count(7)
    expect(chain(view).first).to_have_text("… #1099")
    view.page.get_by_role("button", name="96 more").click()
    expect(chain(view)).to_have_count(102)
    expect(started(view)).to_have_text(["Started by", "Started (300)"])
    expect(effects(view)).to_have_count(100)
    view.page.get_by_role("button", name="Show 100 more").click()
    expect(effects(view)).to_have_count(200)
    view.page.keyboard.press("Home")
    view.open(app.session, event=0, tab="action")
    expect(started(view)).to_have_text(["Started (1\u202f500)"])
    expect(facts(view)).to_contain_text("The first 1\u202f000 are listed.")
    expect(effects(view)).to_have_text(["▸#1 poll +13 ms 999 events"])
    effects(view).locator(".twisty").click()
    expect(effects(view)).to_have_count(100)


def test_a_file_has_them_too(page, search):  # noqa: F811
    header = {"tape": 1, "session": search.session, "app": {"id": "a", "name": "A"}, "started": "2026-11-20T10:00:00.123Z"}
    view = page()
    choose(view, ("run.tape", "\n".join([json.dumps(header), *search.lines, ""]).encode()))
    view.row(4).click()
    view.page.keyboard.press("1")
    expect(chain(view)).to_have_text(["#1 search/typed", "#2 search/request +13 ms", "#4 this event +25 ms"])
    expect(effects(view)).to_have_count(3)
    view.page.get_by_role("button", name="Filter by this cause").click()
    expect(view.rows).to_have_count(2)


def test_a_bug_report_names_the_chain(view, search):
    view = view(permissions=["clipboard-read", "clipboard-write"]).open(search.session, event=4)
    expect(view.page.locator("#tools").get_by_role("button", name="Share")).to_be_visible()
    view.page.keyboard.press("Shift+B")
    expect(view.page.locator("#notice")).to_contain_text("copied, as Markdown.")
    text = view.page.evaluate("navigator.clipboard.readText()")
    assert "\nStarted by: `#1` `search/typed` → `#2` `search/request` → `#4`\n\n### Changed" in text


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme, forced", [("light", None), ("dark", None), ("dark", "active")])
def test_how_it_looks(view, search, width, scheme, forced):
    view = view(width, 800, scheme, forced_colors=forced).open(search.session, event=4, tab="action")
    expect(effects(view)).to_have_count(3)
    if forced:
        # The browser replaces the colours, which axe can't see.
        return view.shot(f"causes-{width}-forced")
    assert Axe().run(view.page).response["violations"] == []
    look(view, f"causes-{width}-{scheme}")
