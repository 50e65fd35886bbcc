"""Controlling the app: apply a state, dispatch again, launch from a state; and the app's answers."""

from playwright.sync_api import expect

from test_hot_reload import FRAME


def test_applying_a_state_changes_the_screen_of_the_app(view, todo):
    app = todo()
    app.type("add Buy milk", "add Call Ana", "done 1")
    app.shows(r"frame 4")
    view = view().open()
    expect(view.row(3)).to_be_visible()
    view.row(1).click()
    written = app.written
    view.page.get_by_role("button", name="Apply this state").click()
    frame = app.shows(r"--- frame \d+ ---\n.*?applied state", after=written).group()
    assert "Buy milk" in frame and "Call Ana" not in frame
    expect(view.outcome).to_contain_text("Applied state #1 (recorded as #4)")
    expect(view.row(4)).to_contain_text("state applied")
    view.outcome.get_by_role("link", name="#4").click()
    expect(view.page.locator("#event-label")).to_have_text("state applied")


def test_dispatching_an_action_again(view, todo):
    app = todo()
    app.type("list Weekend", "list Inbox")
    view = view().open()
    view.row(1).click()
    expect(view.page.locator("#event-label")).to_have_text("lists/add")
    view.page.keyboard.press("ArrowDown")
    expect(view.page.locator("#event-label")).to_have_text("lists/select")
    written = app.written
    view.page.get_by_role("button", name="Dispatch again").click()
    app.shows(r"--- frame", after=written)
    expect(view.outcome).to_contain_text("(recorded as #3)")
    expect(view.row(3)).to_contain_text("lists/select")
    expect(view.row(3).get_by_label("sent to the app")).to_be_visible()


def test_filled_and_ignored_keys_are_shown(view, app):
    app = app(state={"a": 1})
    view = view().open(app.session, event=0)
    view.page.get_by_role("button", name="Apply this state").click()
    assert app.accept(filled=["/theme"], ignored=["/legacy"])["state"] == {"a": 1}
    expect(view.outcome).to_contain_text("Filled in from the app’s initial state: /theme")
    expect(view.outcome).to_contain_text("Ignored: /legacy")
    view.shot("played-1280-light")
    view.outcome.get_by_label("Dismiss").click()
    expect(view.outcome).to_be_empty()


def test_kept_members_and_lost_secrets_are_shown(view, app):
    app = app(state={"a": 1})
    view = view().open(app.session, event=0)
    view.page.get_by_role("button", name="Apply this state").click()
    reason = "a secret was left out of the tape here"
    app.accept(kept=["/genres", "/draft"], lost=[
        {"path": "/token", "reason": reason, "instead": "empty", "secret": True},
        {"path": "/rows/*/isOpen", "reason": "elements without an id can't be matched with the app's", "instead": "default"}])
    expect(view.row(1)).to_contain_text("1 lost, 1 secret missing, 2 kept")
    expect(view.row(1).get_by_label("warning")).to_be_visible()
    for text in ["Kept, the app’s own values: /genres; /draft", "Secrets, not on the tape: /token (an empty value)",
                 "Lost: /rows/*/isOpen (the decoder’s default value): elements without an id"]:
        expect(view.outcome).to_contain_text(text)
    view.row(1).click()
    view.page.locator("#tab-action").click()
    expect(view.page.locator("#panel")).to_contain_text("Secrets, not on the tape")
    expect(view.page.locator("#panel")).not_to_contain_text(reason)
    view.check()


def test_an_error_shows_the_apps_message_and_path(view, app):
    app = app(state={"todos": [{"id": 1}]})
    view = view()
    view.expected.append("422")
    view.open(app.session, event=0)
    view.page.get_by_role("button", name="Apply this state").click()
    app.refuse(code="decode", message="Expected to decode String but found a number instead.", path="/todos/0/id")
    expect(view.outcome).to_contain_text("The app couldn’t decode this")
    expect(view.outcome).to_contain_text("Expected to decode String but found a number instead.")
    expect(view.outcome).to_contain_text("At /todos/0/id")
    view.shot("refused-1280-light")


def test_a_state_that_is_unknown_cannot_be_applied(view, app):
    old = app(state={"count": 0})
    old.send({"event": "gap", "count": 1, "reason": "memory"})
    old.action("count/up", patch=[{"op": "replace", "path": "/count", "value": 1}])
    view = view().open(old.session, event=2)
    view.expected.append("409")
    apply, launch = view.page.locator("#apply"), view.page.locator("#launch")

    def refuses(button):
        button.click()
        expect(view.outcome).to_contain_text("This state is unknown")
        expect(view.outcome).to_contain_text("The state after event 2 can't be computed" if button == apply else "No state is known after event 2")
        view.outcome.get_by_label("Dismiss").click()
        expect(view.outcome).to_be_empty()

    refuses(apply)
    refuses(launch)
    # The state would go to another session's app.
    app(state={"count": 5})
    old.stop()
    expect(view.page.locator("#target")).to_contain_text("This session has ended.")
    refuses(apply)


def test_disabled_buttons_say_why(view, app):
    app = app(state={})
    app.send({"event": "note", "text": "here"})
    view = view().open(app.session, event=1)
    expect(view.page.locator("#dispatch")).to_be_disabled()
    expect(view.page.locator("#why-not")).to_have_text("This event has no action.")
    app.stop()
    expect(view.page.locator("#apply")).to_be_disabled()
    expect(view.page.locator("#why-not")).to_have_text("The app is not running. Start it first, or launch it from this state.")
    expect(view.page.locator("#launch")).to_be_enabled()


def test_launches_start_from_the_launch_state(view, todo):
    app = todo()
    app.type("add Buy milk", "add Call Ana")
    view = view().open()
    expect(view.row(2)).to_be_visible()
    view.row(1).click()
    view.page.get_by_role("button", name="Launch from this state").click()
    start = view.page.locator("#launch-state")
    expect(start).to_contain_text("Launches start at #1")
    expect(view.outcome).to_contain_text("Launches start at #1")
    app.stop()
    again = todo()
    first = again.shows(FRAME.format("Buy milk")).group()
    assert "Buy milk" in first and "Call Ana" not in first
    again.stop()

    start.get_by_role("button", name="Clear").click()
    expect(start).to_be_hidden()
    third = todo()
    assert "Buy milk" not in third.shows(r"--- frame 1 ---.*?recording to").group()
