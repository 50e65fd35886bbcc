"""With a view token the page shows everything, changes nothing, and says why."""

import re

import pytest
from playwright.sync_api import expect

from processes import Server
from test_look import look

WHY = "View only. Log in with a control token."


@pytest.fixture
def guarded(tmp_path):
    folder = tmp_path / "guarded"
    folder.mkdir()
    server = Server(folder, tokens=["view=looking-on", "control=doing-all", "app=recording"])
    server.origin = server.url.rstrip("/")
    yield server
    server.stop()


@pytest.fixture
def session(app, guarded):
    app = app(server=guarded, state={"count": 0}, token="recording")
    app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": 1}])
    return app.session


def logged_in(view, server, token, session, **options):
    view = view(at=server, **options)
    view.page.goto(f"{server.url}?session={session}&event=1#token={token}")
    expect(view.page.locator("#event-seq")).to_have_text("#1")
    return view


def log_in(view, token):
    login = view.page.locator("#login")
    expect(login).to_be_visible()
    login.get_by_label("Token").fill(token)
    login.get_by_role("button", name="Log in").click()
    return login


def test_a_viewer_sees_everything_and_each_control_says_why_it_is_off(view, guarded, session):
    view = logged_in(view, guarded, "looking-on", session)
    page = view.page
    expect(page.locator("#panel .change")).to_be_visible()
    expect(page.get_by_role("button", name="View only")).to_be_visible()
    for button in ("#apply", "#dispatch", "#launch"):
        expect(page.locator(button)).to_be_disabled()
    expect(page.locator("#why-not")).to_contain_text(WHY)
    expect(page.locator("#title").get_by_role("img")).to_have_accessible_name(re.compile("view only"))
    menu = view.more()
    for name in ("New action…", "Pause recording", "Queue actions"):
        item = menu.get_by_role("menuitem", name=name)
        expect(item).to_be_disabled()
        expect(item).to_contain_text(WHY)
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.locator("#notice")).to_contain_text(WHY)
    page.get_by_role("button", name="Dismiss").click()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("menuitem", name="Bookmark #1")).to_contain_text(WHY)
    expect(page.get_by_role("menuitem", name="Copy link to #1")).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Actions for").click()
    for name in ("Rename session…", "Rename device…", "Delete session…"):
        expect(page.get_by_role("menuitem", name=name)).to_contain_text(WHY)
    expect(page.get_by_role("menuitemcheckbox", name="Keep forever")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Connect an app").click()
    expect(page.get_by_role("dialog")).to_contain_text("these links have no token")
    expect(page.get_by_role("dialog")).not_to_contain_text("recording")


def test_a_control_token_keeps_the_current_place(view, guarded, session):
    view = logged_in(view, guarded, "looking-on", session)
    view.expected.append("401")
    page = view.page
    page.get_by_role("button", name="View only").click()
    login = log_in(view, "nonsense")
    expect(login.get_by_role("alert")).to_have_text("The server doesn’t know this token.")
    expect(login.get_by_label("Token")).to_be_focused()
    # The whole printed address can be pasted.
    log_in(view, f"{guarded.url}#token=doing-all")
    expect(login).to_be_hidden()
    expect(page.get_by_role("button", name="View only")).to_be_hidden()
    expect(page.locator("#apply")).to_be_enabled()
    expect(view.selected).to_have_id("event-1")


def test_the_login_dialog_can_be_closed(view, guarded, session):
    view = logged_in(view, guarded, "looking-on", session)
    view.page.get_by_role("button", name="View only").click()
    expect(view.page.locator("#login")).to_contain_text("A control token also lets you apply states")
    view.page.keyboard.press("Escape")
    expect(view.page.locator("#login")).to_have_count(0)
    view.page.keyboard.press("ArrowUp")
    expect(view.selected).to_have_id("event-0")


def test_an_app_token_is_refused(view, guarded, session):
    view = view(at=guarded)
    view.expected.append("403")
    view.page.goto(f"{guarded.url}?session={session}#token=recording")
    expect(view.page.locator("#login").get_by_role("alert")).to_contain_text("it can only record")
    expect(view.page.locator("#login")).to_be_visible()
    log_in(view, "doing-all")
    expect(view.row(1)).to_be_visible()
    expect(view.page.locator("#login")).to_have_count(0)


def test_an_expired_token_is_asked_for_again(view, guarded, session, app):
    view = logged_in(view, guarded, "doing-all", session)
    view.expected += ["401", r"WebSocket connection to .* failed", r"net::ERR_"]
    # The page is completely loaded.
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()
    guarded.kill()
    guarded.tokens = ["control=another-one", "app=recording"]
    guarded.restart()
    login = view.page.locator("#login")
    expect(login.get_by_role("alert")).to_have_text("Your token is no longer valid.")
    log_in(view, "another-one")
    expect(login).to_have_count(0)
    expect(view.page.locator("#connection")).to_have_text("Connected")
    expect(view.selected).to_have_id("event-1")
    expect(view.row(0)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (2560, 1300)])
def test_how_it_looks(view, guarded, session, size, scheme):
    view = logged_in(view, guarded, "looking-on", session, width=size[0], height=size[1], scheme=scheme)
    look(view, f"looking-{size[0]}-{scheme}")
    view.page.get_by_role("button", name="View only").click()
    expect(view.page.locator("#login")).to_be_visible()
    look(view, f"login-{size[0]}-{scheme}")
