"""The floor that acts over HTTP are held against: a bare endpoint with one durable transaction.

It is started as the service is: the same server, the same number of threads, the same framework,
and connections that are set up as the service's are. It reads a JSON body, inserts one row as long
as a record of an act, commits, and answers with JSON. There are no tokens, rules, hashes or
signatures, and nothing is checked.
"""

import os
import queue
import threading
from collections import deque
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, jsonify, request

from api.config import DATABASE, FOLDER
from fairdeal.cli.server import Server
from fairdeal.store.driving import Driven, drive
from fairdeal.store.engines import writing_engine

GROUP: Final = 64
_LINE: Final = b"x" * 400
_ANSWER: Final = {"version": 1, "events": ["x" * 400], "receipts": ["x" * 240]}


class BareServer(Server):
    """The bare endpoint on a free loopback port."""

    def _arguments(self) -> tuple[str, ...]:
        *served, _ = super()._arguments()
        return (*served, "benchmarks.bare:app()")


class Rows:
    """A table to which rows are appended, each durable before `append` returns.

    Args:
        where: The database.
    """

    def __init__(self, where: Path | str) -> None:
        self._engine = writing_engine(where)
        self._idle: deque[Driven] = deque()
        self._numbers = count(1)
        self._process = os.getpid()
        # SQLite has one writer at a time, and is unfair to those who wait for each other there.
        self._turn = threading.Lock() if isinstance(where, Path) else None
        mark = "?" if self._turn else "%s"
        self._insert = f"INSERT INTO bare (process, n, line) VALUES ({mark}, {mark}, {mark})"
        kind = "BLOB" if self._turn else "BYTEA"
        driven = drive(self._engine)
        driven.text(
            "CREATE TABLE IF NOT EXISTS bare (process INTEGER NOT NULL, n INTEGER NOT NULL,"
            f" line {kind} NOT NULL, PRIMARY KEY (process, n))"
        )
        self._idle.append(driven)

    def append(self) -> None:
        """Append a row, in a transaction of its own."""
        if self._turn is None:
            self._append(1)
        else:
            with self._turn:
                self._append(1)

    def append_many(self, rows: int) -> None:
        """Append rows in one transaction."""
        self._append(rows)

    def _append(self, rows: int) -> None:
        try:
            driven = self._idle.pop()
        except IndexError:
            driven = drive(self._engine)
        driven.begin()
        for _ in range(rows):
            driven.text(self._insert, (self._process, next(self._numbers), _LINE))
        driven.commit()
        self._idle.append(driven)


class Grouped:
    """Appends rows for many callers in one transaction, as the service does."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._queue: queue.SimpleQueue[Future[None]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def append(self) -> None:
        """Append a row."""
        done: Future[None] = Future()
        self._queue.put(done)
        done.result()

    def _run(self) -> None:
        while True:
            group = [self._queue.get()]
            while len(group) < GROUP and not self._queue.empty():
                group.append(self._queue.get())
            self._rows.append_many(len(group))
            for done in group:
                done.set_result(None)


def app() -> Flask:
    """Return the application: `/each` commits by itself, `/group` with others."""
    rows = Rows(os.environ[DATABASE] or Path(os.environ[FOLDER]) / "bare.db")
    grouped = Grouped(rows)
    made = Flask(__name__)

    @made.get("/healthz")
    def health() -> Any:  # noqa: ANN401  the framework's own
        return jsonify(status="ok")

    @made.post("/each")
    def each() -> Response:
        request.get_json()
        rows.append()
        return jsonify(_ANSWER)

    @made.post("/group")
    def group() -> Response:
        request.get_json()
        grouped.append()
        return jsonify(_ANSWER)

    return made
