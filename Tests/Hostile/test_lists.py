"""Servers whose list of sessions never ends, against the commands that read it to the end."""

import json
import resource
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import pytest

from processes import BUILD, TIMEOUT, environment

# Bytes of memory for a command: what it reads at most, parsed.
ADDRESS_SPACE = 4 << 30


def page(sessions, following):
    return json.dumps({"sessions": sessions, "next": following}).encode()


def session(number, app="shop"):
    return {"session": f"SESSION-{number:012}", "events": 1, "app": {"id": app}}


# The page with a number.
LISTS = {
    "large pages": lambda n: page([session(n * 500 + i, "a" * 4000) for i in range(500)], str(n)),
    "one session a page": lambda n: page([session(n)], str(n)),
    "empty pages": lambda n: page([], str(n)),
    "one page again and again": lambda n: page([session(1)], str(n)),
    "the same next": lambda n: page([session(n)], "7"),
    "a next that is a number": lambda n: page([session(n)], n),
    "sessions without an id": lambda n: b'{"sessions":[{"session":5,"events":-1e400}],"next":"zz"}',
}

ATTACKS = [(kind, ["sessions"]) for kind in LISTS]
# A suggestion of another session reads the list, too.
ATTACKS += [("one session a page", ["sessions", "--json"]), ("one session a page", ["push", "0123456789", "--seq", "1"])]


@pytest.fixture
def server():
    """Answers each request for a list with its next page, and any other with 404."""
    servers = []

    def start(make):
        numbers = count(1)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                is_list = self.path.startswith("/api/v1/sessions?")
                body = make(next(numbers)) if is_list else b'{"code":"session-absent","detail":"No such session."}'
                self.send_response(200 if is_list else 404)
                self.send_header("statetape", "hostile")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/"

    yield start
    for each in servers:
        each.shutdown()
        each.server_close()


@pytest.mark.parametrize("kind, command", ATTACKS, ids=str)
def test_list_without_end(server, kind, command):
    """The command ends by itself, with a reason."""
    found = subprocess.run(
        [BUILD / "statetape", *command, "--server", server(LISTS[kind])], capture_output=True, text=True, check=False,
        timeout=TIMEOUT, env=environment(SWIFT_BACKTRACE="enable=no"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE)))
    reason = "isn't what this command expects" if command[0] == "sessions" else "No such session."
    assert found.returncode == 1 and found.stdout == "" and reason in found.stderr, found
