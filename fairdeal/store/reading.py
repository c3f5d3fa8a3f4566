"""What a store reads: each a single statement, on a connection that it gives back at once.

No read transaction is ever left open (contract: `ports.Store`).
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from sqlalchemy import and_, bindparam, func, select, tuple_

from fairdeal.errors import StorageFailure
from fairdeal.store import tables
from fairdeal.store.askport import Asked, AskKind
from fairdeal.store.driving import Driven, Statement
from fairdeal.store.engines import reading_engine
from fairdeal.store.lending import Lender
from fairdeal.store.logport import LogStanding
from fairdeal.store.matchport import Matching
from fairdeal.store.ports import (
    NEW_GAME,
    Grant,
    KeptAnswer,
    Listing,
    Role,
    RoomState,
    Sealed,
    SealedKind,
    SeedSignature,
    Seen,
    Where,
)
from fairdeal.store.writing import is_storable

_Row = TypeVar("_Row")

_r, _g, _l, _rooms = tables.records.c, tables.grants.c, tables.listings.c, tables.rooms.c
_s, _a = tables.secrets.c, tables.answers.c
_GAME: Final = _r.game == bindparam("game")
# The index on types holds no acts.
_TYPED: Final = and_(_GAME, _r.type == bindparam("type"), _r.type != "act")

_NEWEST: Final = Statement(select(func.max(_r.n)).where(_GAME))
_LINES: Final = Statement(
    select(_r.line).where(_GAME, _r.n > bindparam("after")).order_by(_r.n).limit(bindparam("limit"))
)
_OF_TYPE: Final = Statement(select(_r.line).where(_TYPED).order_by(_r.n))
_LAST: Final = Statement(select(func.max(_r.n)).where(_TYPED))
_FIRST: Final = Statement(select(func.min(_r.n)).where(_TYPED))
_ENDED: Final = tables.records.alias("ended")
_UNFINISHED: Final = Statement(
    select(_r.game)
    .where(
        _r.n == 0,
        ~select(_ENDED.c.n).where(_ENDED.c.game == _r.game, _ENDED.c.type == "master").exists(),
    )
    .order_by(_r.game)
)
_SECRET: Final = Statement(select(_s.sealed).where(_s.game == bindparam("game")))
_SEALED: Final = {
    kind: Statement(
        select(name, sealed)
        .where(name > bindparam("after"))
        .order_by(name)
        .limit(bindparam("limit"))
    )
    for kind, name, sealed in (("secret", _s.game, _s.sealed), ("answer", _a.key, _a.sealed))
}
_STATE: Final = tables.log_state.c
_LOG_STANDING: Final = Statement(
    select(
        _STATE.published,
        (_STATE.published < _STATE.size) | select(tables.log_queue.c.id).exists(),
    )
)
_LOG_PLACE: Final = Statement(
    select(tables.log_entries.c.idx).where(
        tables.log_entries.c.game == bindparam("game"),
        tables.log_entries.c.game != "",
        tables.log_entries.c.n == bindparam("n"),
    )
)
_GRANT: Final = Statement(select(tables.grants).where(_g.digest == bindparam("digest")))
_GRANTS: Final = {
    place: Statement(
        select(tables.grants)
        .where(_g[place] == bindparam("place"), _g.role == bindparam("role"))
        .order_by(_g.made, _g.digest)
    )
    for place in ("game", "room", "site")
}
_OPERATORS: Final = Statement(select(func.count()).where(_g.role == "operator"))
_LISTING: Final = Statement(select(tables.listings).where(_l.game == bindparam("game")))
_LISTINGS: Final = {
    place: Statement(
        select(tables.listings)
        .where(
            _l[place] == bindparam("place"),
            tuple_(_l.made, _l.game) < tuple_(bindparam("made"), bindparam("game")),
        )
        .order_by(_l.made.desc(), _l.game.desc())
        .limit(bindparam("limit"))
    )
    for place in ("room", "site")
}
_ROOM: Final = Statement(select(tables.rooms).where(_rooms.room == bindparam("room")))
_ROOMS: Final = Statement(
    select(tables.rooms)
    .where(_rooms.site == bindparam("site"), _rooms.room > bindparam("after"))
    .order_by(_rooms.room)
    .limit(bindparam("limit"))
)
_m: Final = tables.matches.c
_MATCHINGS: Final = Statement(
    select(tables.matches)
    .where(_m.site == bindparam("site"), _m.wishes == bindparam("wishes"))
    .order_by(_m.number)
)
_NEXT_MATCHING: Final = Statement(
    select(tables.matches)
    .where(
        _m.due.is_not(None),
        tuple_(_m.due, _m.room) > tuple_(bindparam("due"), bindparam("room")),
    )
    .order_by(_m.due, _m.room)
    .limit(1)
)
_SEEN: Final = Statement(
    select(tables.seen)
    .where(tables.seen.c.place == bindparam("place"))
    .order_by(tables.seen.c.seat)
)
_ASKED: Final = Statement(
    select(tables.asked)
    .where(*(tables.asked.c[name] == bindparam(name) for name in ("game", "kind", "hand")))
    .order_by(tables.asked.c.n, tables.asked.c.seat)
)
_ANSWER: Final = Statement(select(tables.answers).where(_a.key == bindparam("key")))
_SIGNATURES: Final = Statement(
    select(*(column for column in tables.seed_signatures.c if column.name != "game"))
    .where(tables.seed_signatures.c.game == bindparam("game"))
    .order_by(tables.seed_signatures.c.epoch, tables.seed_signatures.c.seat)
)


class Reads:
    """The reading half of a store.

    Args:
        where: The database.
    """

    def __init__(self, where: Where) -> None:
        self._reading = reading_engine(where)
        self._lender = Lender(self._reading)
        self._closed = False
        self._process = os.getpid()

    def newest(self, game: str) -> int | None:
        """Return the number of the game's newest record, or None."""
        return self._number(_NEWEST, game=game)

    def lines(self, game: str, *, after: int = NEW_GAME, limit: int = 20_000) -> tuple[bytes, ...]:
        """Return the lines behind record ``after``, in order."""
        rows = self._rows(_LINES, game=game, after=after, limit=limit)
        return tuple(row[0] for row in rows)

    def lines_of_type(self, game: str, type_: str) -> tuple[bytes, ...]:
        """Return the game's lines of one type, in order."""
        return tuple(row[0] for row in self._rows(_OF_TYPE, game=game, type=type_))

    def last_of_type(self, game: str, type_: str) -> int | None:
        """Return the number of the game's last record of a type, or None."""
        return self._number(_LAST, game=game, type=type_)

    def first_of_type(self, game: str, type_: str) -> int | None:
        """Return the number of the game's first record of a type, or None."""
        return self._number(_FIRST, game=game, type=type_)

    def unfinished(self) -> tuple[str, ...]:
        """Return the games that have no `master` record."""
        return tuple(row[0] for row in self._rows(_UNFINISHED))

    def secret(self, game: str) -> bytes | None:
        """Return the game's sealed master secret, or None."""
        for row in self._rows(_SECRET, game=game):
            return bytes(row[0])
        return None

    def sealed(
        self, kind: SealedKind, *, after: bytes = b"", limit: int = 100
    ) -> tuple[Sealed, ...]:
        """Return what is sealed, by name, behind ``after``."""
        if kind == "secret":
            rows = self._rows(_SEALED[kind], after=after.decode("ascii"), limit=limit)
            return tuple(Sealed(kind=kind, name=row[0].encode(), text=row[1]) for row in rows)
        rows = self._rows(_SEALED[kind], after=after, limit=limit)
        return tuple(Sealed(kind=kind, name=row[0], text=row[1]) for row in rows)

    def grant(self, digest: bytes) -> Grant | None:
        """Return what a token may do, or None."""
        for row in self._named(_GRANT, digest=digest):
            return Grant(**row)
        return None

    def grants(
        self, *, role: Role, site: str = "", game: str = "", room: str = ""
    ) -> tuple[Grant, ...]:
        """Return the grants of a role in one place, by time and digest."""
        column, name = next(
            pair for pair in (("game", game), ("room", room), ("site", site)) if pair[1]
        )
        rows = self._named(_GRANTS[column], place=name, role=role)
        return tuple(Grant(**row) for row in rows)

    def listing(self, game: str) -> Listing | None:
        """Return what is known of a game beside its records."""
        for row in self._named(_LISTING, game=game):
            return Listing(**row)
        return None

    def listings(
        self, *, site: str = "", room: str = "", before: tuple[int, str] | None = None, limit: int
    ) -> tuple[Listing, ...]:
        """Return games of a site or a room, newest first, behind ``before``."""
        column, name = ("room", room) if room else ("site", site)
        made, game = before or (2**62, "")
        rows = self._named(_LISTINGS[column], place=name, made=made, game=game, limit=limit)
        return tuple(Listing(**row) for row in rows)

    def room(self, room: str) -> RoomState | None:
        """Return a room as it stands, or None."""
        for row in self._named(_ROOM, room=room):
            return RoomState(**row)
        return None

    def rooms(self, site: str, *, after: str = "", limit: int) -> tuple[RoomState, ...]:
        """Return a site's rooms by name, behind ``after``."""
        rows = self._named(_ROOMS, site=site, after=after, limit=limit)
        return tuple(RoomState(**row) for row in rows)

    def matchings(self, site: str, wishes: str) -> tuple[Matching, ...]:
        """Return the rooms of a site and wishes: those being filled, and the last one."""
        found = [Matching(**row) for row in self._named(_MATCHINGS, site=site, wishes=wishes)]
        return tuple(one for one in found if one.due is not None or one is found[-1])

    def next_matching(self, after: tuple[int, str]) -> Matching | None:
        """Return the one behind (due, room) of those being filled."""
        for row in self._named(_NEXT_MATCHING, due=after[0], room=after[1]):
            return Matching(**row)
        return None

    def seen(self, place: str) -> tuple[Seen, ...]:
        """Return who was there and when last, by seat."""
        return tuple(Seen(**row) for row in self._named(_SEEN, place=place))

    def asked(self, game: str, kind: AskKind, hand: int) -> tuple[Asked, ...]:
        """Return what was asked for in a hand, by the number of the record, then by seat."""
        return tuple(Asked(**row) for row in self._named(_ASKED, game=game, kind=kind, hand=hand))

    def operators(self) -> int:
        """Return how many operator tokens there are."""
        return self._number(_OPERATORS) or 0

    def answer(self, key: bytes) -> KeptAnswer | None:
        """Return the answer kept under a key, or None."""
        for row in self._named(_ANSWER, key=key):
            return KeptAnswer(**row)
        return None

    def signatures(self, game: str) -> tuple[SeedSignature, ...]:
        """Return the players' signatures of a game, by epoch and seat."""
        rows = self._named(_SIGNATURES, game=game)
        return tuple(SeedSignature(**row) for row in rows)

    def log_standing(self) -> LogStanding:
        """Return how far the public log is."""
        published, is_waiting = self._rows(_LOG_STANDING)[0]
        return LogStanding(published, published if is_waiting else None)

    def log_place(self, game: str, n: int) -> int | None:
        """Return the place of a record in the log; None where it has none yet, or is no leaf."""
        return self._number(_LOG_PLACE, game=game, n=n)

    def check_open(self) -> None:
        """Refuse to work in a store that is shut, or that another process opened.

        Raises:
            StorageFailure: `store_closed`.
        """
        if self._closed or self._process != os.getpid():
            raise StorageFailure("store_closed", "The store is shut.")

    def _number(self, statement: Statement, **values: object) -> int | None:
        for row in self._rows(statement, **values):
            number: int | None = row[0]
            return number
        return None

    def _rows(self, statement: Statement, **values: object) -> list[tuple[Any, ...]]:
        return self._read(Driven.rows, statement, values)

    def _named(self, statement: Statement, **values: object) -> list[dict[str, Any]]:
        return self._read(Driven.named, statement, values)

    def _read(
        self,
        run: Callable[[Driven, Statement, Mapping[str, object]], list[_Row]],
        statement: Statement,
        values: Mapping[str, object],
    ) -> list[_Row]:
        """Run one reading statement; find nothing where no database can hold one of the values."""
        self.check_open()
        if not all(map(is_storable, values.values())):
            return []
        try:
            return self._lender.borrow(run, statement, values)
        except self._lender.fault as error:
            raise StorageFailure("store_failed", "The store could not be read.") from error
