"""A target's folders refer only to folders before them, so that one can read them in the order of the data flow."""

import re
from pathlib import Path

import pytest

from processes import ROOT

# From the lowest to the highest. "" is the target's folder itself: it ties all of them, or has an archive's protocols.
ORDERS = {
    "StateCapture": ["Redact", "Layout", "Encode", "Diff", "Arrays", "Decode", "Codec"],
    "StateTape": ["Settings", "Play", "Write", "Record", ""],
    "StateTapeServer": [
        "Page", "Settings", "Threads", "Requests", "Queries", "Commit", "Apps", "Viewers", "Services", "Core",
        "HTTP", "Maintenance", ""
    ],
    "TapeArchive": ["Folder", "Stored", "Peers", "", "Reading", "SQLite"],
    "TapeArchivePostgres": ["Connection", "Archive", "Broker"],
    "TapeUplink": ["Files", "Link", "Spool"],
}
DECLARATION = re.compile(
    r"^( *)(?:@\w+(?:\([^)]*\))? )*(?:(?:package|public|private|fileprivate|final|indirect) )*"
    r"(?:struct|class|enum|actor|protocol|typealias) (\w+)", re.M)


def code(source: Path) -> str:
    """The source without comments and texts."""
    text = re.sub(r'""".*?"""', '""', source.read_text(), flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r"//[^\n]*", "", text))


class Target:
    def __init__(self, name: str):
        self.root = ROOT / "Sources" / name
        self.order = ORDERS[name]
        self.sources = {source: code(source) for source in sorted(self.root.rglob("*.swift"))}

    def folder(self, source: Path) -> str:
        return source.relative_to(self.root).parts[0] if source.parent != self.root else ""

    def references(self, changed: dict[Path, str] = {}) -> list[str]:
        """The references of a file to a type of a later folder."""
        sources = {**self.sources, **changed}
        places: dict[str, str] = {}
        nested: dict[str, set[str]] = {}
        for source, text in sources.items():
            for match in DECLARATION.finditer(text):
                nested.setdefault(self.folder(source), set()).add(match[2])
                if not match[1]:
                    places[match[2]] = self.folder(source)
        found = []
        for source, text in sources.items():
            own, place = nested.get(self.folder(source), set()), self.order.index(self.folder(source))
            for name in sorted(set(re.findall(r"\b[A-Z]\w*\b", text)) - own):
                if name in places and self.order.index(places[name]) > place:
                    found.append(f"{source.relative_to(self.root)}: {name} of {places[name] or 'the top'}")
        return sorted(found)


@pytest.fixture(scope="module", params=sorted(ORDERS))
def target(request) -> Target:
    return Target(request.param)


def test_each_folder_has_a_place(target):
    assert {target.folder(source) for source in target.sources} == set(target.order)


def test_no_folder_refers_to_a_later_one(target):
    assert target.references() == []


@pytest.mark.parametrize("name, file, line, found", [
    ("StateTapeServer", "Settings/Role.swift", "let committer: Committer?", "Committer of Commit"),
    ("StateCapture", "Redact/Redactor.swift", "let differ: Differ?", "Differ of Diff"),
    ("TapeUplink", "Link/Outbox.swift", "let spool: Spool?", "Spool of Spool"),
    ("TapeArchive", "Stored/Session.swift", "let apps: RemoteApps?", "RemoteApps of Peers"),
    ("TapeArchivePostgres", "Connection/PostgresPool.swift", "let rows: AppRows?", "AppRows of Archive"),
    ("StateTape", "Write/Job.swift", "let track: Track?", "Track of the top"),
])
def test_a_reference_to_a_later_folder_is_found(name, file, line, found):
    target = Target(name)
    source = target.root / file
    assert target.references({source: target.sources[source] + f"\n{line}\n"}) == [f"{file}: {found}"]
