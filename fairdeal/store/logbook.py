"""The log's side of the database, for the one process that gives leaves their places (0011)."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from fairdeal.errors import Conflict, FairdealError, StorageFailure
from fairdeal.store.appending import queue
from fairdeal.store.driving import Driven, drive
from fairdeal.store.engines import writing_engine
from fairdeal.store.logport import LogEntry, LogHead, SignedHead
from fairdeal.store.ports import Where
from fairdeal.store.schema import bring_up

MOST_ENTRIES: Final = 10_000

_T = TypeVar("_T")

_HEAD: Final = "SELECT size, root, edge, published FROM log_state WHERE one = 1"

# What is there is taken, whatever its number: one that was drawn earlier may be committed later,
# and is not seen by this statement, whose parts all see the same. Entries stay in the server.
_PLACE_POSTGRESQL: Final = """
    WITH taken AS (
        DELETE FROM log_queue
        WHERE id <= (SELECT max(id) FROM (SELECT id FROM log_queue ORDER BY id LIMIT %s) AS first)
        RETURNING id, game, n, entry, leaf
    )
    INSERT INTO log_entries (idx, game, n, entry, leaf)
    SELECT %s - 1 + row_number() OVER (ORDER BY id), game, n, entry, leaf FROM taken ORDER BY id
    RETURNING idx, leaf
"""

# Here nobody else writes meanwhile, so what was placed is what has the smallest numbers.
_PLACE_SQLITE: Final = """
    INSERT INTO log_entries (idx, game, n, entry, leaf)
    SELECT ? - 1 + row_number() OVER (ORDER BY id), game, n, entry, leaf FROM
    (SELECT * FROM log_queue ORDER BY id LIMIT ?) ORDER BY id
"""

_PLACED_SQLITE: Final = "SELECT idx, leaf FROM log_entries WHERE idx >= ? ORDER BY idx"

_TAKEN_SQLITE: Final = """
    DELETE FROM log_queue
    WHERE id <= (SELECT max(id) FROM (SELECT id FROM log_queue ORDER BY id LIMIT ?))
"""

_SIGNED: Final = "INSERT INTO log_checkpoints (size, root, note) VALUES ({}, {}, {})"

_MOVE: Final = "UPDATE log_state SET size = {}, root = {}, edge = {} WHERE one = 1 AND size = {}"

_ENTRIES: Final = """
    SELECT idx, entry, leaf FROM log_entries WHERE idx >= {} AND idx < {} ORDER BY idx
"""

_LATEST: Final = """
    SELECT size, root, note FROM log_checkpoints WHERE size <= {} ORDER BY size DESC LIMIT 1
"""

_MASTERS: Final = """
    SELECT idx, log_entries.game FROM log_entries
    JOIN records ON records.game = log_entries.game AND records.n = log_entries.n
    WHERE idx >= {} AND idx < (SELECT published FROM log_state)
        AND records.type = 'master'
    ORDER BY idx LIMIT {}
"""

_OWN: Final = """
    SELECT 1 FROM log_entries WHERE game = '' AND leaf = {}
    UNION ALL SELECT 1 FROM log_queue WHERE game = '' AND leaf = {}
"""


class SqlLogBook:
    """The log's tables, on a connection of its own (contract: `logport.LogBook`).

    Args:
        where: The database; brought to the newest schema.

    Raises:
        StorageFailure: As `opening.open_store`.
    """

    def __init__(self, where: Where) -> None:
        self._engine = writing_engine(where)
        bring_up(self._engine)
        self._driven: Driven | None = None
        self._mark = "?" if self._engine.dialect.name == "sqlite" else "%s"

    def head(self) -> LogHead:
        """Return how far the log has got."""
        return self._alone(_head)

    def advance(
        self, most: int, sign: Callable[[LogHead, tuple[bytes, ...]], SignedHead]
    ) -> SignedHead | None:
        """Give places to leaves that wait, and keep what was signed of them, in one commit."""

        def work(driven: Driven) -> SignedHead | None:
            # The row is the fence: on SQLite the transaction has the whole file.
            old = _head(driven, locked=driven.is_postgresql)
            leaves = _place(driven, old.size, most)
            if not leaves:
                return None
            new = sign(old, leaves)
            if new.size != old.size + len(leaves):
                raise ValueError("what was signed has another size")
            self._say(driven, _SIGNED, new.size, new.root, new.note)
            moved = self._say(driven, _MOVE, new.size, new.root, new.edge, old.size)
            if moved.rowcount != 1:
                raise Conflict("log_moved", "Another sequencer was faster.")
            return new

        return self._within(work)

    def entries(self, begin: int, end: int) -> tuple[LogEntry, ...]:
        """Return leaves from ``begin`` to before ``end``, at most 10,000, in order."""
        end = min(end, begin + MOST_ENTRIES)
        rows = self._alone(lambda driven: self._say(driven, _ENTRIES, begin, end).fetchall())
        return tuple(LogEntry(idx, bytes(entry), bytes(leaf)) for idx, entry, leaf in rows)

    def note(self, size: int) -> str | None:
        """Return the newest note of the checkpoint of a size, or None."""
        found = self.latest(size)
        return found.note if found is not None and found.size == size else None

    def latest(self, at_most: int) -> SignedHead | None:
        """Return the largest signed head of at most this size, its edge empty."""
        rows = self._alone(lambda driven: self._say(driven, _LATEST, at_most).fetchall())
        for size, root, note in rows:
            return SignedHead(size, bytes(root), b"", note)
        return None

    def publish(self, size: int, note: str) -> None:
        """Keep that a checkpoint is public, with the note as it is."""

        def work(driven: Driven) -> None:
            _head(driven, locked=driven.is_postgresql)
            kept = self._say(
                driven, "UPDATE log_checkpoints SET note = {} WHERE size = {}", note, size
            )
            if kept.rowcount != 1:
                raise Conflict("no_such_checkpoint", f"No checkpoint of size {size} was signed.")
            self._say(
                driven,
                "UPDATE log_state SET published = {} WHERE one = 1 AND published < {}",
                size,
                size,
            )

        self._within(work)

    def masters(self, after: int, limit: int) -> tuple[tuple[int, str], ...]:
        """Return place and game of `master` leaves from a place on that are public."""
        rows = self._alone(lambda driven: self._say(driven, _MASTERS, after, limit).fetchall())
        return tuple((idx, game) for idx, game in rows)

    def lines(self, game: str) -> tuple[bytes, ...]:
        """Return all records of a game."""
        text = "SELECT line FROM records WHERE game = {} ORDER BY n"
        rows = self._alone(lambda driven: self._say(driven, text, game).fetchall())
        return tuple(bytes(row[0]) for row in rows)

    def add(self, entry: bytes, leaf: bytes) -> None:
        """Have a leaf of the service wait for its place, unless there is the same."""

        def work(driven: Driven) -> None:
            _head(driven, locked=driven.is_postgresql)
            if not self._say(driven, _OWN, leaf, leaf).fetchall():
                queue(driven, [("", None, entry, leaf)])

        self._within(work)

    def close(self) -> None:
        """Let go of the database."""
        driven, self._driven = self._driven, None
        if driven is not None:
            driven.drop()

    def _say(self, driven: Driven, text: str, *values: object) -> Any:  # noqa: ANN401  the driver's own
        return driven.text(text.format(*[self._mark] * len(values)), values)

    def _alone(self, work: Callable[[Driven], _T]) -> _T:
        """Run a statement by itself."""
        driven = self._connected()
        try:
            return work(driven)
        except driven.fault as error:
            self.close()
            raise StorageFailure("store_failed", "The log could not be read.") from error

    def _within(self, work: Callable[[Driven], _T]) -> _T:
        """Run a transaction, and commit it; a refusal undoes it."""
        driven = self._connected()
        try:
            driven.begin()
            done = work(driven)
            self._commit(driven)
        except driven.fault as error:
            self.close()
            raise StorageFailure("store_failed", "The log could not be written.") from error
        except FairdealError:
            driven.rollback()
            raise
        except BaseException:
            self.close()
            raise
        return done

    def _connected(self) -> Driven:
        if self._driven is None:
            self._driven = drive(self._engine)
        return self._driven

    def _commit(self, driven: Driven) -> None:
        """Make a turn durable; a seam: tests let it fail before and after the deed."""
        driven.commit()


def _head(driven: Driven, *, locked: bool = False) -> LogHead:
    size, root, edge, published = driven.text(_HEAD + (" FOR UPDATE" if locked else "")).fetchone()
    return LogHead(size, bytes(root), bytes(edge), published)


def _place(driven: Driven, first: int, most: int) -> tuple[bytes, ...]:
    """Move leaves that wait to their places, from ``first`` on; return their hashes in order."""
    if driven.is_postgresql:
        placed = sorted(driven.text(_PLACE_POSTGRESQL, (most, first)).fetchall())
    else:
        driven.text(_PLACE_SQLITE, (first, most))
        placed = driven.text(_PLACED_SQLITE, (first,)).fetchall()
        driven.text(_TAKEN_SQLITE, (len(placed),))
    if [idx for idx, _ in placed] != list(range(first, first + len(placed))):
        raise StorageFailure("store_failed", "Places of the log are not those that follow.")
    return tuple(bytes(leaf) for _, leaf in placed)
