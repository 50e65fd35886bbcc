"""The page shows everything that an app sends as text."""

import re

from playwright.sync_api import expect

from processes import ROOT

WEB = ROOT / "web"
#: Bytes.
WEIGHT = 151_000

EVIL = [
    "<img src=x onerror=alert(1)>", "<script>alert(2)</script>", "\"><svg onload=alert(3)>", "javascript:alert(4)",
    "{{constructor.constructor('alert(5)')()}}", "\u202eright to left\u202c", "a\nb\tc\u0000d\u001b[31m", "𝕊😀é e\u0301",
    "<style>*{display:none}</style>", "__proto__", "constructor", "toString", "'; DROP TABLE sessions; --", "x" * 5000,
    "&lt;b&gt;", "http://example.invalid/x.png", "//example.invalid", "~1~0/", "",
]


def test_hostile_strings_are_shown_as_text(view, app):
    app = app(name=EVIL[0], version=EVIL[1], device=EVIL[2], state={evil: evil for evil in EVIL}, **{"<b>": EVIL[0]})
    for evil in EVIL:
        app.action(evil, {evil: [evil]}, [
            {"op": "add", "path": "/added~1" + evil.replace("~", "~0").replace("/", "~1"), "value": {evil: evil}}])
        app.send({"event": "note", "text": evil, "level": "error"})
    app.send({"event": "init", "store": EVIL[0], "state": EVIL[0]})
    app.send({"event": "novelty<b>", "store": EVIL[0], "text": EVIL[1]})
    view = view().open(app.session)
    page = view.page
    expect(view.row(app.seq - 1)).to_be_visible()
    page.keyboard.press("Home")
    expect(view.row(1)).to_contain_text(EVIL[0])
    expect(page.locator("#title")).to_contain_text(EVIL[0])
    expect(page.locator("#session-list")).to_contain_text(EVIL[2])
    page.keyboard.press("Home")
    for seq in range(0, app.seq):
        expect(view.selected).to_have_id(f"event-{seq}")
        for key in ("1", "3", "4", "2") if seq < 12 or seq % 5 == 0 else ("2",):
            page.keyboard.press(key)
            expect(page.locator("#panel")).not_to_have_attribute("aria-busy", "true")
        page.keyboard.press("ArrowDown")
    page.keyboard.press("3")
    page.get_by_role("button", name="Expand changes").click()
    # In the inspector it searches the state, in the list the events.
    page.keyboard.press("/")
    page.keyboard.type(EVIL[0])
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type(EVIL[0])
    expect(page.locator(".found")).to_contain_text("of")
    page.locator("#events").focus()
    page.keyboard.press("/")
    page.keyboard.type(EVIL[0])
    expect(page.locator("#shown")).to_contain_text("of")
    assert page.evaluate("document.querySelectorAll('main :is(img, script, style, iframe, object), main svg:not(#scrubber svg, #view svg)').length") == 0
    assert page.evaluate("({}).polluted === undefined && Object.getPrototypeOf({}) === Object.prototype")


#: Lines that the server accepts and nothing can make sense of, and what the inspector says of them.
SENSELESS = {
    '"event":"action","action":{"type":"go"},"patch":[{"op":"add","path":null,"value":1}]': "“add” needs “path”",
    '"event":"action","action":{"type":"go"},"patch":[{"op":"remove","path":"todos"}]': "“todos” is not a JSON Pointer",
    '"event":"action","action":{"type":"go"},"patch":[null]': "an operation must be an object",
    '"event":"replace","state":{"a":1},"cause":{"travel":1}': "a",
    '"event":"note","text":"odd","cause":{"lost":1}': "Can’t show this: lost.filter is not a function",
    '"event":"detach","store":"other","reason":{"toString":1}': '{"toString":1}',
    '"event":"gap","count":1,"reason":{"toString":1}': '{"toString":1}',
}


def test_a_senseless_line_hides_no_other_and_says_what_is_wrong(view, app):
    app = app(state={"a": 0})
    app.send(*SENSELESS, {"event": "note", "text": "stored"})
    view = view().open(app.session)
    # The server can't know the states after these lines, and nothing can list what “lost” has.
    view.expected += ["409", "lost.filter is not a function"]
    page, stored = view.page, app.seq
    expect(view.row(stored - 1)).to_contain_text("stored")
    app.send(*SENSELESS, {"event": "note", "text": "live"})
    expect(view.row(app.seq - 1)).to_contain_text("live")
    expect(view.rows).to_have_count(app.seq)
    expect(page.locator("#events .is-loading")).to_have_count(0)
    for first in (1, stored):
        for seq, text in enumerate(SENSELESS.values(), first):
            view.row(seq).click()
            expect(page.locator("#panel")).to_contain_text(text)
            expect(page.locator("#panel")).not_to_have_attribute("aria-busy", "true")


def test_the_page_may_not_do_what_its_policy_forbids(view, server):
    view = view()
    answer = view.page.request.get(server.url)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
    assert "unsafe" not in policy
    view.open()
    expect(view.page.locator("#welcome")).to_be_visible()
    source = view.page.request.get(server.url + "app.css")
    assert source.headers.get("x-content-type-options") == "nosniff"


def test_the_page_is_light():
    """What must be there before the first row: the page, its styles, its icon, and the modules that it asks for."""
    page = (WEB / "index.html").read_text()
    asked = re.findall(r'<(?:link|script)[^>]* (?:href|src)="(.+?)"', page)
    assert len(asked) > 25
    weight = sum((WEB / file).stat().st_size for file in ["index.html", *asked])
    assert weight < WEIGHT


def test_the_page_never_parses_html():
    for file in WEB.rglob("*"):
        if not file.is_file():
            continue
        text = file.read_text()
        assert text.count("\n") <= 300, file
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert forbidden not in text, (file, forbidden)


def test_every_module_that_main_needs_is_asked_for_at_once():
    page = (WEB / "index.html").read_text()
    needed, left = set(), [WEB / "main.js"]
    while left:
        file = left.pop()
        for name in re.findall(r"^(?:import|export) .*?from '(.+?)';", file.read_text(), re.MULTILINE):
            module = (file.parent / name).resolve()
            if module not in needed:
                needed.add(module)
                left.append(module)
    listed = re.findall(r'<link rel="modulepreload" href="(.+?)">', page)
    assert sorted(listed) == sorted(str(module.relative_to(WEB)) for module in needed)
