"""A store in one SQLite file: WAL, one writing thread, many writes in one commit.

Callers queue their writes; the thread takes what waits, writes each in a savepoint of its own,
commits once, marks how far the store now reaches, and only then answers them all. So the price of
a durable commit is shared, writers never wait for each other's locks, and there is one place at
which a game's order is decided.
Reads run on other connections, one a thread, each a single statement: no read transaction is
ever left open (contract: `ports.Store`).
"""

import contextlib
import queue
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final

from fairdeal.errors import FairdealError, StorageFailure
from fairdeal.store.bell import Bell
from fairdeal.store.highwater import HighWater, Mark, standing
from fairdeal.store.ports import (
    NEW_GAME,
    Grant,
    KeptAnswer,
    Listing,
    Post,
    Role,
    RoomState,
    Sealed,
    SealedKind,
    SeedSignature,
    Seen,
    Write,
)
from fairdeal.store.schema import connect, migrate
from fairdeal.store.writing import keep, touched

GROUP: Final = 64
"""At most so many writes share a commit."""

PATIENCE_S: Final = 30.0
"""So long a caller waits for the disk."""

_Waiting = tuple[Write, "Future[None]"]

_GRANT: Final = (
    "digest, role, site, id, game, room, seat, scope, label, state, successor, made, until"
)
_LISTING: Final = "game, site, room, made, settings"


class SqliteStore:
    """Keeps everything in one file beside which SQLite lays its `-wal` and `-shm`.

    Args:
        path: The database file; made, with its schema, where it is not there.
        high: Marks outside the database how far it reaches; None marks nothing.

    Raises:
        StorageFailure: The file cannot be opened or is not one of ours; `database_behind`: it
            lacks what was marked before.
    """

    def __init__(self, path: Path, high: HighWater | None = None) -> None:
        self._path = path
        self._high = high
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._closed = False
        self._gate = threading.Lock()  # of _closed and _readers; never held over a statement
        self._commits = 0
        self._bell = Bell()
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        if high is not None and not path.exists():
            high.admit(None)
        self._writer = connect(path)
        try:
            migrate(self._writer)
            self._standing: Mark | None = standing(self._writer)
            if high is not None:
                high.admit(self._standing)
        except BaseException:
            self._writer.close()
            raise
        self._thread = threading.Thread(target=self._run, name="fairdeal-writer", daemon=True)
        self._thread.start()

    @property
    def commits(self) -> int:
        """How many commits there were since the store was opened."""
        return self._commits

    @property
    def bell(self) -> Bell:
        """Rings when something was written."""
        return self._bell

    # ------------------------------------------------------------------------------ writes

    def write(self, write: Write) -> None:
        """Keep the whole of it, and return when it is durable (contract: `ports.Store.write`)."""
        done: Future[None] = Future()
        with self._gate:
            if self._closed:
                raise StorageFailure("store_closed", "The store is shut.")
            self._queue.put((write, done))
        try:
            done.result(timeout=PATIENCE_S)
        except TimeoutError:
            raise StorageFailure("store_slow", "The disk did not answer in time.") from None

    def _run(self) -> None:
        for group in self._groups():
            self._settle(group)
        self._writer.close()

    def _groups(self) -> Iterator[list[_Waiting]]:
        """Yield what waits, at most GROUP at a time and at least one, until the store is shut."""
        while (first := self._queue.get()) is not None:
            group = [first]
            while len(group) < GROUP and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    yield group
                    return
                group.append(following)
            yield group

    def _settle(self, group: list[_Waiting]) -> None:
        """Write a group in one commit, then answer each of its callers."""
        refusals: list[FairdealError | None] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            refusals.extend(self._try(write) for write, _ in group)
            self._commit(self._writer)
            self._mark(group, refusals)
        except Exception as error:  # noqa: BLE001 - whatever it was, nobody may be left waiting
            self._give_up(group, error)
            return
        self._commits += 1
        for (_, done), refusal in zip(group, refusals, strict=True):
            if refusal is None:
                done.set_result(None)
            else:
                done.set_exception(refusal)
        kept = zip(group, refusals, strict=True)
        self._bell.ring(name for (write, _), no in kept if no is None for name in touched(write))

    def _try(self, write: Write) -> FairdealError | None:
        """Write one of a group; a refusal undoes that one alone."""
        self._writer.execute("SAVEPOINT one")
        try:
            keep(self._writer, write)
        except FairdealError as refusal:
            self._writer.execute("ROLLBACK TO one")
            self._writer.execute("RELEASE one")
            return refusal
        self._writer.execute("RELEASE one")
        return None

    def _commit(self, connection: sqlite3.Connection) -> None:
        """Make a group durable; a seam: tests let it fail before and after the deed."""
        connection.execute("COMMIT")

    def _mark(self, group: list[_Waiting], refusals: list[FairdealError | None]) -> None:
        """Mark how far the store reaches, before anybody hears that it does."""
        if self._high is None:
            return
        before, self._standing = self._standing, None  # so that a failure has it counted anew
        if before is None:
            now = standing(self._writer)
        else:
            kept = zip(group, refusals, strict=True)
            more = sum(len(write.lines) for (write, _), refusal in kept if refusal is None)
            now = Mark(before.records + more, before.database)
        if now != before:
            self._high.raise_to(now)
        self._standing = now

    def _give_up(self, group: list[_Waiting], error: Exception) -> None:
        self._standing = None
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error:
            self._renew()
        for _, done in group:
            failure = StorageFailure("store_failed", "The store could not keep it.")
            failure.__cause__ = error
            done.set_exception(failure)

    def _renew(self) -> None:
        """Replace an unusable connection; a new one starts from what the file holds.

        Where that fails too, the next group finds the old one unusable and comes here again: the
        thread must not end, or whoever waits for it would wait for nothing.
        """
        with contextlib.suppress(sqlite3.Error, StorageFailure):
            self._writer.close()
            self._writer = connect(self._path)

    # ------------------------------------------------------------------------------- reads

    def newest(self, game: str) -> int | None:
        """Return the number of the game's newest record, or None."""
        return self._number("SELECT max(n) FROM records WHERE game = ?", game)

    def lines(self, game: str, *, after: int = NEW_GAME, limit: int = 20_000) -> tuple[bytes, ...]:
        """Return the lines behind record ``after``, in order."""
        rows = self._rows(
            "SELECT line FROM records WHERE game = ? AND n > ? ORDER BY n LIMIT ?",
            game, after, limit,
        )  # fmt: skip
        return tuple(row[0] for row in rows)

    def lines_of_type(self, game: str, type_: str) -> tuple[bytes, ...]:
        """Return the game's lines of one type, in order."""
        rows = self._rows(
            "SELECT line FROM records WHERE game = ? AND type = ? AND type <> 'act' ORDER BY n",
            game, type_,
        )  # fmt: skip
        return tuple(row[0] for row in rows)

    def last_of_type(self, game: str, type_: str) -> int | None:
        """Return the number of the game's last record of a type, or None."""
        return self._number(
            "SELECT max(n) FROM records WHERE game = ? AND type = ? AND type <> 'act'", game, type_
        )

    def first_of_type(self, game: str, type_: str) -> int | None:
        """Return the number of the game's first record of a type, or None."""
        return self._number(
            "SELECT min(n) FROM records WHERE game = ? AND type = ? AND type <> 'act'", game, type_
        )

    def unfinished(self) -> tuple[str, ...]:
        """Return the games that have no `master` record."""
        rows = self._rows(
            "SELECT game FROM records AS opened WHERE n = 0 AND NOT EXISTS ("
            " SELECT 1 FROM records WHERE game = opened.game AND type = 'master') ORDER BY game"
        )
        return tuple(row[0] for row in rows)

    def secret(self, game: str) -> bytes | None:
        """Return the game's sealed master secret, or None."""
        for (sealed,) in self._rows("SELECT sealed FROM secrets WHERE game = ?", game):
            return bytes(sealed)
        return None

    def sealed(
        self, kind: SealedKind, *, after: bytes = b"", limit: int = 100
    ) -> tuple[Sealed, ...]:
        """Return what is sealed, by name, behind ``after``."""
        if kind == "secret":
            rows = self._rows(
                "SELECT CAST(game AS BLOB), sealed FROM secrets WHERE game > ?"
                " ORDER BY game LIMIT ?",
                after.decode("ascii"), limit,
            )  # fmt: skip
        else:
            rows = self._rows(
                "SELECT key, sealed FROM answers WHERE key > ? ORDER BY key LIMIT ?", after, limit
            )
        return tuple(Sealed(kind=kind, name=name, text=text) for name, text in rows)

    def grant(self, digest: bytes) -> Grant | None:
        """Return what a token may do, or None."""
        rows = self._rows(f"SELECT {_GRANT} FROM grants WHERE digest = ?", digest)  # noqa: S608  our own column names
        return _grant(rows[0]) if rows else None

    def grants(
        self, *, role: Role, site: str = "", game: str = "", room: str = ""
    ) -> tuple[Grant, ...]:
        """Return the grants of a role in one place, by time and digest."""
        column, name = next(
            pair for pair in (("game", game), ("room", room), ("site", site)) if pair[1]
        )
        rows = self._rows(
            f"SELECT {_GRANT} FROM grants WHERE {column} = ? AND role = ? ORDER BY made, digest",  # noqa: S608  our own column names
            name, role,
        )  # fmt: skip
        return tuple(_grant(row) for row in rows)

    def listing(self, game: str) -> Listing | None:
        """Return what is known of a game beside its records."""
        rows = self._rows(f"SELECT {_LISTING} FROM listings WHERE game = ?", game)  # noqa: S608  our own column names
        return _listing(rows[0]) if rows else None

    def listings(
        self, *, site: str = "", room: str = "", before: tuple[int, str] | None = None, limit: int
    ) -> tuple[Listing, ...]:
        """Return games of a site or a room, newest first, behind ``before``."""
        column, name = ("room", room) if room else ("site", site)
        made, game = before or (2**62, "")
        rows = self._rows(
            f"SELECT {_LISTING} FROM listings WHERE {column} = ? AND (made, game) < (?, ?)"  # noqa: S608  our own column names
            " ORDER BY made DESC, game DESC LIMIT ?",
            name, made, game, limit,
        )  # fmt: skip
        return tuple(_listing(row) for row in rows)

    def room(self, room: str) -> RoomState | None:
        """Return a room as it stands, or None."""
        for row in self._rows("SELECT room, site, version, body FROM rooms WHERE room = ?", room):
            return RoomState(room=row[0], site=row[1], version=row[2], body=row[3])
        return None

    def rooms(self, site: str, *, after: str = "", limit: int) -> tuple[RoomState, ...]:
        """Return a site's rooms by name, behind ``after``."""
        rows = self._rows(
            "SELECT room, site, version, body FROM rooms WHERE site = ? AND room > ?"
            " ORDER BY room LIMIT ?",
            site, after, limit,
        )  # fmt: skip
        return tuple(RoomState(room=r[0], site=r[1], version=r[2], body=r[3]) for r in rows)

    def seen(self, place: str) -> tuple[Seen, ...]:
        """Return who was there and when last, by seat."""
        rows = self._rows("SELECT seat, at FROM seen WHERE place = ? ORDER BY seat", place)
        return tuple(Seen(place=place, seat=seat, at=at) for seat, at in rows)

    def operators(self) -> int:
        """Return how many operator tokens there are."""
        return self._number("SELECT count(*) FROM grants WHERE role = 'operator'") or 0

    def answer(self, key: bytes) -> KeptAnswer | None:
        """Return the answer kept under a key, or None."""
        columns = "key, request, sealed, game, made"
        for row in self._rows(f"SELECT {columns} FROM answers WHERE key = ?", key):  # noqa: S608  our own column names
            return KeptAnswer(key=row[0], request=row[1], sealed=row[2], game=row[3], made=row[4])
        return None

    def signatures(self, game: str) -> tuple[SeedSignature, ...]:
        """Return the players' signatures of a game, by epoch and seat."""
        rows = self._rows(
            "SELECT epoch, seat, pk, signature FROM seed_signatures WHERE game = ?"
            " ORDER BY epoch, seat",
            game,
        )
        return tuple(
            SeedSignature(epoch=epoch, seat=seat, pk=pk, signature=signature)
            for epoch, seat, pk, signature in rows
        )

    def lead(self, post: Post) -> bool:  # noqa: ARG002  the contract's
        """Say yes: the folder's lock keeps every other process out."""
        return True

    def resign(self, post: Post) -> None:
        """Let go of a post; nobody else could take it."""

    def close(self) -> None:
        """Finish the writes that were accepted and let go of the file."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()
        with self._gate:
            for connection in self._readers:
                connection.close()
            self._readers.clear()

    def _number(self, statement: str, *values: object) -> int | None:
        rows = self._rows(statement, *values)
        number: int | None = rows[0][0]
        return number

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """Run one reading statement to its end on this thread's own connection."""
        try:
            return self._reader().execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StorageFailure("store_failed", "The store could not be read.") from error

    def _reader(self) -> sqlite3.Connection:
        if self._closed:
            raise StorageFailure("store_closed", "The store is shut.")
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self._path, reads_only=True)
            with self._gate:
                self._readers.append(connection)
            self._local.connection = connection
        return connection


def _grant(row: tuple[Any, ...]) -> Grant:
    return Grant(**dict(zip(_GRANT.split(", "), row, strict=True)))


def _listing(row: tuple[Any, ...]) -> Listing:
    return Listing(**dict(zip(_LISTING.split(", "), row, strict=True)))
