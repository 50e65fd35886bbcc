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
