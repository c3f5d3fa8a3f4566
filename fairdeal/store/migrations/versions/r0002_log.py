"""The tables of the public log; the records that are there already wait for their places in it.

A leaf waits in `log_queue` from the commit of its record on, and has its place in `log_entries`
from the transaction on in which a checkpoint was signed for it (docs/decisions/0011).
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Final

from alembic import op
from sqlalchemy import Connection

revision = "0002"
down_revision = "0001"

_POSTGRESQL: Final = (
    """
    CREATE TABLE log_queue (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT log_queue_pkey PRIMARY KEY,
        game text COLLATE "C" NOT NULL,
        n bigint,
        entry bytea NOT NULL CHECK (octet_length(entry) <= 65535),
        leaf bytea NOT NULL CHECK (octet_length(leaf) = 32)
    )
    """,
    """
    CREATE TABLE log_entries (
        idx bigint CONSTRAINT log_entries_pkey PRIMARY KEY CHECK (idx >= 0),
        game text COLLATE "C" NOT NULL,
        n bigint,
        entry bytea NOT NULL CHECK (octet_length(entry) <= 65535),
        leaf bytea NOT NULL CHECK (octet_length(leaf) = 32)
    )
    """,
    "CREATE UNIQUE INDEX log_entries_record ON log_entries (game, n) WHERE game <> ''",
    "CREATE UNIQUE INDEX log_entries_own ON log_entries (leaf) WHERE game = ''",
    """
    CREATE TABLE log_checkpoints (
        size bigint CONSTRAINT log_checkpoints_pkey PRIMARY KEY CHECK (size > 0),
        root bytea NOT NULL CHECK (octet_length(root) = 32),
        note text COLLATE "C" NOT NULL
    )
    """,
    """
    CREATE TABLE log_state (
        one bigint CONSTRAINT log_state_pkey PRIMARY KEY CHECK (one = 1),
        size bigint NOT NULL,
        root bytea NOT NULL CHECK (octet_length(root) = 32),
        edge bytea NOT NULL,
        published bigint NOT NULL CHECK (published <= size)
    )
    """,
    """
    CREATE FUNCTION log_is_only_appended() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING MESSAGE = 'the log is only ever appended to',
            ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'log_is_only_appended';
    END $$
    """,
    """
    CREATE TRIGGER log_entries_are_only_appended BEFORE UPDATE OR DELETE OR TRUNCATE
        ON log_entries FOR EACH STATEMENT EXECUTE FUNCTION log_is_only_appended()
    """,
    """
    CREATE TRIGGER log_checkpoints_stay BEFORE UPDATE OF size, root OR DELETE OR TRUNCATE
        ON log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION log_is_only_appended()
    """,
    # Also for whoever sets session_replication_role.
    "ALTER TABLE log_entries ENABLE ALWAYS TRIGGER log_entries_are_only_appended",
    "ALTER TABLE log_checkpoints ENABLE ALWAYS TRIGGER log_checkpoints_stay",
)

_SQLITE: Final = (
    """
    CREATE TABLE log_queue (
        id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
        game TEXT NOT NULL,
        n INTEGER,
        entry BLOB NOT NULL CHECK (length(entry) <= 65535),
        leaf BLOB NOT NULL CHECK (length(leaf) = 32)
    ) STRICT
    """,
    """
    CREATE TABLE log_entries (
        idx INTEGER NOT NULL PRIMARY KEY CHECK (idx >= 0),
        game TEXT NOT NULL,
        n INTEGER,
        entry BLOB NOT NULL CHECK (length(entry) <= 65535),
        leaf BLOB NOT NULL CHECK (length(leaf) = 32)
    ) STRICT
    """,
    "CREATE UNIQUE INDEX log_entries_record ON log_entries (game, n) WHERE game <> ''",
    "CREATE UNIQUE INDEX log_entries_own ON log_entries (leaf) WHERE game = ''",
    """
    CREATE TABLE log_checkpoints (
        size INTEGER NOT NULL PRIMARY KEY CHECK (size > 0),
        root BLOB NOT NULL CHECK (length(root) = 32),
        note TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE log_state (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        size INTEGER NOT NULL,
        root BLOB NOT NULL CHECK (length(root) = 32),
        edge BLOB NOT NULL,
        published INTEGER NOT NULL CHECK (published <= size)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TRIGGER log_entries_are_not_changed BEFORE UPDATE ON log_entries
    BEGIN SELECT RAISE(ABORT, 'the log is only ever appended to'); END
    """,
    """
    CREATE TRIGGER log_entries_are_not_removed BEFORE DELETE ON log_entries
    BEGIN SELECT RAISE(ABORT, 'the log is only ever appended to'); END
    """,
    """
    CREATE TRIGGER log_checkpoints_stay BEFORE UPDATE OF size, root ON log_checkpoints
    BEGIN SELECT RAISE(ABORT, 'the log is only ever appended to'); END
    """,
    """
    CREATE TRIGGER log_checkpoints_are_not_removed BEFORE DELETE ON log_checkpoints
    BEGIN SELECT RAISE(ABORT, 'the log is only ever appended to'); END
    """,
)

_BATCH: Final = 1000
_EMPTY_ROOT: Final = sha256(b"").digest()


def upgrade() -> None:
    """Make the tables, and have the records that are there wait, game by game."""
    connection = op.get_bind()
    is_postgresql = connection.dialect.name == "postgresql"
    for statement in _POSTGRESQL if is_postgresql else _SQLITE:
        connection.exec_driver_sql(statement)
    mark = "%s" if is_postgresql else "?"
    connection.exec_driver_sql(
        f"INSERT INTO log_state VALUES (1, 0, {mark}, {mark}, 0)",  # noqa: S608  no value in it
        (_EMPTY_ROOT, b""),
    )
    insert = f"INSERT INTO log_queue (game, n, entry, leaf) VALUES ({', '.join([mark] * 4)})"  # noqa: S608  marks alone
    rows = _records(connection, mark)
    while batch := list(islice(rows, _BATCH)):
        connection.exec_driver_sql(
            insert, [(game, n, line, sha256(b"\x00" + line).digest()) for game, n, line in batch]
        )


def _records(connection: Connection, mark: str) -> Iterator[tuple[str, int, bytes]]:
    """Yield the records that are leaves by game and number, with little of them in memory."""
    game, n = "", -1
    while True:
        found = connection.exec_driver_sql(
            f"SELECT game, n, line FROM records WHERE (game, n) > ({mark}, {mark})"  # noqa: S608  no value in it
            f" AND type <> 'act' ORDER BY game, n LIMIT {_BATCH}",
            (game, n),
        ).all()
        if not found:
            return
        for row in found:
            yield row[0], row[1], bytes(row[2])
        game, n = found[-1][0], found[-1][1]
