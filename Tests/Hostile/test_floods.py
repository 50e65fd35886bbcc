"""A view-only link, or an app's token, given to a stranger: control and apps go on, in bounded memory."""

import pytest

from floods import EVENTS, FLOODS, LIMIT, OPTIONS, control, fill, opens_page, sends_large_state, unread
from waiting import until
from wire import statuses


@pytest.fixture(scope="module")
def options():
    return {**OPTIONS, "memory": LIMIT}


@pytest.fixture
def filled(target):
    if target.ask("/api/v1/sessions/FLOOD-EVENTS-SESSION").status == 404:
        fill(target, 4, 12)
    return target


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_keeps_nobody_waiting(filled, name):
    flood, _, count = FLOODS[name]
    peers = flood(filled, count)
    for _ in range(5):
        assert len(list(control(filled))) == 3
        filled.check()
    assert opens_page(filled) and sends_large_state(filled)
    for peer in peers:
        peer.close()
    until(lambda: filled.resident < LIMIT / 2, lambda: f"the server keeps {filled.resident} MiB")


def test_what_passes_the_bound_is_told_when_to_come_back(filled):
    # Longer than what the system keeps for a connection.
    peers = unread(filled, 200, f"/api/v1/sessions/{EVENTS}/tape")
    heads = [peer.recv(2_000) for peer in reversed(peers)]
    for peer in peers:
        peer.close()
    found = [statuses(head)[:1] for head in heads]
    assert [200] in found and [503] in found, found
    refused = next(head for head in heads if head.startswith(b"HTTP/1.1 503"))
    # The body may come later.
    assert b"retry-after: 5" in refused.lower(), refused


def test_control_takes_the_place_of_a_view_only_page(filled):
    flood, _, count = FLOODS["viewers"]
    peers = flood(filled, count)
    assert 0 < len(peers) < count
    assert opens_page(filled)
    for peer in peers:
        peer.close()
