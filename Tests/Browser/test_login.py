"""A server that needs a token."""

import subprocess
from urllib.parse import urlsplit

from playwright.sync_api import expect

from processes import BUILD, ROOT, TIMEOUT, Output, environment


def test_the_token_of_the_printed_address_logs_in_and_leaves_the_address(view, everywhere):
    assert everywhere.fragment.startswith("token=")
    view = view(at=everywhere)
    view.page.goto(f"{everywhere.url}#{everywhere.fragment}")
    expect(view.page.locator("#connection")).to_have_text("Connected")
    expect(view.page.locator("#welcome")).to_be_visible()
    assert "token" not in view.page.url
    cookie, = view.page.context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    view.page.reload()
    expect(view.page.locator("#connection")).to_have_text("Connected")


def test_without_a_token_the_page_asks_for_it(view, everywhere):
    view = view(at=everywhere)
    view.expected.append("401")
    view.page.goto(everywhere.url)
    login = view.page.locator("#login")
    expect(login).to_be_visible()
    view.shot("login-1280-light")
    login.get_by_label("Token").fill("wrong")
    login.get_by_role("button", name="Log in").click()
    expect(login.locator(".failure")).to_have_text("The server doesn’t know this token.")
    login.get_by_label("Token").fill(everywhere.fragment.removeprefix("token="))
    login.get_by_role("button", name="Log in").click()
    expect(login).to_be_hidden()
    expect(view.page.locator("#connection")).to_have_text("Connected")


def test_a_view_only_link_opens_the_event_without_control(everywhere, view, app):
    token = everywhere.fragment.removeprefix("token=")
    app = app(server=everywhere, state={"a": 1}, token=token)
    one = view(at=everywhere, permissions=["clipboard-read", "clipboard-write"])
    one.page.goto(f"{everywhere.url}?session={app.session}&event=0#{everywhere.fragment}")
    expect(one.page.locator("#apply")).to_be_enabled()
    one.page.get_by_role("button", name="Share").click()
    one.page.get_by_role("menuitem", name="Copy view-only link").click()
    expect(one.page.locator("#notice")).to_contain_text("View-only link copied, for the network: ")
    link = urlsplit(one.page.evaluate("navigator.clipboard.readText()"))
    assert token not in link.fragment
    other = view(at=everywhere)
    other.page.goto(f"{everywhere.url}?{link.query}#{link.fragment}")
    expect(other.selected).to_have_id("event-0")
    expect(other.page.get_by_role("button", name="View only")).to_be_visible()
    expect(other.page.locator("#apply")).to_be_disabled()
    assert "token" not in other.page.url
    other.page.get_by_role("button", name="Share").click()
    expect(other.page.get_by_role("menuitem", name="Copy view-only link")).to_be_disabled()


def test_a_server_without_tokens_says_that_it_needs_no_view_only_link(view, app):
    view = view().open(app(state={"a": 1}).session)
    expect(view.row(0)).to_be_visible()
    view.page.get_by_role("button", name="Share").click()
    item = view.page.get_by_role("menuitem", name="Copy view-only link")
    expect(item).to_be_disabled()
    expect(item).to_contain_text("No token is needed: copy the plain link.")


def test_an_app_with_the_token_is_seen(view, everywhere, app):
    token = everywhere.fragment.removeprefix("token=")
    app = app(server=everywhere, state={"a": 1}, token=token)
    view = view(at=everywhere)
    view.page.goto(f"{everywhere.url}?session={app.session}&event=0#{everywhere.fragment}")
    expect(view.row(0)).to_be_visible()
    view.page.get_by_role("button", name="Apply this state").click()
    app.accept()
    expect(view.outcome).to_contain_text("as #1")


def test_an_address_with_a_token_pasted_into_the_open_login(view, everywhere):
    view = view(at=everywhere)
    view.expected.append("401")
    view.page.goto(everywhere.url)
    login = view.page.locator("#login")
    expect(login).to_contain_text("in the file token in the server’s data folder")
    # The same address but for its end: the browser loads nothing anew.
    view.page.evaluate("(token) => { location.hash = token; }", "token=wrong")
    expect(login.locator(".failure")).to_have_text("The server doesn’t know this token.")
    view.page.evaluate("(token) => { location.hash = token; }", everywhere.fragment)
    expect(login).to_have_count(0)
    expect(view.page.locator("#connection")).to_have_text("Connected")
    expect(view.page.locator("#welcome")).to_be_visible()
    assert "token" not in view.page.url


def test_the_demo_shows_the_page_s_address_with_its_token(browser, tmp_path):
    demo = subprocess.Popen(
        [BUILD / "statetape", "demo", "--listen", "0.0.0.0:0", "--data", tmp_path / "data", "--web", ROOT / "web"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment(HOME=str(tmp_path)))
    try:
        address = Output(demo.stdout).wait(r"recording to (http://\S+#token=\S+)").group(1)
        page = browser.new_page()
        page.goto(address)
        expect(page.locator("#connection")).to_have_text("Connected")
        page.close()
    finally:
        demo.terminate()
        demo.wait(TIMEOUT)
