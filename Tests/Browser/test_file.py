"""The page without a server: from a static host, with tapes from files."""

import gzip
import json

import pytest
from playwright.sync_api import expect

from static import StaticHost

HEADER = {"tape": 1, "session": "01JFILEPAGE000000000000001", "app": {"id": "com.example.file", "name": "Shop", "version": "3.1"},
          "device": {"name": "Bench"}, "started": "2026-11-20T10:00:00.123Z"}


def tape(count=40, **header):
    """A counter's tape."""
    lines = [json.dumps({**HEADER, **header}), '{"seq":0,"at":0,"event":"init","state":{"count":0}}']
    for seq in range(1, count):
        lines.append(json.dumps({
            "seq": seq, "at": seq * 12.5, "event": "action", "action": {"type": "count/up" if seq % 2 else "cart/add", "payload": {"by": seq}},
            "took": 0.1, "patch": [{"op": "replace", "path": "/count", "value": seq}]}))
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture
def static(tmp_path):
    host = StaticHost(tmp_path)
    yield host
    host.stop()


@pytest.fixture
def page(view, static):
    """The page of a static host, which answers the API with 404."""
    def make(*sizes, **place):
        made = view(*sizes, at=static)
        made.expected.append("status of 404")
        return made.open(**place)
    return make


def choose(view, *files):
    with view.page.expect_file_chooser() as chooser:
        view.page.get_by_role("button", name="Choose a file…").or_(view.page.get_by_role("button", name="Open a file…")).first.click()
    chooser.value.set_files([{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files])


def drop(view, *files):
    """Drops files on the page, as a browser does."""
    view.page.evaluate("""(files) => {
        const transfer = new DataTransfer();
        for (const [name, bytes] of files) transfer.items.add(new File([new Uint8Array(bytes)], name));
        const over = new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(over);
        if (!over.defaultPrevented) throw new Error('a file can’t be dropped here');
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }""", [[name, list(content)] for name, content in files])


@pytest.mark.parametrize("width, height", [(360, 640), (1280, 800), (2560, 1440)])
def test_without_a_server_the_page_offers_to_open_a_tape(page, width, height):
    view = page(width, height)
    expect(view.page.get_by_role("heading", name="Open a tape")).to_be_visible()
    expect(view.page.get_by_text("statetape serve")).to_be_visible()
    expect(view.page.locator("#connection")).to_have_text("Files only")
    expect(view.page.locator("#loading-sessions")).to_be_hidden()
    view.shot(f"file-start-{width}")


def test_a_chosen_tape_is_shown(page):
    view = page()
    choose(view, ("run.tape", tape()))
    expect(view.row(39)).to_contain_text("count/up")
    view.row(20).click()
    expect(view.page.locator(".change")).to_contain_text("count19→20")
    view.page.keyboard.press("3")
    expect(view.page.get_by_role("tree")).to_contain_text("20")
    expect(view.page.locator("#play")).to_be_disabled()
    expect(view.page.locator("#why-not")).to_contain_text("This tape was opened from a file; nothing can be played into an app from here.")
    view.shot("file-event")
