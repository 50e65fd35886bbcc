"""Debian's Firefox, driven through WebDriver BiDi. Playwright needs a Firefox of its own, and Selenium needs geckodriver:
neither is in Debian."""

import contextlib
import json
import re
import subprocess
import threading

from websockets.sync.client import connect

from processes import TIMEOUT


class Firefox:
    """A headless Firefox with one page."""

    def __init__(self, folder):
        #: Texts of errors and warnings on the page's console.
        self.complaints = []
        self.number = 0
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)})
        address = None
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                address = found.group(1)
                break
        assert address, "Firefox did not start"
        # A full pipe would stop it.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.open_link = contextlib.ExitStack()
        self.link = self.open_link.enter_context(connect(f"{address}/session", max_size=None))
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.page = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.page, viewport={"width": 1280, "height": 800})

    def ask(self, method, **parameters):
        """Sends a command, and waits for its result."""
        self.number += 1
        self.link.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.link.recv(timeout=TIMEOUT))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                self.complaints.append(message["params"]["text"])
            if message.get("id") == self.number:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, address):
        self.ask("browsingContext.navigate", context=self.page, url=address, wait="complete")

    def until(self, condition):
        """Waits for a JavaScript condition, frame by frame."""
        text = f"""new Promise((resolve) => {{
            const end = performance.now() + {TIMEOUT * 1000};
            const check = () => {{
                if ({condition}) resolve(true);
                else if (performance.now() > end) resolve(false);
                else requestAnimationFrame(check);
            }};
            check();
        }})"""
        answer = self.ask("script.evaluate", expression=text, target={"context": self.page}, awaitPromise=True)
        assert answer.get("result", {}).get("value") is True, (condition, answer, self.complaints)

    def run(self, script):
        answer = self.ask("script.evaluate", expression=script, target={"context": self.page}, awaitPromise=True)
        assert answer["type"] == "success", answer

    def press(self, *keys):
        """Presses and releases each key."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("input.performActions", context=self.page, actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def click(self, selector):
        """Clicks in the middle of an element."""
        element = self.ask("script.evaluate", expression=f"document.querySelector({json.dumps(selector)})",
                           target={"context": self.page}, awaitPromise=False)["result"]
        origin = {"type": "element", "element": {"sharedId": element["sharedId"]}}
        actions = [{"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
                   {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.ask("input.performActions", context=self.page, actions=[{"type": "pointer", "id": "mouse", "actions": actions}])

    def stop(self):
        self.open_link.close()
        self.process.terminate()
        self.process.wait(TIMEOUT)
