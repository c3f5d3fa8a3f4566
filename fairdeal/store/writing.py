"""What one write does, statement by statement, inside a transaction that somebody else commits."""

import sqlite3

from fairdeal.errors import Conflict, StaleVersion
from fairdeal.store.ports import (
    NEW_GAME,
    Exchange,
    Grant,
    GrantChange,
    KeptAnswer,
    Reseal,
    RoomState,
    Write,
)


def keep(connection: sqlite3.Connection, write: Write) -> None:
    """Write all of it, or raise; the caller undoes what a refused write left behind.

    Raises:
        StaleVersion, Conflict: As `ports.Store.write` says.
        sqlite3.Error: Anything that is not a refusal.
    """
    try:
        if write.lines:
            _append(connection, write)
        if write.secret is not None:
            connection.execute("INSERT INTO secrets VALUES (?, ?)", (write.game, write.secret))
        if write.wipe:
            connection.execute("DELETE FROM secrets WHERE game = ?", (write.game,))
        if write.listing is not None:
            new = write.listing
            connection.execute(
                "INSERT INTO listings VALUES (?, ?, ?, ?, ?)",
                (new.game, new.site, new.room, new.made, new.settings),
            )
        if write.exchange is not None:
            _exchange(connection, write.exchange)
        for grant in write.grants:
            _grant(connection, grant)
        for change in write.changes:
            _change(connection, change)
        if write.room is not None:
            _room(connection, write.room)
        for seen in write.seen:
            connection.execute(
                "INSERT INTO seen VALUES (?, ?, ?)"
                " ON CONFLICT (place, seat) DO UPDATE SET at = max(at, excluded.at)",
                (seen.place, seen.seat, seen.at),
            )
        if write.answer is not None:
            _answer(connection, write.answer)
        if write.forget is not None:
            connection.execute(
                "DELETE FROM answers WHERE made < ? AND (game = '' OR game IN"
                " (SELECT game FROM records WHERE type = 'master'))",
                (write.forget,),
            )
        if write.signature is not None:
            made = write.signature
            connection.execute(
                "INSERT INTO seed_signatures VALUES (?, ?, ?, ?, ?)",
                (write.game, made.epoch, made.seat, made.pk, made.signature),
            )
        for reseal in write.reseals:
            _reseal(connection, reseal)
    except sqlite3.IntegrityError as error:
        raise Conflict("key_taken", f"Something of that name is there already: {error}.") from error


def touched(write: Write) -> tuple[str, ...]:
    """Return the names for which the bell rings after a write."""
    room = "" if write.room is None else write.room.room
    return tuple(name for name in (write.game if write.lines else "", room) if name)


def _append(connection: sqlite3.Connection, write: Write) -> None:
    row = connection.execute("SELECT max(n) FROM records WHERE game = ?", (write.game,)).fetchone()
    newest = NEW_GAME if row[0] is None else row[0]
    if newest != write.after:
        raise StaleVersion(write.after, newest)
    connection.executemany(
        "INSERT INTO records (game, n, type, hand, line) VALUES (?, ?, ?, ?, ?)",
        [(write.game, line.n, line.type, line.hand, line.text) for line in write.lines],
    )


def _exchange(connection: sqlite3.Connection, exchange: Exchange) -> None:
    row = connection.execute(
        "SELECT state FROM grants WHERE digest = ? AND role = 'claim'", (exchange.claim,)
    ).fetchone()
    if row is None:
        raise Conflict("no_such_claim", "Nobody gave out this claim.")
    if row[0] != "open":
        raise Conflict("claim_used", "This claim was used before.")
    connection.execute(
        "UPDATE grants SET state = 'used', successor = ? WHERE digest = ?",
        (exchange.token, exchange.claim),
    )
    connection.execute(
        "INSERT INTO grants SELECT ?, 'seat', site, '', game, room, seat, scope, label, 'open',"
        " NULL, ?, NULL FROM grants WHERE digest = ?",
        (exchange.token, exchange.made, exchange.claim),
    )


def _grant(connection: sqlite3.Connection, grant: Grant) -> None:
    connection.execute(
        "INSERT INTO grants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (grant.digest, grant.role, grant.site, grant.id, grant.game, grant.room, grant.seat,
         grant.scope, grant.label, grant.state, grant.successor, grant.made, grant.until),
    )  # fmt: skip


def _change(connection: sqlite3.Connection, change: GrantChange) -> None:
    changed = connection.execute(
        "UPDATE grants SET state = ?, until = ? WHERE digest = ?",
        (change.state, change.until, change.digest),
    )
    if changed.rowcount != 1:
        raise Conflict("no_such_grant", "Nobody gave out the token that is to change.")


def _room(connection: sqlite3.Connection, room: RoomState) -> None:
    row = connection.execute("SELECT version FROM rooms WHERE room = ?", (room.room,)).fetchone()
    if room.version != (0 if row is None else row[0] + 1):
        raise Conflict("room_moved", "Somebody else changed the room first.")
    connection.execute(
        "INSERT INTO rooms VALUES (?, ?, ?, ?)"
        " ON CONFLICT (room) DO UPDATE SET version = excluded.version, body = excluded.body",
        (room.room, room.site, room.version, room.body),
    )


def _answer(connection: sqlite3.Connection, kept: KeptAnswer) -> None:
    if connection.execute("SELECT 1 FROM answers WHERE key = ?", (kept.key,)).fetchone():
        raise Conflict("answer_kept", "An answer is kept under this key.")
    connection.execute(
        "INSERT INTO answers (key, request, sealed, game, made) VALUES (?, ?, ?, ?, ?)",
        (kept.key, kept.request, kept.sealed, kept.game, kept.made),
    )


def _reseal(connection: sqlite3.Connection, reseal: Reseal) -> None:
    if reseal.was.kind == "secret":
        connection.execute(
            "UPDATE secrets SET sealed = ? WHERE game = ? AND sealed = ?",
            (reseal.text, reseal.was.name.decode("ascii"), reseal.was.text),
        )
    else:
        connection.execute(
            "UPDATE answers SET sealed = ? WHERE key = ? AND sealed = ?",
            (reseal.text, reseal.was.name, reseal.was.text),
        )
