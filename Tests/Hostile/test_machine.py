"""Faults of the machine: a full or failing disk, few descriptors, jumping clocks, deleted folders."""

import os
import shutil
import signal
import subprocess

import pytest
from websockets.exceptions import ConnectionClosed

from processes import BUILD, TIMEOUT, environment
from tape import App
from target import Target, tape
from waiting import until
from wire import connect, head

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


def can(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


needs_mounts = pytest.mark.skipif(
    not can("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"), reason="This machine allows no mount in a namespace of its own.")
needs_strace = pytest.mark.skipif(
    not can("strace", "-f", "-e", "inject=sync:error=EIO", "true"), reason="This machine has no strace, or doesn't allow it.")


@pytest.fixture
def own(tmp_path):
    """Starts servers on the test's folder, and stops those that a failed test leaves running."""
    targets = []

    def start(**options):
        targets.append(Target(tmp_path, **options))
        return targets[-1]

    yield start
    for target in targets:
        target.kill()


@needs_mounts
def test_a_disk_that_is_full_from_the_start(tmp_path):
    """The server starts, or says why it can't."""
    (tmp_path / "data").mkdir()
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=64k tmpfs "{tmp_path}/data" && exec timeout 20 "$@"', "sh",
         *map(str, [Target.program(), "serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "data"])],
        capture_output=True, text=True, check=False)
    assert result.returncode in (1, 124) and "Fatal error" not in result.stderr, result.stderr[-2000:]


def noise(size):
    """Text that can't be compressed much."""
    return os.urandom(size // 2).hex()


def fill(target, app):
    """Sends events until the disk is full. The queue stays short, so that sending never blocks."""
    while target.ask("/healthz").status == 200:
        if app.seq - app.acknowledged < 8:
            app.seq += 1
            app.lines.append(f'{{"seq":{app.seq - 1},"at":{app.seq},"event":"note","text":"{noise(250_000)}"}}')
            app.socket.send(app.lines[-1])
        try:
            app.read("ack", wait=0.01)
        except TimeoutError:
            continue


def recovered(target):
    try:
        target.check()
    except AssertionError:
        return False
    return True


@needs_mounts
@pytest.mark.parametrize("size", [16, 64])
def test_a_full_disk_is_freed_by_deleting(tmp_path, own, size):
    """While an app continues to send: deletions succeed, and then the queued events are written."""
    (tmp_path / "data").mkdir()
    target = own(prefix=("unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size={size}m tmpfs "{tmp_path}/data" && exec "$@"', "sh"))
    for number in range(4):
        lines = ['{"seq":0,"at":0,"event":"init","state":{}}'] + [f'{{"seq":{n},"at":{n},"event":"note","text":"{noise(size * 20_000)}"}}' for n in range(1, 6)]
        assert target.ask("/api/v1/sessions", "POST", tape(f"OLD-SESSION-{number}", lines)).status == 201
    app = type(target.witness)(target)
    fill(target, app)
    assert target.ask(f"/api/v1/sessions/{target.witness.session}/events").status == 200
    for number in range(4):
        assert target.ask(f"/api/v1/sessions/OLD-SESSION-{number}", "DELETE").status == 204
    while app.acknowledged < app.seq:
        app.read("ack")
    target.recorded.append(app)
    # What the server does in the background may still meet the full disk, once more.
    until(lambda: recovered(target), "the server didn't recover")
    app.stop()
    target.stop()


@needs_mounts
def test_a_folder_that_can_only_be_read(tmp_path):
    (tmp_path / "data").mkdir()
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o ro tmpfs "{tmp_path}/data" && exec timeout 20 "$@"', "sh",
         *map(str, [Target.program(), "serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "data"])],
        capture_output=True, text=True, check=False)
    assert result.returncode == 1 and str(tmp_path / "data") in result.stderr, result.stderr[-2000:]


@needs_strace
@pytest.mark.parametrize("call, error", [("pwrite64", "ENOSPC"), ("fdatasync", "EIO"), ("pread64", "EIO")])
def test_calls_that_fail_now_and_then(tmp_path, own, call, error):
    """Every 40th call fails. Acknowledged events stay readable; after a restart without the fault, all are there."""
    # The tables exist before the counting starts.
    own().finish()
    data = tmp_path / "data"
    prefix = ("strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", str(data / "archive.sqlite-wal"), "-P", str(data / "archive.sqlite"),
              "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when=40+40")
    target = own(prefix=prefix)
    for _ in range(15):
        target.witness.record()
    witness = target.witness
    target.kill()
    sound = own()
    assert sound.lines(witness.session)[:witness.acknowledged] == witness.lines[:witness.acknowledged]
    sound.finish()


@pytest.mark.parametrize("count", [16, 32, 63])
def test_too_few_descriptors(tmp_path, count):
    """A server that could not work says why, and how to start it."""
    found = subprocess.run(
        ["prlimit", f"--nofile={count}", BUILD / "statetape", "serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "d"],
        capture_output=True, text=True, timeout=TIMEOUT, check=False, env=environment(SWIFT_BACKTRACE="enable=no"))
    assert found.returncode == 1 and "ulimit -n" in found.stderr, found
    assert not (tmp_path / "d").exists()


def test_sixty_four_descriptors(fresh):
    """Connections above the system's limit wait or are refused; open ones work, and room is freed later."""
    target = fresh(prefix=("prlimit", "--nofile=64"))
    peers = []
    try:
        for _ in range(120):
            peer = connect(target)
            peers.append(peer)
            peer.sendall(head(target, "GET /healthz HTTP/1.1"))
        target.witness.record()
    finally:
        for peer in peers:
            peer.close()
    # Their room is free once the server has noticed that they closed.
    until(lambda: target.ask("/healthz").status != 503, "the server frees no room")
    target.check()


def test_the_data_folder_is_deleted(tmp_path, own):
    target = own()
    shutil.rmtree(tmp_path / "data")
    # It reports this instead of acknowledging lost events. (It checks at intervals.)
    until(lambda: target.ask("/healthz").status == 503, "the server doesn't notice that its folder was deleted")
    assert target.ask("/healthz").json["detail"]
    before = target.witness.acknowledged
    target.witness.socket.send(f'{{"seq":{target.witness.seq},"at":{target.witness.at + 1},"event":"note","text":"lost"}}')
    assert target.ask("/healthz").status == 503 and target.witness.acknowledged == before
    target.process.terminate()
    target.process.wait(20)
    assert "data" in target.log
    target.errors.close()


def test_a_suspended_process_continues(fresh):
    """A laptop that sleeps: nothing is lost, and nothing mistakes the pause for a fault."""
    target = fresh()
    target.process.send_signal(signal.SIGSTOP)
    target.witness.socket.send(f'{{"seq":{target.witness.seq},"at":{target.witness.at + 1},"event":"note","text":"slept"}}')
    target.witness.lines.append(f'{{"seq":{target.witness.seq},"at":{target.witness.at + 1},"event":"note","text":"slept"}}')
    target.witness.seq += 1
    os.waitid(os.P_PID, target.process.pid, os.WSTOPPED)
    target.process.send_signal(signal.SIGCONT)
    while target.witness.acknowledged < target.witness.seq:
        target.witness.read("ack")
    target.check()


@pytest.mark.skipif(not os.path.exists(FAKETIME), reason="libfaketime is not installed.")
@pytest.mark.parametrize("jump", ["-30y", "+1d", "+200y"])
def test_the_clock_jumps(fresh, tmp_path, jump):
    """Only the wall clock jumps: recording, listing and storing don't depend on it."""
    clock = tmp_path / "clock"
    clock.write_text("+0")
    target = fresh(
        options=("--keep-days", "1000"), LD_PRELOAD=FAKETIME, FAKETIME_TIMESTAMP_FILE=str(clock), FAKETIME_NO_CACHE="1",
        FAKETIME_DONT_FAKE_MONOTONIC="1", FAKETIME_DONT_RESET="1")
    clock.write_text(jump)
    target.witness.record()
    app = type(target.witness)(target)
    clock.write_text("+0")
    app.record()
    app.stop()
    target.recorded.append(app)
    target.check()
    assert app.session in [one["session"] for one in target.ask("/api/v1/sessions").json["sessions"]]
    target.restart()
    target.check()


def test_two_servers_over_one_folder(tmp_path, own):
    target = own()
    second = subprocess.run(
        [Target.program(), "serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "data"], capture_output=True, text=True, timeout=20, check=False)
    assert second.returncode == 1 and str(tmp_path / "data") in second.stderr
    target.check()
    target.finish()


def test_a_server_that_is_killed_repeatedly(fresh):
    target = fresh()
    for _ in range(3):
        for _ in range(10):
            target.witness.record()
        target.restart()
        target.check()


#: Root may write everywhere. Without this right, the modes of folders count for it, too.
BOUND = ("setpriv", "--bounding-set", "-dac_override", "--inh-caps", "-dac_override") if os.geteuid() == 0 else ()


def refused_message(target):
    """What an app is told whose long message is refused."""
    app = App(target, state={})
    app.socket.send('{"seq":1,"at":1,"event":"note","text":"%s"}' % ("x" * 8_000_000))
    with pytest.raises(ConnectionClosed) as found:
        app.read("ack")
    app.stop()
    return found.value.rcvd.reason


def check_refusals(target, reason):
    for _ in range(2):
        assert reason in refused_message(target)
    assert target.log.count(reason) == 1, target.log
    refusals = target.ask("/api/v1/refusals").json["refusals"]
    assert [one["path"] for one in refusals if reason in one["detail"]] == ["/v1/app"], refusals


def test_a_folder_that_takes_no_new_file_is_told_to_apps_and_people(fresh):
    target = fresh(prefix=BOUND)
    data = target.folder / "data"
    data.chmod(0o500)
    try:
        check_refusals(target, "Permission denied")
    finally:
        data.chmod(0o700)


@needs_mounts
def test_a_disk_without_room_for_a_message_is_told_to_apps_and_people(tmp_path, own):
    (tmp_path / "data").mkdir()
    target = own(prefix=("unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=6m tmpfs "{tmp_path}/data" && exec "$@"', "sh"))
    check_refusals(target, "No space left on device")
    target.stop()
