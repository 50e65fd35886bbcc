"""The address contains the current place and restores it."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect


@pytest.fixture
def app(app):
    app = app(state={"count": 0})
    for number in range(1, 40):
        app.action("count/up" if number % 2 else "count/down", patch=[
            {"op": "replace", "path": "/count", "value": number}])
    return app


def place(view):
    return {key: values[0] for key, values in parse_qs(urlsplit(view.page.url).query).items()}


def test_the_address_follows_and_restores_everything(view, app):
    view = view().open(app.session)
    view.row(30).click()
    view.page.keyboard.press("1")
    view.page.locator("#filter").fill("type:down")
    expect(view.page.locator("#shown")).to_have_text("19 of 40")
    assert place(view) == {"session": app.session, "event": "30", "tab": "action", "filter": "type:down"}
    view.page.reload()
    expect(view.selected).to_have_id("event-30")
    expect(view.page.get_by_role("button", name="Remove type:down")).to_be_visible()
    expect(view.page.locator("#tab-action")).to_have_attribute("aria-selected", "true")
    expect(view.page.locator("#panel .facts")).to_contain_text("count/down")


def test_the_start_of_an_id_is_enough(view, app):
    view = view().open(app.session[:14], event=3)
    expect(view.row(3)).to_be_visible()
    expect(view.selected).to_have_id("event-3")
    assert place(view)["session"] == app.session


def test_an_event_that_is_not_recorded_yet(view, app):
    view = view().open(app.session, event=40)
    expect(view.page.locator("#why-not")).to_have_text("This event is not recorded yet.")
    app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": 40}])
    expect(view.page.locator("#event-label")).to_have_text("count/up")
    expect(view.page.locator("#apply")).to_be_enabled()
    expect(view.page.locator(".change")).to_contain_text("count39→40")


def test_on_a_middle_screen_the_sessions_are_one_step_away(view, app):
    view = view(1000, 740).open(app.session, event=3)
    expect(view.page.locator("#sessions")).to_be_hidden()
    expect(view.page.locator("#apply")).to_be_visible()
    view.page.get_by_role("link", name="‹ Sessions").click()
    expect(view.page.locator("#session-list a")).to_be_visible()


def test_on_a_small_screen_panels_are_a_stack(view, app):
    view = view(360, 740).open()
    page = view.page
    page.locator("#session-list a").click()
    expect(page.locator("#sessions")).to_be_hidden()
    view.row(39).click()
    expect(page.locator("#timeline")).to_be_hidden()
    expect(page.locator("#apply")).to_be_visible()
    expect(page.locator("#event-seq")).to_have_text("#39")
    page.get_by_role("link", name="‹ Timeline").click()
    expect(view.row(39)).to_be_visible()
    expect(page.locator("#inspector")).to_be_hidden()
    page.get_by_role("link", name="‹ Sessions").click()
    expect(page.locator("#session-list a")).to_be_visible()
    # The browser's Back and Forward.
    for _ in range(2):
        page.go_back()
    expect(page.locator("#apply")).to_be_visible()
    page.go_back()
    expect(view.row(39)).to_be_visible()
    page.go_forward()
    expect(page.locator("#apply")).to_be_visible()


def test_on_a_small_screen_the_list_keeps_its_place_behind_an_event(view, app):
    view = view(360, 740).open()
    page = view.page
    page.locator("#session-list a").click()
    expect(view.row(39)).to_be_in_viewport()
    page.locator("#events").evaluate("events => { events.scrollTop = 200; }")
    expect(view.row(8)).to_be_in_viewport()
    for grown in (False, True):
        view.row(12).click()
        expect(page.locator("#timeline")).to_be_hidden()
        expect(page.locator("#event-label")).to_have_text("count/down")
        if grown:
            seq = app.action("count/up")
            expect(page.get_by_role("slider")).to_have_attribute("aria-valuemax", str(seq))
        page.get_by_role("link", name="‹ Timeline").click()
        expect(view.row(12)).to_be_in_viewport()
        view.draw()
        assert page.locator("#events").evaluate("events => events.scrollTop") == 200, f"{grown=}"


def test_a_change_too_large_to_arrive_live_is_fetched(view, app):
    view = view().open(app.session)
    expect(view.row(39)).to_be_visible()
    text = "long " * 8000
    seq = app.action("text/set", {"text": text}, [{"op": "add", "path": "/text", "value": text}])
    expect(view.row(seq)).to_contain_text("text/set")
    expect(view.row(seq).locator(".summary")).to_contain_text('text + "long long')
    view.row(seq).click()
    expect(view.page.locator(".change ins")).to_contain_text("long long long")
    view.page.keyboard.press("3")
    expect(view.page.locator("#state-tree")).to_contain_text("count39")
    expect(view.page.locator("#state-tree")).to_contain_text("long long long")
