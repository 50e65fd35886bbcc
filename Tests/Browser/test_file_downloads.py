"""A tape from an address whose download breaks off: what has arrived is shown, and another try reads the rest."""

import gzip
import re
import threading

import pytest
from playwright.sync_api import expect

from processes import TIMEOUT
from static import Handler as StaticHandler, StaticHost
from test_file import tape


class BreakingHost(StaticHost):
    """A static host that hangs up in the middle of some files."""

    def __init__(self, folder):
        super().__init__(folder)
        host = self
        #: By path: the bytes to send before hanging up, and how many bytes it promised.
        self.breaks = {}
        self.hang_up = threading.Event()

        class Handler(StaticHandler):
            def do_GET(self):
                path = self.path.split("?")[0].lstrip("/")
                if path not in host.breaks:
                    return super().do_GET()
                content, promised = host.breaks[path]
                self.send_response(200)
                self.send_header("Content-Length", str(promised))
                self.end_headers()
                self.wfile.write(content)
                self.wfile.flush()
                host.hang_up.wait(TIMEOUT)
                self.connection.close()
                return None

        self.server.RequestHandlerClass = lambda *arguments: Handler(*arguments, directory=str(folder))


@pytest.fixture
def host(tmp_path):
    host = BreakingHost(tmp_path)
    yield host
    host.stop()


@pytest.fixture
def page(view, host):
    def make(**place):
        made = view(at=host)
        made.expected += ["status of 404", "ERR_CONTENT_LENGTH_MISMATCH", "ERR_EMPTY_RESPONSE", r"request to .*\.(tape|gz)$"]
        return made.open(**place)
    return make


WHOLE = tape(200)
PACKED = gzip.compress(tape(20_000), mtime=0)


@pytest.mark.parametrize("name, content, promised, events", [
    ("run.tape", tape(40), 1_000_000, 40),
    ("run.tape", WHOLE[:len(WHOLE) // 2], len(WHOLE), None),
    ("run.tape.gz", PACKED[:len(PACKED) // 2], len(PACKED), None),
], ids=["whole-lines", "inside-a-line", "gzip"])
def test_a_download_that_breaks_off_shows_the_events_up_to_there(page, host, name, content, promised, events):
    host.breaks[name] = (content, promised)
    view = page(tape=name)
    # Rows are there before the end. What nobody has read when the connection ends, a browser drops.
    expect(view.page.locator("#shown")).to_contain_text("events" if events is None else f"{events} events")
    host.hang_up.set()
    stopped = view.page.get_by_role("alert").filter(has_text=f"The download of {name} broke off after")
    expect(stopped).to_contain_text("before it are loaded")
    expect(view.page.locator("#shown")).to_contain_text("events" if events is None else f"{events} events")
    view.shot(f"file-broke-off-{name}")
    # The host works again.
    del host.breaks[name]
    (host.folder / name).write_bytes(PACKED if name.endswith(".gz") else WHOLE)
    view.page.get_by_role("button", name=f"Download {name} again").click()
    expect(view.page.locator("#shown")).to_contain_text(re.compile("20.000 events" if name.endswith(".gz") else "200 events"))
    expect(view.page.locator("#reading .line")).to_have_count(0)
    assert f"tape={name}" in view.page.url


def test_a_download_without_an_event_offers_another_try(page, host):
    host.breaks["run.tape"] = (b"", 1000)
    host.hang_up.set()
    view = page(tape="run.tape")
    expect(view.page.get_by_role("alert")).to_contain_text("The download of run.tape broke off before its first event.")
    del host.breaks["run.tape"]
    (host.folder / "run.tape").write_bytes(WHOLE)
    view.page.get_by_role("button", name="Try again").click()
    expect(view.row(199)).to_be_visible()


@pytest.mark.parametrize("started", ["yesterday", "2026-02-30T00:00:00Z"])
def test_a_tape_whose_start_is_not_a_date_shows_the_time_since_then(page, host, started):
    (host.folder / "run.tape").write_bytes(tape(20, started=started))
    view = page(tape="run.tape", event=7)
    expect(view.page.locator("#event-at")).to_have_text(re.compile(r"^at 0:00\.0"))
    expect(view.row(7)).to_contain_text("+")
    assert "Invalid" not in view.page.locator("body").inner_text()
    assert "Mar" not in view.page.locator("#events").inner_text()
