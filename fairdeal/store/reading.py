"""What a store reads: each a single statement, on a connection that it gives back at once.

No read transaction is ever left open (contract: `ports.Store`).
"""

import os
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Select, and_, bindparam, func, select, tuple_
from sqlalchemy.exc import DBAPIError

from fairdeal.errors import StorageFailure
from fairdeal.store import tables
from fairdeal.store.engines import reading_engine
from fairdeal.store.lending import Lender
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

_r, _g, _l, _rooms = tables.records.c, tables.grants.c, tables.listings.c, tables.rooms.c
_GAME: Final = _r.game == bindparam("game")
# The index on types holds no acts.
_TYPED: Final = and_(_GAME, _r.type == bindparam("type"), _r.type != "act")

_NEWEST: Final = select(func.max(_r.n)).where(_GAME)
_LINES: Final = (
    select(_r.line).where(_GAME, _r.n > bindparam("after")).order_by(_r.n).limit(bindparam("limit"))
)
_OF_TYPE: Final = select(_r.line).where(_TYPED).order_by(_r.n)
_LAST: Final = select(func.max(_r.n)).where(_TYPED)
_FIRST: Final = select(func.min(_r.n)).where(_TYPED)
_ENDED: Final = tables.records.alias("ended")
_UNFINISHED: Final = (
    select(_r.game)
    .where(
        _r.n == 0,
        ~select(_ENDED.c.n).where(_ENDED.c.game == _r.game, _ENDED.c.type == "master").exists(),
    )
    .order_by(_r.game)
)
_SECRET: Final = select(tables.secrets.c.sealed).where(tables.secrets.c.game == bindparam("game"))
_c, _a = tables.secrets.c, tables.answers.c
_SEALED: Final[dict[str, Select[Any]]] = {
    kind: select(name, sealed)
    .where(name > bindparam("after"))
    .order_by(name)
    .limit(bindparam("limit"))
    for kind, name, sealed in (("secret", _c.game, _c.sealed), ("answer", _a.key, _a.sealed))
}
_GRANT: Final = select(tables.grants).where(_g.digest == bindparam("digest"))
_GRANTS: Final = {
    place: select(tables.grants)
    .where(_g[place] == bindparam("place"), _g.role == bindparam("role"))
    .order_by(_g.made, _g.digest)
    for place in ("game", "room", "site")
}
_OPERATORS: Final = select(func.count()).where(_g.role == "operator")
_LISTING: Final = select(tables.listings).where(_l.game == bindparam("game"))
_LISTINGS: Final = {
    place: select(tables.listings)
    .where(
        _l[place] == bindparam("place"),
        tuple_(_l.made, _l.game) < tuple_(bindparam("made"), bindparam("game")),
    )
    .order_by(_l.made.desc(), _l.game.desc())
    .limit(bindparam("limit"))
    for place in ("room", "site")
}
_ROOM: Final = select(tables.rooms).where(_rooms.room == bindparam("room"))
_ROOMS: Final = (
    select(tables.rooms)
    .where(_rooms.site == bindparam("site"), _rooms.room > bindparam("after"))
    .order_by(_rooms.room)
    .limit(bindparam("limit"))
)
_SEEN: Final = (
    select(tables.seen)
    .where(tables.seen.c.place == bindparam("place"))
    .order_by(tables.seen.c.seat)
)
_ANSWER: Final = select(tables.answers).where(tables.answers.c.key == bindparam("key"))
_SIGNATURES: Final = (
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
        for row in self._rows(_GRANT, digest=digest):
            return Grant(**row._asdict())
        return None

    def grants(
        self, *, role: Role, site: str = "", game: str = "", room: str = ""
    ) -> tuple[Grant, ...]:
        """Return the grants of a role in one place, by time and digest."""
        column, name = next(
            pair for pair in (("game", game), ("room", room), ("site", site)) if pair[1]
        )
        rows = self._rows(_GRANTS[column], place=name, role=role)
        return tuple(Grant(**row._asdict()) for row in rows)

    def listing(self, game: str) -> Listing | None:
        """Return what is known of a game beside its records."""
        for row in self._rows(_LISTING, game=game):
            return Listing(**row._asdict())
        return None

    def listings(
        self, *, site: str = "", room: str = "", before: tuple[int, str] | None = None, limit: int
    ) -> tuple[Listing, ...]:
        """Return games of a site or a room, newest first, behind ``before``."""
        column, name = ("room", room) if room else ("site", site)
        made, game = before or (2**62, "")
        rows = self._rows(_LISTINGS[column], place=name, made=made, game=game, limit=limit)
        return tuple(Listing(**row._asdict()) for row in rows)

    def room(self, room: str) -> RoomState | None:
        """Return a room as it stands, or None."""
        for row in self._rows(_ROOM, room=room):
            return RoomState(**row._asdict())
        return None

    def rooms(self, site: str, *, after: str = "", limit: int) -> tuple[RoomState, ...]:
        """Return a site's rooms by name, behind ``after``."""
        rows = self._rows(_ROOMS, site=site, after=after, limit=limit)
        return tuple(RoomState(**row._asdict()) for row in rows)

    def seen(self, place: str) -> tuple[Seen, ...]:
        """Return who was there and when last, by seat."""
        return tuple(Seen(**row._asdict()) for row in self._rows(_SEEN, place=place))

    def operators(self) -> int:
        """Return how many operator tokens there are."""
        return self._number(_OPERATORS) or 0

    def answer(self, key: bytes) -> KeptAnswer | None:
        """Return the answer kept under a key, or None."""
        for row in self._rows(_ANSWER, key=key):
            return KeptAnswer(**row._asdict())
        return None

    def signatures(self, game: str) -> tuple[SeedSignature, ...]:
        """Return the players' signatures of a game, by epoch and seat."""
        rows = self._rows(_SIGNATURES, game=game)
        return tuple(SeedSignature(**row._asdict()) for row in rows)

    def check_open(self) -> None:
        """Refuse to work in a store that is shut, or that another process opened.

        Raises:
            StorageFailure: `store_closed`.
        """
        if self._closed or self._process != os.getpid():
            raise StorageFailure("store_closed", "The store is shut.")

    def _number(self, statement: Select[Any], **values: object) -> int | None:
        for row in self._rows(statement, **values):
            number: int | None = row[0]
            return number
        return None

    def _rows(self, statement: Select[Any], **values: object) -> Sequence[Any]:
        """Run one reading statement to its end; once more where its connection was lost.

        Nothing is found where a value is one that no database can hold.
        """
        self.check_open()
        if not all(map(is_storable, values.values())):
            return ()
        for again in (True, False):
            try:
                with self._lender.lend() as connection:
                    return connection.execute(statement, values).all()
            except DBAPIError as error:
                if not (again and error.connection_invalidated):
                    raise StorageFailure(
                        "store_failed", "The store could not be read."
                    ) from error.orig
        raise AssertionError  # the second round returns or raises
