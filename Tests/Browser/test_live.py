"""The page shows live events."""

from playwright.sync_api import expect


def test_an_empty_server_tells_how_to_connect_and_opens_the_first_app(view, server, todo):
    view = view().open()
    welcome = view.page.locator("#welcome")
    expect(welcome).to_contain_text("No app has connected yet")
    expect(welcome).to_contain_text(server.origin)
    expect(welcome).to_contain_text("let tape = Recorder()")
    todo()
    expect(welcome).to_be_hidden()
    expect(view.row(0)).to_contain_text("initial state")


def test_actions_of_the_example_app_appear_live(view, todo):
    app = todo()
    view = view().open()
    expect(view.page.locator("#title")).to_contain_text("todo-example")
    expect(view.page.locator("#title")).to_contain_text("live")
    app.type("add Buy milk #home", "done 1")
    expect(view.row(1)).to_contain_text("todos/add")
    expect(view.row(2)).to_contain_text("todos/done")
    expect(view.page.locator("#session-list")).to_contain_text("branch: main")
    expect(view.page.locator("#session-list")).to_contain_text("3 events")


def test_the_list_follows_its_tail_only_while_it_is_there(view, app):
    app = app(state={"count": 0})
    for number in range(60):
        app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": number}])
    view = view().open(app.session)
    newer = view.page.locator("#newer")
    expect(view.row(60)).to_be_in_viewport()
    last = app.action("count/up")
    expect(view.row(last)).to_be_in_viewport()
    expect(newer).to_be_hidden()

    view.page.locator("#events").hover()
    view.until("events.scrollTop + events.clientHeight === events.scrollHeight")
    top = view.page.evaluate("events.scrollTop") - 600
    view.page.mouse.wheel(0, -600)
    view.until(f"Math.abs(events.scrollTop - {top}) < 1")
    expect(newer).to_have_text("↓ Go to end")
    app.action("count/up")
    app.action("count/up")
    expect(newer).to_have_text("↓ 2 new")
    assert abs(view.page.evaluate("events.scrollTop") - top) < 1

    newer.click()
    expect(view.row(last + 2)).to_be_in_viewport()
    expect(newer).to_be_hidden()
    last = app.action("count/up")
    expect(view.row(last)).to_be_in_viewport()


def test_scrolling_up_a_few_pixels_stops_following(view, app):
    app = app(state={"count": 0})
    for number in range(60):
        app.action("count/up")
    view = view().open(app.session)
    expect(view.row(60)).to_be_in_viewport()
    view.until("events.scrollTop + events.clientHeight === events.scrollHeight")
    top = view.page.evaluate("events.scrollTop") - 5
    view.page.locator("#events").hover()
    view.page.mouse.wheel(0, -5)
    view.until(f"Math.abs(events.scrollTop - {top}) < 1")
    app.action("count/up")
    expect(view.page.locator("#newer")).to_have_text("↓ 1 new")
    assert abs(view.page.evaluate("events.scrollTop") - top) < 1


def test_leaving_a_session_while_it_scrolls_draws_the_list_of_sessions(view, app):
    app = app(state={"count": 0})
    for _ in range(400):
        app.action("count/up")
    view = view(1000, 740).open(app.session)
    expect(view.row(400)).to_be_in_viewport()
    # In the next frame the list draws rows of a closed session.
    view.page.evaluate("""() => {
        events.scrollTop = 0;
        events.dispatchEvent(new Event('scroll'));
        document.querySelector('header a').click();
    }""")
    expect(view.page.locator("#session-list a")).to_be_visible()


def test_a_session_that_ends_is_no_longer_live(view, app):
    app = app(state={})
    view = view().open(app.session, event=0)
    expect(view.page.locator("#apply")).to_be_enabled()
    app.stop()
    expect(view.page.locator("#title")).to_contain_text("not connected")
    expect(view.page.locator("#apply")).to_be_disabled()
    expect(view.page.locator("#why-not")).to_contain_text("not running")


def test_live_sessions_come_first_and_are_found_by_words(view, app):
    old = app(name="Older", state={}, branch="main")
    app(name="Newer", state={}).stop()
    view = view().open(old.session)
    links = view.page.locator("#session-list a")
    expect(links).to_have_count(2)
    expect(links.first).to_contain_text("Older")
    expect(links.last).to_contain_text("Newer")
    search = view.page.locator("#search")
    search.fill("branch:main")
    expect(links).to_have_count(1)
    search.fill("nothing like it")
    expect(view.page.locator("#no-session-found")).to_be_visible()
    view.page.get_by_text("Clear search").click()
    expect(links).to_have_count(2)


def test_a_server_that_restarts(view, server, todo):
    app = todo()
    view = view().open()
    view.expected += [r"WebSocket connection to .* failed", r"net::ERR_"]
    app.type("add Buy milk")
    expect(view.row(1)).to_contain_text("todos/add")
    # The page is completely loaded.
    expect(view.page.get_by_role("button", name="Play tape")).to_be_visible()

    server.kill()
    connection = view.page.locator("#connection")
    expect(connection).to_have_text("Disconnected, retrying…")
    expect(view.row(1)).to_contain_text("todos/add")
    # Nor does the list of sessions show the app as live.
    lost = view.page.locator("#title .dot").evaluate("dot => getComputedStyle(dot).backgroundColor")
    expect(view.page.locator("#session-list .dot.live")).to_have_css("background-color", lost)
    view.row(1).click()
    expect(view.page.locator("#apply")).to_be_disabled()
    expect(view.page.locator("#why-not")).to_contain_text("Not connected")
    view.shot("disconnected-1280-light")
    app.type("add Meanwhile")

    server.restart()
    expect(connection).to_have_text("Connected")
    expect(view.row(2)).to_contain_text("todos/add")
    expect(view.page.locator("#apply")).to_be_enabled()
    app.type("done 1")
    expect(view.row(3)).to_contain_text("todos/done")
    assert view.page.locator("#events .row:not([hidden])").count() == 4


def test_what_is_shown_stays_while_a_proxy_has_no_server(view, server, app):
    app = app(state={"count": 0})
    app.action("go")
    view = view().open(app.session)
    view.expected += [r"WebSocket connection to .* failed", r"net::ERR_", "502"]
    page = view.page
    expect(view.row(1)).to_be_visible()
    # The page is completely loaded.
    expect(page.get_by_role("button", name="Play tape")).to_be_visible()
    page.route("**/api/v1/**", lambda route: route.fulfill(status=502, body="Bad gateway"))
    with page.expect_response("**/api/v1/sessions?limit=100") as answer:
        server.kill()
    assert answer.value.status == 502
    expect(page.locator("#connection")).to_have_text("Disconnected, retrying…")
    page.unroute("**/api/v1/**")
    server.restart()
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(page.locator("#problem")).to_be_hidden()
    expect(view.row(1)).to_contain_text("go")
    expect(page.locator("#session-list li")).to_have_count(1)


def test_a_session_that_a_busy_server_refused_is_read_when_the_page_is_connected(view, app):
    app = app(state={"count": 0})
    view = view()
    view.expected.append("503")
    path = f"/api/v1/sessions/{app.session}"
    refused = []

    def once(route):
        refused.append(route)
        route.fulfill(status=503, body="{}") if len(refused) == 1 else route.continue_()

    view.page.route(lambda url: url.endswith(path), once)
    view.open(app.session)
    expect(view.row(0)).to_be_visible()
    expect(view.page.locator("#problem")).to_be_hidden()


def test_a_row_counts_the_same_bytes_live_and_after_a_reload(view, app):
    app = app(state={"count": 0})
    view = view(1920).open(app.session)
    expect(view.page.locator("#connection")).to_have_text("Connected")
    # Once one event has arrived live, all do.
    expect(view.row(app.action("first"))).to_be_visible()
    app.send('"event":"init","state":{"text":"ä漢😀ä漢😀ä漢😀ä漢😀"}')
    last = app.send('"event":"action","action":{"type":"go"},"patch":[{"op":"replace","path":"/text","value":"😀😀😀😀"}]')
    size = [view.row(seq).locator(".size") for seq in (last - 1, last)]
    for _ in range(2):
        expect(size[0]).to_have_text("47 B")
        expect(size[1]).to_have_text("60 B")
        view.page.reload()


def test_a_server_that_ends_while_it_answers_counts_as_not_reached(view):
    page = view().open().page
    assert page.evaluate("""async () => {
        const { answerBy, json, Problem } = await import('/link/http.js');
        const cut = () => Promise.reject(new TypeError('Failed to fetch'));
        answerBy(async () => Object.assign(new Response('{}'), { text: cut }));
        const error = await json('/api/v1/sessions').catch((error) => error);
        answerBy((path, options) => fetch(path, options));
        return [error instanceof Problem, error.status];
    }""") == [True, 0]
