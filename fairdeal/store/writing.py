"""What one write does, statement by statement, inside a transaction that somebody else commits."""

import re
from dataclasses import fields, replace
from typing import Any, Final

from sqlalchemy import Connection, and_, bindparam, case, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from fairdeal.errors import Conflict, MalformedInput
from fairdeal.store import tables
from fairdeal.store.appending import Heads, append, is_postgresql
from fairdeal.store.ports import (
    MOST_FORGOTTEN,
    Exchange,
    Grant,
    GrantChange,
    KeptAnswer,
    Listing,
    Reseal,
    RoomState,
    SeedSignature,
    Seen,
    Write,
)

_g, _a, _r = tables.grants.c, tables.answers.c, tables.records.c

_SECRET: Final = insert(tables.secrets)
_WIPE: Final = delete(tables.secrets).where(tables.secrets.c.game == bindparam("of"))
_LISTING: Final = insert(tables.listings)
_GRANT: Final = insert(tables.grants)
_GRANTED: Final = select(tables.grants).where(_g.digest == bindparam("of"), _g.role == "claim")
_CHANGE: Final = update(tables.grants).where(_g.digest == bindparam("of"))
_ROOM_VERSION: Final = select(tables.rooms.c.version).where(tables.rooms.c.room == bindparam("of"))
_NEW_ROOM: Final = insert(tables.rooms)
_ROOM: Final = update(tables.rooms).where(tables.rooms.c.room == bindparam("of"))
_ANSWERED: Final = select(_a.key).where(_a.key == bindparam("of"))
_ANSWER: Final = insert(tables.answers)
_FORGET: Final = delete(tables.answers).where(
    _a.key.in_(
        select(_a.key)
        .where(
            _a.made < bindparam("of"),
            (_a.game == "")
            | select(_r.n).where(and_(_r.game == _a.game, _r.type == "master")).exists(),
        )
        .order_by(_a.made)
        .limit(bindparam("most"))
    )
)
_SIGNATURE: Final = insert(tables.seed_signatures)
_RESEALS: Final = {
    "secret": update(tables.secrets).where(
        tables.secrets.c.game == bindparam("of"), tables.secrets.c.sealed == bindparam("was")
    ),
    "answer": update(tables.answers).where(
        _a.key == bindparam("of"), _a.sealed == bindparam("was")
    ),
}


def _later(insert_into: Any) -> Any:  # noqa: ANN401  the two have no common type
    """Return the statement that keeps the later of two times; both databases write it alike."""
    new = insert_into(tables.seen)
    at = tables.seen.c.at
    latest = case((new.excluded.at > at, new.excluded.at), else_=at)
    return new.on_conflict_do_update(index_elements=["place", "seat"], set_={"at": latest})


_SEEN: Final = {True: _later(postgresql.insert), False: _later(sqlite.insert)}
"""By whether it is PostgreSQL."""


_NAMES: Final[dict[type, tuple[str, ...]]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (
        Exchange, Grant, GrantChange, KeptAnswer, Listing, RoomState, SeedSignature, Seen
    )
}  # fmt: skip
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def keep(connection: Connection, write: Write, heads: Heads) -> int:
    """Write all of it, or raise; the caller undoes what a refused write left behind.

    Returns:
        As `append`, 0 for a write without lines.

    Raises:
        StaleVersion, Conflict: As `ports.Store.write` says.
        sqlalchemy.exc.DBAPIError: Anything that is not a refusal.
    """
    reach = 0
    try:
        if write.lines:
            reach = append(connection, write, heads)
        _keep_beside(connection, write)
    except IntegrityError as error:
        raise Conflict(
            "key_taken", f"Something of that name is there already: {_constraint(error)}."
        ) from error.orig
    return reach


def touched(write: Write) -> tuple[str, ...]:
    """Return the names for which the bell rings after a write."""
    room = "" if write.room is None else write.room.room
    return tuple(name for name in (write.game if write.lines else "", room) if name)


def check_storable(write: Write) -> None:
    """Refuse what one of the databases could not keep: NUL, half a character, a huge number.

    Raises:
        MalformedInput: `malformed`.
    """
    beside = (write.listing, write.exchange, write.room, write.answer, write.signature)
    parts = (*write.grants, *write.changes, *write.seen, *(one for one in beside if one))
    values = [write.game, write.after, write.forget, *(line.type for line in write.lines)]
    values += [getattr(part, name) for part in parts for name in _NAMES[type(part)]]
    if not all(map(is_storable, values)):
        raise MalformedInput("malformed", "A name or number holds what no database can keep.")


def is_storable(value: object) -> bool:
    """Say whether both databases can hold a value: a text without NUL, a number of 64 bits."""
    if isinstance(value, str):
        return "\0" not in value and (value.isascii() or not _SURROGATE.search(value))
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return True


def _keep_beside(connection: Connection, write: Write) -> None:
    """Write what is kept beside the records."""
    run = connection.execute
    if write.secret is not None:
        run(_SECRET, {"game": write.game, "sealed": write.secret})
    if write.wipe:
        run(_WIPE, {"of": write.game})
    if write.listing is not None:
        run(_LISTING, _row(write.listing))
    if write.exchange is not None:
        _exchange(connection, write.exchange)
    for grant in write.grants:
        run(_GRANT, _row(grant))
    for change in write.changes:
        _change(connection, change)
    if write.room is not None:
        _room(connection, write.room)
    for seen in write.seen:
        run(_SEEN[is_postgresql(connection)], _row(seen))
    if write.answer is not None:
        _answer(connection, write.answer)
    if write.forget is not None:
        run(_FORGET, {"of": write.forget, "most": MOST_FORGOTTEN})
    if write.signature is not None:
        run(_SIGNATURE, {"game": write.game, **_row(write.signature)})
    for reseal in write.reseals:
        _reseal(connection, reseal)


def _row(part: object) -> dict[str, Any]:
    return {name: getattr(part, name) for name in _NAMES[type(part)]}


def _exchange(connection: Connection, exchange: Exchange) -> None:
    row = connection.execute(_GRANTED, {"of": exchange.claim}).one_or_none()
    if row is None:
        raise Conflict("no_such_claim", "Nobody gave out this claim.")
    claim = Grant(**row._asdict())
    if claim.state != "open":
        raise Conflict("claim_used", "This claim was used before.")
    used = {"of": exchange.claim, "state": "used", "successor": exchange.token}
    connection.execute(_CHANGE, used)
    token = replace(
        claim, digest=exchange.token, role="seat", id="", made=exchange.made, until=None
    )
    connection.execute(_GRANT, _row(token))


def _change(connection: Connection, change: GrantChange) -> None:
    new = {"of": change.digest, "state": change.state, "until": change.until}
    if connection.execute(_CHANGE, new).rowcount != 1:
        raise Conflict("no_such_grant", "Nobody gave out the token that is to change.")


def _room(connection: Connection, room: RoomState) -> None:
    version = connection.execute(_ROOM_VERSION, {"of": room.room}).scalar_one_or_none()
    if room.version != (0 if version is None else version + 1):
        raise Conflict("room_moved", "Somebody else changed the room first.")
    if version is None:
        connection.execute(_NEW_ROOM, _row(room))
    else:
        new = {"of": room.room, "version": room.version, "body": room.body}
        connection.execute(_ROOM, new)


def _answer(connection: Connection, kept: KeptAnswer) -> None:
    if connection.execute(_ANSWERED, {"of": kept.key}).one_or_none() is not None:
        raise Conflict("answer_kept", "An answer is kept under this key.")
    connection.execute(_ANSWER, _row(kept))


def _reseal(connection: Connection, reseal: Reseal) -> None:
    was = reseal.was
    name = was.name.decode("ascii") if was.kind == "secret" else was.name
    connection.execute(_RESEALS[was.kind], {"of": name, "was": was.text, "sealed": reseal.text})


def _constraint(error: IntegrityError) -> str:
    """Name what was violated, with no value: what a driver says may quote some."""
    diagnosis = getattr(error.orig, "diag", None)
    return str(error.orig) if diagnosis is None else str(diagnosis.constraint_name)
