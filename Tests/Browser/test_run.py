"""`statetape run`: an app that is reloaded at its state, from a package outside of this one."""

import os
import json
import re
import shutil
import signal
import subprocess

import pytest
from playwright.sync_api import expect

from processes import BUILD, ROOT, TIMEOUT, environment
from reloading import Run, alive
from screen import Screen
from test_fixtures import ask
from waiting import until

pytestmark = pytest.mark.xdist_group("builds")

FIXTURE = ROOT / "Tests" / "Fixtures" / "Reloaded"
#: A package of its own, with a build folder that stays from run to run.
COPY = ROOT / ".build" / "fixtures" / "Reloaded"
REDUCER = "Sources/Reloaded/Reducer.swift"


def restore(folder):
    """Writes only what differs, so that the next build is short."""
    manifest = (FIXTURE / "Package.swift").read_text().replace('path: "../../.."', f'path: "{ROOT}"')
    texts = {"Package.swift": manifest} | {
        str(file.relative_to(FIXTURE)): file.read_text() for file in (FIXTURE / "Sources").rglob("*.swift")}
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(text)
        elif file.read_text() != text:
            before = int(file.stat().st_mtime)
            file.write_text(text)
            # The compiler compares whole seconds.
            if int(file.stat().st_mtime) == before:
                os.utime(file, (before + 1, before + 1))


@pytest.fixture
def run(tmp_path):
    runs = []

    def start(*options, folder=COPY, **more):
        runs.append(Run(folder, *options, HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "cache"), **more))
        return runs[-1]

    restore(COPY)
    yield start
    for run in runs:
        try:
            run.stop()
        finally:
            if run.process.poll() is None:
                run.process.kill()


def test_a_saved_file_reloads_the_app_at_its_state(run, view):
    app = run()
    first = app.launched(0)
    app.type("5", "total 5")
    page = view(at=app).open()
    app.save(REDUCER, "+= number", "+= 10 * number")
    app.shows("Building, because of Reducer.swift")
    second = app.launched(5)
    assert second != first and not alive(first)
    reloaded = app.shows(r"Reloaded in ([\d.]+) s, of which the build took ([\d.]+) s")
    assert float(reloaded.group(1)) >= float(reloaded.group(2)) > 0
    app.type("2", "total 25")
    expect(page.page.locator("#runs")).to_contain_text("swift run Reloaded")
    expect(page.page.locator("#runs")).to_contain_text(re.compile(r"Reloaded: Reducer.swift changed, [\d.]+ s"))
    page.page.locator("#session-list a").last.click()
    expect(page.page.locator("#run")).to_contain_text("Reloaded: Reducer.swift changed")
    page.page.get_by_role("link", name="Go to the new session").click()
    expect(page.row(1)).to_contain_text("add")
    expect(page.page.locator("#run a")).to_have_count(0)


def test_two_saves_in_one_second_are_both_built(run):
    """The compiler compares whole seconds."""
    app = run()
    app.launched(0)
    app.save(REDUCER, "+= number", "+= 10 * number")
    app.launched(0)
    app.type("2", "total 20")
    file = app.folder / REDUCER
    time = file.stat().st_mtime_ns
    again = file.with_name(".again")
    again.write_text(file.read_text().replace("10", "30"))
    later = time - time % 10**9 + (time + 1) % 10**9
    os.utime(again, ns=(later, later))
    again.rename(file)
    app.launched(20)
    app.type("1", "total 50")


def test_a_compile_error_is_shown_and_the_old_app_goes_on(run, view):
    app = run()
    app.launched(0)
    app.type("5", "total 5")
    page = view(at=app).open()
    app.save(REDUCER, "+= number", "+= numbr")
    app.shows(r"Sources/Reloaded/Reducer.swift:3:\d+: cannot find 'numbr' in scope")
    app.shows("The build failed. The app keeps running.")
    expect(page.page.locator("#runs")).to_contain_text("Build failed: Reducer.swift:3:")
    page.page.locator("#session-list a").first.click()
    expect(page.page.locator("#run .error")).to_contain_text("cannot find 'numbr' in scope")
    app.type("1", "total 6")
    app.save(REDUCER, "+= numbr", "-= number")
    app.launched(6)
    app.shows("Reloaded in")
    expect(page.page.locator("#run .error")).to_have_count(0)
    app.type("1", "total 5")


def test_what_could_not_be_carried_over_is_said_and_kept(run, view):
    store = "Sources/Reloaded/CounterStore.swift"
    app = run()
    app.launched(0)
    app.type("5", "total 5")
    page = view(at=app).open()
    app.save(store, "var total = 0", "var total = 0\n    var more = 1")
    app.launched(5)
    app.shows("Reloaded in.*Filled in from the app's initial state: /more")
    page.page.locator("#session-list a").first.click()
    expect(page.page.locator("#run .note")).to_have_text("Filled in from the app’s initial state: /more")
    app.save(store, "total = 0", 'total = ""')
    app.shows("The build failed")
    app.save(REDUCER, "state.total += number", "state.total = String(number)")
    app.launched_with("")
    app.shows(r"Lost: /total \(the initial state.s value\): expected a string, found a number.*The old state is kept for the next build")
    expect(page.page.locator("#runs")).to_contain_text("Reloaded")
    app.save(store, 'total = ""', "total = 0")
    app.shows("The build failed")
    app.save(REDUCER, "state.total = String(number)", "state.total += number")
    app.launched(5)


def test_an_app_that_ends_is_started_again_with_the_next_save(run):
    app = run()
    first = app.launched(0)
    app.type("5", "total 5")
    until(lambda: recorded(app) == 5)
    os.kill(first, signal.SIGKILL)
    app.shows(r"The app was ended by signal 9 \(SIGKILL\). Save a file, changed or not, to build and start it again.")
    app.save(REDUCER, "func atLaunch() {}", 'func atLaunch() { fatalError("at once") }')
    app.launched(5)
    app.shows(r"The app was ended by signal \d+ \(SIG\w+\)")
    app.save(REDUCER, 'fatalError("at once")', "")
    app.launched(5)
    app.shows("Reloaded in")
    app.type("2", "total 7")
    app.process.stdin.write("quit\n")
    app.process.stdin.flush()
    app.shows("The app has ended. Save a file")
    # A save without a change is enough now.
    (app.folder / REDUCER).touch()
    app.launched(7)


def test_a_replay_sends_the_actions_through_the_new_reducer(run):
    app = run("--replay")
    app.launched(0)
    app.type("5", "total 5")
    app.type("2", "total 7")
    app.save(REDUCER, "+= number", "+= 10 * number")
    app.launched(0)
    app.shows("Reloaded in")
    until(lambda: recorded(app) == 70)
    app.save(REDUCER, "10 * number", "100 * number")
    app.launched(0)
    app.shows("Reloaded in")
    until(lambda: recorded(app) == 700)


def recorded(app):
    """The state at the end of the newest session; None without one."""
    sessions = ask(app, "GET", "/api/v1/sessions")["sessions"]
    if sessions and sessions[0]["events"] > 0:
        return ask(app, "GET", f"/api/v1/sessions/{sessions[0]['session']}/states/{sessions[0]['events'] - 1}")["total"]


def test_an_app_that_ignores_the_request_to_end_is_killed(run):
    app = run()
    first = app.launched(0)
    app.type("5", "total 5")
    app.type("deaf", "total 5")
    app.save(REDUCER, "+= number", "-= number")
    app.launched(5)
    assert not alive(first)


def test_another_build_command_and_folder(run, tmp_path):
    folder = tmp_path / "other"
    (folder / "texts").mkdir(parents=True)
    (folder / "texts" / "greeting").write_text("hello\n")
    (folder / "build.sh").write_text(
        "[ -e first ] || { touch first; echo error: database is locked; exit 1; }\n"
        "set -e; grep -q wrong texts/greeting && { echo texts/greeting:1:7: error: a wrong word >&2; exit 1; }\n"
        "cp texts/greeting built; mkdir -p texts/made; cp texts/greeting texts/made/again\n")
    app = run("--build", "sh build.sh", "--watch", "texts", folder=folder, command=("sh", "-c", "cat built; sleep 1000 & cat"))
    app.shows("hello")
    app.save("texts/greeting", "hello", "wrong")
    app.shows("texts/greeting:1:7: a wrong word")
    app.save("texts/greeting", "wrong", "good morning")
    app.shows("\ngood morning\n")
    # A new folder, and one that is deleted and made again.
    (folder / "texts" / "deep" / "er").mkdir(parents=True)
    (folder / "texts" / "deep" / "er" / "file").write_text("1")
    app.shows("because of (again, )?file")
    app.shows("\ngood morning\n")
    (folder / "texts").rename(folder / "gone")
    # The build's own file may have been read half-written, and have begun a build already.
    app.shows("because of [^\n]*greeting")
    app.shows("The build failed")
    (folder / "texts").mkdir(exist_ok=True)
    (folder / "texts" / "greeting").write_text("welcome\n")
    (folder / "texts" / "circle").symlink_to(folder / "texts")
    app.shows("\nwelcome\n")


def test_a_build_that_hangs_ends_with_the_run(run, tmp_path):
    folder = tmp_path / "other"
    (folder / "src").mkdir(parents=True)
    app = run("--build", "sleep 1001 & echo child $!; trap '' TERM INT; while true; do sleep 1002; done", folder=folder, command=("true",))
    app.pids.append(int(app.shows(r"child (\d+)").group(1)))


def start_state(app, *arguments):
    done = subprocess.run(
        [BUILD / "statetape", "start-state", *arguments, "--server", app.url], text=True, capture_output=True,
        timeout=TIMEOUT, env=environment())
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_chosen_launch_state_takes_precedence(run):
    app = run()
    app.launched(0)
    app.type("5", "total 5")
    app.type("2", "total 7")
    until(lambda: recorded(app) == 7)
    session = ask(app, "GET", "/api/v1/sessions")["sessions"][0]["session"]
    id = json.loads(start_state(app, "set", f"{session[:12]}@1", "--json"))["id"]
    assert re.search(rf"{id} +Reloaded .* state +{session}@1", start_state(app))
    for number in (10, 20):
        app.save(REDUCER, "number", "number ")
        app.launched(5)
        app.shows(f"It starts at the launch state {session}@1")
        app.shows(f"`statetape start-state clear {id}`")
        app.type(str(number), f"total {5 + number}")
    start_state(app, "clear", id)
    assert session not in start_state(app)
    until(lambda: recorded(app) == 25)
    app.save(REDUCER, "number", "number ")
    app.launched(25)


def test_a_server_that_is_gone_holds_nothing_up(run, server):
    app = run("--server", server.url)
    app.launched(0)
    app.shows("Started")
    server.kill()
    app.save(REDUCER, "+= number", "-= number")
    app.launched(0)
    app.type("5", "total -5")


def test_two_runs_side_by_side_keep_their_own_states(run, server):
    """At one server, on one device."""
    one, two = run("--server", server.url), run("--server", server.url)
    for app, number in ((one, 5), (two, 7)):
        app.launched(0)
        app.type(str(number), f"total {number}")
    one.save(REDUCER, "+= number", "-= number")
    one.launched(5)
    two.launched(7)
    with pytest.raises(AssertionError):
        one.output.wait("launched with total 7", timeout=0)
    one.stop()
    two.stop()
    assert ask(server, "GET", "/api/v1/runs") == {"runs": []}
    assert ask(server, "GET", "/api/v1/start-states") == {"startStates": []}


def test_a_full_screen_app_has_the_terminal_for_itself(tmp_path):
    (tmp_path / "src").mkdir()
    screen = Screen(tmp_path, BUILD / "todo-example")
    screen.shows("recording to")
    screen.type("add Buy milk\r")
    screen.shows("○ Buy milk.*recording to")
    screen.runs()
    (tmp_path / "src" / "a").write_text("1")
    # The messages have waited for the end of the old app.
    screen.shows("statetape: Started.\r\nstatetape: Building, because of a…\r\n.*○ Buy milk.*recording to")
    screen.runs("seconds")
    os.kill(screen.app(), signal.SIGKILL)
    screen.shows("\x1b\\[\\?1049l.*Reloaded in .*SIGKILL")
    (tmp_path / "src" / "a").write_text("2")
    screen.shows("○ Buy milk.*recording to")
    screen.runs("seconds")
    # A key for the app, then one for the command.
    screen.type("\x03")
    screen.shows("The app has ended. Save a file")
    screen.type("\x03")
    until(screen.ended)


def test_ctrl_z_and_ctrl_c_reach_the_app_and_the_command(tmp_path):
    (tmp_path / "src").mkdir()
    screen = Screen(tmp_path, "sh", "-c", "echo ready; cat")
    screen.shows("ready")
    screen.type("one\n")
    screen.shows("one\r\none\r\n")
    screen.type("\x1a")
    until(lambda: os.waitpid(screen.pid, os.WNOHANG | os.WUNTRACED)[1] & 0xff == 0x7f, "it did not stop")
    os.kill(screen.pid, signal.SIGCONT)
    screen.type("two\n")
    screen.shows("two\r\ntwo\r\n")
    screen.type("\x03")
    until(screen.ended)


def test_arguments_and_folders_that_cannot_work_are_refused(tmp_path):
    def refused(*arguments):
        return subprocess.run(
            [BUILD / "statetape", "run", *arguments], cwd=tmp_path, text=True, capture_output=True, timeout=TIMEOUT,
            env=environment())

    assert "isn't `swift run`" in refused("--", "make").stderr
    assert "after “--”" in refused("--latest").stderr
    assert "There is no Package.swift in" in refused("--", "swift", "run").stderr
    (tmp_path / "Package.swift").write_text("")
    assert "doesn't exist" in refused("--watch", "nowhere", "--", "swift", "run").stderr
    (tmp_path / "file").write_text("")
    result = refused("--data", "file/data", "--", "swift", "run")
    assert result.returncode == 1 and "file/data" in result.stderr
