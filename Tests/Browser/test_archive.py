"""The page when the archive can't be written, and when a session is deleted."""

import sqlite3

from playwright.sync_api import expect


def test_a_server_that_cannot_write_says_so_until_it_can(view, app, server):
    app = app(state={"count": 0})
    view = view().open(app.session)
    expect(view.row(0)).to_be_visible()
    trouble = view.page.locator("#storage-error")
    expect(trouble).to_be_hidden()
    other = sqlite3.connect(server.folder / "data" / "archive.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    app.socket.send('{"seq":1,"at":1,"event":"note","text":"held"}')
    expect(trouble).to_contain_text("another process is writing into the archive")
    other.execute("ROLLBACK")
    expect(trouble).to_be_hidden()
    expect(view.row(1)).to_contain_text("held")


def test_a_session_that_is_deleted_leaves_the_list_and_the_page(view, app):
    app = app(state={"count": 0})
    view = view().open(app.session)
    # Requests in between find nothing.
    view.expected.append("404")
    expect(view.row(0)).to_be_visible()
    view.page.evaluate(f"fetch('/api/v1/sessions/{app.session}', {{ method: 'DELETE' }})")
    expect(view.page.locator("#problem")).to_contain_text("Session not found")
    expect(view.page.locator("#session-list li")).to_have_count(0)


def test_the_page_keeps_what_the_link_tells_while_an_older_answer_is_on_its_way(view, app):
    deleted, _ = app(state={"count": 0}, name="Deleted"), app(state={"count": 0}, name="Stays")
    view = view()
    view.expected.append("404")
    names = view.page.locator("#session-list li")
    asked = []

    def late(route):
        """The second time that the page asks for the list, one session is deleted and one starts before the answer comes."""
        asked.append(route)
        if len(asked) != 2:
            return route.continue_()
        answer = route.fetch()
        expect(names).to_contain_text(["Stays", "Deleted"])
        view.page.evaluate(f"fetch('/api/v1/sessions/{deleted.session}', {{ method: 'DELETE' }})")
        expect(names).to_contain_text(["Stays"])
        app(state={"count": 0}, name="Starts")
        expect(names).to_contain_text(["Starts", "Stays"])
        sessions = answer.json()["sessions"]
        # One more, which tells when the page has taken the answer.
        sessions.append(sessions[0] | {"session": "0" * 26, "title": "Older", "received": "2020-01-01T00:00:00Z"})
        route.fulfill(response=answer, json={"sessions": sessions})

    lists = f"{view.server.url}api/v1/sessions?limit=100"
    view.page.route(lambda url: url == lists, late)
    view.open(deleted.session)
    expect(names).to_contain_text(["Starts", "Stays", "Older"])
    expect(names).to_have_count(3)


def test_an_older_list_does_not_replace_a_newer_one(view):
    page = view().open().page
    expect(page.locator("#connection")).to_have_text("Connected")
    assert page.evaluate("""async () => {
        const { answerBy } = await import('/link/http.js');
        const { Sessions } = await import('/model/sessions.js');
        const { AppControl } = await import('/model/app-control.js');
        const lists = {
            sessions: [new Sessions(), (all) => all.list.map(({ session }) => session), (session) => ({ session, received: 1 })],
            startStates: [new AppControl({}), (all) => all.launchStates.map(({ id }) => id), (id) => ({ id })],
        };
        const found = [];
        for (const [name, [model, ids, item]] of Object.entries(lists)) {
            const asked = [];
            answerBy(() => new Promise((...settle) => asked.push(settle)));
            const read = [model.refresh(), model.refresh(), model.refresh()];
            const answer = async (index, ...some) => {
                asked[index][0](new Response(JSON.stringify({ [name]: some.map(item) })));
                await read[index];
                found.push(ids(model));
            };
            // The newest fails: what came before it counts.
            asked[2][1](new TypeError('Failed to fetch'));
            await read[2].catch(() => {});
            await answer(1, 'kept', 'new');
            await answer(0, 'deleted', 'kept');
        }
        answerBy((path, options) => fetch(path, options));
        return found.map((some) => some.sort());
    }""") == [["kept", "new"]] * 4
