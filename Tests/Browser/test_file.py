"""The page without a server: from a static host, with tapes from files."""

import gzip
import json
import re

import pytest
from playwright.sync_api import expect

from conftest import Timeline
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
        made.expected += ["status of 404", r"request to .*\.(tape|gz|txt)$"]
        return made.open(**place)
    return make


def choose(view, *files, button="Choose file…"):
    with view.page.expect_file_chooser() as chooser:
        view.page.get_by_role("button", name=button).click()
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
    expect(view.page.locator("#connection")).to_have_text("Files, no server")
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
    expect(view.page.locator("#apply")).to_be_disabled()
    expect(view.page.locator("#why-not")).to_contain_text("This tape is a file: you can only bookmark its events.")
    view.shot("file-event")


def test_the_address_opens_the_tape_and_the_event(page, static):
    (static.folder / "run.tape").write_bytes(tape())
    view = page(tape="run.tape")
    view.row(20).click()
    view.page.keyboard.press("3")
    view.until("location.search.includes('tab=state')")
    assert "tape=run.tape" in view.page.url
    view.page.reload()
    expect(view.page.locator("#event-seq")).to_have_text("#20")
    expect(view.page.get_by_role("tree")).to_contain_text("20")


def test_a_packed_tape_and_one_without_its_last_newline(page, static):
    (static.folder / "run.tape.gz").write_bytes(gzip.compress(tape()[:-1]))
    view = page(tape="run.tape.gz")
    expect(view.row(39)).to_contain_text("count/up")
    expect(view.page.locator("#reading .line")).to_have_count(0)


def test_an_address_without_a_tape_says_so(page, static):
    view = page(tape="absent.tape")
    expect(view.page.get_by_role("alert")).to_contain_text("Can’t load absent.tape: the address answered 404.")
    (static.folder / "notes.txt").write_text("hello\n")
    view.open(tape="notes.txt")
    expect(view.page.get_by_role("alert")).to_contain_text("notes.txt is neither a tape nor an export of the Redux DevTools")
    view.open(tape="https://elsewhere.example/run.tape")
    expect(view.page.get_by_role("alert")).to_contain_text("this page can only load tapes from")
    view.shot("file-failed")


def test_an_address_of_a_session_asks_for_its_file(page):
    view = page(session=HEADER["session"], event=7)
    expect(view.page.get_by_role("status").filter(has_text="Open the file again")).to_be_visible()
    drop(view, ("run.tape", tape()))
    expect(view.page.locator("#event-seq")).to_have_text("#7")


def test_everything_but_applying_works(page, static):
    (static.folder / "run.tape").write_bytes(tape(200))
    view = page(tape="run.tape")
    expect(view.row(199)).to_be_visible()
    view.page.locator("#filter").fill("type:cart")
    expect(view.page.locator("#shown")).to_contain_text("99 of 200")
    view.page.keyboard.press("Escape")
    view.page.keyboard.press("Escape")
    expect(view.page.locator("#filter")).to_have_value("")
    view.page.locator("#filter").fill("value:150")
    expect(view.page.locator("#shown")).to_contain_text("1 of 200")
    view.page.locator("#filter").fill("")
    view.page.locator("#events").focus()
    view.page.keyboard.press("o")
    expect(view.page.locator("#view")).to_contain_text("cart/add")
    view.shot("file-overview")
    view.page.keyboard.press("o")
    expect(view.page.locator("#view")).to_be_hidden()
    with view.page.expect_download() as download:
        view.page.get_by_role("button", name="Share ▾").click()
        view.page.get_by_role("menuitem", name="Download tape").first.click()
    assert open(download.value.path(), "rb").read() == tape(200)
    view.page.get_by_role("button", name="Share ▾").click()
    expect(view.page.get_by_role("menuitem", name="Download as HTML")).to_have_attribute("aria-disabled", "true")
    with view.page.expect_download() as download:
        view.page.get_by_role("menuitem", name="Redux").click()
    assert len(json.loads(open(download.value.path()).read())["computedStates"]) > 100


def mark(view, text, author=""):
    """Bookmarks the selected event."""
    view.page.keyboard.press("b")
    dialog = view.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Saved in this browser, not in the file.")
    dialog.get_by_label("What’s wrong here?").fill(text)
    dialog.get_by_label("Your name").fill(author)
    dialog.get_by_role("button", name="Bookmark").click()
    return dialog


def listed(view):
    view.more("Bookmarks")
    return view.page.get_by_role("dialog")


def test_bookmarks_of_a_file_stay_in_the_browser(page, static):
    (static.folder / "run.tape").write_bytes(tape(200))
    view = page(tape="run.tape", event=150)
    # Another tab of the same browser.
    other = Timeline(view.page.context.new_page(), static).open(tape="run.tape", event=3)
    expect(view.selected).to_have_id("event-150")
    expect(other.selected).to_have_id("event-3")
    view.page.bring_to_front()
    expect(mark(view, "<b>Look</b> here", "Ben")).to_be_hidden()
    flag = view.row(150).get_by_label("bookmark: <b>Look</b> here")
    expect(flag).to_be_visible()
    other.page.bring_to_front()
    expect(listed(other).locator(".text")).to_have_text(["<b>Look</b> here"])
    other.page.keyboard.press("Escape")
    expect(mark(other, "And here")).to_be_hidden()
    view.page.bring_to_front()
    dialog = listed(view)
    expect(dialog.locator(".text")).to_have_text(["And here", "<b>Look</b> here"])
    expect(dialog).to_contain_text("Ben")
    view.shot("file-bookmarks")
    dialog.get_by_role("button", name="Delete bookmark at #3").click()
    view.page.locator("#notice").get_by_role("button", name="Undo").click()
    dialog = listed(view)
    expect(dialog.locator(".text")).to_have_text(["And here", "<b>Look</b> here"])
    view.page.reload()
    expect(flag).to_be_visible()
    expect(listed(view).locator(".text")).to_have_text(["And here", "<b>Look</b> here"])


def test_errors_in_a_files_bookmark_are_shown(page):
    view = page()
    view.page.evaluate("() => localStorage.setItem('statetape--bookmarks:01JFILEPAGE000000000000001', '{{')")
    view.expected.append("status of 400")
    drop(view, ("one.tape", tape()))
    view.row(5).click()
    dialog = mark(view, " ")
    expect(dialog.get_by_role("alert")).to_have_text("“text” must be a string that is not empty.")
    dialog.get_by_label("What’s wrong here?").evaluate("(field) => { field.removeAttribute('maxlength'); field.value = '名'.repeat(700); }")
    dialog.get_by_role("button", name="Bookmark").click()
    expect(dialog.get_by_role("alert")).to_have_text("“text” must be a string of at most 2000 bytes.")
    dialog.get_by_label("What’s wrong here?").fill("Short")
    view.page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }; }")
    dialog.get_by_role("button", name="Bookmark").click()
    expect(view.page.locator("#notice")).to_have_text(re.compile("lost when you close the page"))
    expect(view.row(5).get_by_label("bookmark: Short")).to_be_visible()


def test_two_files_at_once_can_be_compared(page):
    view = page()
    expect(view.page.get_by_role("heading", name="Open a tape")).to_be_visible()
    other = tape(30, session="01JFILEPAGE000000000000002").replace(b'"value": 12', b'"value": 13')
    drop(view, ("one.tape", tape()), ("other.tape", other))
    expect(view.page.locator("#session-list li")).to_have_count(2)
    expect(view.page.locator("#shown")).to_contain_text("events")
    view.more("Compare")
    view.page.locator(".picker li button").click()
    expect(view.page.locator(".verdict")).to_contain_text("First difference: #12 and #12: the same action led to different states.")
    expect(view.page.locator(".pair.is-difference")).to_be_in_viewport()


def test_a_state_of_a_file_is_searched_and_its_parts_have_a_history(page, static):
    (static.folder / "run.tape").write_bytes(tape())
    view = page(tape="run.tape", event=20, tab="state")
    view.page.get_by_label("Search keys and values in this state").fill("20")
    expect(view.page.locator(".found")).to_have_text("1 of 1")
    expect(view.page.locator(".tree-path")).to_have_text("/count")
    view.page.keyboard.press("Escape")
    view.page.keyboard.press("Escape")
    view.page.keyboard.press("2")
    view.page.get_by_role("button", name="History").click()
    expect(view.page.locator(".moments")).to_contain_text("Previous change: #19")
    expect(view.page.locator(".moments")).to_contain_text("Next change: #21")


def test_an_endless_expression_is_cancelled_and_the_tape_stays(page):
    view = page()
    choose(view, ("run.tape", tape(30) + b'{"seq":30,"at":400,"event":"note","text":"' + b"a" * 60 + b'"}\n'))
    expect(view.row(30)).to_be_visible()
    view.page.locator("#filter").fill("/(a+)+!/")
    expect(view.page.locator("#filter-error")).to_contain_text("It takes too long here, try a simpler one: /(a+)+!/")
    view.page.locator("#filter").fill("/aaa/")
    expect(view.rows).to_have_count(1)
    view.row(30).click()
    view.page.keyboard.press("3")
    expect(view.page.get_by_role("tree")).to_contain_text("29")
    view.page.locator("#filter").fill("")
    expect(view.row(29)).to_be_visible()


def test_the_same_file_again_is_one_session(page):
    view = page()
    choose(view, ("run.tape", tape(20)))
    expect(view.row(19)).to_be_visible()
    drop(view, ("run.tape", tape(25)))
    expect(view.row(24)).to_be_visible()
    expect(view.page.locator("#session-list li")).to_have_count(1)
    expect(view.page.locator("#reading .line")).to_have_count(0)


@pytest.mark.parametrize("name, content, said", [
    ("empty.tape", b"", "empty.tape is neither a tape nor an export of the Redux DevTools: it is empty."),
    ("photo.png", bytes(range(256)) * 40, "photo.png is neither a tape"),
    ("page.json", b'{"hello":1}', "page.json is neither a tape"),
    ("old.tape", b'{"tape":2,"session":"0123456789","app":{"id":"a"},"started":""}\n', "the tape is of format version 2"),
    ("short.tape", b'{"tape":1,"session":"x","app":{"id":"a"},"started":""}\n', "“session” of the header must be 10 to 64 letters"),
    ("broken.tape.gz", gzip.compress(b"x" * 5000, mtime=0)[:-9] + b"123456789", "broken.tape.gz"),
])
def test_a_file_that_is_not_a_tape_is_refused_by_name(page, name, content, said):
    view = page()
    choose(view, (name, content))
    expect(view.page.get_by_role("alert")).to_contain_text(said)
    expect(view.page.get_by_role("heading", name="Open a tape")).to_be_visible()
    drop(view, ("run.tape", tape()))
    expect(view.row(39)).to_be_visible()
    drop(view, (name, content))
    expect(view.page.locator("#notice")).to_contain_text(said)
    expect(view.row(39)).to_be_visible()


@pytest.mark.parametrize("content, events, said", [
    (tape()[:-30], 39, "run.tape ends inside line 41. The 39 complete events before it are loaded."),
    (tape(2)[:-30], 1, "run.tape ends inside line 3. The 1 complete event before it is loaded."),
    (gzip.compress(tape(20_000), mtime=0)[:-2000], None, "the packed file is damaged or ends too early"),
    (tape().replace(b'"seq": 30,', b'"seq": 31,'), 30, "Can’t read line 32 of run.tape: member “seq” must be 30, but is 31."),
    (tape().replace(b'"at": 375.0', b'"at": -1'), 30, "Can’t read line 32 of run.tape: member “at” of an event must be a number of milliseconds, 0 or more."),
    (tape().replace(b'"took": 0.1, "patch"', b'"patch": 0, "patch"', 5), 1, "Can’t read line 3 of run.tape: duplicate key “patch”"),
    (tape() + b'{"seq":40,"at":1,"event":"end"}\n{"seq":41,"at":1,"event":"end"}\n', 41, "no event may follow “end”"),
    (tape().replace(b"cart/add", b"cart/\xff", 1), 2, "this is not UTF-8"),
], ids=["line", "first-line", "gzip", "seq", "at", "key", "end", "utf8"])
def test_a_truncated_tape_keeps_its_complete_events(page, content, events, said):
    view = page()
    choose(view, ("run.tape", content))
    expect(view.page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    if events:
        expect(view.row(events - 1)).to_be_visible()
        expect(view.page.locator("#shown")).to_contain_text(re.compile(rf"\b{events} events?"))
    else:
        expect(view.page.locator("#shown")).to_contain_text("events")
        view.shot("file-stopped")
    view.page.get_by_role("button", name="Dismiss").click()
    expect(view.page.locator("#reading .line")).to_have_count(0)


def lifted():
    actions = {str(number): {"type": "PERFORM_ACTION", "timestamp": 1_700_000_000_000 + number * 100, "action": {"type": "add", "by": number}} for number in range(1, 6)}
    actions["0"] = {"type": "PERFORM_ACTION", "timestamp": 1_700_000_000_000, "action": {"type": "@@INIT"}}
    return {"actionsById": actions, "stagedActionIds": list(range(6)), "nextActionId": 6,
            "computedStates": [{"state": {"sum": number, "name": "a name that is long enough for a patch to be shorter"}} for number in range(6)]}


@pytest.mark.parametrize("document", [lifted(), {"payload": json.dumps(lifted())}, {
    "payload": json.dumps([{"type": "add", "by": number} for number in range(1, 6)]), "preloadedState": '{"sum":0}'}], ids=["lifted", "payload", "actions"])
def test_an_export_of_the_redux_devtools_is_a_tape(page, document):
    view = page()
    choose(view, ("redux.json", json.dumps(document, indent=1).encode()))
    expect(view.row(5)).to_contain_text("add")
    expect(view.page.locator("#title")).to_contain_text("Redux DevTools")
    view.row(3).click()
    view.page.keyboard.press("1")
    expect(view.page.locator("#panel")).to_contain_text("by")
    if "preloadedState" not in document:
        view.page.keyboard.press("2")
        expect(view.page.locator(".change")).to_contain_text("sum2→3")


def test_the_server_makes_the_same_of_a_redux_file(view, server):
    from test_file_answers import Both, without
    view = view()
    both = Both(view, server, json.dumps(lifted()))
    session, = [one["session"] for one in json.loads(both.ask("/api/v1/sessions")[0][1])["sessions"]]
    both.same(f"/api/v1/sessions/{session}", without("received", "lastSeen", "file", "sealed", "version", "kept", "bytes"))
    both.same(f"/api/v1/sessions/{session}/events?limit=100")
    for seq in range(6):
        both.same(f"/api/v1/sessions/{session}/states/{seq}")


def test_reading_can_be_stopped_and_rows_are_there_before_the_end(page):
    view = page(1280, 800)
    expect(view.page.get_by_role("heading", name="Open a tape")).to_be_visible()
    # A slow file: the test controls its pace.
    view.page.evaluate("""(text) => {
        const bytes = new TextEncoder().encode(text);
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes, ...new Array(80).fill(0).map((_, part) => new TextEncoder().encode(
            Array.from({ length: 5000 }, (_, index) => JSON.stringify({ seq: 40 + part * 5000 + index, at: 1000, event: 'note', text: 'more' }) + '\\n').join('')))], 'long.tape'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }""", tape().decode())
    # In the frame in which both are there: the file is read in a few seconds.
    view.until("""(() => {
        const stop = [...document.querySelectorAll('button')].find((one) => one.getAttribute('aria-label') === 'Stop reading long.tape');
        const row = document.querySelector('#events .row:not([hidden])');
        if (!stop?.checkVisibility() || !row?.checkVisibility()) return false;
        stop.click();
        return true;
    })()""")
    expect(view.page.get_by_role("alert").filter(has_text="Reading stopped after")).to_be_visible()
    expect(view.page.locator("#shown")).to_contain_text("events")
    view.shot("file-stopped")


def test_a_page_with_a_server_asks_what_to_do(view, app):
    live = app(state={"count": 0})
    view = view().open(live.session)
    expect(view.row(0)).to_be_visible()
    drop(view, ("run.tape", tape()))
    dialog = view.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Open run.tape")
    view.shot("file-offer")
    dialog.get_by_role("button", name="Open here, read-only").click()
    expect(view.page.locator("#connection")).to_have_text("Files, no server")
    expect(view.row(39)).to_be_visible()
    expect(view.page.locator("#session-list li")).to_have_count(1)


def test_a_dropped_file_goes_to_the_server(view, server):
    view = view().open()
    choose(view, ("run.tape", tape()), button="Open file…")
    view.page.get_by_role("dialog").get_by_role("button", name="Upload to server").click()
    expect(view.row(39)).to_be_visible()
    expect(view.page.locator("#connection")).to_have_text("Connected")
    # Another tape of the same session is refused in the server's words.
    drop(view, ("other.tape", tape().replace(b'"by": 7', b'"by": 8')))
    view.expected.append("status of 409")
    view.page.get_by_role("dialog").get_by_role("button", name="Upload to server").click()
    expect(view.page.locator("#notice")).to_contain_text("Can’t upload other.tape: Event 7 differs from the server's copy")


@pytest.mark.parametrize("width", [360, 2560])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_looks_right(page, static, width, scheme):
    (static.folder / "run.tape").write_bytes(tape()[:-30])
    view = page(width, 800 if width < 400 else 1440, scheme, tape="run.tape")
    expect(view.page.get_by_role("alert").filter(has_text="ends inside line 41")).to_be_visible()
    expect(view.row(38)).to_be_visible()
    view.shot(f"file-cut-{width}-{scheme}")
