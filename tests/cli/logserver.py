"""A plain server of files on loopback that can be told to answer wrongly."""

import threading
from collections import Counter
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class LogServer:
    """Serves a folder.

    Attributes:
        faults: By path below the prefix, or "*" for each: what is done instead, one of the names of
            the methods of the handler that begin with `fault_`; taken so often as `times` says.
        asked: How often each path was asked for.
    """

    def __init__(self, folder):
        self.folder = folder
        self.faults = {}
        self.asked: Counter[str] = Counter()
        self.ranges = []
        self.gate = None
        self._http = _Quiet(("127.0.0.1", 0), partial(_Handler, self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def prefix(self):
        return f"http://127.0.0.1:{self._http.server_port}/log/"

    def fault(self, path, kind, times=10**9):
        self.faults[path] = [kind, times]

    def close(self):
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def served(folder):
    server = LogServer(folder)
    try:
        yield server
    finally:
        server.close()


class _Quiet(ThreadingHTTPServer):
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """A client that was killed or gave up is what some tests are about."""


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, owner, *args):
        self.owner = owner
        super().__init__(*args, directory=str(owner.folder))

    def log_message(self, *args):
        pass

    def do_GET(self):
        path = self.path.removeprefix("/log/")
        self.owner.asked[path] += 1
        if self.owner.gate is not None:
            self.owner.gate(path)
        for key in (path, "*"):
            fault = self.owner.faults.get(key)
            if fault and fault[1] > 0:
                fault[1] -= 1
                getattr(self, f"fault_{fault[0]}")(path)
                return
        file = self.owner.folder / path
        if not self.path.startswith("/log/") or not file.is_file():
            self.answer(404, b"no\n")
            return
        self.whole(file.read_bytes())

    def whole(self, data):
        wanted = self.headers.get("Range")
        if wanted is None:
            self.answer(200, data)
            return
        self.owner.ranges.append(wanted)
        begin, end = wanted.removeprefix("bytes=").split("-")
        part = data[int(begin) : int(end) + 1]
        told = f"bytes {begin}-{int(begin) + len(part) - 1}/{len(data)}"
        self.answer(206, part, {"Content-Range": told})

    def answer(self, status, data, headers=None, length=None):
        self.send_response(status)
        headers = {"Content-Type": "application/octet-stream", **(headers or {})}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.end_headers()
        self.wfile.write(data)

    def data(self, path):
        return (self.owner.folder / path).read_bytes()

    def fault_500(self, path):
        self.answer(500, b"oh")

    def fault_429(self, path):
        self.answer(429, b"slower", {"Retry-After": "7"})

    def fault_404(self, path):
        self.answer(404, b"no")

    def fault_301(self, path):
        self.answer(301, b"", {"Location": f"/log/{path}x"})

    def fault_html(self, path):
        self.answer(200, b"<html>Please log in</html>", {"Content-Type": "text/html"})

    def fault_hidden_html(self, path):
        self.answer(200, b"<html>Please log in</html>")

    def fault_cut(self, path):
        data = self.data(path)
        self.answer(200, data[: len(data) // 2], length=len(data))
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(2)

    def fault_short(self, path):
        self.answer(200, self.data(path)[:-1])

    def fault_long(self, path):
        self.answer(200, self.data(path) + b"\0")

    def fault_endless(self, path):
        self.answer(200, bytes(2**23), length=2**23)

    def fault_flip(self, path):
        data = bytearray(self.data(path))
        data[len(data) // 2] ^= 1
        self.answer(200, bytes(data))

    def fault_whole(self, path):
        """Know no ranges."""
        self.answer(200, self.data(path))

    def fault_silent(self, path):
        self.close_connection = True
        self.connection.shutdown(2)
