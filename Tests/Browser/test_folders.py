"""The server's folders refer only to folders before them, so that one can read them in the order of the data flow."""

import re
from pathlib import Path

import pytest

from processes import ROOT

SERVER = ROOT / "Sources/StateTapeServer"
# From the lowest to the highest; "" is the folder itself, which ties all of them.
ORDER = [
    "Page", "Settings", "Threads", "Requests", "Queries", "Commit", "Apps", "Viewers", "Services", "Core", "HTTP",
    "Maintenance", "",
]
DECLARATION = re.compile(
    r"^( *)(?:@\w+(?:\([^)]*\))? )*(?:(?:package|public|private|fileprivate|final|indirect) )*"
    r"(?:struct|class|enum|actor|protocol|typealias) (\w+)", re.M)


def code(source: Path) -> str:
    """The source without comments and texts."""
    text = re.sub(r'""".*?"""', '""', source.read_text(), flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r"//[^\n]*", "", text))


def folder(source: Path) -> str:
    return source.relative_to(SERVER).parts[0] if source.parent != SERVER else ""


def references(sources: dict[Path, str]) -> list[str]:
    """The references of a file to a type of a later folder."""
    places: dict[str, str] = {}
    nested: dict[str, set[str]] = {}
    for source, text in sources.items():
        for match in DECLARATION.finditer(text):
            nested.setdefault(folder(source), set()).add(match[2])
            if not match[1]:
                places[match[2]] = folder(source)
    found = []
    for source, text in sources.items():
        own = nested.get(folder(source), set())
        for name in sorted(set(re.findall(r"\b[A-Z]\w*\b", text)) - own):
            if name in places and ORDER.index(places[name]) > ORDER.index(folder(source)):
                found.append(f"{source.relative_to(SERVER)}: {name} of {places[name] or 'the top'}")
    return sorted(found)


@pytest.fixture(scope="module")
def sources() -> dict[Path, str]:
    return {source: code(source) for source in sorted(SERVER.rglob("*.swift"))}


def test_each_folder_has_a_place(sources):
    assert {folder(source) for source in sources} == set(ORDER)


def test_no_folder_refers_to_a_later_one(sources):
    assert references(sources) == []


def test_a_reference_to_a_later_folder_is_found(sources):
    source = SERVER / "Settings/Role.swift"
    text = sources[source] + "\nlet committer: Committer?\n"
    assert references({**sources, source: text}) == ["Settings/Role.swift: Committer of Commit"]
