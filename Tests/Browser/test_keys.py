"""The dialog of keyboard shortcuts, readable at every size."""

import pytest
from playwright.sync_api import expect

from test_look import look


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (2560, 1300)])
def test_shortcuts_are_listed_in_groups(view, app, size, scheme):
    view = view(*size, scheme).open(app(state={}).session)
    expect(view.row(0)).to_be_visible()
    view.page.keyboard.press("?")
    keys = view.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys.get_by_role("heading")).to_contain_text(["Keyboard shortcuts", "Timeline", "Inspector", "App", "Session and page"])
    expect(keys.locator("dt", has_text="b").first).to_be_visible()
    look(view, f"keys-{size[0]}-{scheme}")
    assert keys.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
    # The open dialog disables the page's shortcuts.
    view.page.keyboard.press("y")
    expect(view.page.locator("#notice")).to_have_count(0)
    view.page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
