"""The page as one file: made by the server or of a tape in a file, opened from the disk, without a network."""

import json
import re
import subprocess
import urllib.request
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from conftest import Timeline
from processes import BUILD, ROOT
from test_file import HEADER, tape

WEB = ROOT / "web"
HOSTILE = ["</script><script>alert(1)</script>", "<!--", "<!-- <script>", "\u2028\u2029", "]]>", "&lt;b&gt;", "${alert(1)}", "`", "\\", "'\"", "__proto__"]


def export(folder, *arguments):
    """Runs `statetape export` and gives what it printed."""
    return subprocess.run([BUILD / "statetape", "export", *arguments], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture
def disk(browser):
    """Opens a page from the disk; it may ask for nothing but itself, and complain of nothing."""
    opened = []

    class Place:
        def __init__(self, file):
            self.url = file.as_uri()

    def make(file, width=1280, height=800, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
        context.set_default_timeout(10_000)
        view = Timeline(context.new_page(), Place(file))
        view.page.remove_listener("request", view._check)
        requests = []
        view.page.on("request", lambda request: requests.append(request.url) if not request.url.startswith(("blob:", "data:")) else None)
        opened.append((context, view, requests, file))
        view.page.goto(file.as_uri())
        return view

    yield make
    for context, view, requests, file in opened:
        view.check()
        assert {url.partition("?")[0] for url in requests} == {file.as_uri()}
        context.close()


def test_a_link_to_a_file_is_copied_with_a_warning(disk, tmp_path):
    view = disk(made(tmp_path, tape()))
    expect(view.row(39)).to_be_visible()
    view.page.keyboard.press("y")
    expect(view.page.locator("#notice")).to_contain_text("copied. It opens on this computer only: this page is a file.")


def test_an_old_run_is_not_of_just_now(disk, tmp_path):
    view = disk(made(tmp_path, tape(started="2024-05-01T10:00:00Z")))
    expect(view.row(39)).to_be_visible()
    expect(view.page.locator("#session-list .row, #session-list li").first).to_contain_text("1 May 2024")


def test_the_names_of_the_session_and_its_device_stay(disk, tmp_path, app, server):
    app = app(state={"count": 0})
    app.action("count/up", patch=[{"op": "replace", "path": "/count", "value": 1}])
    for path, body in ((f"sessions/{app.session}", {"title": "The crash"}), ("devices/device-Test bench", {"nickname": "Red phone"})):
        request = urllib.request.Request(f"{server.url}api/v1/{quote(path)}", json.dumps(body).encode(), method="PATCH")
        urllib.request.urlopen(request).close()
    (tmp_path / "run.html").write_bytes(urllib.request.urlopen(f"{server.url}api/v1/sessions/{app.session}/tape?format=html").read())
    view = disk(tmp_path / "run.html")
    expect(view.page.locator("#title .app")).to_contain_text("The crash")
    expect(view.page.locator("#title .device")).to_contain_text("Red phone")


def made(folder, content, name="run.tape", *options):
    (folder / name).write_bytes(content)
    result = export(folder, name, "--format", "html", "--web", WEB, "-o", "run.html", *options)
    assert result.returncode == 0, result.stderr
    assert re.search(r"^Wrote run\.html, \d+(\.\d)? [KM]B\.$", result.stdout.strip()), result.stdout
    return folder / "run.html"


def test_it_opens_from_the_disk_with_everything_working(disk, tmp_path):
    view = disk(made(tmp_path, tape()))
    expect(view.row(39)).to_contain_text("count/up")
    view.row(20).click()
    expect(view.page.locator(".change")).to_contain_text("count19→20")
    for key, name in (("1", "Action"), ("2", "Diff"), ("3", "State"), ("4", "Raw"), ("5", "Test")):
        view.page.keyboard.press(key)
        expect(view.page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    view.page.keyboard.press("3")
    expect(view.page.get_by_role("tree")).to_contain_text("20")
    expect(view.page.locator("#why-not")).to_contain_text("This tape is a file: you can only bookmark its events.")
    view.page.keyboard.press("o")
    expect(view.page.locator("#view")).to_contain_text("count/up")
    expect(view.page.locator("#scrubber")).to_be_visible()
    view.page.keyboard.press("o")
    view.page.locator("#filter").fill("type:cart")
    expect(view.page.locator("#shown")).to_contain_text("19 of 40")
    view.page.keyboard.press("Escape")
    view.page.keyboard.press("?")
    expect(view.page.locator("#keys")).to_be_visible()
    view.page.keyboard.press("Escape")
    view.shot("html-export")


def test_the_address_of_the_file_leads_back(disk, tmp_path):
    view = disk(made(tmp_path, tape()))
    view.row(20).click()
    view.page.keyboard.press("3")
    view.until("location.search.includes('tab=state')")
    view.page.reload()
    expect(view.page.locator("#event-seq")).to_have_text("#20")
    expect(view.page.get_by_role("tab", name="State")).to_have_attribute("aria-selected", "true")


def test_hostile_strings_stay_inside(disk, tmp_path):
    lines = [json.dumps({**HEADER, "app": {"id": "x", "name": HOSTILE[0]}, "labels": {text: text for text in HOSTILE}}),
             json.dumps({"seq": 0, "at": 0, "event": "init", "state": {text: text for text in HOSTILE}})]
    for seq, text in enumerate(HOSTILE, 1):
        lines.append(json.dumps({"seq": seq, "at": seq, "event": "action", "action": {"type": text, "payload": text}, "patch": [
            {"op": "add", "path": "/last", "value": text}]}, ensure_ascii=False))
    view = disk(made(tmp_path, "\n".join(lines).encode(), "a&b'c.tape"))
    expect(view.page.locator("#title")).to_contain_text(HOSTILE[0])
    for seq, text in enumerate(HOSTILE, 1):
        expect(view.row(seq)).to_contain_text(text.replace("\u2028\u2029", ""))
    view.row(2).click()
    view.page.keyboard.press("3")
    expect(view.page.get_by_role("tree")).to_contain_text("<!-- <script>")
    assert view.page.evaluate("[document.scripts.length, document.querySelectorAll('#panel script').length]") == [3, 0]


def test_a_hundred_thousand_events(disk, tmp_path):
    file = made(tmp_path, tape(100_000))
    view = disk(file)
    expect(view.page.locator("#shown")).to_contain_text("100\u202f000 events")
    view.page.locator("#events").focus()
    view.page.keyboard.press("End")
    expect(view.row(99_999)).to_contain_text("count/up")
    view.page.keyboard.press("3")
    expect(view.page.get_by_role("tree")).to_contain_text("99999")


def test_the_server_makes_the_same_with_its_bookmarks(disk, view, app, server, tmp_path):
    app = app(state={"count": 0})
    for number in range(1, 20):
        app.action("count/up" if number % 2 else "count/on", patch=[{"op": "replace", "path": "/count", "value": number}])
    view().page.request.post(f"{server.url}api/v1/sessions/{app.session}/bookmarks", data={"seq": 7, "text": "</script><b>here</b>", "author": "Ben"})
    result = export(tmp_path, app.session, "--format", "html", "--server", server.url)
    assert result.returncode == 0, result.stderr
    view = disk(tmp_path / f"{app.session}.html")
    expect(view.row(19)).to_contain_text("count/up")
    flag = view.row(7).get_by_label("bookmark: </script><b>here</b>")
    expect(flag).to_be_visible()
    # The reader's changes stay, and other copies of the file keep theirs.
    view.row(7).click()
    view.page.keyboard.press("b")
    dialog = view.page.get_by_role("dialog")
    expect(dialog.get_by_label("Your name")).to_have_value("Ben")
    dialog.get_by_label("What’s wrong here?").fill("Seen")
    dialog.get_by_role("button", name="Save").click()
    expect(view.row(7).get_by_label("bookmark: Seen")).to_be_visible()
    view.page.reload()
    expect(view.row(7).get_by_label("bookmark: Seen")).to_be_visible()


def test_the_download_can_do_nothing_with_the_server(view, app):
    app = app(state={"count": 0})
    view = view().open(app.session)
    answer = view.page.evaluate("""async (session) => {
        const answer = await fetch(`/api/v1/sessions/${session}/tape?format=html`);
        await answer.text();
        return Object.fromEntries(['content-type', 'content-disposition', 'content-security-policy'].map((name) => [name, answer.headers.get(name)]));
    }""", app.session)
    assert answer == {
        "content-type": "text/html; charset=utf-8", "content-security-policy": "sandbox",
        "content-disposition": f'attachment; filename="{app.session}.html"'}


def test_what_is_no_tape_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("hello\n")
    result = export(tmp_path, "notes.txt", "--format", "html", "--web", WEB)
    assert result.returncode != 0
    assert "notes.txt is neither a tape nor an export of the Redux DevTools" in result.stderr
    result = export(tmp_path, "notes.txt", "--format", "html", "--web", tmp_path)
    assert result.returncode != 0


def test_no_modules_need_each_other():
    """One file is made of modules in the order of need, so there must be one."""
    needs = {}
    for file in WEB.rglob("*.js"):
        found = re.findall(r"^(?:(?:import|export)\b[^'\"();]*?from |import )'(\.[^']+)';", file.read_text(), re.MULTILINE)
        needs[file] = [(file.parent / name).resolve() for name in found]
    done = set()

    def visit(file, above):
        assert file not in above, " → ".join(str(one.relative_to(WEB)) for one in [*above[above.index(file):], file])
        if file not in done:
            for one in needs[file]:
                visit(one, [*above, file])
            done.add(file)

    for file in needs:
        visit(file, [])
