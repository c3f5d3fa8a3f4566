"""What one write does, statement by statement, inside a transaction that somebody else commits."""

import re
from dataclasses import fields, replace
from typing import Any, Final

from sqlalchemy import and_, bindparam, case, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from fairdeal.errors import Conflict, MalformedInput
from fairdeal.store import tables
from fairdeal.store.appending import Heads, append, check_head
from fairdeal.store.askport import Asked, AskedCount
from fairdeal.store.driving import Driven, Statement
from fairdeal.store.matchport import KEPT_MS, Matching
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

_SECRET: Final = Statement(insert(tables.secrets))
_WIPE: Final = Statement(delete(tables.secrets).where(tables.secrets.c.game == bindparam("of")))
_LISTING: Final = Statement(insert(tables.listings))
_GRANT: Final = Statement(insert(tables.grants))
_GRANTED: Final = Statement(
    select(tables.grants).where(_g.digest == bindparam("of"), _g.role == "claim")
)
_GRANT_OF: Final = update(tables.grants).where(_g.digest == bindparam("of"))
_CHANGE: Final = Statement(_GRANT_OF, sets=("state", "until"))
_LEFT_OPEN: Final = Statement(_GRANT_OF.where(_g.state == "open"), sets=("state", "until"))
_USE: Final = Statement(_GRANT_OF, sets=("state", "successor"))
_ROOM_VERSION: Final = Statement(
    select(tables.rooms.c.version).where(tables.rooms.c.room == bindparam("of"))
)
_NEW_ROOM: Final = Statement(insert(tables.rooms))
_ROOM: Final = Statement(
    update(tables.rooms).where(tables.rooms.c.room == bindparam("of")), sets=("version", "body")
)
_ASK: Final = Statement(insert(tables.asked))
_d: Final = tables.asked.c
_ASKED: Final = Statement(
    select(func.count()).where(
        _d.game == bindparam("of"), _d.kind == bindparam("kind"), _d.hand == bindparam("hand")
    )
)
_m: Final = tables.matches.c
_NEW_MATCHING: Final = Statement(insert(tables.matches))
_MATCHING: Final = Statement(
    update(tables.matches).where(
        _m.site == bindparam("of_site"),
        _m.wishes == bindparam("of_wishes"),
        _m.number == bindparam("of_number"),
    ),
    sets=("due",),
)
_FORGET_MATCHINGS: Final = Statement(
    delete(tables.matches).where(
        _m.site == bindparam("of"), _m.due.is_(None), _m.made < bindparam("before")
    )
)
_ANSWERED: Final = Statement(select(_a.key).where(_a.key == bindparam("of")))
_ANSWER: Final = Statement(insert(tables.answers))
_FORGET: Final = Statement(
    delete(tables.answers).where(
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
)
_SIGNATURE: Final = Statement(insert(tables.seed_signatures))
_RESEALS: Final = {
    kind: Statement(
        update(table).where(name == bindparam("of"), table.c.sealed == bindparam("was")),
        sets=("sealed",),
    )
    for kind, table, name in (
        ("secret", tables.secrets, tables.secrets.c.game),
        ("answer", tables.answers, _a.key),
    )
}


def _later(insert_into: Any) -> Statement:  # noqa: ANN401  the two have no common type
    """Return the statement that keeps the later of two times; both databases write it alike."""
    new = insert_into(tables.seen)
    at = tables.seen.c.at
    latest = case((new.excluded.at > at, new.excluded.at), else_=at)
    kept = new.on_conflict_do_update(index_elements=["place", "seat"], set_={"at": latest})
    return Statement(kept)


_SEEN: Final = {True: _later(postgresql.insert), False: _later(sqlite.insert)}
"""By whether it is PostgreSQL."""

_NAMES: Final[dict[type, tuple[str, ...]]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (
        Asked, Exchange, Grant, GrantChange, KeptAnswer, Listing, Matching, RoomState,
        SeedSignature, Seen,
    )
}  # fmt: skip
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def keep(driven: Driven, write: Write, heads: Heads) -> int:
    """Write all of it, or raise; the caller undoes what a refused write left behind.

    Returns:
        As `append`, 0 for a write without lines.

    Raises:
        StaleVersion, Conflict: As `ports.Store.write` says.
        Exception: The driver's own, for anything that is not a refusal.
    """
    reach = 0
    try:
        if write.lines or write.stands:
            check_head(driven, write, heads)
        for known in write.asked_before:
            _check_asked(driven, write.game, known)
        if write.lines:
            reach = append(driven, [write], heads)
        _keep_beside(driven, write)
    except driven.broken_constraint as error:
        raise Conflict(
            "key_taken", f"Something of that name is there already: {_constraint(error)}."
        ) from error
    return reach


def touched(write: Write) -> tuple[str, ...]:
    """Return the names for which the bell rings after a write."""
    room = "" if write.room is None else write.room.room
    asked = "" if write.asked is None else write.asked.game
    names = (write.game if write.lines else "", room, asked)
    return tuple(dict.fromkeys(name for name in names if name))


def check_storable(write: Write) -> None:
    """Refuse what one of the databases could not keep: NUL, half a character, a huge number.

    Raises:
        MalformedInput: `malformed`.
    """
    beside = (
        write.listing, write.exchange, write.room, write.matching, write.asked, write.answer,
        write.signature,
    )  # fmt: skip
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


def _keep_beside(driven: Driven, write: Write) -> None:
    """Write what is kept beside the records."""
    run = driven.run
    if write.secret is not None:
        run(_SECRET, {"game": write.game, "sealed": write.secret})
    if write.wipe:
        run(_WIPE, {"of": write.game})
    if write.listing is not None:
        run(_LISTING, _row(write.listing))
    if write.exchange is not None:
        _exchange(driven, write.exchange)
    for grant in write.grants:
        run(_GRANT, _row(grant))
    for change in write.changes:
        _change(driven, change)
    if write.room is not None:
        _room(driven, write.room)
    if write.matching is not None and write.room is not None:
        _matching(driven, write.matching, is_new=write.room.version == 0)
    for seen in write.seen:
        run(_SEEN[driven.is_postgresql], _row(seen))
    if write.asked is not None:
        run(_ASK, _row(write.asked))
    if write.answer is not None:
        keep_answer(driven, write.answer)
    if write.forget is not None:
        run(_FORGET, {"of": write.forget, "most": MOST_FORGOTTEN})
    if write.signature is not None:
        run(_SIGNATURE, {"game": write.game, **_row(write.signature)})
    for reseal in write.reseals:
        _reseal(driven, reseal)


def _check_asked(driven: Driven, game: str, known: AskedCount) -> None:
    """Refuse what was written without knowing of something asked for (raises `Conflict`)."""
    found = driven.rows(_ASKED, {"of": game, "kind": known.kind, "hand": known.hand})
    if found[0][0] != known.count:
        raise Conflict("asked_meanwhile", "More was asked for in this hand meanwhile.")


def _row(part: object) -> dict[str, Any]:
    return {name: getattr(part, name) for name in _NAMES[type(part)]}


def _exchange(driven: Driven, exchange: Exchange) -> None:
    found = driven.named(_GRANTED, {"of": exchange.claim})
    if not found:
        raise Conflict("no_such_claim", "Nobody gave out this claim.")
    claim = Grant(**found[0])
    if claim.state != "open":
        raise Conflict("claim_used", "This claim was used before.")
    used = {"of": exchange.claim, "state": "used", "successor": exchange.token}
    driven.run(_USE, used)
    token = replace(
        claim, digest=exchange.token, role="seat", id="", made=exchange.made, until=None
    )
    driven.run(_GRANT, _row(token))


def _change(driven: Driven, change: GrantChange) -> None:
    new = {"of": change.digest, "state": change.state, "until": change.until}
    # What has ended stays so, whatever the writer knew of it.
    if driven.run(_LEFT_OPEN if change.state == "open" else _CHANGE, new) != 1:
        raise Conflict("no_such_grant", "Nobody gave out the token that is to change, or it ended.")


def _room(driven: Driven, room: RoomState) -> None:
    found = driven.rows(_ROOM_VERSION, {"of": room.room})
    if room.version != (found[0][0] + 1 if found else 0):
        raise Conflict("room_moved", "Somebody else changed the room first.")
    if not found:
        driven.run(_NEW_ROOM, _row(room))
    else:
        new = {"of": room.room, "version": room.version, "body": room.body}
        driven.run(_ROOM, new)


def _matching(driven: Driven, matching: Matching, *, is_new: bool) -> None:
    if is_new:
        forgotten = {"of": matching.site, "before": matching.made - KEPT_MS}
        driven.run(_FORGET_MATCHINGS, forgotten)
        driven.run(_NEW_MATCHING, _row(matching))
        return
    of = {f"of_{name}": getattr(matching, name) for name in ("site", "wishes", "number")}
    driven.run(_MATCHING, {**of, "due": matching.due})


def keep_answer(driven: Driven, kept: KeptAnswer) -> None:
    """Keep an answer, or refuse it before anything is written (raises `Conflict`)."""
    if driven.rows(_ANSWERED, {"of": kept.key}):
        raise Conflict("answer_kept", "An answer is kept under this key.")
    driven.run(_ANSWER, _row(kept))


def _reseal(driven: Driven, reseal: Reseal) -> None:
    was = reseal.was
    name = was.name.decode("ascii") if was.kind == "secret" else was.name
    driven.run(_RESEALS[was.kind], {"of": name, "was": was.text, "sealed": reseal.text})


def _constraint(error: Exception) -> str:
    """Name what was violated, with no value: what a driver says may quote some."""
    diagnosis = getattr(error, "diag", None)
    return str(error) if diagnosis is None else str(diagnosis.constraint_name)
