"""Eight things that people do, with the clicks and keys that each takes, beside what the Redux DevTools need.

Their numbers follow from how they work, in their own best case: rows are plain boxes without focus, so that nothing in
the list can be done by keyboard; when a value became wrong is found by bisection, a click and a look for each step; one
run is shown at a time; a state can't be edited; what is shared is a file, exported here and imported there; a search
looks at the names of actions only.
"""

import json
import math
import re

import pytest
from playwright.sync_api import expect

EVENTS = 240
WRONG = 137


class Hand:
    """Does what a person's hands do, and counts. Of a text each letter is a key."""

    def __init__(self, page):
        self.page = page
        self.clicks = 0
        self.keys = 0

    def click(self, locator, count=1):
        self.clicks += count
        locator.click(click_count=count)

    def press(self, *keys):
        self.keys += len(keys)
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text):
        self.keys += len(text)
        self.page.keyboard.type(text)


@pytest.fixture
def report(capsys):
    def tell(task, hand, others=None, why=None):
        line = {"bench": "page", "case": f"task/{task}", "value": hand.clicks + hand.keys, "unit": "clicks and keys",
                "clicks": hand.clicks, "keys": hand.keys, "reduxDevTools": others}
        with capsys.disabled():
            print("\n" + json.dumps({**line, **({"note": why} if why else {})}))
        assert others is None or line["value"] <= others
    return tell


def shop(app, wrong=WRONG, **options):
    """A run whose order is lost at one event, which nobody notices before the end."""
    app = app(name="Shop", state={"cart": {"total": 0, "items": []}, "order": {"status": "open", "id": 7}}, **options)
    events = []
    for number in range(1, EVENTS):
        patch = [{"op": "replace", "path": "/cart/total", "value": number}]
        if number == wrong:
            patch.append({"op": "replace", "path": "/order/status", "value": "lost"})
        events.append({"event": "action", "action": {"type": "cart/add", "payload": number}, "patch": patch})
        events.append({"event": "action", "action": {"type": "sync/ping"}, "patch": []})
    app.send(*events[:EVENTS - 1])
    return app


def node(page, name):
    return page.locator("#state-tree .node", has=page.locator(f".name:text-is('{name}')")).first


def test_finding_when_a_value_became_wrong(view, app, report):
    app = shop(app, wrong=69)
    view = view().open(app.session, event=app.seq - 1, tab="state")
    page, hand = view.page, Hand(view.page)
    hand.click(node(page, "order").locator(".twist"))
    hand.click(node(page, "status").locator(".value"))
    hand.click(page.get_by_role("button", name="Last change"))
    expect(view.selected).to_have_id(f"event-{WRONG}")
    expect(node(page, "status")).to_have_class(re.compile("changed"))
    report("wrong-value", hand, 1 + math.ceil(math.log2(EVENTS)), "unfold once, then bisect 240 actions, looking each time")


def test_comparing_two_sessions(view, app, report):
    good = shop(app, wrong=None, device="Good")
    bad = shop(app, wrong=69, device="Bad")
    view = view().open(bad.session)
    page, hand = view.page, Hand(view.page)
    expect(view.row(bad.seq - 1)).to_be_visible()
    hand.press("c")
    hand.click(page.locator("#view").get_by_text("Good", exact=False).first)
    expect(page.locator("#view .verdict")).to_contain_text(f"#{WRONG}")
    expect(page.locator("#view")).to_contain_text("lost")
    assert good.session in page.url
    report("compare", hand, None, "not possible: one run is shown at a time")


def test_editing_and_applying_a_value(view, app, report):
    app = shop(app)
    view = view().open(app.session, event=app.seq - 1, tab="state")
    page, hand = view.page, Hand(view.page)
    hand.click(node(page, "order").locator(".twist"))
    hand.click(node(page, "status").locator(".value"), count=2)
    expect(page.get_by_label("Value", exact=True)).to_be_focused()
    hand.press("Control+a")
    hand.type("paid")
    hand.press("Enter")
    hand.click(page.get_by_role("button", name="Apply edited state"))
    assert app.accept()["state"]["order"]["status"] == "paid"
    expect(view.outcome).to_contain_text("(recorded as")
    report("edit-and-play", hand, None, "not possible: a state can be exported, changed elsewhere and imported whole")


def test_sharing_an_event(view, app, report):
    app = shop(app)
    one = view(permissions=["clipboard-read", "clipboard-write"]).open(app.session, event=WRONG)
    expect(one.selected).to_have_id(f"event-{WRONG}")
    hand = Hand(one.page)
    hand.press("y")
    expect(one.page.locator("#notice")).to_contain_text("copied")
    link = one.page.evaluate("navigator.clipboard.readText()")
    # Another user pastes it into the browser's address field, which no test can reach.
    other = view()
    other.page.goto(link)
    hand.keys += 2
    expect(other.selected).to_have_id(f"event-{WRONG}")
    expect(other.row(WRONG)).to_be_in_viewport()
    report("share", hand, 5, "export; import, choose the file, find the action, select it; and the file has to be sent")


def test_finding_a_text_seen_on_the_screen(view, app, report):
    app = app(name="Shop", state={"items": []})
    for number in range(EVENTS):
        title = "Oat milk" if number == WRONG else f"Article {number}"
        app.action("cart/add", {"item": {"title": title}}, [{"op": "add", "path": f"/items/{number}", "value": title}])
    view = view().open(app.session)
    page, hand = view.page, Hand(view.page)
    expect(view.row(app.seq - 1)).to_be_visible()
    hand.press("/")
    hand.type("oat milk")
    hand.press("Enter")
    expect(view.selected).to_have_id(f"event-{WRONG + 1}")
    expect(page.locator("#shown")).to_have_text("1 of 241")
    expect(view.selected.locator(".payload mark")).to_have_text(["Oat", "milk"])
    report("seen-text", hand, None, "not searchable: a click and a look for each of 240 actions")


def test_telling_a_bug_to_a_developer(view, app, report):
    app = shop(app, wrong=69)
    view = view(permissions=["clipboard-read", "clipboard-write"]).open(app.session, event=WRONG)
    expect(view.selected).to_have_id(f"event-{WRONG}")
    expect(view.page.get_by_role("button", name="Share")).to_be_visible()
    hand = Hand(view.page)
    hand.press("Shift+B")
    expect(view.page.locator("#notice")).to_contain_text("copied, as Markdown")
    # The developer pastes it into an issue, and follows its link.
    hand.keys += 2
    text = view.page.evaluate("navigator.clipboard.readText()")
    assert "`order › status`: `\"open\"` → `\"lost\"`" in text
    other = view_of(view, text)
    expect(other.locator("#events [aria-selected=true]")).to_have_id(f"event-{WRONG}")
    report("bug-report", hand, None, "not possible: steps, difference and device are written by hand")


def view_of(view, text):
    page = view.page.context.new_page()
    page.goto(re.search(r"Link: <(\S+)>", text)[1])
    return page


def test_travelling_back_and_returning(view, todo, report):
    app = todo()
    app.type(*[f"add Number {number}" for number in range(12)])
    app.shows("frame 13")
    view = view().open()
    page, hand = view.page, Hand(view.page)
    expect(view.row(12)).to_be_visible()
    expect(page.get_by_label("Time travel", exact=True)).to_be_enabled()
    hand.click(page.get_by_label("Time travel", exact=True))
    bar = page.get_by_role("group", name="Leave time travel")
    for seq in range(11, 1, -1):
        hand.press("[")
        expect(bar).to_contain_text(f"The app shows #{seq}.")
    hand.click(bar.get_by_role("button", name="Return to the latest"))
    expect(bar).to_be_hidden()
    # The tape has one event of it, and the app its latest state.
    expect(view.row(13)).to_contain_text("looked at #12, #11, … #2")
    expect(view.row(14)).to_have_count(0)
    report("time-travel", hand, 12, "ten steps back by the slider's arrow keys, after a click on it, and one back to the end")


def test_all_of_it_by_keyboard(view, app, report):
    good = shop(app, wrong=None, device="Good")
    bad = shop(app, wrong=69, device="Bad")
    view = view(permissions=["clipboard-read", "clipboard-write"]).open(bad.session)
    page, hand = view.page, Hand(view.page)
    page.mouse.move(0, 0)
    expect(view.row(bad.seq - 1)).to_be_visible()
    hand.press("End", "3")
    expect(page.locator("#state-tree")).to_contain_text("order")
    hand.press("Enter")
    expect(page.locator("#state-tree")).to_be_focused()
    # Down to the status: cart, order, unfolded, id or status.
    hand.press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown")
    expect(page.locator(".tree-path")).to_have_text("/order/status")
    hand.press("l")
    expect(view.selected).to_have_id(f"event-{WRONG}")
    report("keyboard/wrong-value", hand, None, "not possible: rows take no focus")

    hand = Hand(page)
    hand.press("y")
    expect(page.locator("#notice")).to_contain_text("copied")
    report("keyboard/share", hand, None, "not possible: rows take no focus")

    hand = Hand(page)
    # The tree still has the focus, and the same value is selected in it, of the event that it is now: Enter edits that.
    expect(node(page, "status")).to_have_class(re.compile("changed"))
    expect(page.locator(".tree-path")).to_have_text("/order/status")
    hand.press("Enter")
    expect(page.get_by_label("Value", exact=True)).to_be_focused()
    hand.press("Control+a")
    hand.type("paid")
    hand.press("Enter")
    expect(page.get_by_role("region", name="Draft")).to_contain_text("1 edit")
    hand.press("Control+Enter")
    assert bad.accept()["state"]["order"]["status"] == "paid"
    expect(view.outcome).to_contain_text("(recorded as")
    report("keyboard/edit-and-play", hand, None, "not possible: a state can't be edited")

    hand = Hand(page)
    hand.press("Escape")
    hand.press("c")
    expect(page.locator("#view")).to_contain_text("Good")
    expect(page.locator("#view input")).to_be_focused()
    hand.type("good")
    expect(page.locator("#view li")).to_have_count(1)
    hand.press("ArrowDown", "Enter")
    expect(page.locator("#view .verdict")).to_contain_text(f"#{WRONG}")
    assert good.session in page.url
    report("keyboard/compare", hand, None, "not possible: one run is shown at a time")
