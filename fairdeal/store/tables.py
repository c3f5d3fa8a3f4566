"""The tables as SQLAlchemy Core knows them: one description for SQLite and PostgreSQL.

Made and changed by the steps in `migrations`; a test holds what these make to what stands here.
Lines and everything sealed are bytes in both (never JSON of a database's own, which would reorder
and rewrite what is hashed). Texts compare byte by byte in both, whatever the server's language.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    literal_column,
)

METADATA: Final = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "uq": "%(table_name)s_%(column_0_name)s_key",
        "ix": "%(table_name)s_%(column_0_name)s",
        "ck": "%(table_name)s_%(constraint_name)s_check",
        "fk": "%(table_name)s_%(column_0_name)s_fkey",
    }
)

_NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
_NAME: Final = Text().with_variant(Text(collation="C"), "postgresql")


def _table(name: str, *columns: Column[object]) -> Table:
    return Table(name, METADATA, *columns, sqlite_strict=True, sqlite_with_rowid=False)


def _key(name: str, *, binary: bool = False, number: bool = False) -> Column[object]:
    kind = LargeBinary() if binary else _NUMBER if number else _NAME
    return Column(name, kind, primary_key=True, autoincrement=False)


def _text(name: str) -> Column[object]:
    return Column(name, _NAME, nullable=False)


def _number(name: str, *, nullable: bool = False) -> Column[object]:
    return Column(name, _NUMBER, nullable=nullable)


def _bytes(name: str, *, nullable: bool = False) -> Column[object]:
    return Column(name, LargeBinary(), nullable=nullable)


# On PostgreSQL each record has a `serial` besides, which only the high water looks at.
records: Final = _table(
    "records",
    _key("game"), _key("n", number=True),
    _text("type"), _number("hand", nullable=True), _bytes("line"),
)  # fmt: skip
secrets: Final = _table("secrets", _key("game"), _bytes("sealed"))
grants: Final = _table(
    "grants",
    _key("digest", binary=True),
    _text("role"), _text("site"), _text("id"), _text("game"), _text("room"),
    _number("seat", nullable=True), _text("scope"), _text("label"), _text("state"),
    _bytes("successor", nullable=True), _number("made"), _number("until", nullable=True),
)  # fmt: skip
answers: Final = _table(
    "answers",
    _key("key", binary=True),
    _bytes("request"), _bytes("sealed"),
    Column("game", _NAME, nullable=False, server_default=""),
    Column("made", _NUMBER, nullable=False, server_default=literal_column("0")),
)  # fmt: skip
seed_signatures: Final = _table(
    "seed_signatures",
    _key("game"), _key("epoch", number=True), _key("seat", number=True),
    _text("pk"), _text("signature"),
)  # fmt: skip
listings: Final = _table(
    "listings", _key("game"), _text("site"), _text("room"), _number("made"), _bytes("settings")
)
rooms: Final = _table("rooms", _key("room"), _text("site"), _number("version"), _bytes("body"))
matches: Final = _table(
    "matches",
    _key("site"), _key("wishes"), _key("number", number=True),
    _text("room"), _number("made"), _number("due", nullable=True),
)  # fmt: skip
seen: Final = _table("seen", _key("place"), _key("seat", number=True), _number("at"))
asked: Final = _table(
    "asked",
    _key("game"), _key("kind"), _key("hand", number=True), _key("seat", number=True),
    _key("n", number=True),
)  # fmt: skip
log_queue: Final = Table(
    "log_queue", METADATA,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    _text("game"), _number("n", nullable=True), _bytes("entry"), _bytes("leaf"),
    sqlite_strict=True, sqlite_autoincrement=True,
)  # fmt: skip
log_entries: Final = Table(
    "log_entries", METADATA,
    _key("idx", number=True),
    _text("game"), _number("n", nullable=True), _bytes("entry"), _bytes("leaf"),
    sqlite_strict=True,
)  # fmt: skip
log_checkpoints: Final = _table(
    "log_checkpoints", _key("size", number=True), _bytes("root"), _text("note")
)
log_state: Final = _table(
    "log_state",
    _key("one", number=True),
    _number("size"), _bytes("root"), _bytes("edge"), _number("published"),
)  # fmt: skip
identity: Final = _table("identity", _key("one", number=True), _text("name"))


def _index(name: str, *columns: Column[object], where: str = "", unique: bool = False) -> None:
    kept: ColumnElement[object] | None = literal_column(where) if where else None
    Index(name, *columns, unique=unique, sqlite_where=kept, postgresql_where=kept)


# Races become errors here, not double deals (protocol 2.12).
_index(
    "records_hand_dealt_once", records.c.game, records.c.hand, where="type = 'deal'", unique=True
)
_index(
    "records_hand_opened_once", records.c.game, records.c.hand, where="type = 'reveal'", unique=True
)
_index("records_master_once", records.c.game, where="type = 'master'", unique=True)
_index("records_type", records.c.game, records.c.type, records.c.n, where="type <> 'act'")
_index("grants_id", grants.c.id, where="id <> ''", unique=True)
_index("grants_game", grants.c.game, grants.c.role, where="game <> ''")
_index("grants_room", grants.c.room, grants.c.role, where="room <> ''")
_index("grants_site", grants.c.site, grants.c.role, where="role = 'operator'")
_index("listings_site", listings.c.site, listings.c.made, listings.c.game)
_index("listings_room", listings.c.room, listings.c.made, listings.c.game, where="room <> ''")
_index("rooms_site", rooms.c.site, rooms.c.room)
_index("matches_due", matches.c.due, where="due IS NOT NULL")
_index("log_entries_record", log_entries.c.game, log_entries.c.n, where="game <> ''", unique=True)
_index("log_entries_own", log_entries.c.leaf, where="game = ''", unique=True)
_index("answers_made", answers.c.made)
