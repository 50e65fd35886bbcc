"""A server that needs a token."""

from playwright.sync_api import expect


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


def test_an_app_with_the_token_is_seen(view, everywhere, app):
    token = everywhere.fragment.removeprefix("token=")
    app = app(server=everywhere, state={"a": 1}, token=token)
    view = view(at=everywhere)
    view.page.goto(f"{everywhere.url}?session={app.session}&event=0#{everywhere.fragment}")
    expect(view.row(0)).to_be_visible()
    view.page.get_by_role("button", name="Apply this state").click()
    app.accept()
    expect(view.outcome).to_contain_text("as #1")
