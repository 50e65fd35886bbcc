"""Recordings that wait for a server, and what else may answer at its address: real apps, killed, and real servers."""

import json
import re
import socket
import subprocess
import threading

import pytest

from processes import BUILD, TIMEOUT, Output, Server, Todo, environment


class Address:
    """What an app needs to know of a server that isn't there."""

    def __init__(self, url):
        self.url = url


class Answering:
    """Answers every request in the same way, and keeps the request lines."""

    def __init__(self, answer):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        self.asked = []
        self.answer = answer
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            with peer:
                self.asked.append(peer.recv(4000).split(b"\r\n")[0].decode())
                peer.sendall(self.answer)


def http(status):
    return (f"HTTP/1.1 {status} Whatever\r\nContent-Type: text/html\r\nContent-Length: 14\r\n"
            "Connection: close\r\n\r\n<html>Vite</h>").encode()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def sessions(url):
    listed = subprocess.run(
        [BUILD / "statetape", "sessions", "--json", "--server", url], text=True, capture_output=True, env=environment())
    assert listed.returncode == 0, listed.stderr
    return {one["session"]: one for one in map(json.loads, listed.stdout.splitlines())}


def killed(server, folder, items):
    """An app that adds items, waits until they are on the screen, and is killed."""
    app = Todo(server, folder)
    app.type(*(f"add item-{number}" for number in range(items)))
    app.shows(f"item-{items - 1}")
    app.process.kill()
    app.process.wait()


def said(server, folder, text):
    """Runs the app until it shows a message of its recorder."""
    app = Todo(server, folder)
    try:
        return app.shows(text)
    finally:
        app.type("quit")
        app.process.wait(TIMEOUT)


class Run:
    """`statetape run` with an app that is killed at its first launch."""

    def __init__(self, folder, *command):
        self.process = subprocess.Popen(
            [BUILD / "statetape", "run", "--build", "true", "--watch", folder / "src", "--", *command], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder,
            env=environment(HOME=str(folder)))
        self.output = Output(self.process.stdout)
        self.url = self.output.wait(r"statetape listening on (\S+)").group(1)

    def stop(self):
        self.process.terminate()
        self.process.wait(TIMEOUT)


def test_a_recording_waits_for_its_own_server(tmp_path):
    """Twelve items recorded for a server that isn't there; a private server takes nothing of them."""
    port = free_port()
    own = Address(f"http://127.0.0.1:{port}/")
    killed(own, tmp_path, 12)
    (tmp_path / "src").mkdir()
    run = Run(tmp_path, BUILD / "todo-example", "--plain", "--today", "2026-11-20")
    try:
        run.output.wait(rf"1 earlier session waits on this machine for http://localhost:{port}")
        assert len(sessions(run.url)) == 1
    finally:
        run.stop()
    server = Server(tmp_path, listen=f"127.0.0.1:{port}")
    try:
        said(own, tmp_path, "Delivered the last events")
        found = sessions(server.url)
        # Those of the dead process and of the last launch; the private server's own is not among them.
        assert len(found) == 2, found
        oldest = found[min(found)]
        assert oldest["events"] == 14 and oldest["ended"], oldest
        assert not any("run" in one.get("labels", {}) for one in found.values())
    finally:
        server.stop()


def test_an_app_killed_under_run_delivers_its_events_when_it_is_run_again(tmp_path):
    (tmp_path / "src").mkdir()
    # The first launch kills itself in the middle; the next one, after a source file was saved, lives.
    script = tmp_path / "app.sh"
    script.write_text(f"""#!/bin/sh
if mkfifo {tmp_path}/in 2>/dev/null; then
    {BUILD}/todo-example --plain --today 2026-11-20 < {tmp_path}/in > {tmp_path}/out &
    # Open until the end: an app whose input has ended quits, and leaves nothing to deliver.
    exec 3> {tmp_path}/in
    printf 'add item-%s\\n' 1 2 3 >&3
    until grep -qs item-3 {tmp_path}/out; do :; done
    kill -9 $!
    wait $!
    exit 1
fi
exec {BUILD}/todo-example --plain --today 2026-11-20
""")
    script.chmod(0o755)
    run = Run(tmp_path, script)
    try:
        run.output.wait("The app has ended with exit code 1")
        (tmp_path / "src" / "a.swift").write_text("// saved")
        run.output.wait("Delivered the last events")
        found = sessions(run.url)
        assert len(found) == 2 and found[min(found)]["ended"], found
    finally:
        run.stop()


@pytest.mark.parametrize("status", [200, 301, 401, 404, 426, 502])
def test_the_log_says_that_something_else_answers(tmp_path, status):
    other = Answering(http(status))
    said(other, tmp_path, re.escape(f"something else answers there (HTTP {status})"))


def test_what_speaks_no_http_is_no_server_either(tmp_path):
    said(Answering(b"SSH-2.0-OpenSSH_9.2\r\n"), tmp_path, "No connection to the server: it can't be reached")


@pytest.mark.parametrize("path, problem", [
    ("", None), ("/", None), ("/v1/app", None), ("/?session=x", None), ("/#token=S", None),
    ("/tape", "/tape"), ("/tape/#token=S", "/tape"), ("/a/v1/app", "/a/v1/app"),
])
def test_apps_and_commands_read_an_address_alike(tmp_path, path, problem):
    server = Answering(http(404))
    url = server.url.rstrip("/") + path
    app = Todo(Address(url), tmp_path)
    command = subprocess.run(
        [BUILD / "statetape", "sessions", "--server", url], text=True, capture_output=True, env=environment())
    if problem is None:
        app.shows(re.escape("something else answers there (HTTP 404)"))
        assert command.returncode == 1
        assert {one.split()[1] for one in server.asked} == {"/v1/app", "/api/v1/sessions?limit=100"} or \
            {one.split()[1].split("?")[0] for one in server.asked} == {"/v1/app", "/api/v1/sessions"}
    else:
        sentence = f"has the path {problem}, and a StateTape server is at the root of a host. Use {server.url}"
        # The app's last line is cut at the terminal's width.
        app.shows(re.escape(f'StateTape is off: the address "{server.url.rstrip("/")}'))
        assert command.returncode == 64 and sentence in command.stderr, command.stderr
        assert server.asked == []
    app.stop()
