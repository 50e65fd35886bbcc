"""The built-in page, whose modules are packed into few files. (The other tests use the files of `web`.)"""

import os
import subprocess

import pytest
from playwright.sync_api import expect

from bench_scripts import ASKED, WATCH
from processes import BUILD, ROOT, Server
from test_file import drop, tape

#: Until the first row is drawn: nine, and up to four of the live connection, which may be there before that frame.
REQUESTS = 14
#: Bytes, gzipped.
WEIGHT = 100_000


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path, web=None)
    yield server
    server.stop()


@pytest.fixture
def session(app):
    app = app(state={"count": 0})
    app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": 1}])
    return app.session


def test_an_unchanged_page_is_not_packed_anew(tmp_path):
    output = tmp_path / "EmbeddedPage.swift"

    def pack():
        subprocess.run([BUILD / "PagePacker", ROOT / "web", output], check=True)
        return output.stat()

    pack()
    # What is newer than its last build is compiled again, which takes minutes.
    os.utime(output, (1, 1))
    assert pack().st_mtime == 1
    output.write_text("// An older page.\n")
    assert pack().st_size > 100_000


def test_the_first_rows_need_few_requests(view, session):
    view = view()
    view.page.add_init_script(WATCH)
    view.open(session)
    asked = view.page.evaluate(ASKED)
    # And the connection for live events.
    assert len(asked) < REQUESTS, asked
    assert sum(asked) < WEIGHT, asked


def test_its_parts_work_together(view, session):
    view = view()
    page = view.open(session).page
    expect(view.row(1)).to_contain_text("count = 1")
    for tab, text in (("Action", "After the start"), ("State", "Last change"), ("Raw", '"patch"'), ("Test", "CountUp"), ("Diff", "Compared with")):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel", name=tab)).to_contain_text(text)
    for key, panel in (("o", "#view"), ("c", "#view"), ("?", "dialog"), ("/", "#filter:focus")):
        page.keyboard.press(key)
        expect(page.locator(panel).first).to_be_visible()
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("menu")).to_contain_text("Download")


def test_it_reads_a_file(view, session):
    view = view()
    view.open()
    drop(view, ("run.tape", tape(30)))
    view.page.get_by_role("button", name="Open here").click()
    expect(view.row(29)).to_contain_text("count = 29")
    view.row(5).click()
    view.page.get_by_role("tab", name="State").click()
    expect(view.page.locator("#panel")).to_contain_text("5")
