"""Loading pages to measure them."""

import itertools
import json


class Visits:
    """Pages that nobody listens to: a tool that is told of each request, as for Playwright's own pages, takes time, too."""

    def __init__(self, browser):
        self.clock = browser.new_page()
        self.browser = browser.new_browser_cdp_session()
        self.numbers = itertools.count()
        self.answers = {}
        self.browser.on("Target.receivedMessageFromTarget", lambda event: self._received(json.loads(event["message"])))

    def _received(self, message):
        self.answers[message.get("id")] = message.get("result")

    def visit(self, address, script):
        """What the promise `firstRows` comes to, that the script makes."""
        context = self.browser.send("Target.createBrowserContext")["browserContextId"]
        # Less what a window has around its page, 1280 by 800.
        blank = {"url": "about:blank", "browserContextId": context, "width": 1280, "height": 887}
        target = self.browser.send("Target.createTarget", blank)["targetId"]
        session = self.browser.send("Target.attachToTarget", {"targetId": target})["sessionId"]

        def ask(method, **parameters):
            number = next(self.numbers)
            self.browser.send("Target.sendMessageToTarget", {
                "sessionId": session, "message": json.dumps({"id": number, "method": method, "params": parameters})})
            while number not in self.answers:
                self.clock.wait_for_timeout(20)
            return self.answers[number]

        ask("Page.enable")
        ask("Page.addScriptToEvaluateOnNewDocument", source=script)
        ask("Page.navigate", url=address)
        self.clock.wait_for_timeout(700)
        value = ask("Runtime.evaluate", expression="firstRows", awaitPromise=True, returnByValue=True)["result"]["value"]
        self.browser.send("Target.disposeBrowserContext", {"browserContextId": context})
        return value
