"""The sessions panel: found, named, kept, deleted."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from test_hold import ask
from test_look import look
from waiting import until

# One worker makes the many sessions, for all of these tests.
pytestmark = pytest.mark.xdist_group("many")


def upload(server, number, **labels):
    """A short tape, as a build of long ago would have sent it."""
    session = f"01J{number:023d}"
    header = {
        "tape": 1, "session": session, "app": {"id": "com.example.many", "name": f"Many {number}"},
        "started": "2026-11-20T10:00:00Z", "stores": ["main"], "labels": labels}
    lines = [header, {"seq": 0, "at": 0, "event": "init", "store": "main", "state": {}},
             {"seq": 1, "at": 1, "event": "action", "action": {"type": f"rare/type{number}"}, "patch": []}]
    request = urllib.request.Request(
        server.url + "api/v1/sessions", method="POST", data="".join(json.dumps(line) + "\n" for line in lines).encode())
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 201
    return session


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A server with 450 sessions: more than a page asks for at first."""
    from processes import Server
    server = Server(tmp_path_factory.mktemp("many"))
    for number in range(450):
        upload(server, number, build=str(number), branch="main" if number % 3 else "my feature")
    yield server
    server.stop()


def links(view):
    return view.page.locator("#session-list a")


def expect_listed(view, number):
    """Only what is near to what is seen is drawn; each row knows how many there are."""
    expect(view.page.locator("#session-list li").first).to_have_attribute("aria-setsize", str(number))


def menu(view, text):
    row = view.page.locator("#session-list li", has_text=text)
    row.hover()
    row.get_by_role("button", name="Actions for").click()
    return view.page.get_by_role("menu")


def test_older_sessions_load_on_demand(view, many):
    view = view(at=many).open()
    expect_listed(view, 100)
    assert links(view).count() < 60
    older = view.page.get_by_role("button", name="Load older sessions")
    older.click()
    expect_listed(view, 200)
    expect(older).to_be_visible()
    # The last one is drawn when it is scrolled to, and nothing far from it.
    view.page.locator("#sessions").evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight)")
    expect(links(view).filter(has_text="Many 250")).to_be_in_viewport()
    assert links(view).count() < 60


def test_all_of_them_are_reached_by_keys(view, many):
    view = view(at=many).open()
    expect_listed(view, 100)
    view.page.keyboard.press("s")
    for _ in range(40):
        view.page.keyboard.press("ArrowDown")
    focused = view.page.locator(":focus")
    expect(focused).to_contain_text("Many 409")
    expect(focused).to_be_in_viewport()
    for _ in range(41):
        view.page.keyboard.press("ArrowUp")
    expect(view.page.locator("#search")).to_be_focused()


def test_the_search_finds_sessions_that_are_not_loaded(view, many):
    view = view(at=many).open()
    expect_listed(view, 100)
    search = view.page.locator("#search")
    search.fill("rare/type7")
    expect_listed(view, 11)
    # A word of the tape, and one of its header.
    search.fill("rare/type7 Many 7")
    expect(view.page.locator("#session-list")).to_contain_text("Many 71")
    search.fill("nothing like it")
    expect(view.page.locator("#no-session-found")).to_be_visible()
    view.page.get_by_text("Clear search").click()
    expect(view.page.locator("#session-list li").first).to_be_visible()


def test_a_label_is_searched_for_by_hand(view, many):
    view = view(at=many).open()
    expect_listed(view, 100)
    view.page.locator("#search").fill("build:3")
    # Fifty loaded labels start like that; only the server has the exact one.
    expect_listed(view, 51)
    view.page.locator("#sessions").evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight)")
    expect(view.page.locator("#session-list .app").get_by_text("Many 3", exact=True)).to_be_visible()


def test_a_label_filters_when_it_is_clicked(view, many):
    view = view(at=many).open()
    view.page.locator("#session-list .label", has_text="branch: my feature").first.click()
    expect(view.page.locator("#search")).to_have_value('"branch:my feature"')
    expect(view.page.locator("#session-list .label", has_text="branch: main")).to_have_count(0)
    expect_listed(view, 100)
    view.page.get_by_role("button", name="Load older sessions").click()
    expect_listed(view, 150)
    expect(view.page.get_by_role("button", name="Load older sessions")).to_be_hidden()


def test_a_search_that_fails_says_so(view, many):
    view = view(at=many).open()
    view.expected.append("Failed to load|net::ERR")
    expect_listed(view, 100)
    view.page.context.set_offline(True)
    view.page.locator("#search").fill("rare")
    expect(view.page.locator("#loading-sessions")).to_have_text("Can’t reach the server")
    view.page.context.set_offline(False)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_labels_of_a_session_wrap_in_their_row(view, app, width):
    labels = {"ci": "true", "module": "ShopTests", "outcome": "failed", "suite": "CheckoutTests", "test": "the coupon stays", "long": "x" * 300}
    app(name="Labelled", state={}, **labels).stop()
    app(name="Plain", state={}).stop()
    view = view(width).open()
    row = view.page.locator("#session-list li", has_text="Labelled")
    expect(row.locator(".label")).to_have_count(6)
    inside, cut = row.evaluate("""(row) => {
        const { bottom, right } = row.getBoundingClientRect();
        const all = [...row.querySelectorAll('.label')];
        return [all.every((one) => one.getBoundingClientRect().bottom <= bottom && one.getBoundingClientRect().right <= right),
            all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.slice(0, 5))];
    }""")
    assert inside and cut == ["long:"]
    boxes = sorted(box.bounding_box()["y"] for box in view.page.locator("#session-list li").all())
    plain = view.page.locator("#session-list li", has_text="Plain").bounding_box()
    labelled = row.bounding_box()
    assert labelled["height"] > plain["height"] + 40 and len(set(boxes)) == 2
    first, second = sorted((plain, labelled), key=lambda box: box["y"])
    assert second["y"] >= first["y"] + first["height"] - 1


def test_build_results_are_words(view, app):
    app(name="Red", state={}, result="failed").stop()
    app(name="Green", state={}, result="passed").stop()
    view = view().open()
    expect(view.page.locator("#session-list li", has_text="Red").locator(".label")).to_have_text("✗ failed")
    expect(view.page.locator("#session-list li", has_text="Green").locator(".label")).to_have_text("✓ passed")
    view.page.locator(".label", has_text="failed").click()
    expect(links(view)).to_have_count(1)
    expect(view.page.locator("#search")).to_have_value("result:failed")


def test_a_session_and_a_device_are_renamed_and_reset(view, server, app):
    one, other = app(name="Cart", state={}), app(name="Todo", state={})
    view = view().open(one.session)
    menu(view, "Cart").get_by_role("menuitem", name="Rename session…").click()
    field = view.page.get_by_label("Title")
    expect(field).to_be_focused()
    field.fill("The crash at checkout")
    view.page.keyboard.press("Enter")
    expect(links(view).filter(has_text="The crash at checkout (Cart 1.0)")).to_be_visible()
    expect(view.page.locator("#title")).to_contain_text("The crash at checkout")
    view.page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(view.page.locator("#session-list")).not_to_contain_text("The crash")

    menu(view, "Cart").get_by_role("menuitem", name="Rename device…").click()
    view.page.get_by_label("Device name").fill("Ana’s red phone")
    view.shot("rename-1280-light")
    view.page.get_by_role("button", name="Save").click()
    for name in ("Cart", "Todo"):
        expect(links(view).filter(has_text=name)).to_contain_text("Ana’s red phone")
    expect(view.page.locator("#title")).to_contain_text("Ana’s red phone")
    assert ask(server, f"sessions/{other.session}")["device"]["nickname"] == "Ana’s red phone"
    view.page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(view.page.locator("#session-list")).not_to_contain_text("red phone")
    assert "nickname" not in ask(server, f"sessions/{other.session}")["device"]

    menu(view, "Cart").get_by_role("menuitem", name="Rename session…").click()
    view.page.get_by_label("Title").fill("Not this")
    view.page.keyboard.press("Escape")
    expect(view.page.get_by_label("Title")).to_have_count(0)
    assert ask(server, f"sessions/{one.session}").get("title", "") == ""


def test_a_session_is_kept_forever(view, server, app):
    app = app(name="One", state={})
    view = view().open(app.session)
    menu(view, "One").get_by_role("menuitemcheckbox", name="Keep forever").click()
    expect(links(view)).to_contain_text("kept")
    assert ask(server, f"sessions/{app.session}")["kept"]
    expect(menu(view, "One").get_by_role("menuitemcheckbox", name="Keep forever")).to_have_attribute("aria-checked", "true")


def test_a_live_session_is_not_deleted_and_an_ended_one_after_the_undo_time(view, server, app):
    running, ended = app(name="Running", state={}), app(name="Ended", state={"a": 1})
    ended.stop()
    view = view().open(ended.session)
    page = view.page
    page.clock.install()
    item = menu(view, "Running").get_by_role("menuitem", name="Delete session…")
    expect(item).to_have_attribute("aria-disabled", "true")
    expect(item).to_contain_text("The app is connected.")
    page.keyboard.press("Escape")

    def delete():
        menu(view, "Ended").get_by_role("menuitem", name="Delete session…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Delete “Ended 1.0”?")
        expect(dialog).to_contain_text("deletes 1 event")
        return dialog

    delete().get_by_role("button", name="Cancel").click()
    expect(links(view)).to_have_count(2)
    delete().get_by_role("button", name="Delete").click()
    expect(links(view)).to_have_count(1)
    notice = page.locator("#notice")
    expect(notice).to_contain_text("“Ended 1.0” deleted.")
    notice.get_by_role("button", name="Undo").click()
    expect(links(view)).to_have_count(2)
    assert ask(server, f"sessions/{ended.session}")["events"] == 1

    delete().get_by_role("button", name="Delete").click()
    expect(links(view)).to_have_count(1)
    page.mouse.move(900, 300)
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as waiting:
        page.clock.run_for(20_000)
    assert waiting.value.status == 204
    # What can't be undone has no Undo.
    expect(notice.get_by_role("button")).to_have_count(0)
    assert [one["session"] for one in ask(server, "sessions")["sessions"]] == [running.session]
    # Uploaded again, it is listed again.
    tape = [{key: ended.hello[key] for key in ("tape", "session", "app", "started", "stores")}, *map(json.loads, ended.lines)]
    assert page.request.post(f"{server.url}api/v1/sessions", data="".join(json.dumps(line) + "\n" for line in tape)).status == 201
    expect(links(view)).to_have_count(2)


def test_closing_the_page_completes_a_deletion(view, server, app):
    app(name="Other", state={}).stop()
    ended = app(name="Ended", state={})
    ended.stop()
    view = view().open(ended.session)
    menu(view, "Ended").get_by_role("menuitem", name="Delete session…").click()
    view.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(view.page.locator("#notice")).to_contain_text("“Ended 1.0” deleted.")
    # While it is hovered, the notice and the session stay.
    view.page.locator("#notice").hover()
    assert len(ask(server, "sessions")["sessions"]) == 2
    view.page.goto("about:blank")
    until(lambda: len(ask(server, "sessions")["sessions"]) == 1)
    assert [one["app"]["name"] for one in ask(server, "sessions")["sessions"]] == ["Other"]


def test_closing_the_tab_deletes_no_more_than_was_asked(view, server, app):
    for name in ("One", "Two", "Three"):
        app(name=name, state={}).stop()
    view = view().open()
    page, left = view.page, lambda: sorted(one["app"]["name"] for one in ask(server, "sessions")["sessions"])

    def delete(name):
        menu(view, name).get_by_role("menuitem", name="Delete session…").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(page.locator("#notice")).to_contain_text(f"“{name} 1.0” deleted.")

    delete("One")
    page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(links(view)).to_have_count(3)
    # The next deletion ends the time to undo the one before.
    delete("Two")
    delete("Three")
    until(lambda: left() == ["One", "Three"])
    page.close(run_before_unload=True)
    until(lambda: left() == ["One"])


def test_the_menu_opens_by_right_click_and_leads_to_a_comparison(view, app):
    one, other = app(name="One", state={}), app(name="Two", state={})
    view = view().open(one.session)
    expect(view.row(0)).to_be_visible()
    links(view).filter(has_text="Two").click(button="right")
    view.page.get_by_role("menuitem", name="Compare with open session").click()
    expect(view.page.locator("body")).to_have_attribute("data-shows", "compare")
    assert f"other={other.session}" in view.page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (2560, 1300)])
def test_how_it_looks(view, app, size, scheme):
    shown = app(name="Todo", version="2.3", device="iPhone 16", state={}, branch="checkout")
    app(name="Cart", version="0.9", device="iPad Air", state={"items": []}).stop()
    app(name="Todo", version="2.3", device="build-7", state={}, ci="true", result="failed", commit="9f8e7d6c5b4a39281706f5e4d3c2b1a0").stop()
    app(name="Todo", version="2.3", device="build-8", state={}, ci="true", result="passed").stop()
    view = view(*size, scheme)
    view.open() if size[0] < 720 else view.open(shown.session)
    expect(links(view)).to_have_count(4)
    look(view, f"sessions-{size[0]}-{scheme}")
    expect(menu(view, "Cart").get_by_role("menuitem").last).to_be_visible()
    look(view, f"session-menu-{size[0]}-{scheme}")
