"""A witness on loopback that keeps to C2SP tlog-witness v1.0.0, and strays from it where told."""

import json
import re
from base64 import b64decode
from binascii import Error as BadBase64
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final, Literal

from fairdeal.errors import MalformedInput
from fairdeal.records.noteform import Note, Signature, format_note
from fairdeal.records.notes import SigningKey, VerifyingKey
from fairdeal.tlog.checkpoint import Checkpoint, open_checkpoint
from fairdeal.tlog.cosignature import WitnessKey
from fairdeal.tlog.merkle import EMPTY_ROOT, is_consistent
from fairdeal.tlog.policy import Witness
from tests.tlog.signers import cosign

Fault = Literal[
    "lost", "slow", "drip", "busy", "broken", "bare 409", "ahead", "false", "other key",
    "future", "garbage", "empty", "huge", "redirect", "not HTTP", "hung up", "told 2", "told 3",
    "told 4", 400, 403, 404, 422, 503,
]  # fmt: skip
"""`lost`: cosigned and kept, but the answer is not sent. `slow`: not before `go` is set. `drip`: a
byte now and then, until `go` is set. `huge`: without an end. `busy`: 429 with Retry-After.
`broken`: 500, as omniwitness says for an unknown origin. `bare 409`: without a size, as it says for
a fork. `ahead`: 409 with a size above ours. `told 2`: 409 with this size, whatever it is. `hung
up`: no byte of an answer."""

NOW: Final = 1_764_000_000
_OLD: Final = re.compile(r"old (0|[1-9][0-9]{0,18})")
_Answer = tuple[int, dict[str, str], bytes]
_SIZE: Final = {"Content-Type": "text/x.tlog.size"}


class FakeWitness:
    """A witness of one log.

    Args:
        name: Of its key.
        log: Whose checkpoints it cosigns.
        state: The file of what it last cosigned; made.

    Attributes:
        faults: What goes wrong with the next questions, in order; then none.
        asked: Old size and size of each question that was well formed.
        paths: Of all questions.
        go: Lets `slow` answers and `drip` end.
        time: What its clock says, seconds since 1970.
    """

    def __init__(self, name: str, log: VerifyingKey, state: Path) -> None:
        self._seed = name.encode().ljust(32, b".")
        self.key = WitnessKey(name, SigningKey(name, self._seed).verifying_key.public)
        self.faults: deque[Fault] = deque()
        self.asked: list[tuple[int, int]] = []
        self.paths: list[str] = []
        self.go, self.time = Event(), NOW
        self._log, self._state, self._lock = log, state, Lock()
        self._server: ThreadingHTTPServer | None = None
        self._port = 0

    @property
    def witness(self) -> Witness:
        """Itself as a policy names it."""
        return Witness(self.key, f"http://127.0.0.1:{self._port}/w")

    @property
    def size(self) -> int:
        """What it last cosigned."""
        return self._kept()[0]

    def start(self) -> None:
        """Listen: the first time on a free port, later on the same one."""
        self._server = _Server(("127.0.0.1", self._port), _handler(self))
        self._port = self._server.server_port
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Listen no more; the state stays."""
        self.go.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
        self._server = None

    def forget(self) -> None:
        """Lose the state."""
        self._state.unlink(missing_ok=True)

    def answer(self, body: bytes, fault: Fault | None) -> _Answer | None:
        """Return status, headers and body; None for no answer."""
        match fault:
            case "busy":
                return 429, {"Retry-After": "60"}, b"too many\n"
            case "broken":
                return 500, {}, b"unknown origin\n"
            case "bare 409":
                return 409, {}, b""
            case "ahead":
                return 409, _SIZE, b"1000000\n"
            case "told 2" | "told 3" | "told 4":
                return 409, _SIZE, f"{fault[-1]}\n".encode()
            case "garbage":
                return 200, {}, b"\xff\x00 not a line\n"
            case "empty":
                return 200, {}, b""
            case "redirect":
                return 307, {"Location": f"http://127.0.0.1:{self._port}/elsewhere"}, b""
            case "not HTTP" | "hung up":
                return None
            case int():
                return fault, {}, b"no\n"
            case "slow":
                self.go.wait(30)
            case _:
                pass
        with self._lock:
            judged = self._judge(body, fault)
        return None if fault == "lost" else judged

    def _judge(self, body: bytes, fault: Fault | None) -> _Answer:
        try:
            head, _, note = body.decode().partition("\n\n")
            first, *proof = head.split("\n")
            match = _OLD.fullmatch(first)
            path = [b64decode(line, validate=True) for line in proof]
        except (UnicodeDecodeError, BadBase64):
            match = None
        if match is None or len(path) > 63 or any(len(one) != 32 for one in path):
            return 400, {}, b"not a request\n"
        if note.partition("\n")[0] != self._log.name:
            return 404, {}, b"no such log\n"
        try:
            shown = open_checkpoint(note, [self._log]).checkpoint
        except MalformedInput as error:
            return (403 if error.code == "bad_signature" else 400), {}, b"not signed\n"
        return self._decide(int(match[1]), path, shown, fault)

    def _decide(
        self, old: int, path: list[bytes], shown: Checkpoint, fault: Fault | None
    ) -> _Answer:
        self.asked.append((old, shown.size))
        known, root = self._kept()
        if old > shown.size:
            return 400, {}, b"old is above the size\n"
        if old != known:
            return 409, _SIZE, f"{known}\n".encode()
        if old == shown.size and root != shown.root:
            return 409, _SIZE, f"{known}\n".encode()
        if not is_consistent(old, root, shown.size, shown.root, path):
            return 422, {}, b"the proof does not hold\n"
        self._state.write_text(json.dumps([shown.size, shown.root.hex()]))
        return 200, {}, self._line(shown.text, fault).encode()

    def _line(self, text: str, fault: Fault | None) -> str:
        if fault == "other key":
            line = cosign("someone.else", b"?" * 32, text, self.time)
        else:
            late = 3600 if fault == "future" else 0
            line = cosign(self.key.name, self._seed, text, self.time + late)
        if fault == "false":
            line = Signature(line.name, line.key_id, line.signature[:-1] + b"\x00")
        return format_note(Note("", (line,))).removeprefix("\n")

    def _kept(self) -> tuple[int, bytes]:
        if not self._state.exists():
            return 0, EMPTY_ROOT
        size, root = json.loads(self._state.read_text())
        return size, bytes.fromhex(root)


@contextmanager
def running(*witnesses: FakeWitness) -> Iterator[None]:
    """Have witnesses listen for a while."""
    for one in witnesses:
        one.start()
    try:
        yield
    finally:
        for one in witnesses:
            one.stop()


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for a condition; an assertion fails where it does not come."""
    turn = Event()
    for _ in range(int(seconds / 0.005)):
        if holds():
            return
        turn.wait(0.005)
    raise AssertionError("it did not come in time")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False


def _handler(witness: FakeWitness) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            witness.paths.append(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            fault = witness.faults.popleft() if witness.faults else None
            if self.path != "/w/add-checkpoint":
                self.send_error(404)
                return
            self.close_connection = True
            if fault in ("drip", "huge"):
                self._drip() if fault == "drip" else self._flood()
                return
            answer = witness.answer(body, fault)
            if answer is None:
                self.wfile.write(b"hello\r\n\r\n" if fault == "not HTTP" else b"")
                return
            status, headers, said = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self._write(said)

        def do_GET(self) -> None:
            witness.paths.append(self.path)
            self.send_error(404)

        def _drip(self) -> None:
            self._write(b"HTTP/1.1 200 OK\r\nX-Filler: ")
            while not witness.go.wait(0.02) and self._write(b"x"):
                pass

        def _flood(self) -> None:
            self._write(b"HTTP/1.1 200 OK\r\n\r\n")
            while not witness.go.is_set() and self._write(b"- \n" * 10_000):
                pass

        def _write(self, data: bytes) -> bool:
            try:
                self.wfile.write(data)
            except OSError:
                return False
            return True

        def log_message(self, *_: object) -> None:
            pass

    return Handler
