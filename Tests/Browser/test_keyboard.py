"""Everything by keyboard."""

import re

from playwright.sync_api import expect


def test_a_walk_without_a_mouse(view, app):
    app = app(state={"count": 0, "list": list(range(3))})
    for number in range(1, 120):
        app.action("count/up", {"by": 1}, [{"op": "replace", "path": "/count", "value": number}])
    app.action("other/thing")
    view = view().open(app.session)
    page, keys = view.page, view.page.keyboard
    expect(view.row(120)).to_be_in_viewport()

    expect(view.selected).to_have_id("event-120")
    keys.press("k")
    expect(view.selected).to_have_id("event-119")
    expect(page.locator("#events")).to_have_attribute("aria-activedescendant", "event-119")
    keys.press("Home")
    expect(view.row(0)).to_be_in_viewport()
    expect(view.selected).to_have_id("event-0")
    keys.press("j")
    expect(view.selected).to_have_id("event-1")
    keys.press("PageDown")
    keys.press("PageUp")
    expect(view.selected).to_have_id("event-1")
    keys.press("End")
    expect(view.selected).to_have_id("event-120")
    expect(view.row(120)).to_be_in_viewport()

    keys.press("/")
    keys.type("other")
    expect(view.rows).to_have_count(1)
    keys.press("Escape")
    expect(page.locator("#events")).to_be_focused()
    keys.press("Escape")
    expect(page.locator("#filter")).to_have_value("")
    expect(view.row(119)).to_be_in_viewport()
    keys.press("ArrowUp")

    for key, tab in (("1", "action"), ("4", "raw"), ("5", "test"), ("2", "diff"), ("3", "state")):
        keys.press(key)
        expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#state-tree")).to_contain_text("count119")
    keys.press("Enter")
    expect(page.locator("#state-tree")).to_be_focused()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        keys.press(key)
    expect(page.locator(".tree-path")).to_have_text("/list/0")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    expect(page.locator("#state-tree [aria-selected=true]")).to_have_attribute("aria-expanded", "false")
    keys.press("Escape")
    expect(page.locator("#events")).to_be_focused()
    keys.press("Escape")
    expect(page.locator("#selection")).to_be_hidden()

    keys.press("?")
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#keys")).to_contain_text("Apply this state")
    view.shot("keys-1280-light")
    keys.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_what_comes_into_view_has_the_focus(view, app):
    app = app(state={"count": 0})
    view = view().open(app.session, event=0)
    page = view.page
    expect(page.get_by_role("tabpanel", name="Diff")).to_be_visible()
    page.keyboard.press("o")
    expect(page.locator("#view")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#events")).to_be_focused()
    page.keyboard.press("c")
    expect(page.get_by_label("Search sessions to compare with")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#events")).to_be_focused()


def test_applying_dispatching_and_launching_by_keys(view, app):
    app = app(state={"a": 1})
    app.action("go", {"x": 1})
    view = view().open(app.session, event=1)
    expect(view.page.locator("#apply")).to_be_enabled()
    view.page.keyboard.press("p")
    assert "state" in app.accept()
    expect(view.outcome).to_contain_text("recorded as #2")
    view.page.keyboard.press("d")
    assert app.accept()["action"] == {"type": "go", "payload": {"x": 1}}
    expect(view.outcome).to_contain_text("recorded as #3")
    view.page.keyboard.press("n")
    expect(view.page.locator("#launch-state")).to_contain_text("Launches start at #1")


def test_the_first_key_that_acts_on_the_app_asks(view, app):
    app = app(state={"a": 1})
    app.action("go", {"x": 1})
    view = view(asks=True).open(app.session, event=1)
    page, keys = view.page, view.page.keyboard
    expect(page.locator("#apply")).to_be_enabled()
    keys.press("d")
    dialog = page.get_by_role("dialog", name="Dispatch go again?")
    expect(dialog).to_contain_text("changes the running app: Tape 1.0 on Test bench")
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    # Enter confirms; without the check mark, the next key asks again.
    keys.press("p")
    dialog = page.get_by_role("dialog", name="Apply the state of #1?")
    dialog.get_by_label("Don’t ask again in this tab").uncheck()
    dialog.get_by_role("button", name="Apply").focus()
    keys.press("Enter")
    assert "state" in app.accept()
    expect(view.outcome).to_contain_text("recorded as #2")
    keys.press("g")
    expect(page.get_by_role("dialog", name="Debug #1?")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    keys.press("d")
    expect(page.get_by_role("dialog", name="Dispatch go again?").get_by_role("button", name="Dispatch")).to_be_focused()
    view.shot("first-key-1280-light")
    keys.press("Enter")
    assert app.accept()["action"] == {"type": "go", "payload": {"x": 1}}
    expect(view.outcome).to_contain_text("recorded as #3")
    keys.press("d")
    assert app.accept()["action"] == {"type": "go", "payload": {"x": 1}}
    # A button asks nothing: it was meant.
    page.reload()
    page.get_by_role("button", name="Apply this state").click()
    assert "state" in app.accept()
    keys.press("p")
    assert "state" in app.accept()


def test_a_key_right_after_the_question_is_closed_asks_again(view, app):
    app = app(state={"a": 1})
    app.action("go", {"x": 1})
    page = view(asks=True).open(app.session, event=1).page
    expect(page.locator("#apply")).to_be_enabled()
    page.keyboard.press("d")
    expect(page.get_by_role("dialog", name="Dispatch go again?")).to_be_visible()
    # A browser reports the end of a dialog later than it closes it.
    page.evaluate("""() => {
        document.querySelector('dialog').close();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true }));
    }""")
    expect(page.get_by_role("dialog", name="Apply the state of #1?")).to_be_visible()
    # The one that was closed is removed when the browser reports its end.
    expect(page.locator("dialog")).to_have_count(1)


def test_what_was_asked_is_done_though_the_tape_plays_on(view, app):
    app = app(state={"count": 0})
    for number in range(1, 100):
        app.at += 500
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    view = view(asks=True).open(app.session, event=0)
    page = view.page
    expect(page.locator("#apply")).to_be_enabled()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause tape")).to_be_visible()
    page.keyboard.press("p")
    asked = page.get_by_role("dialog").get_by_role("heading")
    expect(asked).to_contain_text("Apply the state of #")
    seq = int(re.search(r"#(\d+)", asked.text_content())[1])
    expect(view.selected).not_to_have_id(f"event-{seq}")
    page.get_by_role("dialog").get_by_role("button", name="Apply").click()
    assert app.accept()["state"] == {"count": seq}
    expect(view.outcome).to_contain_text(f"Applied state #{seq}")
    expect(view.selected).to_have_id(f"event-{seq}")


def test_what_was_asked_is_not_done_in_another_session(view, app):
    one, two = app(name="One", state={"one": 0}), app(name="Two", state={"two": 0})
    one.action("go", patch=[{"op": "replace", "path": "/one", "value": 1}])
    view = view(asks=True).open(one.session)
    page = view.page
    expect(view.row(1)).to_be_visible()
    page.locator("#session-list a", has_text="Two").click()
    expect(page.locator("#title")).to_contain_text("Two")
    expect(page.locator("#apply")).to_be_enabled()
    page.keyboard.press("p")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.locator("#title")).to_contain_text("One")
    expect(view.selected).to_have_id("event-1")
    expect(page.locator("#apply")).to_be_enabled()
    page.get_by_role("dialog").get_by_role("button", name="Apply").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    view.row(0).click()
    page.locator("#apply").click()
    assert one.accept()["state"] == {"one": 0}


def test_buttons_are_disabled_until_their_code_is_loaded(view, app):
    app = app(state={})
    view = view()
    held = []
    view.page.route("**/views/app-actions.js", lambda route: held.append(route))
    with view.page.expect_request("**/views/app-actions.js"):
        view.open(app.session, event=0)
    deeds = ["#apply", "#dispatch", "#edit-dispatch", "#launch", "#launch-more"]
    for deed in deeds:
        expect(view.page.locator(deed)).to_be_disabled()
    held[0].continue_()
    for deed in ("#apply", "#launch", "#launch-more"):
        expect(view.page.locator(deed)).to_be_enabled()
        assert not view.page.locator(deed).get_attribute("title")
    expect(view.page.locator("#dispatch")).to_have_attribute("title", "This event has no action.")


def test_an_early_escape_leaves_what_comes_after_it(view, app):
    app = app(state={})
    app.action("count/up")
    view = view()
    page, held = view.page, []
    page.route("**/views/workbench.js", lambda route: held.append(route))
    with page.expect_request("**/views/workbench.js"):
        view.open(app.session)
    page.locator("#events").focus()
    page.keyboard.press("Escape")
    page.locator("#filter").fill("up")
    held[0].continue_()
    expect(page.locator("#tools").get_by_role("button", name="Share")).to_be_visible()
    expect(page.locator("#event-label")).to_have_text("count/up")
    expect(page.locator("#filter")).to_be_focused()
    expect(page.locator("#filter")).to_have_value("up")
    # Early ones are not lost: the first leaves the field, the second clears it.
    page.unroute("**/views/workbench.js")
    page.route("**/views/workbench.js", lambda route: held.append(route))
    with page.expect_request("**/views/workbench.js"):
        view.open(app.session)
    page.locator("#filter").fill("up")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    held[1].continue_()
    expect(page.locator("#filter")).to_have_value("")
    expect(page.locator("#events")).to_be_focused()
    expect(view.selected).to_have_id("event-1")


def test_an_early_key_acts_on_no_other_event(view, app):
    app = app(state={})
    app.action("go")
    view = view()
    page, held, set_to = view.page, [], []
    page.route("**/views/workbench.js", lambda route: held.append(route))
    page.on("request", lambda request: request.method == "PUT" and set_to.append(request.post_data_json["seq"]))
    with page.expect_request("**/views/workbench.js"):
        view.open(app.session)
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(view.selected).to_have_id("event-1")
    page.keyboard.press("n")
    view.row(0).click()
    held[0].continue_()
    expect(page.locator("#launch")).to_be_enabled()
    page.keyboard.press("n")
    expect(page.locator("#launch-state")).to_contain_text("Launches start at #0")
    assert set_to == [0]


def test_a_key_for_an_event_asks_for_one(view, app):
    app = app(state={})
    app.action("go")
    view = view().open(app.session)
    expect(view.page.locator("#event-label")).to_have_text("go")
    view.page.keyboard.press("Escape")
    for key in ("p", "d", "D", "n"):
        view.page.keyboard.press(key)
        expect(view.page.locator("#notice")).to_contain_text("Select an event first.")
        view.page.get_by_role("button", name="Dismiss").click()
    # Both keys in one frame: the second acts on the new selection.
    expect(view.page.locator("#connection")).to_have_text("Connected")
    view.page.evaluate("""() => {
        for (const key of ['Home', 'p']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }""")
    assert app.accept()["state"] == {}
    expect(view.outcome).to_contain_text("Applied state #0")


def test_sessions_by_keys(view, app):
    one, two = app(name="One", state={}), app(name="Two", state={})
    view = view().open(two.session)
    expect(view.row(0)).to_be_visible()
    expect(view.page.locator("#session-list a")).to_have_count(2)
    view.page.keyboard.press("s")
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("Enter")
    expect(view.page.locator("#title")).to_contain_text("One")
    assert one.session in view.page.url
    view.page.go_back()
    expect(view.page.locator("#title")).to_contain_text("Two")


def test_panels_are_resized_by_keys_and_stay_so(view, app):
    app = app(state={})
    view = view().open(app.session)
    separator = view.page.locator("#separator-sessions")
    before = view.page.locator("#sessions").bounding_box()["width"]
    separator.focus()
    view.page.keyboard.press("ArrowRight")
    view.page.keyboard.press("ArrowRight")
    assert view.page.locator("#sessions").bounding_box()["width"] == before + 32
    view.page.reload()
    expect(view.row(0)).to_be_visible()
    assert view.page.locator("#sessions").bounding_box()["width"] == before + 32


def test_tab_reaches_everything_with_visible_focus(view, app):
    app = app(state={"a": 1})
    view = view().open(app.session, event=0)
    expect(view.page.locator("#apply")).to_be_enabled()
    expect(view.page.locator(".change")).to_be_visible()
    seen = []
    for _ in range(50):
        view.page.keyboard.press("Tab")
        seen.append(view.page.evaluate("""() => {
            const element = document.activeElement;
            const style = getComputedStyle(element);
            const shows = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
            return element === document.body ? 'body' : `${element.id || element.tagName}${shows ? '' : ' unseen'}`;
        }"""))
    assert not [name for name in seen if "unseen" in name]
    for name in ("search", "filter", "events", "apply", "launch", "tab-diff", "separator-sessions", "help"):
        assert name in seen
