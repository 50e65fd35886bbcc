"""Attacks on the built server. After each one the server must be healthy and return every acknowledged event."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "Browser"))

from target import Target  # noqa: E402  (needs the path above)


@pytest.fixture(scope="module")
def options():
    """How the server of a module is set up."""
    return {}


@pytest.fixture(scope="module")
def shared(tmp_path_factory, options):
    """The server that a module's tests attack one after the other. A new one starts after a successful attack."""
    targets = []

    def current():
        if not targets or targets[-1].is_lost:
            targets.append(Target(tmp_path_factory.mktemp("shared"), **options))
        return targets[-1]

    yield current
    for target in targets:
        target.finish()


@pytest.fixture
def target(shared):
    """The module's server, checked after each test."""
    target = shared()
    target.is_lost = True
    yield target
    target.check()
    target.is_lost = False


@pytest.fixture
def fresh(tmp_path):
    """Starts separate servers for a test, with any options."""
    targets = []

    def start(**options):
        folder = tmp_path / f"server-{len(targets)}"
        folder.mkdir()
        targets.append(Target(folder, **options))
        return targets[-1]

    yield start
    for target in targets:
        target.finish()
