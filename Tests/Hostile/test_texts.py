"""Texts that an app chooses: none of them forges a line of the log, or reaches the terminal as it is."""

import json
import re
import subprocess
import threading

import pytest

from processes import BUILD
from tape import App

EVIL = "x\n2026-11-27T00:00:00 error statetape: forged\r\x1b[2J\u009b31m\u202etxt\u2028y\u200bz\u00ad\ufeff\u2062\U000e0041\u3164"
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069"
                 "\u00ad\u200b\u2060-\u206f\ufeff\u3164\U000e0000-\U000e007f]")


@pytest.fixture
def app(target):
    app = App(target, name="Evil", device=EVIL, branch=EVIL)
    app.hello["app"]["version"] = EVIL
    app.init({"a": 1})
    yield app
    app.stop()


def test_the_log_has_one_line_for_each_entry(target, app):
    app.action("evil", None, [{"op": "remove", "path": f"/{EVIL}"}])
    target.ask(f"/api/v1/sessions/{app.session}/states/1")
    for host in (EVIL.replace("\n", "").replace("\r", ""), "evil.example"):
        target.ask("/healthz", Host=host.encode("ascii", "replace").decode())
    assert not RAW.search(target.log), target.log[-2000:]
    assert not any(line.startswith("2026-11-27T00:00:00 error") for line in target.log.splitlines())


def test_commands_write_an_apps_texts_out(target, app):
    def run(*arguments):
        result = subprocess.run(
            [BUILD / "statetape", *arguments, "--server", target.url], capture_output=True, text=True, check=False)
        found = result.stdout + result.stderr
        assert not RAW.search(found), f"{arguments}: {found!r}"
        assert "forged\n" not in found and not any(line.startswith("2026-11-27T00:00:00") for line in found.splitlines())
        return result

    refusal = threading.Thread(target=lambda: app.refuse(code="decode", message=EVIL, path=f"/{EVIL}"))
    refusal.start()
    pushed = run("push", app.session, "--seq", "0")
    refusal.join()
    assert pushed.returncode == 1 and "forged" in pushed.stderr, pushed
    for sessions in (run("sessions"), run("sessions", "--json")):
        assert sessions.returncode == 0, sessions
    listed = [json.loads(line) for line in run("sessions", "--json").stdout.splitlines()]
    assert any(one["device"]["name"] == EVIL for one in listed), "JSON keeps the text"
