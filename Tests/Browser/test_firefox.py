"""The page works in Firefox, too. All other tests use Chromium."""

import json

import pytest

from firefox import Firefox
from test_file import tape


@pytest.fixture
def firefox(tmp_path):
    folder = tmp_path / "profile"
    folder.mkdir()
    firefox = Firefox(folder)
    yield firefox
    firefox.stop()


def text(selector, part):
    return f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(part)})"


def test_a_session_is_watched_searched_and_changed(firefox, server, todo):
    app = todo()
    app.type("add Buy milk #home", "add Buy bread", "done 1")
    firefox.open(server.url)
    firefox.until(text("#event-3", "todos/done"))
    # Values in rows, the newest event selected, and the whole list by keys.
    firefox.until(text("#event-1", "Buy milk"))
    firefox.until("document.querySelector('#event-3')?.getAttribute('aria-selected') === 'true'")
    firefox.press("k", "k")
    firefox.until("document.querySelector('#event-1')?.getAttribute('aria-selected') === 'true'")
    firefox.press("3")
    firefox.until(text("#panel", "Buy milk"))
    firefox.press("2")
    firefox.until(text("#panel", "todos"))
    firefox.press("/", *"bread", "\ue007")
    firefox.until(text("#shown", "1 of 4"))
    firefox.until("document.querySelector('#event-2')?.getAttribute('aria-selected') === 'true'")
    firefox.press("\ue00c", "\ue00c")
    firefox.until(text("#event-1", "Buy milk"))
    # The app takes a state from the page.
    firefox.click("#event-1")
    firefox.until("!document.querySelector('#apply').disabled")
    firefox.click("#apply")
    firefox.until(text("#outcome", "Applied state #1"))
    firefox.until(text("#event-4", "state"))
    assert firefox.complaints == []


def test_a_file_is_read(firefox, server):
    firefox.open(server.url)
    firefox.until("document.querySelector('#open-file')?.checkVisibility()")
    firefox.run("""(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(%s)], 'run.tape'));
        for (const name of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    })()""" % list(tape(30)))
    here = "[...document.querySelectorAll('dialog button')].find((one) => one.textContent.startsWith('Open here'))"
    firefox.until(here)
    firefox.run(f"{here}.click()")
    firefox.until(text("#event-29", "count = 29"))
    firefox.click("#event-29")
    firefox.until(text("#panel", "28"))
    assert firefox.complaints == []
