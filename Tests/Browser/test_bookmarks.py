"""Bookmarks: notes on events, stored by the server and shown to everyone."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def session(app):
    app = app(state={"count": 0})
    for number in range(1, 6):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    return app.session


def write(view, text, author=None):
    view.page.keyboard.press("b")
    dialog = view.page.get_by_role("dialog")
    dialog.get_by_label("What’s wrong here?").fill(text)
    if author is not None:
        dialog.get_by_label("Your name").fill(author)
    return dialog


def bookmarks(view):
    view.more("Bookmarks (")
    return view.page.get_by_role("dialog", name="Bookmarks")


def test_a_bookmark_is_stored_and_its_author_remembered(view, session):
    view = view().open(session, event=2)
    expect(view.selected).to_have_id("event-2")
    dialog = write(view, "Bug here: <b>the total</b>\nis wrong", "Ana")
    view.shot("bookmark-1280-light")
    view.page.keyboard.press("Control+Enter")
    expect(dialog).to_be_hidden()
    listed = bookmarks(view)
    expect(listed.get_by_role("listitem")).to_have_count(1)
    expect(listed.locator(".text")).to_have_text("Bug here: <b>the total</b>\nis wrong")
    expect(listed).to_contain_text("Ana · just now")
    view.shot("bookmarks-1280-light")
    view.page.keyboard.press("Escape")
    view.page.reload()
    view.row(4).click()
    dialog = write(view, "And here")
    expect(dialog.get_by_label("Your name")).to_have_value("Ana")
    dialog.get_by_role("button", name="Bookmark").click()
    expect(dialog).to_be_hidden()
    listed = bookmarks(view)
    expect(listed.get_by_role("link")).to_have_text(["#2", "#4"])
    listed.get_by_role("link", name="#2").click()
    expect(listed).to_be_hidden()
    expect(view.selected).to_have_id("event-2")


def test_another_page_shows_it_live(view, session):
    one, other = view().open(session, event=1), view().open(session, event=1)
    expect(one.selected).to_be_visible()
    listed = None
    expect(other.selected).to_be_visible()
    listed = bookmarks(other)
    expect(listed).to_contain_text("No bookmarks yet")
    write(one, "Look at this").get_by_role("button", name="Bookmark").click()
    expect(listed).to_contain_text("Look at this")


def test_a_bookmark_is_edited_deleted_and_restored(view, session):
    view = view().open(session, event=3)
    expect(view.selected).to_be_visible()
    write(view, "First thought", "Ben").get_by_role("button", name="Bookmark").click()
    listed = bookmarks(view)
    listed.get_by_role("button", name="Edit bookmark at #3").click()
    dialog = view.page.get_by_role("dialog")
    field = dialog.get_by_label("What’s wrong here?")
    expect(field).to_have_value("First thought")
    field.fill("Second thought")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    listed = bookmarks(view)
    expect(listed.locator(".text")).to_have_text(["Second thought"])
    expect(view.row(3).get_by_label("bookmark: Second thought")).to_have_count(1)
    listed.get_by_role("button", name="Delete bookmark at #3").click()
    notice = view.page.locator("#notice")
    expect(notice).to_contain_text("Bookmark at #3 deleted.")
    # While it is hovered, the notice stays.
    notice.hover()
    expect(view.row(3).get_by_label("bookmark: Second thought")).to_have_count(0)
    notice.get_by_role("button", name="Undo").click()
    listed = bookmarks(view)
    expect(listed.locator(".text")).to_have_text(["Second thought"])
    expect(listed).to_contain_text("Ben")


def test_the_row_and_the_inspector_show_its_text(view, session):
    view = view().open(session, event=3)
    expect(view.selected).to_be_visible()
    write(view, "Wrong total", "Ben").get_by_role("button", name="Bookmark").click()
    expect(view.row(3).locator(".bookmark-text")).to_have_text("Wrong total")
    above = view.page.get_by_role("group", name="Bookmarks of this event")
    expect(above).to_contain_text("Ben · just now")
    view.row(4).click()
    expect(above).to_be_hidden()
    view.row(3).click()
    above.get_by_role("button", name="Edit bookmark at #3").click()
    dialog = view.page.get_by_role("dialog")
    dialog.get_by_label("What’s wrong here?").fill("Right total")
    dialog.get_by_role("button", name="Save").click()
    # The new text is stored before the old one goes.
    delete = above.get_by_role("button", name="Delete bookmark at #3")
    expect(above.locator("p:not(.who)")).to_have_text(["Right total"])
    delete.click()
    expect(above).to_be_hidden()
    expect(view.row(3).locator(".bookmark-text")).to_be_hidden()
    expect(view.page.locator("#events")).to_be_focused()
    notice = view.page.locator("#notice")
    notice.hover()
    notice.get_by_role("button", name="Undo").click()
    expect(above).to_contain_text("Right total")
    expect(view.row(3).locator(".changes")).to_have_text("count = 3")


def test_an_event_that_is_still_being_loaded_gets_its_bookmark(view, app):
    app = app(state={})
    app.send(*[{"event": "action", "action": {"type": "count/up"}, "patch": []} for _ in range(3000)])
    view = view()
    # The answer with the first rows is held back.
    view.page.route(re.compile(r"/events\?from=0&.*fields=head"), lambda route: None)
    view.open(app.session)
    expect(view.row(3000)).to_be_visible()
    view.page.keyboard.press("Home")
    expect(view.selected).to_have_id("event-0")
    expect(view.selected).to_have_class(re.compile("is-loading"))
    dialog = write(view, "Here it begins")
    expect(dialog).to_contain_text("Bookmark #0")
    dialog.get_by_role("button", name="Bookmark").click()
    expect(dialog).to_be_hidden()
    listed = bookmarks(view)
    expect(listed.get_by_role("link")).to_have_text(["#0"])
    view.page.keyboard.press("Escape")
    view.page.get_by_role("button", name="Share").click()
    expect(view.page.get_by_role("menuitem", name="Edit bookmark at #0")).to_be_enabled()
    expect(view.page.get_by_role("menuitem", name="Download tape up to #0")).to_be_enabled()
    view.page.unroute_all(behavior="ignoreErrors")


def test_without_a_selection_it_asks_for_one(view, session):
    view = view().open(session)
    expect(view.row(5)).to_be_visible()
    expect(view.selected).to_have_count(1)
    view.page.keyboard.press("Escape")
    expect(view.selected).to_have_count(0)
    view.page.keyboard.press("b")
    expect(view.page.locator("#notice")).to_contain_text("Select an event first.")


def test_the_dialog_shows_the_servers_error(view, session):
    view = view().open(session, event=1)
    view.expected.append("422")
    expect(view.selected).to_be_visible()
    # 600 characters of three bytes each are allowed here, 2 000 bytes there; a name of more than 200 bytes is not.
    dialog = write(view, "A word", "名" * 60 + "")
    dialog.get_by_label("Your name").evaluate("(field) => { field.removeAttribute('maxlength'); field.value = '名'.repeat(80); }")
    dialog.get_by_role("button", name="Bookmark").click()
    expect(dialog.get_by_role("alert")).to_contain_text("at most 200 bytes")
    expect(dialog.get_by_label("What’s wrong here?")).to_have_value("A word")


def test_a_late_answer_does_not_replace_newer_ones(view, app):
    app = app(state={})
    app.action("a/b")
    view = view()
    summary = f"{view.server.url}api/v1/sessions/{app.session}"
    asked = []

    def late(route):
        """The second time that the page asks for the summary it is told of a bookmark before the answer comes."""
        asked.append(route)
        if len(asked) != 2:
            return route.continue_()
        answer = route.fetch()
        view.page.request.post(f"{summary}/bookmarks", data={"seq": 1, "text": "look here"})
        expect(view.row(1).get_by_label("bookmark: look here")).to_be_visible()
        route.fulfill(response=answer)

    view.page.route(summary, late)
    answers = []
    view.page.on("requestfinished", lambda request: request.url == summary and answers.append(request))
    view.open(app.session)
    view.page.wait_for_event("requestfinished", lambda request: request.url == summary and len(answers) >= 2)
    view.until("true")
    expect(view.row(1).get_by_label("bookmark: look here")).to_be_visible()
