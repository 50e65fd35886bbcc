"""An action's payload as a form."""

import pytest
from playwright.sync_api import expect

from test_look import look

PAYLOAD = {"title": "Milk", "count": 1, "done": False, "due": None, "tags": ["home"]}


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def recorded(app):
    app = app(state={"count": 0})
    app.action("todos/add", PAYLOAD)
    app.action("count/to", 9007199254740993)
    app.action("go")
    return app


@pytest.fixture
def edited(view, recorded):
    def edit(seq, **options):
        opened = view(**options)
        opened.expected.append("422")
        opened.open(recorded.session, event=seq)
        expect(opened.page.locator("#edit-dispatch")).to_be_enabled()
        opened.page.keyboard.press("Shift+D")
        expect(opened.page.get_by_role("dialog")).to_be_visible()
        return opened
    return edit


def field(view, name):
    return view.page.get_by_role("dialog").get_by_label(name, exact=True)


def switch(view, name):
    view.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def text(view):
    return view.page.get_by_label("Action as JSON")


def test_each_member_has_a_field_of_its_kind_and_numbers_stay_exact(edited, recorded):
    view = edited(1)
    expect(field(view, "title")).to_be_focused()
    expect(text(view)).to_be_hidden()
    field(view, "title").fill("Oat \"milk\"")
    field(view, "count").fill("18446744073709551615")
    field(view, "done").check()
    expect(field(view, "due")).to_be_disabled()
    field(view, "due is null").uncheck()
    field(view, "due").fill("today")
    field(view, "tags").fill('["home", 1.10]')
    view.page.keyboard.press("Control+Enter")
    assert recorded.accept()["action"] == {"type": "todos/add", "payload": {
        "title": "Oat \"milk\"", "count": 18446744073709551615, "done": True, "due": "today", "tags": ["home", 1.10]}}
    expect(view.page.get_by_role("dialog")).to_contain_text("(recorded as")


def test_what_is_edited_carries_over_to_the_other(edited):
    view = edited(2)
    expect(field(view, "payload")).to_have_value("9007199254740993")
    field(view, "payload").fill("9007199254740995")
    field(view, "type").fill("count/by")
    switch(view, "JSON")
    expect(text(view)).to_have_value('{\n  "type": "count/by",\n  "payload": 9007199254740995\n}')
    text(view).fill('{"type": "count/by", "payload": {"by": 1.50}}')
    switch(view, "Form")
    expect(field(view, "by")).to_have_value("1.50")
    # The browser remembers the choice.
    switch(view, "JSON")
    view.page.keyboard.press("Escape")
    expect(view.page.locator("dialog")).to_have_count(0)
    view.page.keyboard.press("Shift+D")
    expect(text(view)).to_be_visible()


def test_an_invalid_field_is_marked_and_nothing_is_sent(edited, recorded):
    view = edited(1)
    sent = []
    view.page.on("request", lambda request: request.url.endswith("/push") and sent.append(request.url))
    field(view, "count").fill("many")
    expect(view.page.get_by_role("alert")).to_have_text(["Enter a number, such as 12 or -0.5."])
    expect(field(view, "count")).to_have_attribute("aria-invalid", "true")
    field(view, "tags").fill("[1")
    view.page.keyboard.press("Control+Enter")
    expect(field(view, "count")).to_be_focused()
    # Enter alone does not dispatch.
    field(view, "count").fill("2")
    field(view, "count").press("Enter")
    field(view, "tags").fill("[1]")
    assert sent == []
    view.page.keyboard.press("Control+Enter")
    recorded.refuse(code="decode", message="Expected a string but found a number.", path="/payload/tags/0")
    expect(view.page.get_by_role("alert").filter(has_text="Expected a string")).to_be_visible()
    expect(field(view, "tags")).to_have_attribute("aria-invalid", "true")
    expect(field(view, "tags")).to_be_focused()


def test_a_chosen_type_and_an_action_without_a_payload(view, recorded):
    view = view().open(recorded.session)
    expect(view.page.locator("#apply")).to_be_enabled()
    view.page.keyboard.press("a")
    expect(text(view)).to_be_visible()
    types = view.page.get_by_label("Copy an earlier action")
    expect(types.locator("option")).to_have_count(4)
    types.select_option("todos/add")
    expect(field(view, "title")).to_have_value("Milk")
    types.select_option("go")
    expect(text(view)).to_be_visible()
    switch(view, "Form")
    expect(view.page.get_by_role("dialog")).to_contain_text("This action has no payload to edit in a form.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_how_it_looks(edited, width, scheme):
    view = edited(1, width=width, height=800, scheme=scheme)
    expect(field(view, "title")).to_be_visible()
    field(view, "count").fill("many")
    look(view, f"action-form-{width}-{scheme}")
