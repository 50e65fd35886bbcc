"""Accessibility: screen readers, keyboard, zoom and reduced motion."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# Problems for screen readers.
FLAWS = """() => {
    const flaws = [];
    const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true]');
    const named = (element) => element.getAttribute('aria-label')?.trim()
        || (element.getAttribute('aria-labelledby') ?? '').split(' ').some((id) => document.getElementById(id)?.textContent.trim())
        || [...element.labels ?? []].some((label) => label.textContent.trim())
        || (element.matches('input, select, textarea') ? '' : element.textContent.trim()) || element.title;
    for (const element of document.querySelectorAll('button, a[href], input, select, textarea, [role=slider], [role=listbox], [role=tree],'
        + '[role=tablist], [role=tabpanel], [role=menu], [role=menuitem], [role=grid], [role=separator][tabindex], dialog, section, nav, img, [role=img]')) {
        if (seen(element) && !named(element) && element.getAttribute('alt') !== '') flaws.push(`no name: ${element.outerHTML.slice(0, 120)}`);
    }
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) flaws.push(`twice: #${id}`);
    for (const name of ['aria-controls', 'aria-labelledby', 'aria-describedby', 'aria-activedescendant', 'aria-details']) {
        for (const element of document.querySelectorAll(`[${name}]`)) {
            if (!seen(element)) continue;
            for (const id of element.getAttribute(name).split(' ')) {
                if (!document.getElementById(id)) flaws.push(`${name} leads nowhere: ${element.outerHTML.slice(0, 120)}`);
            }
        }
    }
    const owners = { option: 'listbox', treeitem: 'tree', tab: 'tablist', menuitem: 'menu', gridcell: 'row' };
    for (const [role, owner] of Object.entries(owners)) {
        for (const element of document.querySelectorAll(`[role=${role}]`)) {
            if (seen(element) && !element.closest(`[role=${owner}]`)) flaws.push(`${role} outside a ${owner}: ${element.outerHTML.slice(0, 120)}`);
        }
    }
    for (const element of document.querySelectorAll('[tabindex]')) {
        if (element.tabIndex > 0) flaws.push(`tabindex ${element.tabIndex}: ${element.outerHTML.slice(0, 120)}`);
    }
    // A press of Tab must not be lost: of a list of many rows, one takes the focus.
    for (const element of document.querySelectorAll('[role=option], [role=treeitem]')) {
        if (element.tabIndex >= 0) flaws.push(`a row takes Tab: ${element.outerHTML.slice(0, 120)}`);
    }
    return flaws;
}"""

UNSEEN = """() => {
    const element = document.activeElement;
    if (element === document.body) return null;
    const { outlineStyle, boxShadow, outlineWidth } = getComputedStyle(element);
    const row = getComputedStyle(element.querySelector('[aria-selected=true]') ?? element);
    const shown = [{ outlineStyle, boxShadow, outlineWidth }, row].some((style) =>
        style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none');
    const box = element.getBoundingClientRect();
    const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    return { name: element.id || element.className || element.textContent.slice(0, 30), seen: shown && inside };
}"""


@pytest.fixture
def session(app):
    app = app(state={"count": 0, "list": [1, 2, 3], "text": "words"}, branch="main")
    for number in range(1, 60):
        app.action("count/up" if number % 3 else "list/add", {"by": 1},
                   [{"op": "replace", "path": "/count", "value": number}], took=0.2)
    app.send({"event": "note", "text": "Look here", "level": "warning"})
    return app


def views(view, session):
    """Each of the page's faces, one after the other."""
    page = view.open(session.session, event=20).page
    for key, tab in (("1", "action"), ("3", "state"), ("4", "raw"), ("5", "test"), ("2", "diff")):
        page.keyboard.press(key)
        expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
        expect(page.locator("#panel")).not_to_have_attribute("aria-busy", "true")
        yield tab
    for key, name in (("o", "overview"), ("c", "compare")):
        page.keyboard.press(key)
        expect(page.locator("#view")).to_be_visible()
        expect(page.locator("#view h2").first).to_be_visible()
        if name == "compare":
            expect(page.locator("#view input")).to_be_focused()
        yield name
        page.keyboard.press("Escape")
        view.until("!document.activeElement.closest('dialog, input, textarea')")
    for opener, what in (("?", "keys"), ("b", "bookmark"), ("a", "action")):
        page.keyboard.press(opener)
        expect(page.locator("dialog[open]"), what).to_be_visible()
        yield f"{what} dialog"
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        view.until("!document.activeElement.closest('dialog, input, textarea')")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("menu", name="Share")).to_be_visible()
    yield "menu"
    page.keyboard.press("Escape")


def test_everything_has_a_name_and_leads_somewhere(view, session):
    view = view()
    for name in views(view, session):
        assert view.page.evaluate(FLAWS) == [], name
    view.page.goto(view.server.url)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(view, session, width, scheme):
    view = view(width=width, height=900, scheme=scheme)
    for name in views(view, session):
        flaws = Axe().run(view.page).response["violations"]
        assert flaws == [], (name, [(flaw["id"], [node["html"] for node in flaw["nodes"]]) for flaw in flaws])


def test_the_empty_page_too(view):
    view = view()
    # The server's answer is late: the page must be complete without it.
    view.page.route("**/api/v1/refusals", lambda route: None)
    view.open()
    expect(view.page.locator("#welcome h2")).to_be_visible()
    assert view.page.evaluate(FLAWS) == []
    view.page.unroute_all(behavior="ignoreErrors")
    view.open()
    expect(view.page.locator("#welcome .latest")).to_contain_text("Waiting for an app")
    assert view.page.evaluate(FLAWS) == []


def test_the_list_is_a_listbox_and_the_state_a_tree(view, session):
    page = view().open(session.session, event=20, tab="state").page
    events, tree = page.get_by_role("listbox", name="Events"), page.get_by_role("tree", name="State")
    expect(tree).to_contain_text("words")
    row = events.locator("[aria-selected=true]")
    expect(row).to_have_attribute("aria-posinset", "21")
    expect(row).to_have_attribute("aria-setsize", "61")
    expect(events).to_have_attribute("aria-activedescendant", "event-20")
    page.keyboard.press("Enter")
    expect(tree).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    node = tree.locator("[aria-selected=true]")
    expect(node).to_have_attribute("aria-level", "2")
    expect(node).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowRight")
    expect(node).to_have_attribute("aria-expanded", "true")
    assert tree.get_attribute("aria-activedescendant") == node.get_attribute("id")


def test_changes_are_announced_politely(view, session):
    view = view(permissions=["clipboard-write"]).open(session.session, event=20)
    page = view.page
    assert page.evaluate("[...document.querySelectorAll('[aria-live=assertive]')].length") == 0
    for place in ("#outcome", "#connection"):
        expect(page.locator(place)).to_have_attribute("role", "status")
    expect(page.locator("#apply")).to_be_enabled()
    page.keyboard.press("p")
    session.accept()
    expect(page.locator("#outcome[role=status]")).to_contain_text("(recorded as")
    page.keyboard.press("y")
    expect(page.locator("#notice[role=status]")).to_contain_text("Link")


def test_focus_is_always_visible_and_wraps_around(view, session):
    page = view().open(session.session, event=20, tab="state").page
    expect(page.locator("#state-tree")).to_contain_text("words")
    expect(page.locator("#apply")).to_be_enabled()
    visited = []
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate(UNSEEN)
        if focused is None:
            break
        assert focused["seen"], focused
        visited.append(focused["name"])
    else:
        raise AssertionError(f"Tab never leaves the page: {visited}")
    for name in ("search", "filter", "events", "apply", "tab-state", "state-tree", "help"):
        assert name in visited, (name, visited)


@pytest.mark.parametrize("width, height", [(640, 400), (320, 400)])
def test_nothing_is_clipped_at_200_and_400_percent(view, session, width, height):
    """At twice the size a window of 1280 pixels has room for 640 of the page's."""
    view = view(width, height, device_scale_factor=2)
    for name in views(view, session):
        page = view.page
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        inside = page.evaluate("""() => [...document.querySelectorAll('button, input, select, textarea, a[href], [role=tab]')].filter((one) =>
            one.checkVisibility({ visibilityProperty: true }) && !one.closest('.row, .node')).map((one) => ({ one, box: one.getBoundingClientRect() }))
            .filter(({ one, box }) => box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !one.closest('.offscreen'))
            .map(({ one }) => one.id || one.textContent.slice(0, 40))""")
        assert inside == [], name


@pytest.mark.parametrize("width", [540, 640, 960, 1100, 1280])
def test_the_title_and_the_help_stay_visible_at_any_zoom(view, server, session, width):
    session.action("go")
    view = view(width, 400, device_scale_factor=2)
    view.page.request.put(f"{server.url}api/v1/start-states", data={
        "app": "com.example.tape", "session": session.session, "seq": 3, "device": "device-Test bench", "labels": {"branch": "main"}})
    view.open(session.session)
    page = view.page
    expect(page.locator("#launch-state")).to_be_visible()
    expect(page.locator("#help")).to_be_visible()
    for name, least in (("#title", 80), ("#title .app", 40), ("#help", 26)):
        box = page.locator(name).bounding_box()
        assert box["width"] >= least and box["x"] >= 0 and box["x"] + box["width"] <= width, (name, box)


def test_forced_colours_show_the_selected_row(view, session):
    page = view(forced_colors="active").open(session.session, event=20, tab="state").page
    expect(page.locator("#state-tree")).to_contain_text("words")
    # Forced colours draw neither backgrounds nor shadows.
    for selected in ("#event-20", "#session-list [aria-current]", "#state-tree [aria-selected=true]", "#tab-state"):
        expect(page.locator(selected)).to_have_css("outline-style", "solid")
    expect(page.locator("#event-21")).to_have_css("outline-style", "none")


def test_the_first_tab_leads_to_the_events(view, session):
    page = view().open(session.session, event=20).page
    expect(page.locator("#event-20")).to_be_visible()
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Skip to events")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    address = page.url
    page.keyboard.press("Enter")
    expect(page.locator("#events")).to_be_focused()
    expect(link).not_to_be_in_viewport()
    assert page.url == address


def test_a_click_with_shift_selects_no_text(view, session):
    page = view().open(session.session, event=20).page
    expect(page.locator("#event-24")).to_be_visible()
    page.locator("#event-20 .name").click()
    page.locator("#event-24 .name").click(modifiers=["Shift"])
    expect(page.locator("#range-replay")).to_be_visible()
    assert page.evaluate("getSelection().toString()") == ""


def test_a_click_with_shift_may_come_before_the_inspector(view, session):
    timeline, held = view(), []
    timeline.page.route("**/views/workbench.js", lambda route: held.append(route))
    with timeline.page.expect_request("**/views/workbench.js"):
        page = timeline.open(session.session, event=20).page
    page.locator("#event-24 .name").click(modifiers=["Shift"])
    for route in held:
        route.continue_()
    expect(page.get_by_label("First event")).to_have_value("20")
    expect(page.get_by_label("Last event")).to_have_value("24")


def test_reduced_motion_stops_animations(view, session):
    view = view()
    for name in views(view, session):
        moving = view.page.evaluate("""document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)""")
        assert moving == [], name
