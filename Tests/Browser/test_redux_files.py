"""The page makes the same tapes of Redux DevTools exports as the engine, and every reader takes every encoding."""

import base64
import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from processes import BUILD
from static import StaticHost
from test_file import choose, tape

FIXTURES = Path(__file__).parent.parent / "Fixtures" / "Redux"

# The lines of a file without its header, or why it can't be read.
READ = r"""async (bytes) => {
    const { OpenedFiles } = await import('/file/opened.js');
    const { request } = await import('/link/http.js');
    const files = globalThis.files ??= new OpenedFiles();
    let session;
    const done = new Promise((resolve) => files.addEventListener('progress', () => {
        if ([...files.files.values()].every((file) => file.done)) resolve();
    }));
    try {
        session = await files.add(new Blob([Uint8Array.fromBase64?.(bytes) ?? Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))]), 'a.json');
    } catch (error) {
        return [null, error.message];
    }
    await done;
    const [file] = [...files.files.values()].filter((one) => one.session === session);
    const text = await (await request(`/api/v1/sessions/${session}/tape`)).text();
    return [text.split('\n').slice(1).join('\n'), file.summary.file.stopped, file.summary.started];
}"""


@pytest.fixture(scope="module")
def reader(browser, tmp_path_factory):
    """Reads files with a page of a static host."""
    host = StaticHost(tmp_path_factory.mktemp("host"))
    page = browser.new_page()
    page.goto(host.url)
    # From here on the page opens no files of its own.
    page.get_by_role("heading", name="Open a tape").wait_for()
    yield lambda content: page.evaluate(READ, base64.b64encode(content).decode())
    page.close()
    host.stop()


@pytest.mark.parametrize("name", sorted(path.stem for path in FIXTURES.glob("*.json")))
def test_the_page_makes_the_tape_that_the_engine_makes(reader, name):
    header, lines = (FIXTURES / f"{name}.tape").read_text(encoding="utf-8").split("\n", 1)
    read, stopped, started = reader((FIXTURES / f"{name}.json").read_bytes())
    assert read == lines and stopped == ""
    if b"timestamp" in (FIXTURES / f"{name}.json").read_bytes():
        assert started == json.loads(header)["started"]


def reference(path):
    return {"$jsan": path}


def lifted(*states, **more):
    return {"actionsById": {str(number): {"action": {"type": "a"}, "timestamp": 1} for number in range(len(states))},
            "stagedActionIds": list(range(len(states))), "computedStates": [{"state": state} for state in states], **more}


@pytest.mark.parametrize("levels", [30, 200, 480])
def test_references_that_multiply_are_refused_by_their_size(reader, levels):
    bomb = [[reference(f"$.x[{number}]")] * 2 for number in range(1, levels + 1)] + ["leaf"]
    read, why, *_ = reader(json.dumps(lifted(0, reference("$.x[0]"), x=bomb)).encode())
    assert read == '{"seq":0,"at":0,"event":"init","state":0}\n'
    assert "with its references resolved, the file has more than 256 MiB of states" in why


ENCODINGS = {
    "plain": lambda text: text.encode(),
    "utf8-mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf16-little": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "unmarked-little": lambda text: text.encode("utf-16-le"),
    "unmarked-big": lambda text: text.encode("utf-16-be"),
    "utf16-big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
}
FILES = {"a.tape": tape(5).decode().replace("cart/add", "é 😀"), "b.redux.json": json.dumps(lifted(*({"n": number, "t": "日本"} for number in range(5))), ensure_ascii=False)}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", FILES)
def test_every_reader_takes_every_encoding(view, server, reader, tmp_path, name, encoding):
    content = ENCODINGS[encoding](FILES[name])
    path = tmp_path / name
    path.write_bytes(content)
    # The page.
    lines, stopped, _ = reader(content)
    assert lines.count("\n") == 5 and stopped == ""
    assert lines == reader(ENCODINGS["plain"](FILES[name]))[0]
    # The command line.
    run = lambda *arguments: subprocess.run([BUILD / "statetape", *arguments], capture_output=True, text=True, check=False)
    verified = run("verify", path)
    assert verified.stdout == f"{path}: 5 events: no problems.\n", verified
    imported = run("import", path, "--server", server.url)
    assert imported.stdout.endswith(" 5 new events\n"), imported
    exported = run("export", imported.stdout.split()[0], "-o", "-", "--server", server.url)
    assert exported.stdout.split("\n", 1)[1] == lines
    # An upload by the page.
    page = view()
    page.open()
    choose(page, (name, content), button="Open file…")
    page.page.get_by_role("dialog").get_by_role("button", name="Upload to server").click()
    expect(page.row(4)).to_be_visible()
