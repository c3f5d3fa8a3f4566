"""The rooms that quick match fills, and the last one of each kind (docs/decisions/0012).

Of two processes that would open a room for players with the same wishes, the primary key lets one
through; the other one finds its room.
"""

from typing import Final

from alembic import op

revision = "0004"
down_revision = "0003"

_POSTGRESQL: Final = """
    CREATE TABLE matches (
        site text COLLATE "C" NOT NULL,
        wishes text COLLATE "C" NOT NULL,
        number bigint NOT NULL,
        room text COLLATE "C" NOT NULL,
        made bigint NOT NULL,
        due bigint,
        CONSTRAINT matches_pkey PRIMARY KEY (site, wishes, number)
    )
"""

_SQLITE: Final = """
    CREATE TABLE matches (
        site TEXT NOT NULL,
        wishes TEXT NOT NULL,
        number INTEGER NOT NULL,
        room TEXT NOT NULL,
        made INTEGER NOT NULL,
        due INTEGER,
        PRIMARY KEY (site, wishes, number)
    ) STRICT, WITHOUT ROWID
"""

_DUE: Final = "CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL"


def upgrade() -> None:
    """Make the table."""
    connection = op.get_bind()
    is_postgresql = connection.dialect.name == "postgresql"
    connection.exec_driver_sql(_POSTGRESQL if is_postgresql else _SQLITE)
    connection.exec_driver_sql(_DUE)
