"""What the page costs: `python Tests/Browser/bench.py [--quick] [NAME …]`. A JSON object a line, as statetape-bench.

The server is the release build, if there is one (`swift build -c release --product statetape`), with its built-in
page. A figure that has a floor is measured beside it in the same run; `bound` is what the figure has to stay under.
"""

import json
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

import processes
from bench_scripts import ASKED, BARE, BARE_STEP, JUMPS, SCROLL, SEARCH, STEPS, WATCH
from processes import ROOT, Server
from tape import App
from visits import Visits

QUICK = "--quick" in sys.argv
WANTED = [name for name in sys.argv[1:] if not name.startswith("--")]
TYPES = ["todos/add", "todos/done", "sync/started", "sync/finished", "list/scrolled", "list/scrolled", "list/scrolled",
         "list/scrolled", "edit/typed"]


def report(name, value, unit, bound=None, floor=None, floor_name=None):
    line = {"bench": "page", "name": name, "value": digits(value), "unit": unit, "better": "lower"}
    if floor is not None:
        line |= {"floor": digits(floor), "floorName": floor_name, "ratio": digits(value / floor)}
    if bound is not None:
        line["bound"] = bound
    print(json.dumps(line), flush=True)


def digits(value):
    return float(f"{value:.3g}")


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def tape(path, count):
    with open(path, "w") as file:
        session = f"01JD3M8Q5R7V2X9B4N6T{count:06d}"
        file.write(json.dumps({
            "tape": 1, "session": session, "app": {"id": "com.example.big", "name": "Big"},
            "started": "2026-11-20T10:00:00.123Z", "stores": ["main"]}) + "\n")
        file.write('{"seq":0,"at":0,"event":"init","state":{"count":0}}\n')
        for seq in range(1, count):
            type = "rare/one" if seq % 9_973 == 0 else TYPES[seq % 9]
            file.write(f'{{"seq":{seq},"at":{seq * 12.5},"event":"action","action":{{"type":"{type}",'
                       f'"payload":{{"id":{seq}}}}},"patch":[{{"op":"replace","path":"/count","value":{seq}}}],"took":0.04}}\n')
    return session


def large_states(path, count):
    """States of 1 MB, patches of a few bytes."""
    session = "01JD3M8Q5R7V2X9B4N6T1MB000"
    rows = [{"id": number, "title": f"Row number {number} of the list", "done": number % 3 == 0, "tags": ["a", "b"]}
            for number in range(12_500)]
    state = {"rows": rows, "last": "step-0;"}
    with open(path, "w") as file:
        file.write(json.dumps({
            "tape": 1, "session": session, "app": {"id": "com.example.large", "name": "Large"},
            "started": "2026-11-20T10:00:00.123Z", "stores": ["main"]}) + "\n")
        file.write(json.dumps({"seq": 0, "at": 0, "event": "init", "state": state}) + "\n")
        for seq in range(1, count):
            patch = [{"op": "replace", "path": f"/rows/{seq * 37 % 12_500}/done", "value": seq % 2 == 0},
                     {"op": "replace", "path": "/last", "value": f"step-{seq};"}]
            action = {"type": TYPES[seq % 3], "payload": {"row": seq}}
            file.write(json.dumps({"seq": seq, "at": seq * 12.5, "event": "action", "action": action, "patch": patch}) + "\n")
    return session


class Bench:
    def __init__(self, browser, server, folder):
        self.browser = browser
        self.visits = Visits(browser)
        self.server = server
        self.folder = folder

    def page(self):
        context = self.browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(120_000)
        return page

    def upload(self, make, count):
        path = self.folder / f"{make.__name__}-{count}"
        session = make(path, count)
        with open(path, "rb") as file:
            request = urllib.request.Request(
                f"{self.server.origin}/api/v1/sessions", data=file, method="POST",
                headers={"Content-Length": str(path.stat().st_size)})
            urllib.request.urlopen(request, timeout=600).read()
        path.unlink()
        # The server seals uploads in the background, which takes time.
        end = time.monotonic() + 300
        while self.summary(session)["sealed"] < count * 0.99 and time.monotonic() < end:
            time.sleep(0.5)
        return session

    def summary(self, session):
        return json.load(urllib.request.urlopen(f"{self.server.origin}/api/v1/sessions/{session}"))

    def address(self, session, **place):
        return f"{self.server.origin}/?session={session}" + "".join(f"&{name}={value}" for name, value in place.items())

    def heap(self, page):
        """MB in use after a collection: JavaScript, and what elements and buffers keep."""
        tools = page.context.new_cdp_session(page)
        tools.send("HeapProfiler.enable")
        for _ in range(3):
            tools.send("HeapProfiler.collectGarbage")
        used = tools.send("Runtime.getHeapUsage")
        tools.detach()
        return sum(used.get(name, 0) for name in ("usedSize", "embedderHeapUsedSize", "backingStorageSize")) / 1e6

    def longest(self, page, since=0):
        return max([0, *(task["duration"] for task in page.evaluate("longTasks") if task["startTime"] >= since)])

    def hundred_thousand(self):
        session = self.upload(tape, 10_000 if QUICK else 100_000)
        count = self.summary(session)["events"]
        times, floors = [], []
        bare = BARE % f"/api/v1/sessions/{session}/events?from={count - 256}&limit=256&fields=head"
        for _ in range(5 if QUICK else 21):
            times.append(self.visits.visit(self.address(session), WATCH))
            floors.append(self.visits.visit(f"{self.server.origin}/ui/memory.js", bare))
        report("first-rows/100k", share(times, 0.5), "ms", 300, share(floors, 0.5), "a bare page with the same rows")

        page = self.page()
        sizes = []
        page.on("response", lambda answer: "/api/" not in answer.url and sizes.append(len(answer.body())))
        page.goto(self.address(session, event=100))
        page.locator("#panel .change").first.wait_for()
        page.wait_for_load_state("networkidle")
        report("weight/an-event-and-the-scrubber", sum(sizes), "B")
        first = self.page()
        first.goto(self.address(session))
        asked = first.evaluate(ASKED)
        first.context.close()
        report("before-the-first-row/requests", len(asked), "", 12)
        report("before-the-first-row/gzipped", sum(asked), "B", 100_000)
        last = lambda: int(page.evaluate("performance.getEntriesByType('resource').length"))
        before = -1
        while before != last():
            before = last()
            page.wait_for_timeout(1500)
        report("memory/100k", self.heap(page), "MB", 200)
        report("memory/100k/longest-task", self.longest(page), "ms", 50)
        page.context.close()

    def select(self):
        session = self.upload(large_states, 600)
        page = self.page()
        page.goto(self.address(session, event=10))
        page.locator("#panel", has_text="step-10;").wait_for()
        page.evaluate(STEPS, {"count": 5, "first": 10})
        times = page.evaluate(STEPS, {"count": 50 if QUICK else 200, "first": 15})
        page.goto(self.address(session, event=300, tab="state"))
        page.locator("#panel", has_text="step-300;").wait_for()
        page.evaluate(STEPS, {"count": 5, "first": 300})
        states = page.evaluate(STEPS, {"count": 50 if QUICK else 200, "first": 305})
        page.goto("about:blank")
        floors = page.evaluate(BARE_STEP, 50)
        for part in (0.5, 0.95, 0.99):
            report(f"select/adjacent-1MB/p{int(part * 100)}", share(times, part), "ms", 50 if part == 0.95 else None,
                   share(floors, part), "one text that changes")
            report(f"select/state-1MB/p{int(part * 100)}", share(states, part), "ms", 50 if part == 0.95 else None,
                   share(floors, part), "one text that changes")
        page.goto(self.address(session, event=1))
        page.locator("#panel", has_text="step-1;").wait_for()
        seqs = [(number * 137 + 40) % 590 + 5 for number in range(1, 11 if QUICK else 41)]
        times = page.evaluate(JUMPS, seqs)
        for part in (0.5, 0.95):
            report(f"select/far-1MB/p{int(part * 100)}", share(times, part), "ms", 120 if part == 0.95 else None,
                   share(floors, part), "one text that changes")
        page.context.close()

    def live(self):
        app = App(self.server, name="Live", state={"count": 0})
        page = self.page()
        page.goto(self.address(app.session))
        page.evaluate("firstRows")
        seconds = 10 if QUICK else 60
        ready, done = threading.Event(), threading.Event()

        def run():
            start = time.monotonic()
            while (passed := time.monotonic() - start) < seconds + 10:
                due = int(passed * 1000) - app.seq
                if passed > 10:
                    ready.set()
                if due < 10:
                    time.sleep(0.01)
                else:
                    app.send(*[
                        {"event": "action", "action": {"type": TYPES[number % 9], "payload": {"id": number}},
                         "patch": [{"op": "replace", "path": "/count", "value": number}], "took": 0.04}
                        for number in range(app.seq, app.seq + min(due, 400))])
            done.set()

        threading.Thread(target=run, daemon=True).start()
        ready.wait(60)
        before = self.heap(page)
        since = page.evaluate("performance.now()")
        first, began = app.seq, time.monotonic()
        while not done.wait(0.001):
            page.wait_for_timeout(200)
        rate = (app.seq - first) / (time.monotonic() - began)
        shown = page.evaluate("Number(document.getElementById('shown').textContent.replace(/\\D/g, ''))")
        behind = app.seq - shown
        longest = self.longest(page, since + 500)
        after = self.heap(page)
        report("live/1000/rate", rate, "events/s")
        report("live/1000/longest-task", longest, "ms", 50)
        report("live/1000/behind", behind, "events", 100)
        report("live/1000/heap", after, "MB")
        report("live/1000/heap-growth", (after - before) / seconds * 60, "MB/min", 5)
        app.stop()
        page.context.close()

    def million(self):
        session = self.upload(tape, 100_000 if QUICK else 1_000_000)
        report("first-rows/1M", share([self.visits.visit(self.address(session), WATCH) for _ in range(5)], 0.5), "ms", 300)
        page = self.page()
        page.goto(self.address(session))
        page.evaluate("firstRows")
        page.wait_for_timeout(1500)
        report("start/1M/longest-task", self.longest(page), "ms", 50)
        since = page.evaluate("performance.now()")
        seen = page.evaluate(SCROLL, 180 if QUICK else 720)
        report("scroll/1M/wrong-frames", seen["wrong"], "frames", 0)
        report("scroll/1M/frames-with-rows-to-come", seen["waiting"] / seen["compared"] * 100, "%")
        report("scroll/1M/longest-task", self.longest(page, since), "ms", 50)
        since = page.evaluate("performance.now()")
        page.locator("#filter").fill("type:sync")
        page.wait_for_timeout(500)
        seen = page.evaluate(SCROLL, 120)
        page.keyboard.press("Escape")
        for key in ("m", "m", "f", "f"):
            page.keyboard.press(key)
            page.evaluate(SCROLL, 20)
        report("scroll/1M/longest-task-filtering-and-folding", self.longest(page, since), "ms", 50)
        report("scroll/1M/wrong-frames-filtering", seen["wrong"], "frames", 0)
        report("memory/1M", self.heap(page), "MB")
        page.context.close()

    def search(self):
        count = 100_000 if QUICK else 1_000_000
        session = self.upload(tape, count)
        rare = (count - 1) // 9_973
        often = sum(1 for seq in range(1, count) if seq % 9 == 2 and seq % 9_973 != 0)
        searches = [
            ("rare-type", "type:rare/one", "rare/one", rare), ("type", "type:sync/started", "sync/started", often),
            ("rare-word", "rare", "rare/one", rare), ("word", "started", "sync/started", often),
            ("value", f"value:{count // 2}", TYPES[count // 2 % 9], 1)]
        for search, text, type, matching in searches:
            firsts, counts, longest, asked = [], [], [], []
            for _ in range(5):
                page = self.page()
                page.goto(self.address(session))
                page.evaluate("firstRows")
                page.wait_for_load_state("networkidle")
                page.on("request", lambda request: "/events?" in request.url and asked.append(request.url))
                shown = " of ".join(f"{number:,}".replace(",", "\u202f") for number in (matching, count))
                since = page.evaluate("performance.now()")
                first, all = page.evaluate(SEARCH, {"text": text, "type": type, "matching": matching, "shown": shown})
                firsts.append(first)
                counts.append(all)
                longest.append(self.longest(page, since))
                page.context.close()
            name = f"search/{'100k' if QUICK else '1M'}/{search}"
            report(f"{name}/first-row", share(firsts, 0.5), "ms", 1000)
            report(f"{name}/count", share(counts, 0.5), "ms", 3000)
            report(f"{name}/longest-task", share(longest, 0.5), "ms", 50)
            report(f"{name}/requests-for-heads", len(asked) / 5, "")


def main():
    release = ROOT / ".build" / "release"
    if (release / "statetape").exists():
        processes.BUILD = release
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder = Path(folder)
        server = Server(folder, web=None)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        bench = Bench(browser, server, folder)
        for name in ("hundred_thousand", "select", "live", "million", "search"):
            if not WANTED or name in WANTED:
                getattr(bench, name)()
        browser.close()
        server.stop()


main()
