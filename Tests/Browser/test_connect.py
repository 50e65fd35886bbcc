"""Connecting an app: instructions, and the last attempts."""

import json

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from processes import ROOT
from test_look import look

SIZES = [(360, 740), (1280, 800), (2560, 1300)]


def logged_in(view, server):
    view.page.goto(f"{server.url}#{server.fragment}")
    return view


def refused(server, token=None, subprotocol="statetape.v1", tape=1):
    """An app that says the wrong thing."""
    address = server.url.replace("http", "ws", 1) + "v1/app"
    hello = {"tape": tape, "session": "01J" + "0" * 23, "app": {"id": "com.example.stranger"},
             "started": "2026-11-20T10:00:00Z", "stores": ["main"], "key": "0" * 32, "next": 0, "fresh": True,
             "maxMessage": 1 << 20}
    try:
        with connect(address, subprotocols=[subprotocol]) as socket:
            socket.send(json.dumps({"hello": {**hello, **({"token": token} if token else {})}}))
            while True:
                socket.recv(10)
    except (ConnectionClosed, InvalidStatus):
        return


def test_a_local_server_says_what_phones_need(view, server):
    view = view().open()
    welcome = view.page.locator("#welcome")
    expect(welcome).to_contain_text("No app has connected yet")
    expect(welcome.locator(".addresses label")).to_have_count(1)
    expect(welcome).to_contain_text("this machine only")
    expect(welcome).to_contain_text("Phones can’t connect")
    port = server.origin.rsplit(":", 1)[1]
    expect(welcome).to_contain_text(f"statetape serve --listen 0.0.0.0:{port}")
    expect(welcome.locator("img")).to_be_hidden()
    # As the README has them.
    readme = (ROOT / "README.md").read_text()
    for line in ('.package(name: "StateTape", path: "../StateTape", traits: [])', '.product(name: "StateTape", package: "StateTape")'):
        expect(welcome).to_contain_text(line)
        assert line in readme
    recipes = "Sources/StateTape/StateTape.docc/Recipes.md"
    expect(welcome).to_contain_text(recipes)
    assert (ROOT / recipes).exists()
    # The next paragraph stands apart.
    hint, after = welcome.locator(f"p:has-text('{recipes}')"), welcome.get_by_text("Set the address in")
    assert after.bounding_box()["y"] >= hint.bounding_box()["y"] + hint.bounding_box()["height"] + 6


def test_real_addresses_and_a_code_for_a_phone(view, everywhere):
    view = logged_in(view(at=everywhere), everywhere)
    welcome = view.page.locator("#welcome")
    radios = welcome.get_by_role("radio")
    expect(welcome).to_contain_text("No app has connected yet")
    expect(welcome).to_contain_text("network ")
    first = welcome.locator(".addresses code").first.text_content()
    assert "127.0.0.1" not in first
    token = view.page.evaluate("fetch('/api/v1/connect').then((answer) => answer.json())")["addresses"][0]["link"].split("#")[1]
    expect(welcome).to_contain_text(f"STATETAPE_URL={first}#{token}")
    image = welcome.get_by_role("img", name=f"QR code of {first}")
    view.until("document.querySelector('#welcome img').naturalWidth > 0")
    source = image.get_attribute("src")
    scheme = welcome.get_by_label("URL scheme of the app")
    scheme.fill("my app")
    expect(welcome.get_by_role("alert")).to_contain_text("starts with a letter")
    assert image.get_attribute("src") == source
    scheme.fill("todo://")
    expect(welcome.get_by_role("alert")).to_have_text("")
    expect(welcome).to_contain_text("todo://statetape?url=http")
    expect(welcome.locator("img")).to_have_attribute("src", f"{source}&scheme=todo")
    view.until("document.querySelector('#welcome img').complete && document.querySelector('#welcome img').naturalWidth > 0")
    # A phone can't reach loopback.
    radios.last.check()
    expect(welcome.locator("img")).to_be_hidden()
    expect(welcome).to_contain_text("Choose another one")
    expect(welcome).to_contain_text("STATETAPE_URL=http://127.0.0.1")


def test_a_refused_app_is_shown_with_advice(view, everywhere):
    view = logged_in(view(at=everywhere), everywhere)
    attempts = view.page.locator(".attempts")
    expect(attempts).to_contain_text("Waiting for an app.")
    refused(everywhere)
    expect(attempts).to_contain_text("An app tried to connect. The server refused it.")
    expect(attempts).to_contain_text("An app from 127.0.0.1 was refused just now")
    expect(attempts).to_contain_text("the token follows #token=")
    refused(everywhere, token="wrong")
    expect(attempts).to_contain_text("2 times")
    token = everywhere.fragment.removeprefix("token=")
    refused(everywhere, token=token, tape=7)
    expect(attempts).to_contain_text("different protocol versions. Update the older one.")
    refused(everywhere, subprotocol="statetape.v9")
    expect(attempts).to_contain_text("Update its StateTape package")
    expect(attempts.get_by_role("listitem")).to_have_count(3)


def test_the_request_before_the_login_is_no_attempt(view, everywhere):
    view = view(at=everywhere)
    view.expected.append("401")
    view.page.goto(everywhere.url)
    login = view.page.locator("#login")
    login.get_by_label("Token").fill(everywhere.fragment.removeprefix("token="))
    login.get_by_role("button", name="Log in").click()
    attempts = view.page.locator(".attempts")
    expect(attempts).to_contain_text("Waiting for an app.")
    expect(attempts.get_by_role("listitem")).to_have_count(0)
    refused(everywhere)
    expect(attempts.get_by_role("listitem")).to_have_count(1)
    expect(attempts).to_contain_text("An app from 127.0.0.1 was refused")


def test_a_wrong_host_and_a_foreign_origin_are_explained(view, server):
    view = view().open()
    attempts = view.page.locator(".attempts")
    expect(attempts).to_contain_text("Waiting for an app.")
    with pytest.raises(InvalidStatus):
        connect(server.url.replace("http", "ws", 1) + "v1/app", subprotocols=["statetape.v1"],
                additional_headers={"Origin": "http://elsewhere.example"})
    expect(attempts).to_contain_text("The request came from a page of another site.")
    # The name that the browser would send for it.
    import http.client
    asked = http.client.HTTPConnection(server.origin.removeprefix("http://"))
    asked.request("GET", "/api/v1/sessions", headers={"Host": "tapes.example"})
    assert asked.getresponse().status == 403
    expect(attempts).to_contain_text("A request to /api/v1/sessions from 127.0.0.1 was refused")
    expect(attempts).to_contain_text("start the server with --allow-host and that name")


def test_the_dialog_opens_beside_sessions_and_links_the_app(view, app):
    old = app(name="Old", state={})
    old.stop()
    view = view().open(old.session)
    view.page.get_by_role("button", name="Connect an app").click()
    dialog = view.page.get_by_role("dialog", name="Connect an app")
    expect(dialog).to_contain_text("Waiting for an app.")
    expect(dialog).to_contain_text("let tape = Recorder()")
    new = app(name="New", state={})
    dialog.get_by_role("link", name="New 1.0").click()
    expect(dialog).to_be_hidden()
    expect(view.page.locator("#title")).to_contain_text("New 1.0")
    assert new.session in view.page.url


def test_a_closed_dialog_sends_no_requests(view, app):
    app = app(state={})
    view = view()
    asked = []
    view.page.on("request", lambda request: "refusals" in request.url and asked.append(request.url))
    view.open(app.session)
    expect(view.row(0)).to_be_visible()
    view.page.clock.install()
    view.page.get_by_role("button", name="Connect an app").click()
    expect(view.page.locator(".attempts .latest")).to_contain_text("is connected.")
    with view.page.expect_request("**/refusals"):
        view.page.clock.run_for(2_500)
    view.page.keyboard.press("Escape")
    # Until the close event, which comes with a frame, the page holds the dialog, hidden from roles, and it asks on.
    expect(view.page.locator("dialog")).to_have_count(0)
    before = len(asked)
    view.page.clock.run_for(10_000)
    view.page.evaluate("new Promise(requestAnimationFrame)")
    assert len(asked) == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_how_it_looks(view, everywhere, size, scheme):
    refused(everywhere)
    view = logged_in(view(*size, scheme, at=everywhere), everywhere)
    expect(view.page.locator(".attempts li")).to_have_count(1)
    view.page.get_by_label("URL scheme of the app").fill("todo")
    view.until("document.querySelector('#welcome img').complete && document.querySelector('#welcome img').naturalWidth > 0")
    look(view, f"connect-{size[0]}-{scheme}")
