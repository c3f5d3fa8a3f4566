"""How SQLite files came about before Alembic: steps of `PRAGMA user_version`.

Step n brings a file from version n to n + 1; a new file goes through all of them. They are what
revision 0001 is on SQLite, so that old and new files have the very same tables.
"""

from typing import Final

STEPS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
        CREATE TABLE records (
            game TEXT NOT NULL,
            n INTEGER NOT NULL CHECK (n >= 0),
            type TEXT NOT NULL,
            hand INTEGER,
            line BLOB NOT NULL,
            PRIMARY KEY (game, n)
        ) STRICT, WITHOUT ROWID
        """,
        # Races become errors here, not double deals (protocol 2.12).
        """
        CREATE UNIQUE INDEX records_hand_dealt_once ON records (game, hand) WHERE type = 'deal'
        """,
        """
        CREATE UNIQUE INDEX records_hand_opened_once ON records (game, hand) WHERE type = 'reveal'
        """,
        "CREATE UNIQUE INDEX records_master_once ON records (game) WHERE type = 'master'",
        "CREATE INDEX records_type ON records (game, type, n) WHERE type <> 'act'",
        """
        CREATE TRIGGER records_have_no_gaps BEFORE INSERT ON records
        WHEN NEW.n <> (SELECT coalesce(max(n) + 1, 0) FROM records WHERE game = NEW.game)
        BEGIN SELECT RAISE(ABORT, 'records are numbered without gaps'); END
        """,
        """
        CREATE TRIGGER records_are_not_changed BEFORE UPDATE ON records
        BEGIN SELECT RAISE(ABORT, 'records are only ever appended'); END
        """,
        """
        CREATE TRIGGER records_are_not_removed BEFORE DELETE ON records
        BEGIN SELECT RAISE(ABORT, 'records are only ever appended'); END
        """,
        """
        CREATE TABLE secrets (
            game TEXT NOT NULL PRIMARY KEY,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE grants (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            role TEXT NOT NULL CHECK (role IN ('operator', 'claim', 'seat')),
            game TEXT NOT NULL,
            seat INTEGER,
            state TEXT NOT NULL CHECK (state IN ('open', 'used')),
            successor BLOB CHECK (length(successor) = 32),
            CHECK ((role = 'operator') = (seat IS NULL)),
            CHECK ((state = 'used') = (successor IS NOT NULL))
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE answers (
            key BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32),
            request BLOB NOT NULL CHECK (length(request) = 32),
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ),
    (
        """
        CREATE TABLE seed_signatures (
            game TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            pk TEXT NOT NULL CHECK (length(pk) = 64),
            signature TEXT NOT NULL CHECK (length(signature) = 128),
            PRIMARY KEY (game, epoch, seat)
        ) STRICT, WITHOUT ROWID
        """,
    ),
    (
        """
        CREATE TABLE identity (
            one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
            name TEXT NOT NULL CHECK (length(name) = 32)
        ) STRICT, WITHOUT ROWID
        """,
        # Which database this is (highwater.Mark); public, so SQLite's own entropy will do.
        "INSERT INTO identity VALUES (1, lower(hex(randomblob(16))))",
    ),
    (
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
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO tokens SELECT digest, role,
        CASE role WHEN 'operator' THEN 'site_main' ELSE '' END, '', game, '', seat,
            CASE role WHEN 'operator' THEN 'full' ELSE '' END, '', state, successor, 0, NULL
            FROM grants
        """,
        "DROP TABLE grants",
        "ALTER TABLE tokens RENAME TO grants",
        "CREATE UNIQUE INDEX grants_id ON grants (id) WHERE id <> ''",
        "CREATE INDEX grants_game ON grants (game, role) WHERE game <> ''",
        "CREATE INDEX grants_room ON grants (room, role) WHERE room <> ''",
        "CREATE INDEX grants_site ON grants (site, role) WHERE role = 'operator'",
        """
        CREATE TABLE listings (
            game TEXT NOT NULL PRIMARY KEY,
            site TEXT NOT NULL,
            room TEXT NOT NULL,
            made INTEGER NOT NULL,
            settings BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX listings_site ON listings (site, made, game)",
        "CREATE INDEX listings_room ON listings (room, made, game) WHERE room <> ''",
        """
        CREATE TABLE rooms (
            room TEXT NOT NULL PRIMARY KEY,
            site TEXT NOT NULL,
            version INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX rooms_site ON rooms (site, room)",
        """
        CREATE TABLE seen (
            place TEXT NOT NULL,
            seat INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (place, seat)
        ) STRICT, WITHOUT ROWID
        """,
        "ALTER TABLE answers ADD COLUMN game TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE answers ADD COLUMN made INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX answers_made ON answers (made)",
    ),
)
