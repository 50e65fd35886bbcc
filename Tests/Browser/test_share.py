"""Sharing: links and files."""

import json

import pytest
from playwright.sync_api import expect

from test_look import look


@pytest.fixture
def session(app):
    app = app(state={"count": 0})
    for number in range(1, 6):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    app.stop()
    return app.session


def share(view):
    view.page.get_by_role("button", name="Share").click()
    return view.page.get_by_role("menu", name="Share")


def download(view, item):
    menu = share(view)
    with view.page.expect_download() as waiting:
        menu.get_by_role("menuitem", name=item, exact=False).click()
    return waiting.value.suggested_filename, open(waiting.value.path()).read()


def test_a_link_to_an_event_opens_in_another_browser(view, session):
    one = view(permissions=["clipboard-read", "clipboard-write"]).open(session, event=3, tab="state")
    expect(one.selected).to_have_id("event-3")
    one.page.keyboard.press("y")
    expect(one.page.locator("#notice")).to_contain_text("Link to #3 copied.")
    # This server is local only, so the notice says where the link opens.
    expect(one.page.locator("#notice")).to_contain_text("on this machine only")
    link = one.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith("http://127.0.0.1")
    other = view()
    other.page.goto(link)
    expect(other.selected).to_have_id("event-3")
    expect(other.page.locator("#tab-state")).to_have_attribute("aria-selected", "true")


def test_a_link_from_loopback_leads_to_the_network_address(view, everywhere, app):
    token = everywhere.fragment.removeprefix("token=")
    app = app(server=everywhere, state={"a": 1}, token=token)
    view = view(at=everywhere, permissions=["clipboard-read", "clipboard-write"])
    view.page.goto(f"{everywhere.url}?session={app.session}&event=0#{everywhere.fragment}")
    expect(view.selected).to_have_id("event-0")
    addresses = view.page.evaluate("fetch('/api/v1/connect').then((answer) => answer.json())")["addresses"]
    network = next(one["url"] for one in addresses if "127.0.0.1" not in one["url"] and "localhost" not in one["url"])
    view.page.keyboard.press("y")
    notice = view.page.locator("#notice")
    expect(notice).to_contain_text(f"Link to #0 copied, for the network: {network.split('/')[2]}.")
    assert view.page.evaluate("navigator.clipboard.readText()") == f"{network}?session={app.session}&event=0"


def test_the_whole_tape_and_parts_of_it(view, session):
    view = view().open(session, event=2)
    expect(view.selected).to_be_visible()
    name, text = download(view, "Download tape 6 events")
    assert name == f"{session}.tape"
    header, *events = map(json.loads, text.splitlines())
    assert header["session"] == session
    assert [event["seq"] for event in events] == [0, 1, 2, 3, 4, 5]
    _, text = download(view, "Download tape up to #2")
    assert [json.loads(line)["seq"] for line in text.splitlines()[1:]] == [0, 1, 2]
    _, text = download(view, "Download tape from #2")
    assert [json.loads(line)["seq"] for line in text.splitlines()[1:]] == [2, 3, 4, 5]


def test_a_file_for_the_redux_devtools(view, session):
    view = view().open(session)
    expect(view.row(5)).to_be_visible()
    name, text = download(view, "Download for Redux DevTools")
    assert name == f"{session}.redux.json"
    assert "computedStates" in text


def test_a_refused_download_says_why(view, server, app):
    app = app()
    app.send({"event": "note", "text": "No state at all"})
    view = view().open(app.session)
    view.expected.append("404")
    expect(view.row(0)).to_be_visible()
    share(view).get_by_role("menuitem", name="Redux").click()
    notice = view.page.locator("#notice")
    expect(notice).to_contain_text("Can’t download this: The tape has no state of store “main”")
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_be_hidden()


def test_the_menu_by_keys(view, session):
    view = view().open(session)
    expect(view.row(5)).to_be_visible()
    view.page.keyboard.press("Escape")
    expect(view.selected).to_have_count(0)
    button = view.page.get_by_role("button", name="Share")
    button.focus()
    view.page.keyboard.press("Enter")
    focused = view.page.locator(":focus")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(focused).to_contain_text("Copy link to this session")
    view.page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-disabled", "true")
    expect(focused).to_contain_text("Select an event first.")
    # A disabled item does nothing, and the menu stays open.
    view.page.keyboard.press("Enter")
    expect(focused).to_contain_text("Select an event first.")
    view.page.keyboard.press("End")
    expect(focused).to_contain_text("Redux DevTools")
    view.page.keyboard.press("ArrowDown")
    expect(focused).to_contain_text("Copy link")
    view.page.keyboard.press("d")
    expect(focused).to_contain_text("Download tape")
    view.page.keyboard.press("Escape")
    expect(view.page.get_by_role("menu")).to_have_count(0)
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    view.page.keyboard.press("ArrowDown")
    expect(focused).to_contain_text("Copy link")
    # The open menu disables the page's shortcuts.
    view.page.keyboard.press("Home")
    expect(view.selected).to_have_count(0)
    view.page.mouse.click(600, 500)
    expect(view.page.get_by_role("menu")).to_have_count(0)


def test_a_failed_load_is_shown(view, session, server):
    view = view().open(session)
    view.expected += [r"WebSocket connection to .* failed", r"net::ERR_"]
    expect(view.row(5)).to_be_visible()
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()
    server.kill()
    expect(view.page.locator("#connection")).to_contain_text("Disconnected")
    # It stays until the page connects again.
    view.page.evaluate("""() => {
        window.said = [];
        new MutationObserver(() => said.push(connection.textContent)).observe(connection, { childList: true });
        document.querySelector('#tools .share').click();
    }""")
    view.until("said.some((text) => text.includes('Can’t reach the server'))")
    server.restart()
    expect(view.page.locator("#connection")).to_have_text("Connected")
    view.page.get_by_role("button", name="Share").click()
    expect(view.page.get_by_role("menu", name="Share")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (2560, 1300)])
def test_how_it_looks(view, session, size, scheme):
    view = view(*size, scheme).open(session, event=2)
    expect(view.page.locator("#panel .change")).to_be_visible()
    expect(share(view).get_by_role("menuitem").last).to_be_visible()
    look(view, f"share-{size[0]}-{scheme}")
