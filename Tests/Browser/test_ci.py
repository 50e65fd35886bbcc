"""`statetape ci`: the list of failing tests and their pages, opened from the disk without a network."""

import json
import os
import stat
import subprocess

import pytest
from playwright.sync_api import expect

from processes import BUILD
from test_file import tape

HOSTILE = "<script>alert(1)</script> | \"'&lt;"
LONG = "Expectation failed: " + "averylongwordwithoutspaces" * 20


def run(folder, tapes, *options):
    """Runs `statetape ci` with a command that leaves these tapes."""
    for name, content in tapes.items():
        (folder / name).write_bytes(content)
    script = folder / "tests.sh"
    script.write_text('#!/bin/sh\ncp *.tape "$(dirname "$STATETAPE_FILE")"\nexit 1\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    if not tapes:
        script.write_text("#!/bin/sh\nexit 0\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("STATETAPE", "GITHUB"))}
    result = subprocess.run(
        [BUILD / "statetape", "ci", *options, "--", "./tests.sh"], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert result.returncode == (1 if tapes else 0), result.stderr
    return folder / "statetape-ci" / "index.html"


def failing(session, test, error):
    """A tape of 40 events whose 41st is the error."""
    content = tape(session=session, labels={"test": test, "suite": "ShopTests", "outcome": "failed"})
    note = '{"seq":40,"at":900,"event":"note","level":"error","text":%s}\n{"seq":41,"at":901,"event":"end"}\n'
    return content + (note % json.dumps(error)).encode()


@pytest.fixture
def disk(browser):
    """Opens a file from the disk; nothing may come from elsewhere, and nothing may complain."""
    contexts = []

    def make(file, width=1280, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        found = []
        page.on("console", lambda message: message.type in ("error", "warning") and found.append(message.text))
        page.on("pageerror", lambda error: found.append(str(error)))
        page.on("dialog", lambda dialog: (found.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith(("file:", "blob:", "data:")) or found.append(request.url))
        contexts.append((context, found))
        page.goto(file.as_uri())
        return page

    yield make
    for context, found in contexts:
        context.close()
        assert found == []


@pytest.fixture
def index(tmp_path):
    return run(tmp_path, {
        "1.tape": failing("01JCITEST00000000000000001", "pays()", "Not paid\nCheckoutTests.swift:12"),
        "2.tape": failing("01JCITEST00000000000000002", HOSTILE, LONG),
        "3.tape": tape(session="01JCITEST00000000000000003", labels={"test": "crashes()", "suite": "ShopTests"}),
    })


def test_each_row_leads_to_its_page_at_the_error(disk, index):
    page = disk(index)
    expect(page.get_by_role("heading", name="Failing tests")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(3)
    row = page.get_by_role("row").filter(has_text="pays()")
    for text in ("ShopTests", "Not paid", "#39 count/up", "42"):
        expect(row).to_contain_text(text)
    expect(page.get_by_role("row").filter(has_text="crashes()")).to_contain_text("The process ended in the test.")
    row.get_by_role("link", name="Open page").click()
    expect(page.locator("#event-40")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#event-40")).to_contain_text("Not paid")
    page.go_back()
    expect(row.get_by_role("link", name="Tape", exact=True)).to_have_attribute("href", "ShopTests-pays.tape")
    assert (index.parent / "ShopTests-pays.tape").read_bytes() == (index.parent.parent / "1.tape").read_bytes()


def test_hostile_text_stays_text(disk, index):
    page = disk(index)
    row = page.get_by_role("row").filter(has_text=HOSTILE)
    expect(row).to_have_count(1)
    row.get_by_role("link", name="Open page").click()
    expect(page.locator("#event-40")).to_contain_text("Expectation failed")
    assert page.evaluate("document.scripts.length") == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(disk, index, scheme):
    page = disk(index, 360, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for link in page.get_by_role("link").all():
        expect(link).to_be_visible()
    label = page.locator("td").first.evaluate("(cell) => getComputedStyle(cell, '::before').content")
    assert label == '"Test"'


def test_without_failing_tests_it_says_so(disk, tmp_path):
    page = disk(run(tmp_path, {}))
    expect(page.get_by_text("No test failed.")).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(0)
