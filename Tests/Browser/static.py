"""A static host: the page's files and others, and nothing that answers the API."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from processes import ROOT


class Handler(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".tape": "application/x-ndjson"}

    def translate_path(self, path):
        """Files of the test's own folder lie beside the page."""
        own = Path(self.directory) / Path(super().translate_path(path)).relative_to(self.directory)
        page = ROOT / "web" / own.relative_to(self.directory)
        return str(own if own.is_file() else page)

    def log_message(self, *arguments):
        pass


class StaticHost:
    def __init__(self, folder):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.folder = folder
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        self.origin = self.url.rstrip("/")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
