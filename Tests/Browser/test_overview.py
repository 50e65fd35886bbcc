"""The overview in figures."""

import json

import pytest
from playwright.sync_api import expect

SIZES = {"360": (360, 740), "1280": (1280, 800), "2560": (2560, 1440)}


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def rich(app):
    app = app(state={"todos": [], "count": 0})
    for number in range(40):
        app.send({"event": "action", "action": {"type": "todos/add"}, "took": 0.2 + number / 10, "patch": [
            {"op": "add", "path": "/todos/-", "value": {"title": f"Buy milk, the {number}th time", "done": False}}]})
    for number in range(9):
        app.action("counter/up", patch=[{"op": "replace", "path": "/count", "value": number}], took=0.01)
    app.action('odd "type" of mine', took=31.5)
    for number in range(14):
        app.action(f"rare/type{number}")
    app.at = 20_000
    app.send({"event": "note", "text": "It went wrong", "level": "error"},
             {"event": "note", "text": "It may go wrong", "level": "warning"},
             {"event": "gap", "count": 12, "reason": "spool-full"},
             {"event": "replace", "state": {"todos": ["x" * 3000], "count": 0}, "cause": {"push": "p1"}},
             {"event": "init", "store": "detail", "state": {"open": 1}})
    return app


def card(view, title):
    return view.page.locator("#view .card", has=view.page.get_by_role("heading", name=title))


def overview(view, app, **place):
    view.open(app.session, view="overview", **place)
    expect(card(view, "Actions by type").locator("table")).to_be_visible()
    return view


def test_actions_by_type_with_their_reducer_times(view, rich):
    view = overview(view(), rich)
    rows = card(view, "Actions by type").locator("tbody tr")
    expect(rows).to_have_count(10)
    assert rows.nth(0).locator("th, td").all_inner_texts() == ["todos/add", "40", "63 %", "2 ms", "4 ms"]
    assert rows.nth(1).locator("th, td").all_inner_texts()[:3] == ["counter/up", "9", "14 %"]
    card(view, "Actions by type").get_by_role("button", name="Show all 17").click()
    expect(rows).to_have_count(17)


def test_a_type_filters_the_timeline(view, rich):
    view = overview(view(), rich)
    view.page.get_by_role("link", name="counter/up").click()
    expect(view.page.get_by_role("button", name="Remove type:counter/up")).to_be_visible()
    expect(view.page.locator("#shown")).to_contain_text("9 of")
    expect(card(view, "Actions by type")).to_be_visible()


def test_the_size_of_the_state_over_time(view, rich):
    rich.send(*({"event": "replace", "state": {"todos": ["x" * size], "count": 0}, "cause": {"set": True}} for size in (2000, 2500, 3000)))
    view = overview(view(), rich)
    sizes = card(view, "State size over time")
    chart = sizes.get_by_role("img", name="State size of main")
    assert "last " in chart.get_attribute("aria-label")
    box = chart.bounding_box()
    view.page.mouse.move(box["x"] + 2, box["y"] + 50)
    expect(sizes.locator(".value").first).to_contain_text("after #0, at 0:00")
    sizes.get_by_text("Show as table").first.click()
    expect(sizes.get_by_role("cell", name="#0").first).to_be_visible()
    chart.click(position={"x": 3, "y": 40})
    expect(view.page.locator("#view")).to_be_hidden()
    expect(view.selected).to_have_id("event-0")


def test_two_states_are_listed_and_make_no_trend(view, app):
    app = app(state={"todos": []})
    app.action("todos/add", patch=[{"op": "add", "path": "/todos/-", "value": "x" * 500}])
    view = overview(view(), app)
    sizes = card(view, "State size over time")
    expect(sizes.get_by_role("listitem").filter(has_text="after #")).to_have_count(2)
    expect(sizes.get_by_role("img")).to_have_count(0)


def test_a_leaf_of_some_bytes_is_no_largest_part(view, app):
    app = app(state={"count": 1, "todos": [{"title": f"Todo {number}", "done": False} for number in range(40)], "open": True})
    app.action("go")
    view = overview(view(), app)
    expect(card(view, "State size over time").locator(".largest button")).to_have_text(["todos"])
    small = app.send({"event": "replace", "state": {"count": 1}, "cause": {"set": True}})
    view.page.reload()
    expect(card(view, "State size over time")).to_contain_text(f"#{small}")
    expect(card(view, "State size over time").locator(".largest")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_moment_stays_on_one_line(view, app, width):
    app = app(state={})
    app.at = 36_000_000
    app.send({"event": "action", "action": {"type": "late/" + "x" * 60}, "took": 12.5, "patch": []})
    view = overview(view(width, 800), app)
    moment = card(view, "Slowest actions").get_by_text("10:00:00.012")
    expect(moment).to_be_visible()
    assert moment.evaluate("(one) => { const range = document.createRange(); range.selectNodeContents(one); return range.getClientRects().length; }") == 1


def test_the_largest_parts_of_the_state_lead_to_them(view, rich):
    view = view()
    view.expected.append("409")
    overview(view, rich)
    part = card(view, "State size over time").get_by_role("button", name="todos")
    part.first.click()
    expect(view.page.locator("#view")).to_be_hidden()
    expect(view.page.locator("#tab-state")).to_have_attribute("aria-selected", "true")
    expect(view.page.locator("#state-tree")).to_contain_text("todos")


@pytest.mark.parametrize("title, text", [
    ("Errors", "It went wrong"), ("Warnings", "It may go wrong"), ("Gaps", "12 events dropped: spool-full"),
    ("Sent to the app", "a state"), ("Slowest actions", '32 ms · odd "type" of mine'), ("Busiest seconds", "events"),
])
def test_moments_are_links(view, rich, title, text):
    view = view()
    view.expected.append("409")
    overview(view, rich)
    row = card(view, title).locator("li").first
    expect(row).to_contain_text(text)
    seq = row.get_by_role("link").inner_text().removeprefix("#")
    row.get_by_role("link").click()
    expect(view.page.locator("#view")).to_be_hidden()
    expect(view.page.locator("#event-seq")).to_have_text(f"#{seq}")
    view.page.go_back()
    expect(card(view, title)).to_be_visible()


def test_it_opens_by_key_and_button_and_closes_by_escape(view, rich):
    view = view().open(rich.session, event=3)
    expect(view.page.locator(".change")).to_be_visible()
    view.page.keyboard.press("o")
    expect(card(view, "Actions by type")).to_be_visible()
    assert "view=overview" in view.page.url
    expect(view.more().get_by_role("menuitem", name="Close overview")).to_be_visible()
    view.page.keyboard.press("Escape")
    expect(card(view, "Actions by type")).to_be_visible()
    view.page.keyboard.press("Escape")
    expect(view.page.locator("#view")).to_be_hidden()
    expect(view.page.locator("#event-seq")).to_have_text("#3")
    view.more("Overview")
    view.page.get_by_role("button", name="Close the overview").click()
    expect(view.page.locator("#view")).to_be_hidden()


def test_empty_cards_say_why(view, app):
    app = app(state={})
    app.send({"event": "action", "action": {"type": "go"}, "skipped": True})
    view = overview(view(), app)
    for text in ("No reducer times recorded yet.", "No errors.", "No warnings.",
                 "No states or actions sent yet.", "No events dropped."):
        expect(view.page.locator("#view").get_by_text(text).first).to_be_visible()


def test_live_it_is_read_again_after_a_while(view, app):
    app = app(state={"a": 1})
    app.action("go")
    view = view()
    asked = []
    view.page.on("request", lambda request: request.url.endswith("/overview") and asked.append(request))
    overview(view, app)
    for _ in range(5):
        app.action("go")
    expect(view.page.locator("#view .view-head")).to_contain_text("7 events")
    assert len(asked) <= 3


def test_hostile_names_are_text(view, app):
    evil = '<img src=x onerror=alert(1)>"\u202e__proto__'
    app = app(state={evil: "x" * 500, "__proto__": 1})
    app.action(evil)
    app.send('"event":"init","store":"__proto__","state":{"constructor":' + json.dumps("y" * 900) + "}")
    view = overview(view(), app)
    expect(view.page.get_by_role("link", name="<img src=x")).to_be_visible()
    expect(view.page.get_by_role("heading", name="__proto__")).to_be_visible()
    assert view.page.locator("#view img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_how_it_looks(view, rich, size, scheme):
    from test_look import look
    view = overview(view(*SIZES[size], scheme), rich)
    look(view, f"overview-{size}-{scheme}")
    view.page.evaluate("document.getElementById('view').scrollTop = 500")
    look(view, f"overview-below-{size}-{scheme}")
