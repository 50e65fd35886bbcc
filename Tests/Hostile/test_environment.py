"""Each command in each environment: what stands between a command and its server, or in the server's place."""

import contextlib
import http.server
import json
import os
import socket
import subprocess
import threading

import pytest

from processes import BUILD, TIMEOUT, environment
from target import Target, tape

TOKEN = "only-for-the-server"
OTHER = "OTHER-SESSION-123456"


@pytest.fixture(scope="module")
def options():
    return {"tokens": [f"control={TOKEN}"], "witness_token": TOKEN}


class Listener(http.server.ThreadingHTTPServer):
    """Another service. It answers each request in the same way, and keeps what was asked."""

    daemon_threads = True

    def __init__(self, status=200, headers=(), body=b"", address="127.0.0.1"):
        self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(handler):  # noqa: N805
                self.asked.append((handler.command, handler.path, handler.headers.get("Authorization")))
                handler.close_connection = True
                if status is None:
                    return
                handler.send_response(status)
                for name, value in [("Content-Length", str(len(body))), ("Connection", "close"), *headers]:
                    handler.send_header(name, value)
                handler.end_headers()
                handler.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_CONNECT = answer

            def log_message(self, *arguments):
                pass

        super().__init__((address, 0), Handler)
        self.address = f"{address}:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        pass

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.shutdown()
        self.server_close()


def own_address():
    """An address of this machine that is no loopback address; None without one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.connect(("192.0.2.1", 9))
        return peer.getsockname()[0]


def own_name():
    """The name of this machine, for which Foundation sends the requests; None if it has no address."""
    with contextlib.suppress(OSError):
        socket.getaddrinfo(socket.gethostname(), 0)
        return socket.gethostname()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "one.tape").write_bytes(tape(OTHER, ['{"seq":0,"at":0,"event":"init","state":{"a":1}}']))
    (folder / "state.json").write_text('{"a":2}')
    return folder


#: The arguments of each command that talks to a server, for a session.
COMMANDS = {
    "sessions": lambda session, files: ["sessions"],
    "export": lambda session, files: ["export", session, "--output", "out.tape"],
    "export page": lambda session, files: ["export", session, "--format", "html", "--output", "out.html"],
    "diff": lambda session, files: ["diff", session, files / "one.tape"],
    "start-state list": lambda session, files: ["start-state", "list"],
    "start-state set": lambda session, files: ["start-state", "set", f"{session}@0"],
    "start-state clear": lambda session, files: ["start-state", "clear", "--all"],
    "push": lambda session, files: ["push", session, "--state", files / "state.json"],
    "prune": lambda session, files: ["prune", "--keep-days", "9999", "--dry-run"],
    "import": lambda session, files: ["import", files / "one.tape"],
}


def run(folder, arguments, server, token=TOKEN, **variables):
    return subprocess.run(
        [BUILD / "statetape", *arguments, "--server", server, "--token", token], cwd=folder, capture_output=True,
        text=True, timeout=TIMEOUT, check=False, env=environment(SWIFT_BACKTRACE="enable=no", **variables))


@pytest.fixture
def session(target):
    """A session whose app has left, so that a push is refused at once."""
    target.ask("/api/v1/sessions", "POST", tape("ENVIRONMENT-SESSION-1", ['{"seq":0,"at":0,"event":"init","state":{"a":1}}']))
    return "ENVIRONMENT-SESSION-1"


PROXIES = [{name: "http://{}"} for name in ("http_proxy", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY")]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_proxy_gets_what_is_for_this_machine(target, session, files, tmp_path, command):
    with Listener(502) as proxy:
        for variables in PROXIES:
            variables = {name: value.format(proxy.address) for name, value in variables.items()}
            for server in (target.url, target.url.replace("127.0.0.1", "localhost")):
                found = run(tmp_path, COMMANDS[command](session, files), server, **variables)
                assert "Can't reach" not in found.stderr, found
                assert found.returncode == 0 or command in ("push", "diff"), found
        assert proxy.asked == []


@pytest.mark.parametrize("command", COMMANDS)
def test_an_address_of_ipv6_works_as_the_server_prints_it(session, files, tmp_path, ipv6, command):
    arguments = COMMANDS[command](session, files)
    found = run(tmp_path, arguments, ipv6)
    assert found.returncode == 0 or command in ("push", "diff"), found
    assert "Can't reach" not in found.stderr, found


@pytest.fixture(scope="module")
def ipv6(tmp_path_factory, options):
    folder = tmp_path_factory.mktemp("ipv6")
    target = Target(folder, listen="[::1]:0", **options)
    assert "[::1]" in target.url
    target.ask("/api/v1/sessions", "POST", tape("ENVIRONMENT-SESSION-1", ['{"seq":0,"at":0,"event":"init","state":{"a":1}}']))
    yield target.url
    target.finish()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_path_is_refused_by_each_command(target, session, files, tmp_path, command):
    found = run(tmp_path, COMMANDS[command](session, files), f"{target.url.rstrip('/')}/tape/")
    assert found.returncode != 0 and "has the path /tape" in found.stderr, found


#: What may answer in the place of a server, and how a command names it.
SERVICES = {
    "a page": (200, [("Content-Type", "text/html")], b"<!doctype html><title>Wiki</title>", "HTTP 200"),
    "another API": (200, [("Content-Type", "application/json")], b'{"items":[],"code":"x"}', "HTTP 200"),
    "a list": (200, [("Content-Type", "application/json")], b"[]", "HTTP 200"),
    "nothing": (204, [], b"", "HTTP 204"),
    "no such page": (404, [("Content-Type", "text/html")], b"<h1>Not found</h1>", "HTTP 404"),
    "another API's problem": (404, [("Content-Type", "application/json")], b'{"detail":"No route"}', "HTTP 404"),
    "a login": (401, [("WWW-Authenticate", "Basic")], b"", "HTTP 401"),
    "a proxy without its server": (502, [], b"Bad gateway", "HTTP 502"),
}


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("command", COMMANDS)
def test_another_service_is_named(files, tmp_path, command, service):
    status, headers, body, name = SERVICES[service]
    with Listener(status, headers, body) as other:
        found = run(tmp_path, COMMANDS[command]("ENVIRONMENT-SESSION-1", files), f"http://{other.address}")
    assert found.returncode == (2 if command == "diff" else 1), found
    assert "isn't StateTape" in found.stderr and name in found.stderr and other.address in found.stderr, found
    assert [path.name for path in tmp_path.iterdir()] == [], "a file of another service stays"


@pytest.mark.parametrize("address", ["127.0.0.1", own_name()], ids=["loopback", "by name"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_token_follows_no_redirect_to_another_server(files, tmp_path, command, address):
    if address is None:
        pytest.skip("the name of this machine has no address")
    with Listener(200, address=address) as other:
        for status in (301, 302, 303, 307, 308):
            with Listener(status, [("Location", f"http://{other.address}/api/v1/sessions")], address=address) as first:
                found = run(tmp_path, COMMANDS[command]("ENVIRONMENT-SESSION-1", files), f"http://{first.address}")
            assert found.returncode != 0 and other.address in found.stderr, found
        assert other.asked == []


@pytest.mark.parametrize("address", ["127.0.0.1", own_name()], ids=["loopback", "by name"])
def test_an_answer_without_an_end_is_ended(tmp_path, address):
    if address is None:
        pytest.skip("the name of this machine has no address")

    def answer(listener):
        peer = listener.accept()[0]
        with contextlib.suppress(OSError), peer:
            peer.sendall(b'HTTP/1.1 200 OK\r\nStateTape: x\r\nContent-Type: application/json\r\n\r\n{"a":"')
            while True:
                peer.sendall(b"x" * (1 << 20))

    with socket.create_server((address, 0)) as listener:
        threading.Thread(target=answer, args=(listener,), daemon=True).start()
        found = run(tmp_path, ["sessions"], f"http://{address}:{listener.getsockname()[1]}")
    assert found.returncode == 1 and "longer than 64 MiB" in found.stderr, found


@pytest.mark.parametrize("part", ["detail", "path"])
@pytest.mark.parametrize("command", COMMANDS)
def test_of_a_long_reason_only_the_beginning_is_printed(files, tmp_path, command, part):
    body = json.dumps({"detail": "Not today.", part: "x" * 1_000_000}).encode()
    with Listener(400, [("StateTape", "1")], body) as other:
        found = run(tmp_path, COMMANDS[command]("ENVIRONMENT-SESSION-1", files), f"http://{other.address}")
    assert found.returncode != 0 and "xxx" in found.stderr and len(found.stderr) < 8_000, len(found.stderr)


def test_ci_keeps_its_traffic_from_a_proxy(target, tmp_path):
    with Listener(502) as proxy:
        variables = {name: f"http://{proxy.address}" for name in ("http_proxy", "all_proxy")}
        found = subprocess.run(
            [BUILD / "statetape", "ci", "--archive", f"{target.url}#token={TOKEN}", "--", "true"], cwd=tmp_path,
            capture_output=True, text=True, timeout=TIMEOUT, check=False, env=environment(**variables))
        assert found.returncode == 0, found
        assert proxy.asked == []


def test_a_pipe_among_the_tapes_of_a_folder_is_skipped(target, files, tmp_path):
    (tmp_path / "a.tape").write_bytes((files / "one.tape").read_bytes())
    os.mkfifo(tmp_path / "b.tape")
    found = run(tmp_path, ["import", tmp_path], target.url)
    assert found.returncode == 0 and OTHER in found.stdout, found


@pytest.mark.parametrize("command", COMMANDS)
def test_no_proxy_gets_what_is_for_an_address_nearby(files, tmp_path, command):
    """Names of this machine, and addresses of its own and of private networks."""
    with Listener(502) as proxy:
        variables = {name: f"http://{proxy.address}" for name in ("http_proxy", "all_proxy", "https_proxy")}
        addresses = [own_address() or "127.0.0.3", "127.0.0.1", "localhost.", "127.1", "2130706433"]
        for address in addresses:
            with Listener(200, address=address.rstrip(".")) as other:
                port = other.server_address[1]
                for scheme in ("http", "https"):
                    server = f"{scheme}://{address}:{port}"
                    found = run(tmp_path, COMMANDS[command]("ENVIRONMENT-SESSION-1", files), server, **variables)
                    assert found.returncode != 0, found
                    assert scheme == "https" or "isn't StateTape" in found.stderr, found
        assert proxy.asked == []


#: Answers of a server of this kind, or one that says so, that have nothing of what was asked.
EMPTY = {"empty": b"", "an object": b"{}", "a list": b"[]", "null": b"null", "text": b"hello", "a number": b"3"}


@pytest.mark.parametrize("answer", EMPTY)
@pytest.mark.parametrize("command", [*COMMANDS, "start-state clear one"])
def test_an_answer_without_content_is_no_success(files, tmp_path, command, answer):
    arguments = (
        ["start-state", "clear", "AB12"] if command == "start-state clear one"
        else COMMANDS[command]("ENVIRONMENT-SESSION-1", files))
    with Listener(200, [("StateTape", "1")], EMPTY[answer]) as other:
        found = run(tmp_path, arguments, f"http://{other.address}")
    assert found.returncode == (2 if command == "diff" else 1) and found.stdout == "", found
    assert f"{other.address} isn't what this command expects" in found.stderr, found
    assert [path.name for path in tmp_path.iterdir()] == []


@pytest.mark.parametrize("address", ["127.0.0.1", own_name()], ids=["loopback", "by name"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_server_that_redirects_to_itself_is_described(files, tmp_path, command, address):
    if address is None:
        pytest.skip("the name of this machine has no address")
    for status in (301, 307):
        with Listener(status, [("Location", "/loop"), ("StateTape", "1")], address=address) as other:
            found = run(tmp_path, COMMANDS[command]("ENVIRONMENT-SESSION-1", files), f"http://{other.address}")
            assert len(other.asked) < 10, other.asked
        assert found.returncode == (2 if command == "diff" else 1), found
        assert f"The server at http://{other.address} redirects to its own /loop" in found.stderr, found


#: What a server sends, and then sends again and again.
ENDLESS_HEADS = {
    "an answer before the answer": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "header lines": (b"HTTP/1.1 200 OK\r\nStateTape: x\r\n", b"X-A: b\r\n" * 1000),
    "a header line": (b"HTTP/1.1 200 OK\r\nStateTape: x\r\nX-A: ", b"b" * 10_000),
    "a first line": (b"HTTP/1.1 200 ", b"O" * 10_000),
}


@pytest.mark.parametrize("head", ENDLESS_HEADS)
def test_an_answer_whose_head_has_no_end_is_ended(tmp_path, head):
    start, more = ENDLESS_HEADS[head]

    def answer(listener):
        peer = listener.accept()[0]
        with contextlib.suppress(OSError), peer:
            peer.sendall(start)
            while True:
                peer.sendall(more)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer, args=(listener,), daemon=True).start()
        found = run(tmp_path, ["sessions"], f"http://127.0.0.1:{listener.getsockname()[1]}")
    assert found.returncode == 1 and "The head of the answer is longer than 256 KiB." in found.stderr, found


@pytest.mark.parametrize("arguments", [
    ["check", "--data", b"bad\xff"], ["serve", "--data", b"bad\xff", "--listen", "127.0.0.1:0"], ["verify", b"\xc3"],
    [b"sessions\xed\xa0\x80"]], ids=str)
def test_an_argument_that_is_no_text_is_refused(tmp_path, arguments):
    (tmp_path / os.fsdecode(b"bad\xff")).mkdir()
    found = subprocess.run(
        [BUILD / "statetape", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT, check=False,
        env=environment())
    assert found.returncode == 64 and "isn't valid UTF-8" in found.stderr, found
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_named_like_the_sign_for_home_is_that_folder(tmp_path):
    """The shell replaces the sign; a quoted one means itself."""
    for arguments in (["check", "--data", "~"], ["check", "--data", "~/x"], ["check", "--data", "~root"],
                      ["repair", "--data", "~", "--to", "new"], ["move", "--from", "~", "--to", "new"]):
        found = subprocess.run(
            [BUILD / "statetape", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT,
            check=False, env=environment())
        assert found.returncode == 1 and f"{tmp_path}/{arguments[2]}" in found.stderr, found
    server = subprocess.Popen(
        [BUILD / "statetape", "serve", "--listen", "127.0.0.1:0", "--data", "~"], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(HOME=str(tmp_path / "home")))
    try:
        server.stdout.readline()
        assert (tmp_path / "~" / "archive.sqlite").exists()
    finally:
        server.terminate()
        server.wait(TIMEOUT)


@pytest.mark.parametrize("size", [64, 128, 256, 400])
@pytest.mark.parametrize("arguments", [["sessions"], ["ci", "--", "true"], ["serve", "--listen", "127.0.0.1:0"]], ids=str)
def test_a_small_address_space_is_told(tmp_path, arguments, size):
    found = subprocess.run(
        ["prlimit", f"--as={size << 20}", BUILD / "statetape", *arguments], cwd=tmp_path, capture_output=True, text=True,
        timeout=10, check=False, env=environment(SWIFT_BACKTRACE="enable=no"))
    assert found.returncode in (1, 127) and ("ulimit -v" in found.stderr or "shared libraries" in found.stderr), found
