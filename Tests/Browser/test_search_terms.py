"""The terms of a search: chips, completions, unknown fields, and what an empty result offers."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def server(shared):
    return shared


@pytest.fixture
def shop(app):
    app = app(state={"lists": {"a": {"todos": []}, "b": {"names": []}}, "total": 0})
    for number in range(1, 4):
        app.action("todos/add", {"title": f"Oat milk {number}"},
                   [{"op": "add", "path": f"/lists/a/todos/{number - 1}", "value": {"title": f"Oat milk {number}", "done": False}}])
        app.action("cart/pay", {"sum": number * 10}, [{"op": "replace", "path": "/total", "value": number * 10}])
    app.send({"event": "note", "text": "Nothing left", "level": "error"})
    app.send({"event": "note", "text": "Slow answer", "level": "warning"})
    return app


def field(view):
    return view.page.locator("#filter")


def chips(view):
    return view.page.locator("#chips .term button:first-child")


def found(view, due):
    """Expects that exactly these events are shown."""
    expect(view.page.locator("#shown")).to_have_text("9 events" if len(due) == 9 else f"{len(due)} of 9")
    expect(view.rows).to_have_count(len(due))
    assert sorted(int(row.get_attribute("data-seq")) for row in view.rows.all()) == due


@pytest.mark.parametrize("text, due", [
    ("value:MILK", [1, 3, 5]), ('value:"milk"', []), ('value:"Oat milk 2"', [3]), ("value:20", [4]), ("value:false", [1, 3, 5]),
    ("value:20 value:30", [4, 6]), ("path:/lists/*/todos", [0, 1, 3, 5]), ("path:/lists/*/names", [0]),
    ("path:/total path:/lists type:pay", [2, 4, 6]), ("level:error", [7]), ("level:err level:warn", [7, 8]),
    ("-level:error left", []), ("typ:x", []),
])
def test_fields_match(view, shop, text, due):
    view = view().open(shop.session)
    expect(view.rows).to_have_count(9)
    field(view).fill(text)
    found(view, due)


def test_events_with_a_bookmark_are_found_and_followed(view, app):
    app = app(state={"n": 0})
    for number in range(1, 9):
        app.action("up", patch=[{"op": "replace", "path": "/n", "value": number}])
    view = view().open(app.session, event=3)
    expect(view.selected).to_have_id("event-3")
    mark = """([session, seq]) => fetch(`/api/v1/sessions/${session}/bookmarks`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ seq, text: 'here' }) })"""
    view.page.evaluate(mark, [app.session, 3])
    expect(view.row(3).get_by_label("bookmark: here")).to_be_visible()
    field(view).fill("bookmarked")
    found(view, [3])
    view.page.evaluate(mark, [app.session, 5])
    found(view, [3, 5])
    field(view).fill("-bookmarked")
    found(view, [0, 1, 2, 4, 6, 7, 8])


def test_a_typed_term_becomes_a_chip_that_can_be_removed_and_edited(view, shop):
    view = view().open(shop.session)
    expect(view.rows).to_have_count(9)
    field(view).press_sequentially("milk type:todos ")
    expect(chips(view)).to_have_text(["type:todos"])
    expect(field(view)).to_have_value("milk ")
    found(view, [1, 3, 5])
    assert "filter=type%3Atodos+milk" in view.page.url
    field(view).press_sequentially('value:"Oat milk 2" ')
    expect(chips(view)).to_have_text(["type:todos", 'value:"Oat milk 2"'])
    found(view, [3])
    # The chips are reached from the start of the field, and each has its own name.
    field(view).press("Home")
    field(view).press("ArrowLeft")
    expect(view.page.get_by_role("button", name='Remove value:"Oat milk 2"')).to_be_focused()
    view.page.keyboard.press("Delete")
    expect(chips(view)).to_have_text(["type:todos"])
    expect(field(view)).to_be_focused()
    found(view, [1, 3, 5])
    chips(view).click()
    expect(chips(view)).to_have_count(0)
    expect(field(view)).to_have_value("type:todos milk ")
    expect(field(view)).to_be_focused()
    view.page.keyboard.press("Enter")
    expect(chips(view)).to_have_text(["type:todos"])
    field(view).press("Home")
    view.page.keyboard.press("Backspace")
    expect(chips(view)).to_have_count(0)
    expect(field(view)).to_have_value("milk ")


def test_enter_adds_a_term_as_the_help_and_an_empty_result_say(view, shop):
    view = view().open(shop.session)
    expect(view.rows).to_have_count(9)
    for typed, all, rows in (("type:pay", ["type:pay"], [2, 4, 6]), ("type:todos", ["type:pay", "type:todos"], [1, 2, 3, 4, 5, 6]),
                             ("nowhere", ["type:pay", "type:todos"], [])):
        field(view).press_sequentially(typed)
        field(view).press("Enter")
        expect(chips(view)).to_have_text(all)
        found(view, rows)
    expect(view.page.locator("#no-events")).to_contain_text("matches “type:pay type:todos nowhere”. All terms must match: remove one")
    view.page.get_by_role("button", name="Filter syntax").click()
    expect(view.page.locator("#syntax")).to_contain_text("All terms must match; of several for one field, one is enough")


def test_a_link_shows_chips_and_clear_removes_them(view, shop):
    view = view().open(shop.session, filter="-type:pay level:error left")
    expect(chips(view)).to_have_text(["-type:pay", "level:error"])
    expect(field(view)).to_have_value("left")
    found(view, [7])
    view.page.get_by_role("button", name="Remove level:error").click()
    expect(chips(view)).to_have_text(["-type:pay"])
    view.page.locator("#unfilter").click()
    expect(chips(view)).to_have_count(0)
    expect(field(view)).to_have_value("")
    found(view, list(range(9)))


def test_what_is_typed_before_the_chips_are_loaded_stays(view, shop):
    view = view()
    held = []
    view.page.route("**/views/filter-terms.js", lambda route: held.append(route))
    with view.page.expect_request("**/views/filter-terms.js"):
        view.open(shop.session, filter="type:pay")
    expect(field(view)).to_have_value("type:pay")
    found(view, [2, 4, 6])
    field(view).press("End")
    field(view).press("x")
    found(view, [])
    held[0].continue_()
    expect(view.page.locator("#completions")).to_be_attached()
    expect(field(view)).to_have_value("type:payx")
    found(view, [])
    field(view).press("Backspace")
    found(view, [2, 4, 6])


@pytest.mark.parametrize("early", [False, True], ids=["chips", "before the chips"])
def test_enter_that_ends_a_composition_does_not_jump(view, shop, early):
    view = view()
    held = []
    if early:
        view.page.route("**/views/filter-terms.js", lambda route: held.append(route))
    view.open(shop.session, event=0)
    expect(view.rows).to_have_count(9)
    field(view).fill("pay")
    found(view, [2, 4, 6])
    if not early:
        expect(view.page.locator("#completions")).to_be_attached()
    composed = "{ key: 'Enter', isComposing: true, bubbles: true, cancelable: true }"
    field(view).evaluate(f"field => {{ field.dispatchEvent(new KeyboardEvent('keydown', {composed})); }}")
    field(view).press("Enter")
    for route in held:
        route.continue_()
    expect(view.page).to_have_url(re.compile("event=2&"))
    # Jumps are in order: another one would be over, too.
    view.page.evaluate("import('/views/jump.js').then(() => {})")
    assert "event=2&" in view.page.url


def test_completions_are_chosen_by_key_or_click(view, shop):
    view = view().open(shop.session)
    expect(view.rows).to_have_count(9)
    options = view.page.get_by_role("listbox", name="Completions").get_by_role("option")
    field(view).press_sequentially("ty")
    expect(options).to_contain_text(["type:"])
    expect(field(view)).to_have_attribute("aria-expanded", "true")
    field(view).press("ArrowDown")
    expect(field(view)).to_have_attribute("aria-activedescendant", "completion-0")
    field(view).press("Enter")
    expect(field(view)).to_have_value("type:")
    expect(options).to_have_text(["type:cart/pay", "type:todos/add"])
    field(view).press("ArrowUp")
    field(view).press("Enter")
    expect(chips(view)).to_have_text(["type:todos/add"])
    expect(field(view)).to_have_value("")
    expect(options).to_have_count(0)
    found(view, [1, 3, 5])
    # A plain word offers the types that contain it.
    field(view).press_sequentially("-a")
    expect(options).to_have_text(["-type:a2 known types match", "-type:cart/pay", "-type:todos/add", "-store:main", "-level:warning"])
    options.nth(1).click()
    expect(chips(view)).to_have_text(["type:todos/add", "-type:cart/pay"])
    # Escape leaves an active completion first, then the field.
    field(view).press_sequentially("err")
    expect(options).to_have_text(["level:error"])
    field(view).press("ArrowDown")
    field(view).press("Escape")
    expect(options).to_have_count(0)
    expect(field(view)).to_be_focused()
    field(view).press("Escape")
    expect(field(view)).not_to_be_focused()


@pytest.mark.parametrize("text, instead", [
    ("typ:cart", "type:cart"), ("-valeu:10", "-value:10"), ("action:todos", "type:todos"), ("pth:/total", "path:/total"),
])
def test_an_unknown_field_is_a_warning_with_the_nearest_one(view, shop, text, instead):
    view = view().open(shop.session)
    expect(view.rows).to_have_count(9)
    field(view).fill(text)
    warning = view.page.locator("#filter-error")
    expect(warning).to_contain_text(f"There is no “{text.strip('-').split(':')[0]}:”. Did you mean {instead}?")
    expect(field(view)).not_to_have_attribute("aria-invalid", "true")
    warning.get_by_role("button", name=instead, exact=True).click()
    expect(warning).to_be_hidden()
    expect(chips(view)).to_have_text([instead])


def test_a_text_with_a_colon_is_searched_as_text(view, app):
    app = app(state={})
    for text in ("at http://x", "from 12:30", "a:b", "see localhost:8080"):
        app.send({"event": "note", "text": text})
    view = view().open(app.session)
    expect(view.rows).to_have_count(5)
    warning = view.page.locator("#filter-error")
    for text, seq in (("http://x", 1), ("12:30", 2), ("a:b", 3), ("localhost:8080", 4)):
        field(view).fill(text)
        expect(view.rows).to_have_count(1)
        expect(view.row(seq)).to_be_visible()
    expect(warning).to_contain_text("There is no “localhost:”")
    warning.get_by_role("button", name="Search it as text").click()
    expect(warning).to_be_hidden()
    expect(field(view)).to_have_value('"localhost:8080"')
    expect(view.row(4)).to_be_visible()


def test_an_empty_result_offers_what_would_find_something(view, shop):
    view = view().open(shop.session)
    expect(view.rows).to_have_count(9)
    field(view).fill("type:milk")
    offers = view.page.get_by_role("list", name="Searches that find something").get_by_role("button")
    expect(offers).to_have_text(["3 in values", "3 in any text", "First event with the value “milk”: #1"])
    view.shot("search-offers-1280-light")
    offers.nth(2).click()
    expect(view.selected).to_have_id("event-1")
    found(view, list(range(9)))
    field(view).fill("type:milk")
    offers.nth(0).click()
    expect(chips(view)).to_have_text(["value:milk"])
    found(view, [1, 3, 5])
    # The marks show what has matched.
    expect(view.row(3).locator("mark")).to_have_text(["milk", "milk"])
    field(view).fill("type:pay")
    expect(offers).to_have_text(["3 without value:milk", "3 without type:pay"])


@pytest.mark.parametrize("text, seq, marks", [
    ("type:todos", 3, ["todos"]), ("type:c*y", 4, ["cart/pay"]), ("path:/lists/*/todos", 3, ["lists›a›todos"]),
    ("value:20", 4, ["20", "20"]), ("path:/total", 4, ["total"]), ("level:error", 7, []),
])
def test_what_matches_is_marked(view, shop, text, seq, marks):
    view = view().open(shop.session, filter=text)
    expect(view.row(seq).locator("mark")).to_have_text(marks)
    expect(view.row(seq)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440, 2560])
def test_how_it_looks(view, shop, width, scheme):
    from test_look import look
    view = view(width, 740 if width < 720 else 800, scheme).open(shop.session, filter="type:todos -level:error path:/lists/*/todos typ:x milk")
    expect(chips(view)).to_have_count(3)
    field(view).press("End")
    field(view).press_sequentially(" le")
    expect(view.page.get_by_role("option", name="level: error (also of a reducer), warning or info")).to_be_visible()
    look(view, f"search-terms-{width}-{scheme}")
