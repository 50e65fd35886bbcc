"""When something happened, by the clock; and dates inside values."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def session(app):
    app = app(state={"seen": "2026-11-20T10:00:00Z", "due": 816_868_800, "sentAt": 1_763_632_800, "readAt": 1_763_632_800_123,
                     "total": 816_868_800, "note": "2026"})
    due = [{"op": "replace", "path": "/due", "value": 816_955_200}]
    for type, at, patch in (("a", 32.5, due), ("b", 12_000, []), ("c", 59_000, []), ("d", 60_100, [])):
        app.at = at - 12.5
        app.action(type, patch=patch)
    return app.session


def test_rows_have_the_clock_at_each_minute_and_after_a_pause(view, session):
    view = view(timezone_id="Asia/Kolkata").open(session)
    for seq, time in ((0, "15:30:00"), (1, "+20 ms"), (2, "15:30:12"), (3, "15:30:59"), (4, "15:31:00")):
        expect(view.row(seq).locator(".since")).to_have_text(time)
    expect(view.row(1).locator(".since")).to_have_attribute("title", "15:30:00.155, 0:00.032 after the session started")


def test_the_inspector_has_the_time_by_the_clock(view, session):
    view = view(timezone_id="Asia/Kolkata").open(session, event=2, tab="action")
    expect(view.page.locator("#event-at")).to_contain_text("15:30:12.123 (0:12.000)")
    expect(view.page.locator("#panel")).to_contain_text("20 Nov 2026, 15:30:12.123")
    expect(view.page.locator("#panel")).to_contain_text("0:12.000 (12000.0 ms)")


def test_dates_inside_values_are_decoded(view, session):
    view = view(timezone_id="UTC").open(session, event=1, tab="state")
    date = lambda name: view.page.locator("#panel .node", has_text=f"{name}").locator(".value")
    for name, text in (("seen", "20 Nov 2026, 10:00:00"), ("due", "21 Nov 2026, 12:00:00"),
                       ("sentAt", "20 Nov 2025, 10:00:00"), ("readAt", "20 Nov 2025, 10:00:00")):
        expect(date(name)).to_have_attribute("data-date", text)
    # Other numbers and texts stay as they are.
    for name in ("total", "note"):
        expect(date(name)).not_to_have_attribute("data-date")
    view.page.get_by_role("tab", name="Diff").click()
    expect(view.page.locator("#panel del")).to_have_attribute("data-date", "20 Nov 2026, 12:00:00")
    expect(view.page.locator("#panel ins")).to_have_attribute("data-date", "21 Nov 2026, 12:00:00")
    view.shot("dates")
