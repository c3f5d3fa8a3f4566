"""The one thing that every act does, on both databases: to append a game's next records.

On SQLite a transaction that writes has the file for itself. On PostgreSQL it first takes, in one
order that is the same for everybody, a lock on all that it may meet another process over: then no
two wait for each other, and what it reads behind the lock is so until it commits. Both statements
are in the driver's own words: they run with every act.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final

from fairdeal.errors import StaleVersion
from fairdeal.store.driving import Driven
from fairdeal.store.ports import NEW_GAME, Write

Heads = dict[str, int]
"""By game the number of its newest record, or NEW_GAME; as known in this transaction."""

_LOCK: Final = "SELECT pg_advisory_xact_lock(key) FROM unnest(%s::bigint[]) AS key"

_HEADS: Final = """
    SELECT game, (SELECT max(n) FROM records WHERE records.game = asked.game)
    FROM unnest(%s::text[]) AS asked (game)
"""

_HEADS_SQLITE: Final = """
    SELECT value, (SELECT max(n) FROM records WHERE game = value) FROM json_each(?)
"""

_APPEND_POSTGRESQL: Final = """
    INSERT INTO records (game, n, type, hand, line)
    SELECT *
    FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::bytea[])
    RETURNING serial
"""

_QUEUE_POSTGRESQL: Final = """
    INSERT INTO log_queue (game, n, entry, leaf)
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bytea[], %s::bytea[])
"""

_QUEUE_SQLITE: Final = "INSERT INTO log_queue (game, n, entry, leaf) VALUES (?, ?, ?, ?)"

_APPEND_SQLITE: Final = "INSERT INTO records (game, n, type, hand, line) VALUES (?, ?, ?, ?, ?)"


def claim(driven: Driven, writes: Sequence[Write]) -> Heads:
    """Keep every other writer from what these writes touch, until the transaction ends.

    Returns:
        The heads of their games.
    """
    if driven.is_postgresql:
        keys = sorted({key for write in writes for key in _keys(write)})
        driven.text(_LOCK, (keys,))
    games = sorted({write.game for write in writes if write.lines})
    if not games:
        return {}
    if driven.is_postgresql:
        rows = driven.text(_HEADS, (games,))
    else:
        rows = driven.text(_HEADS_SQLITE, (json.dumps(games),))
    return {game: NEW_GAME if n is None else n for game, n in rows}


def check_head(driven: Driven, write: Write, heads: Heads) -> None:
    """Refuse to append to a game that has gone on.

    Raises:
        StaleVersion: The game's newest record is another than the writer knew.
    """
    newest = heads[write.game] if write.game in heads else _newest(driven, write.game)
    if newest != write.after:
        raise StaleVersion(write.after, newest)


def append(driven: Driven, writes: Sequence[Write], heads: Heads) -> int:
    """Append the lines of writes of which `check_head` refused none, in one statement.

    Returns:
        How far the database reaches by them (highwater.Mark): on SQLite how many records more, on
        PostgreSQL the serial of the last.
    """
    rows = [(write.game, x.n, x.type, x.hand, x.text) for write in writes for x in write.lines]
    heads.update((game, n) for game, n, *_ in rows)
    queue(driven, [(w.game, x.n, x.text, x.leaf) for w in writes for x in w.lines if x.leaf])
    if not driven.is_postgresql:
        driven.many(_APPEND_SQLITE, rows)
        return len(rows)
    columns = [list(column) for column in zip(*rows, strict=True)]
    return int(max(serial for (serial,) in driven.text(_APPEND_POSTGRESQL, columns)))


def queue(driven: Driven, rows: Sequence[tuple[str, int | None, bytes, bytes | None]]) -> None:
    """Have leaves of the public log wait for their places, in this order.

    Args:
        driven: Within a transaction.
        rows: Of each the game, the record's number, the entry and its hash.
    """
    if not rows:
        return
    if not driven.is_postgresql:
        driven.many(_QUEUE_SQLITE, rows)
        return
    driven.text(_QUEUE_POSTGRESQL, [list(column) for column in zip(*rows, strict=True)])


def _newest(driven: Driven, game: str) -> int:
    mark = "%s" if driven.is_postgresql else "?"
    statement = f"SELECT max(n) FROM records WHERE game = {mark}"  # noqa: S608  no value in it
    n = driven.text(statement, (game,)).fetchone()[0]
    return NEW_GAME if n is None else int(n)


def _keys(write: Write) -> Iterator[int]:
    """Yield the numbers that stand for what a write touches; equal ones only wait longer."""
    if write.game:
        yield _number("game", write.game.encode())
    if write.asked is not None and write.asked.game != write.game:
        yield _number("game", write.asked.game.encode())
    if write.room is not None:
        yield _number("room", write.room.room.encode())
    if write.matching is not None:
        yield _number("matching", write.matching.wishes.encode())
    if write.answer is not None:
        yield _number("answer", write.answer.key)
    if write.exchange is not None:
        yield _number("grant", write.exchange.claim)
    if write.forget is not None:
        yield _number("forget", b"")
    for change in write.changes:
        yield _number("grant", change.digest)
    for grant in write.grants:
        yield _number("grant", grant.digest)
        yield _number("id", grant.id.encode())
    for reseal in write.reseals:
        secret = reseal.was.kind == "secret"
        yield _number("game" if secret else "answer", reseal.was.name)
    for seen in write.seen:
        yield _number("seen", seen.place.encode())


def _number(kind: str, name: bytes) -> int:
    digest = blake2b(name, digest_size=8, person=kind.encode()).digest()
    return int.from_bytes(digest, signed=True)
