"""The job for GitHub Actions, as the article has it: its steps are run in order, with an app whose tests fail."""

import re
import shutil
import subprocess

import pytest
import yaml

from processes import ROOT, environment
from test_fixtures import FIXTURES

pytestmark = pytest.mark.xdist_group("builds")

ARTICLE = ROOT / "Sources" / "StateTapeServer" / "StateTapeServer.docc" / "ContinuousIntegration.md"
#: It stays from run to run: what the job caches is there, and nothing else.
WORKSPACE = ROOT / ".build" / "actions"


def steps():
    text = re.search(r"```yaml\n(.*?)```", ARTICLE.read_text(), re.DOTALL).group(1)
    # YAML 1.1 reads the key `on` as true.
    job = yaml.safe_load(text)["jobs"]["test"]
    assert job["container"].startswith("swift:")
    return job["steps"]


def check_out(app, path, repository=None):
    """Instead of a clone: the package itself, which has its builds, or the app."""
    place = WORKSPACE / path
    assert WORKSPACE in place.resolve().parents or place == WORKSPACE
    if repository:
        assert repository.endswith("/StateTape")
        place.symlink_to(ROOT)
    else:
        shutil.copytree(app, place, dirs_exist_ok=True)


def restore(path, key, **more):
    """What the cache would keep lies in the packages, and each file that the key names is there."""
    for folder in path.split():
        assert (WORKSPACE / folder).name == ".build" and (WORKSPACE / folder).parent.is_dir()
    names = re.findall(r"'([^']+)'", key)
    assert names and all(list(WORKSPACE.glob(name)) for name in names), key
    assert more["restore-keys"].strip() == key.removesuffix("${{ github.sha }}")


def install(command):
    """Its packages are those that Package.swift names, and the tests have them: it would change nothing."""
    packages = command.partition("apt-get install -qy ")[2].split()
    manifest = (ROOT / "Package.swift").read_text()
    assert set(re.findall(r'\.apt\(\["([^"]+)"\]\)', manifest)) <= set(packages)
    known = subprocess.run(["dpkg-query", "-W", "-f=${Status}\n", *packages], text=True, capture_output=True)
    assert known.returncode == 0 and set(known.stdout.splitlines()) == {"install ok installed"}, known.stderr


def test_the_job_runs_as_it_is_written(tmp_path):
    app = tmp_path / "app"
    shutil.copytree(FIXTURES / "TapedTests", app, ignore=shutil.ignore_patterns(".build", "Package.resolved"))
    manifest = app / "Package.swift"
    manifest.write_text(manifest.read_text().replace('"../../.."', '"../StateTape"'))
    WORKSPACE.mkdir(parents=True, exist_ok=True)
    for place in [*WORKSPACE.glob("*"), *WORKSPACE.glob("App/*")]:
        if place.name in ("App", ".build") and not place.is_symlink():
            continue
        shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
    summary = tmp_path / "summary.md"
    summary.touch()
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_WORKSPACE": str(WORKSPACE),
              "GITHUB_SHA": "0" * 40, "GITHUB_REF_NAME": "main", "CI": "true"}
    failed, uploaded, output, ran_before = False, [], "", False
    for number, step in enumerate(steps()):
        if failed and "failure()" not in step.get("if", "") or not failed and "failure()" in step.get("if", ""):
            continue
        uses, given = step.get("uses", "").partition("@")[0], step.get("with", {})
        if uses == "actions/checkout":
            check_out(app, **{"path": ".", **given})
        elif uses == "actions/cache":
            assert not ran_before, "The cache comes after a step that builds: it would restore nothing in time."
            restore(**given)
        elif uses == "actions/upload-artifact":
            # Its path begins at the workspace, whatever the folders of the steps are. It leaves hidden files out.
            uploaded += [file.name for file in (WORKSPACE / given["path"]).glob("[!.]*")]
        elif "apt-get" in step["run"]:
            assert not ran_before, "The libraries come after a step that needs them."
            install(step["run"])
        else:
            ran_before = True
            script = tmp_path / f"step-{number}.sh"
            script.write_text(step["run"])
            # In a container, a step without `shell` is one of sh.
            ran = subprocess.run(
                ["sh", "-e", script], cwd=WORKSPACE / step.get("working-directory", "."), text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(**github))
            output, failed = ran.stdout, ran.returncode != 0
            assert failed == ("statetape ci" in step["run"]), output[-5000:]
    # The job fails because of the tests, and has what the article promises.
    assert failed
    tests = {"CartTests-countsOnce", "CartTests-staysEmpty", "CartCases-testCounts"}
    assert {name.rpartition(".")[0] for name in uploaded} - {"index"} == tests, uploaded
    assert "index.html" in uploaded and {name.rpartition(".")[2] for name in uploaded} == {"html", "tape"}
    assert all(name in summary.read_text() for name in ("countsOnce", "staysEmpty", "testCounts")), summary.read_text()
    # An annotation is at a line of a file of the app's repository.
    places = re.findall(r"^::error file=([^,]+),line=(\d+)", output, re.MULTILINE)
    assert len(places) == 3 and all((app / file).is_file() for file, _ in places), output[-3000:]
    # The reports of both libraries have the links.
    reports = {file.name: file.read_text().count('name="statetape"') for file in (WORKSPACE / "App").glob("tests*.xml")}
    assert reports == {"tests.xml": 1, "tests-swift-testing.xml": 2}, output[-3000:]
