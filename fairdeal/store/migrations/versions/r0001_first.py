"""The tables as the first release with two databases has them.

On SQLite a file of any earlier version is brought along. On PostgreSQL a record has a serial
besides: it says how far a database reaches where several processes write (highwater.py).
"""

from typing import Final

from alembic import op

from fairdeal.store.migrations.earlier import STEPS

revision = "0001"
down_revision = None

# "fdl1": marks the file as ours, so that another program's database is never written to.
_APPLICATION_ID: Final = 0x66646C31

_POSTGRESQL: Final = (
    """
    CREATE TABLE records (
        game text COLLATE "C" NOT NULL,
        n bigint NOT NULL CHECK (n >= 0),
        type text COLLATE "C" NOT NULL,
        hand bigint,
        line bytea NOT NULL,
        serial bigint GENERATED ALWAYS AS IDENTITY,
        CONSTRAINT records_pkey PRIMARY KEY (game, n),
        CONSTRAINT records_serial_key UNIQUE (serial)
    )
    """,
    "CREATE UNIQUE INDEX records_hand_dealt_once ON records (game, hand) WHERE type = 'deal'",
    "CREATE UNIQUE INDEX records_hand_opened_once ON records (game, hand) WHERE type = 'reveal'",
    "CREATE UNIQUE INDEX records_master_once ON records (game) WHERE type = 'master'",
    "CREATE INDEX records_type ON records (game, type, n) WHERE type <> 'act'",
    # A row sees the rows that its own statement inserted before it.
    """
    CREATE FUNCTION records_have_no_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.n <> (SELECT coalesce(max(n) + 1, 0) FROM records WHERE game = NEW.game) THEN
            RAISE EXCEPTION USING MESSAGE = 'records are numbered without gaps',
                ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'records_have_no_gaps';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE FUNCTION records_are_only_appended() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING MESSAGE = 'records are only ever appended',
            ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'records_are_only_appended';
    END $$
    """,
    """
    CREATE TRIGGER records_have_no_gaps BEFORE INSERT ON records
        FOR EACH ROW EXECUTE FUNCTION records_have_no_gaps()
    """,
    """
    CREATE TRIGGER records_are_only_appended BEFORE UPDATE OR DELETE OR TRUNCATE ON records
        FOR EACH STATEMENT EXECUTE FUNCTION records_are_only_appended()
    """,
    # Also for whoever sets session_replication_role.
    "ALTER TABLE records ENABLE ALWAYS TRIGGER records_have_no_gaps",
    "ALTER TABLE records ENABLE ALWAYS TRIGGER records_are_only_appended",
    """
    CREATE TABLE secrets (
        game text COLLATE "C" CONSTRAINT secrets_pkey PRIMARY KEY,
        sealed bytea NOT NULL
    )
    """,
    """
    CREATE TABLE grants (
        digest bytea CONSTRAINT grants_pkey PRIMARY KEY CHECK (octet_length(digest) = 32),
        role text COLLATE "C" NOT NULL CHECK (role IN ('operator', 'claim', 'seat', 'watch')),
        site text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        game text COLLATE "C" NOT NULL,
        room text COLLATE "C" NOT NULL,
        seat bigint,
        scope text COLLATE "C" NOT NULL,
        label text COLLATE "C" NOT NULL,
        state text COLLATE "C" NOT NULL
            CHECK (state IN ('open', 'used', 'replaced', 'revoked')),
        successor bytea CHECK (octet_length(successor) = 32),
        made bigint NOT NULL,
        until bigint
    )
    """,
    "CREATE UNIQUE INDEX grants_id ON grants (id) WHERE id <> ''",
    "CREATE INDEX grants_game ON grants (game, role) WHERE game <> ''",
    "CREATE INDEX grants_room ON grants (room, role) WHERE room <> ''",
    "CREATE INDEX grants_site ON grants (site, role) WHERE role = 'operator'",
    """
    CREATE TABLE answers (
        key bytea CONSTRAINT answers_pkey PRIMARY KEY CHECK (octet_length(key) = 32),
        request bytea NOT NULL CHECK (octet_length(request) = 32),
        sealed bytea NOT NULL,
        game text COLLATE "C" NOT NULL DEFAULT '',
        made bigint NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX answers_made ON answers (made)",
    """
    CREATE TABLE seed_signatures (
        game text COLLATE "C" NOT NULL,
        epoch bigint NOT NULL,
        seat bigint NOT NULL,
        pk text COLLATE "C" NOT NULL CHECK (length(pk) = 64),
        signature text COLLATE "C" NOT NULL CHECK (length(signature) = 128),
        CONSTRAINT seed_signatures_pkey PRIMARY KEY (game, epoch, seat)
    )
    """,
    """
    CREATE TABLE listings (
        game text COLLATE "C" CONSTRAINT listings_pkey PRIMARY KEY,
        site text COLLATE "C" NOT NULL,
        room text COLLATE "C" NOT NULL,
        made bigint NOT NULL,
        settings bytea NOT NULL
    )
    """,
    "CREATE INDEX listings_site ON listings (site, made, game)",
    "CREATE INDEX listings_room ON listings (room, made, game) WHERE room <> ''",
    """
    CREATE TABLE rooms (
        room text COLLATE "C" CONSTRAINT rooms_pkey PRIMARY KEY,
        site text COLLATE "C" NOT NULL,
        version bigint NOT NULL,
        body bytea NOT NULL
    )
    """,
    "CREATE INDEX rooms_site ON rooms (site, room)",
    """
    CREATE TABLE seen (
        place text COLLATE "C" NOT NULL,
        seat bigint NOT NULL,
        at bigint NOT NULL,
        CONSTRAINT seen_pkey PRIMARY KEY (place, seat)
    )
    """,
    """
    CREATE TABLE identity (
        one bigint CONSTRAINT identity_pkey PRIMARY KEY CHECK (one = 1),
        name text COLLATE "C" NOT NULL CHECK (length(name) = 32)
    )
    """,
    "INSERT INTO identity VALUES (1, replace(gen_random_uuid()::text, '-', ''))",
)


def upgrade() -> None:
    """Make the tables, or on SQLite what an earlier version of them lacks."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        for statement in _POSTGRESQL:
            connection.exec_driver_sql(statement)
        return
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    for step in STEPS[version:]:
        for statement in step:
            connection.exec_driver_sql(statement)
    connection.exec_driver_sql(f"PRAGMA application_id = {_APPLICATION_ID}")
    # From here on the version is Alembic's; the number keeps older programs away.
    connection.exec_driver_sql(f"PRAGMA user_version = {len(STEPS) + 1}")
