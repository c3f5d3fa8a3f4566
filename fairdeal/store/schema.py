"""The SQLite schema, by version, and what every connection is told first."""

import sqlite3
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure

# "fdl1": marks the file as ours, so that another program's database is never written to.
APPLICATION_ID: Final = 0x66646C31

# Index n brings a file from user_version n to n + 1. Never edited once released, only added to.
MIGRATIONS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE records (
        game TEXT NOT NULL,
        n INTEGER NOT NULL CHECK (n >= 0),
        type TEXT NOT NULL,
        hand INTEGER,
        line BLOB NOT NULL,
        PRIMARY KEY (game, n)
    ) STRICT, WITHOUT ROWID;

    -- Races become errors here, not double deals (protocol 2.12).
    CREATE UNIQUE INDEX records_hand_dealt_once ON records (game, hand) WHERE type = 'deal';
    CREATE UNIQUE INDEX records_hand_opened_once ON records (game, hand) WHERE type = 'reveal';
    CREATE UNIQUE INDEX records_master_once ON records (game) WHERE type = 'master';
    CREATE INDEX records_type ON records (game, type, n) WHERE type <> 'act';

    CREATE TRIGGER records_have_no_gaps BEFORE INSERT ON records
    WHEN NEW.n <> (SELECT coalesce(max(n) + 1, 0) FROM records WHERE game = NEW.game)
    BEGIN SELECT RAISE(ABORT, 'records are numbered without gaps'); END;
    CREATE TRIGGER records_are_not_changed BEFORE UPDATE ON records
    BEGIN SELECT RAISE(ABORT, 'records are only ever appended'); END;
    CREATE TRIGGER records_are_not_removed BEFORE DELETE ON records
    BEGIN SELECT RAISE(ABORT, 'records are only ever appended'); END;

    CREATE TABLE secrets (
        game TEXT NOT NULL PRIMARY KEY,
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE grants (
        digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
        role TEXT NOT NULL CHECK (role IN ('operator', 'claim', 'seat')),
        game TEXT NOT NULL,
        seat INTEGER,
        state TEXT NOT NULL CHECK (state IN ('open', 'used')),
        successor BLOB CHECK (length(successor) = 32),
        CHECK ((role = 'operator') = (seat IS NULL)),
        CHECK ((state = 'used') = (successor IS NOT NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE answers (
        key BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32),
        request BLOB NOT NULL CHECK (length(request) = 32),
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE seed_signatures (
        game TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        pk TEXT NOT NULL CHECK (length(pk) = 64),
        signature TEXT NOT NULL CHECK (length(signature) = 128),
        PRIMARY KEY (game, epoch, seat)
    ) STRICT, WITHOUT ROWID;
    """,
    # Which database this is (highwater.Mark); public, so SQLite's own entropy will do.
    """
    CREATE TABLE identity (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        name TEXT NOT NULL CHECK (length(name) = 32)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO identity VALUES (1, lower(hex(randomblob(16))));
    """,
    """
    CREATE TABLE tokens (
        digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
        role TEXT NOT NULL CHECK (role IN ('operator', 'claim', 'seat', 'watch')),
        site TEXT NOT NULL,
        id TEXT NOT NULL,
        game TEXT NOT NULL,
        room TEXT NOT NULL,
        seat INTEGER,
        scope TEXT NOT NULL,
        label TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'used', 'replaced', 'revoked')),
        successor BLOB CHECK (length(successor) = 32),
        made INTEGER NOT NULL,
        until INTEGER
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tokens SELECT digest, role, '', '', game, '', seat,
        CASE role WHEN 'operator' THEN 'full' ELSE '' END, '', state, successor, 0, NULL
        FROM grants;
    DROP TABLE grants;
    ALTER TABLE tokens RENAME TO grants;
    CREATE UNIQUE INDEX grants_id ON grants (id) WHERE id <> '';
    CREATE INDEX grants_game ON grants (game, role) WHERE game <> '';
    CREATE INDEX grants_room ON grants (room, role) WHERE room <> '';
    CREATE INDEX grants_site ON grants (site, role) WHERE role = 'operator';

    CREATE TABLE listings (
        game TEXT NOT NULL PRIMARY KEY,
        site TEXT NOT NULL,
        room TEXT NOT NULL,
        made INTEGER NOT NULL,
        settings BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX listings_site ON listings (site, made, game);
    CREATE INDEX listings_room ON listings (room, made, game) WHERE room <> '';

    CREATE TABLE rooms (
        room TEXT NOT NULL PRIMARY KEY,
        site TEXT NOT NULL,
        version INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rooms_site ON rooms (site, room);

    CREATE TABLE seen (
        place TEXT NOT NULL,
        seat INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (place, seat)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE answers ADD COLUMN game TEXT NOT NULL DEFAULT '';
    ALTER TABLE answers ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX answers_made ON answers (made);
    """,
)

# recursive_triggers: without it INSERT OR REPLACE would slip past the guard against removal.
# secure_delete: what is wiped is overwritten. FULL: an acknowledged write survives a power cut.
# temp_store: a large write would else need room in the system's folder for temporary files.
_SETTINGS: Final = """
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA recursive_triggers = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
"""


def connect(path: Path, *, reads_only: bool = False) -> sqlite3.Connection:
    """Open the database file, with a transaction only where one is asked for.

    Args:
        path: The file; made where it is not there.
        reads_only: Whether the connection is to refuse writes.

    Raises:
        StorageFailure: It cannot be opened.
    """
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.executescript(_SETTINGS)
        if reads_only:
            connection.execute("PRAGMA query_only = ON")
    except sqlite3.Error as error:
        raise StorageFailure(
            "store_unavailable", f"The database cannot be opened: {error}."
        ) from error
    return connection


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest schema, each step in a transaction of its own.

    Raises:
        StorageFailure: The file belongs to another program, or to a newer version of this one.
    """
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application != APPLICATION_ID and (application, version, tables) != (0, 0, 0):
        raise StorageFailure("store_foreign", "This database belongs to another program.")
    if version > len(MIGRATIONS):
        raise StorageFailure(
            "store_too_new",
            f"This database has schema {version}; this program knows {len(MIGRATIONS)}.",
        )
    for step in range(version, len(MIGRATIONS)):
        connection.executescript(
            f"BEGIN IMMEDIATE; {MIGRATIONS[step]}"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {step + 1}; COMMIT;"
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
