"""The call stack of an action: folded below what started it, on the server's page and in a file."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from hostile import strings
from test_file import HEADER, choose, page, static  # noqa: F401  (fixtures)
from test_html_export import disk, made  # noqa: F401  (fixtures)
from test_look import UNREADABLE

STACK = [
    "Shop.CartModel.send(Shop.CartAction) -> ()", "closure #1 () -> () in Shop.CartScreen.body.getter : some",
    "Shop.Button.press() -> ()", "-[UIApplication sendAction:to:from:forEvent:] (UIKitCore)", "0x1a2b4 (shop)",
    "static Shop.ShopApp.$main() -> ()", "main (shop)",
]


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def shop(app):
    app = app(name="Shop", state={"n": 0})
    app.action("cart/add", patch=[], caller="Shop/CartModel.swift:41", stack=STACK)
    app.action("cart/add", patch=[], caller="Shop/CartModel.swift:41", stack={"seq": 1}, cause={"seq": 1})
    app.action("cart/clear", patch=[])
    return app


def stack(view):
    return view.page.locator("#panel details.stack")


def functions(view):
    return stack(view).get_by_role("listitem")


def test_it_is_folded_below_what_started_the_action(view, shop):
    view = view(permissions=["clipboard-read", "clipboard-write"]).open(shop.session, event=1, tab="action")
    expect(view.page.locator("#panel .facts dt:visible").filter(has_text="Started by")).to_have_count(1)
    expect(view.page.locator("#panel .facts")).to_contain_text("Shop/CartModel.swift:41")
    summary = stack(view).locator("summary")
    expect(summary).to_have_text("Call stack, 7 functions")
    expect(functions(view).first).to_be_hidden()
    summary.focus()
    view.page.keyboard.press("Enter")
    expect(functions(view)).to_have_text(STACK)
    expect(functions(view).nth(3).locator(".file")).to_have_text(" (UIKitCore)")
    assert view.page.evaluate(UNREADABLE) == []
    assert Axe().run(view.page, context="#panel").violations_count == 0
    view.shot("call-stack")
    stack(view).get_by_role("button", name="Copy call stack").click()
    expect(stack(view).get_by_role("button", name="Copied")).to_be_visible()
    assert view.page.evaluate("navigator.clipboard.readText()") == "\n".join(STACK)


def test_one_of_an_earlier_event_is_loaded_when_it_is_opened(view, shop):
    view = view().open(shop.session, event=2, tab="action")
    expect(view.page.locator("#panel .chain")).to_be_visible()
    expect(stack(view).locator("summary")).to_have_text("Call stack")
    stack(view).locator("summary").click()
    expect(stack(view).locator("summary")).to_have_text("Call stack, 7 functions")
    expect(functions(view)).to_have_text(STACK)
    view.shot("call-stack-earlier")


def test_without_one_nothing_is_said(view, shop):
    view = view().open(shop.session, event=3, tab="action")
    expect(view.page.locator("#panel .facts")).to_contain_text("cart/clear")
    expect(stack(view)).to_have_count(0)
    expect(view.page.locator("#panel .facts dt:visible").filter(has_text="Started by")).to_have_count(0)


def test_a_file_and_a_page_in_one_file_show_it(page, disk, shop, tmp_path):
    content = "\n".join([json.dumps(HEADER), *shop.lines]).encode()
    view = page()
    choose(view, ("shop.tape", content))
    shown(view)
    shown(disk(made(tmp_path, content)))


def shown(view):
    view.row(2).click()
    view.page.keyboard.press("1")
    stack(view).locator("summary").click()
    expect(functions(view)).to_have_text(STACK)


#: What a member holds, and the functions that are shown: a list, a text in their place, or nothing at all.
HOSTILE = [
    ([], None), ({}, None), ("f()", None), (7, None), (None, None), ([1, None, ["f()"], {}], None), ({"seq": 9}, None),
    ({"seq": -1}, None), ({"seq": 1.5}, None), ({"seq": "1"}, None), ({"seq": [1]}, None), ({"seq": 1e300}, None),
    ({"seq": 2}, "which is not on this tape"), ({"seq": 1}, "which is not on this tape"),
    (["f()", 1, "g()"], ["f()", "g()"]), (["f()"] * 5000, ["f()"] * 32), (["x" * 100_000], ["x" * 1024 + "…"]),
    ([" (a)", "(b)", "c ((d))", "e (f) (g)", ""], [" (a)", "(b)", "c ((d))", "e (f) (g)", ""]),
]


def test_members_that_are_no_call_stack_do_no_harm(view, app):
    app = app(name="Hostile", state={"n": 0})
    texts = strings(31, seed=7)
    for value, _ in [(None, None), (None, None), *HOSTILE]:
        app.action("a", patch=[], stack=value)
    app.action("a", patch=[], stack=texts)
    view = view().open(app.session, event=3, tab="action")
    for seq, (_, shown) in enumerate(HOSTILE, 3):
        expect(view.page.locator("#event-seq")).to_have_text(f"#{seq}")
        expect(view.page.locator("#panel .facts")).to_be_visible()
        expect(view.page.locator("#panel")).not_to_have_attribute("aria-busy", "true")
        expect(stack(view)).to_have_count(0 if shown is None else 1)
        if shown is not None:
            stack(view).locator("summary").click()
        if isinstance(shown, str):
            expect(stack(view)).to_contain_text(shown)
        elif shown is not None:
            expect(functions(view)).to_have_count(len(shown))
            assert functions(view).all_text_contents() == shown
        view.page.locator("#events").focus()
        view.page.keyboard.press("ArrowDown")
    stack(view).locator("summary").click()
    expect(functions(view)).to_have_count(31)
    assert functions(view).all_text_contents() == [text[:1024] + "…" if len(text) > 1024 else text for text in texts]
    assert view.page.locator("#panel details.stack li :not(span)").count() == 0
