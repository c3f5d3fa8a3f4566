"""A server that is killed again and again, and callers who ask until they are answered."""

import contextlib
import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from benchmarks.kept import BrokenWord
from fairdeal.cli.server import LOOPBACK, Server

LONGEST_DELAY_S: Final = 0.012
"""A request takes a few milliseconds: kills fall before, into and behind its commit."""
SHARE_ALONE: Final = 0.5
SHARE_OF_WORKERS: Final = 0.02
"""So many requests are struck. A worker needs a second to come back: four do not take more."""
PATIENCE_S: Final = 60.0


@dataclass(slots=True)
class Tally:
    """What happened.

    Attributes:
        kills: How often the server, or a worker, was killed.
        interrupted: How many requests lost their answer and were sent again.
        resumed: How many streams were cut off and went on with one request.
        games: Games played to the end.
        acts: Acts acknowledged to players.
        records: Records acknowledged or streamed.
        streamed: Of these, how many came by a stream.
    """

    kills: int = 0
    interrupted: int = 0
    resumed: int = 0
    games: int = 0
    acts: int = 0
    records: int = 0
    streamed: int = 0


@dataclass(slots=True)
class Run:
    """One server that is killed, and players who do not give up.

    Attributes:
        server: The server.
        wanted: How often it is to be killed.
        chance: Decides when, and which worker.
        by_worker: Whether one worker is killed, not the whole server.
        target: So many points end a game.
        tally: What happened so far.
        failed: Set once a word was broken: nobody goes on then.
    """

    server: Server
    wanted: int
    chance: random.Random
    by_worker: bool = False
    target: int = 5000
    tally: Tally = field(default_factory=Tally)
    failed: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_over(self) -> bool:
        """Whether it was killed often enough."""
        return self.tally.kills >= self.wanted

    def check(self) -> None:
        """Go on only while nothing is broken.

        Raises:
            BrokenWord: Something is.
        """
        process = self.server.process
        if self.by_worker and (process is None or process.poll() is not None):
            self.failed.set()
            raise BrokenWord("the server ended, though only workers were killed")
        if self.failed.is_set():
            raise BrokenWord("elsewhere")

    def count(self, **more: int) -> None:
        """Add to the tally."""
        with self.lock:
            for name, number in more.items():
                setattr(self.tally, name, getattr(self.tally, name) + number)

    @contextlib.contextmanager
    def struck(self) -> Iterator[None]:
        """Kill the server meanwhile, if chance says so."""
        share = SHARE_OF_WORKERS if self.by_worker else SHARE_ALONE
        with self.lock:
            strikes = not self.is_over and self.chance.random() < share
            self.tally.kills += strikes
            delay = self.chance.random() * LONGEST_DELAY_S
        thread = threading.Thread(target=self._strike, args=(delay,))
        if strikes:
            thread.start()
        try:
            yield
        finally:
            if strikes:
                thread.join()

    def _strike(self, delay: float) -> None:
        time.sleep(delay)
        if not self.by_worker:
            self.server.kill()
            self.server.start()
            return
        assert self.server.process is not None
        master = self.server.process.pid
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            workers = Path(f"/proc/{master}/task/{master}/children").read_text("ascii").split()
            with contextlib.suppress(ProcessLookupError, IndexError):
                os.kill(int(self.chance.choice(workers)), signal.SIGKILL)
                return
        raise BrokenWord("the server has no workers any more")


@dataclass(slots=True)
class Caller:
    """Sends requests with one token until they are answered."""

    run: Run
    token: str = ""

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Any:  # noqa: ANN401  the shape depends on the path
        """Send a request until it is answered, perhaps killing the server meanwhile.

        Raises:
            BrokenWord: It was refused.
        """
        deadline = time.monotonic() + PATIENCE_S
        with self.run.struck():
            while True:
                self.run.check()
                with contextlib.suppress(OSError, HTTPException):
                    status, said = self._send(method, path, body, headers)
                    if status < 400:
                        return said if path.endswith("transcript") else json.loads(said)
                    if status != 503:
                        raise BrokenWord(f"{method} {path}: {status} {said.decode()}")
                if time.monotonic() > deadline:
                    raise BrokenWord(f"{method} {path}: no answer within {PATIENCE_S:.0f} s")
                self.run.count(interrupted=1)

    def open(self, path: str, **headers: str) -> HTTPConnection:
        """Ask for a path on a connection of its own; who asked reads the answer."""
        connection = HTTPConnection(LOOPBACK, self.run.server.port, timeout=30.0)
        connection.request("GET", path, headers=self._headers(headers))
        return connection

    def _send(
        self, method: str, path: str, body: object, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        connection = HTTPConnection(LOOPBACK, self.run.server.port, timeout=30.0)
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, path, data, self._headers(headers))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        names = {name.replace("_", "-"): value for name, value in more.items()}
        if self.token:
            names["Authorization"] = f"Bearer {self.token}"
        return {"Content-Type": "application/json", **names}
