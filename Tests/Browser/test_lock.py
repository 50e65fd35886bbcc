"""Pausing the recording of the real example app, and queueing its actions."""

import re

from playwright.sync_api import expect


def opened(view, app):
    app.type("add Buy milk")
    view = view().open()
    expect(view.row(1)).to_contain_text("todos/add")
    return view


def heard(view):
    """Plays the state that the app has: its answer comes after whatever it was told before."""
    session = re.search(r"session=(\w+)", view.page.url)[1]
    assert view.page.request.post(f"{view.server.url}api/v1/sessions/{session}/push", data={"seq": 1}).ok


def test_queued_actions_run_when_queueing_stops(view, todo):
    app = todo()
    view = opened(view, app)
    view.more("Queue actions")
    # First the example's own actions.
    expect(view.page.locator("#notice")).to_contain_text("The app’s actions are queued")
    unlock = view.page.get_by_role("button", name="Stop queueing")
    expect(unlock).to_be_visible()
    expect(view.page.locator("#title")).to_contain_text("live, actions queued")
    view.shot("locked-1280-light")
    heard(view)
    written = app.written
    app.type("add Call Ana", "help")
    app.shows("quit", after=written)
    assert "Call Ana" not in app.output.text[written:]
    queued = view.page.get_by_role("button", name="1 queued action")
    expect(queued).to_be_visible()
    queued.click()
    view.shot("unlock-1280-light")
    view.page.get_by_role("menuitem", name="Run queued actions").click()
    app.shows(r"--- frame \d+ ---\n.*?Call Ana", after=written)
    expect(view.row(3)).to_contain_text("todos/add")
    expect(queued).to_be_hidden()
    view.more("Queue actions")
    expect(unlock).to_be_visible()


def test_queued_actions_can_be_discarded(view, todo):
    app = todo()
    view = opened(view, app)
    view.more("Queue actions")
    expect(view.page.get_by_role("button", name="Stop queueing")).to_be_visible()
    heard(view)
    written = app.written
    app.type("add Call Ana", "help")
    app.shows("quit", after=written)
    view.page.get_by_role("button", name="1 queued action").click()
    expect(view.page.get_by_role("menuitem", name="Run queued actions")).to_be_focused()
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("Enter")
    expect(view.page.locator("#notice")).to_contain_text("The app’s actions run again.")
    app.type("add Sleep")
    app.shows("Sleep", after=written)
    expect(view.row(3)).to_contain_text("1 action of “main” was dropped, because the app was locked")
    expect(view.row(4)).to_contain_text("todos/add")
    assert "Call Ana" not in app.output.text[written:]


def test_every_page_shows_that_recording_is_paused_and_resumed(view, todo):
    app = todo()
    one = opened(view, app)
    other = view().open()
    expect(other.page.locator("#tools").get_by_role("button", name="More")).to_be_visible()
    one.more("Pause recording")
    for page in (one, other):
        expect(page.page.locator("#notice")).to_contain_text("Recording paused. New events are not recorded.")
        # While it is hovered, the notice stays.
        page.page.locator("#notice").hover()
    for page in (one, other):
        expect(page.page.get_by_role("button", name="Resume recording")).to_be_visible()
        expect(page.page.locator("#title")).to_contain_text("recording paused")
    heard(one)
    written = app.written
    app.type("add Not to be seen")
    app.shows("Not to be seen", after=written)
    other.page.locator("#notice").get_by_role("button", name="Resume").click()
    expect(one.page.get_by_role("button", name="Resume recording")).to_be_hidden()
    app.type("add Seen again")
    expect(one.page.locator("#events .row", has_text="todos/add")).to_have_count(2)


def test_an_app_that_does_not_run_can_be_neither_paused_nor_locked(view, app):
    app = app(state={})
    app.stop()
    view = view().open(app.session)
    expect(view.page.locator("#title").get_by_label("not connected")).to_be_visible()
    expect(view.page.locator("#connection")).to_have_text("Connected")
    menu = view.more()
    for name in ("Pause recording", "Queue actions"):
        item = menu.get_by_role("menuitem", name=name)
        expect(item).to_be_disabled()
        expect(item).to_contain_text("The app is not running. Start it first.")


def test_the_page_renews_the_lock_while_it_shows_the_app(view, app):
    app = app(state={})
    view = view()
    view.page.clock.install()
    view.open(app.session)
    view.more("Queue actions")
    expect(view.page.get_by_role("button", name="Stop queueing")).to_be_visible()
    with view.page.expect_request("**/control") as renewed:
        view.page.clock.run_for(21_000)
    assert renewed.value.post_data_json == {"locked": True}


def test_a_notice_resumes_the_session_that_was_paused(view, app):
    one, two = app(name="One", state={}), app(name="Two", state={})
    view = view().open(one.session)
    notice = view.page.locator("#notice")
    expect(view.row(0)).to_be_visible()
    view.more("Pause recording")
    assert one.read("control") == {"recording": False}
    expect(notice).to_contain_text("Recording paused.")
    # While it is hovered, the notice stays.
    notice.hover()
    view.page.locator("#session-list a", has_text="Two").dispatch_event("click")
    expect(view.page.locator("#title")).to_contain_text("Two")
    notice.get_by_role("button", name="Resume").click()
    assert one.read("control") == {"recording": True}
