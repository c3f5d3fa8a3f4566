"""What one write does, statement by statement, inside a transaction that somebody else commits."""

import sqlite3

from fairdeal.errors import Conflict, StaleVersion
from fairdeal.store.ports import NEW_GAME, Exchange, Grant, Write


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
        if write.exchange is not None:
            _exchange(connection, write.exchange)
        for grant in write.grants:
            _grant(connection, grant)
        if write.answer is not None:
            kept = write.answer
            connection.execute(
                "INSERT INTO answers VALUES (?, ?, ?)", (kept.key, kept.request, kept.sealed)
            )
        if write.signature is not None:
            made = write.signature
            connection.execute(
                "INSERT INTO seed_signatures VALUES (?, ?, ?, ?, ?)",
                (write.game, made.epoch, made.seat, made.pk, made.signature),
            )
    except sqlite3.IntegrityError as error:
        raise Conflict("key_taken", f"Something of that name is there already: {error}.") from error


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
        "SELECT game, seat, state FROM grants WHERE digest = ? AND role = 'claim'",
        (exchange.claim,),
    ).fetchone()
    if row is None:
        raise Conflict("no_such_claim", "Nobody gave out this claim.")
    game, seat, state = row
    if state != "open":
        raise Conflict("claim_used", "This claim was used before.")
    connection.execute(
        "UPDATE grants SET state = 'used', successor = ? WHERE digest = ?",
        (exchange.token, exchange.claim),
    )
    _grant(connection, Grant(digest=exchange.token, role="seat", game=game, seat=seat))


def _grant(connection: sqlite3.Connection, grant: Grant) -> None:
    connection.execute(
        "INSERT INTO grants (digest, role, game, seat, state, successor) VALUES (?, ?, ?, ?, ?, ?)",
        (grant.digest, grant.role, grant.game, grant.seat, grant.state, grant.successor),
    )
