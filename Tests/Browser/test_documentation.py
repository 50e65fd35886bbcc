"""README and the articles name everything that there is, and link to nothing that there isn't."""

import json
import re
import subprocess

import pytest

from processes import BUILD, ROOT

ARTICLES = ROOT / "Sources"
TEXTS = [ROOT / "README.md", *sorted((ROOT / ".github").glob("*.md")), *sorted(ARTICLES.glob("*/*.docc/*.md"))]
APP = ARTICLES / "StateTape" / "StateTape.docc"
SERVER = ARTICLES / "StateTapeServer" / "StateTapeServer.docc"
VARIABLE = re.compile(r"\bSTATETAPE_[A-Z_]*[A-Z]\b")


def rows(text):
    """What the first cells of a text's tables name as code."""
    return {name for line in text.splitlines() if line.startswith("| `") for name in re.findall(r"`([^`]+)`", line.split(" | ")[0])}


def variables(folder, *kinds):
    files = [file for kind in kinds for file in folder.rglob(kind) if "__pycache__" not in file.parts]
    return {name for file in files for name in VARIABLE.findall(file.read_text(errors="replace"))}


def test_readme_is_short():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 150
    assert max(len(line) for line in lines if "](" not in line and not line.startswith(("|", "$"))) <= 125


def test_the_readme_installs_in_one_command_what_the_build_needs():
    """Each place that installs the libraries installs all of them; and the demo's and the tests' commands stand alone."""
    library = re.compile(r"\b(?:lib[a-z0-9-]+|zlib1g)-dev\b")
    needed = set(library.findall((ROOT / "Tests" / "run").read_text())) - {"libcurl4-openssl-dev", "libxml2-dev"}
    assert "libwebsockets-dev" in needed
    readme = (ROOT / "README.md").read_text()
    demo, tests = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)[:2]
    for text in (demo, (SERVER / "ContinuousIntegration.md").read_text(), (ROOT / "Dockerfile").read_text()):
        assert needed <= set(library.findall(text))
    assert len(demo.splitlines()) == 1 and demo.rstrip().endswith("&& swift run -c release statetape demo")
    assert tests == "Tests/run\n"
    # Where the command comes from is said before a text uses it.
    assert readme.index("/usr/local/bin") < re.search(r"[`\n]statetape ", readme).start()


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text.relative_to(ROOT)))
def test_every_link_to_a_file_leads_to_one(text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text.read_text()):
        if not re.match(r"[a-z]+:", target):
            assert (text.parent / target.partition("#")[0]).exists(), target


def test_the_table_of_variables_is_complete():
    named = rows((APP / "EnvironmentVariables.md").read_text())
    assert {name for name in named if VARIABLE.fullmatch(name)} == variables(ARTICLES, "*.swift")


def test_contributing_names_the_variables_of_the_tests():
    named = set(VARIABLE.findall((ROOT / ".github" / "CONTRIBUTING.md").read_text()))
    manifest = set(VARIABLE.findall((ROOT / "Package.swift").read_text()))
    # Some pass values between processes of the tests alone.
    inner = {"STATETAPE_FUZZ_TARGET", "STATETAPE_TESTS_SPOOL", "STATETAPE_TESTS_URL"}
    tests = variables(ROOT / "Tests", "*.swift", "*.py", "run") - variables(ARTICLES, "*.swift")
    assert tests | manifest == named - variables(ARTICLES, "*.swift") | inner


def test_the_article_names_every_path_of_the_api():
    article = (SERVER / "HTTP.md").read_text()
    for path, operations in json.loads((ARTICLES / "StateTapeServer/HTTP/openapi.json").read_text())["paths"].items():
        named = [line for line in article.splitlines() if line.startswith("|") and re.search(re.escape(path) + r"[?` ]", line)]
        _, session, rest = path.partition("{id}")
        if session and not named:
            named = [line for line in article.splitlines() if line.startswith("|") and f"…{rest}`" in line]
        assert named, path
        for method in {"get", "post", "put", "patch", "delete"} & operations.keys():
            assert any(method.upper() in line for line in named), f"{method} {path}"


def test_the_article_names_every_command_and_limit():
    article = (SERVER / "CommandLine.md").read_text()
    words = subprocess.run([BUILD / "statetape", "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z-]+)  ", words.partition("SUBCOMMANDS:")[2], re.MULTILINE)
    assert "serve" in commands
    for command in commands:
        assert f"`statetape {command}" in article, command
    helped = subprocess.run([BUILD / "statetape", "help", "serve"], capture_output=True, text=True, check=True).stdout
    texts = article + (SERVER / "Storage.md").read_text() + (SERVER / "Access.md").read_text()
    for option in set(re.findall(r"--[a-z-]+", helped)) - {"--help", "--version", "--web"}:
        assert option in texts, option


def test_every_article_begins_with_what_the_reader_gets():
    for article in ARTICLES.glob("*/*.docc/*.md"):
        lines = article.read_text().splitlines()
        assert lines[0].startswith("# ") and lines[1] == "" and re.match(r"\w", lines[2]), article
