"""What `benchmarks.logwrites` holds beside each other: the store, the sequencer, bare inserts."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from fairdeal.records.notes import SigningKey
from fairdeal.store.driving import Driven, drive
from fairdeal.store.engines import writing_engine
from fairdeal.store.logport import LogHead, SignedHead
from fairdeal.store.opening import open_logbook
from fairdeal.store.ports import Store, StoredLine, Where, Write
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import leaf_hash

LEAVES: Final = 3
"""Of one write."""

TURN: Final = 5000
"""Leaves that a turn of the sequencer takes."""

_KEY: Final = SigningKey("fairdeal.localhost/bench", bytes(range(32)))
_PADDING: Final = b"x" * 380
_RECORD: Final = (
    "INSERT INTO bare_records VALUES (?, ?, ?, ?, ?)",
    """
    INSERT INTO bare_records
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::bytea[])
    """,
)
_LEAF: Final = (
    "INSERT INTO bare_queue (game, n, entry, leaf) VALUES (?, ?, ?, ?)",
    """
    INSERT INTO bare_queue (game, n, entry, leaf)
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bytea[], %s::bytea[])
    """,
)


class Bare:
    """The same inserts in a loop, each three leaves in a transaction of their own.

    Its tables have the columns and the keys of the store's, and no guards.

    Args:
        where: A database of the newest schema.
    """

    def __init__(self, where: Where) -> None:
        self._engine = writing_engine(where)
        self._idle: deque[Driven] = deque()
        # One at a time on SQLite, which is unfair to those who wait for each other there.
        self._turn: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
        if isinstance(where, Path):
            self._turn = threading.Lock()
        with self._lent() as driven:
            self._make(driven)

    def write(self, game: str, first: int) -> None:
        """Insert three leaves."""
        made = [leaf_line(game, first + more) for more in range(LEAVES)]
        with self._turn, self._lent() as driven:
            driven.begin()
            _insert(driven, _RECORD, [(game, x.n, x.type, x.hand, x.text) for x in made])
            _insert(driven, _LEAF, [(game, x.n, x.text, x.leaf) for x in made])
            driven.commit()

    @contextlib.contextmanager
    def _lent(self) -> Iterator[Driven]:
        driven = self._idle.pop() if self._idle else drive(self._engine)
        yield driven
        self._idle.append(driven)

    def _make(self, driven: Driven) -> None:
        number, blob = ("bigint", "bytea") if driven.is_postgresql else ("INTEGER", "BLOB")
        own = (
            "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
            if driven.is_postgresql
            else "INTEGER PRIMARY KEY"
        )
        driven.text(
            f"CREATE TABLE bare_records (game text, n {number}, type text, hand {number},"
            f" line {blob}, PRIMARY KEY (game, n))"
        )
        driven.text(
            f"CREATE TABLE bare_queue (id {own}, game text, n {number}, entry {blob}, leaf {blob})"
        )
        driven.text(
            f"CREATE TABLE bare_entries (idx {number} PRIMARY KEY, game text, n {number},"
            f" entry {blob}, leaf {blob}, UNIQUE (game, n))"
        )


class Turns:
    """Turns of the sequencer, and a bare copy of the same rows with the same hashing.

    Args:
        where: A database of the newest schema.
        store: On it.
        each: So many leaves are made ready for a run.
    """

    def __init__(self, where: Where, store: Store, each: int) -> None:
        self._store = store
        self._each = each
        self._book = open_logbook(where)
        self._driven = drive(writing_engine(where))
        self._copied = 0
        self._games = names("t")
        self._rows: list[tuple[str, int, bytes]] = []

    def fill(self) -> None:
        """Have leaves wait, outside of what is timed."""
        self._rows = []
        while len(self._rows) < self._each:
            game = next(self._games)
            made = tuple(leaf_line(game, n) for n in range(250))
            self._store.write(Write(game=game, lines=made))
            self._rows += [(game, one.n, one.text) for one in made]

    def drain(self) -> None:
        """Give places to whatever waits."""
        while self._book.advance(TURN, _sign) is not None:
            pass

    def ours(self) -> tuple[int, list[float]]:
        """Give places to all that waits."""
        times, before = list[float](), self._book.head().size
        while True:
            began = time.perf_counter()
            if self._book.advance(TURN, _sign) is None:
                break
            times.append(1000 * (time.perf_counter() - began))
        return self._book.head().size - before, times

    def bare(self) -> tuple[int, list[float]]:
        """Hash and copy rows, as many in a transaction."""
        times = list[float]()
        edge = Edge()
        for at in range(0, len(self._rows), TURN):
            began = time.perf_counter()
            rows = self._rows[at : at + TURN]
            leaves = [leaf_hash(text) for _, _, text in rows]
            edge, _ = grow(edge, leaves)
            edge.root  # noqa: B018  hashed, as ours is
            first, self._copied = self._copied, self._copied + len(rows)
            made = [
                (first + more, *row, leaf)
                for more, (row, leaf) in enumerate(zip(rows, leaves, strict=True))
            ]
            self._driven.begin()
            self._copy(made)
            self._driven.commit()
            times.append(1000 * (time.perf_counter() - began))
        return len(self._rows), times

    def audit(self) -> int:
        """Compute the root over all entries from nothing; return how many there are."""
        head, edge = self._book.head(), Edge()
        while edge.size < head.size:
            entries = self._book.entries(edge.size, head.size)
            assert [one.index for one in entries] == list(
                range(edge.size, edge.size + len(entries))
            )
            assert all(leaf_hash(one.entry) == one.leaf for one in entries)
            edge, _ = grow(edge, [one.leaf for one in entries])
        assert (edge.root, edge.text) == (head.root, head.edge)
        return head.size

    def close(self) -> None:
        """Let go of the database."""
        self._book.close()
        self._driven.drop()

    def _copy(self, rows: Sequence[tuple[object, ...]]) -> None:
        if not self._driven.is_postgresql:
            self._driven.many("INSERT INTO bare_entries VALUES (?, ?, ?, ?, ?)", rows)
            return
        cursor = self._driven.text("SELECT 1")
        with cursor.copy("COPY bare_entries FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int8", "text", "int8", "bytea", "bytea"])
            for row in rows:
                copy.write_row(row)


def _insert(
    driven: Driven, statements: tuple[str, str], rows: Sequence[tuple[object, ...]]
) -> None:
    """Insert rows as each database does it fastest: one statement for all."""
    on_sqlite, on_postgresql = statements
    if driven.is_postgresql:
        driven.text(on_postgresql, [list(column) for column in zip(*rows, strict=True)])
    else:
        driven.many(on_sqlite, rows)


def leaf_line(game: str, n: int) -> StoredLine:
    """Return a record of about 400 bytes that is a leaf."""
    text = b'{"game":"%s","n":%d,"text":"%s"}\n' % (game.encode(), n, _PADDING)
    return StoredLine(n=n, type="share", hand=None, text=text, leaf=leaf_hash(text))


def names(mark: str) -> Iterator[str]:
    """Yield names of games that nothing else has."""
    return (f"g{mark}n{number:08d}" for number in count())


def _sign(head: LogHead, leaves: tuple[bytes, ...]) -> SignedHead:
    edge, _ = grow(Edge.read(head.size, head.edge), leaves)
    note = Checkpoint(_KEY.name, edge.size, edge.root).sign(_KEY)
    return SignedHead(edge.size, edge.root, edge.text, note)
