"""What is asked for beside the acts: hints and more time (docs/decisions/0012)."""

from typing import Final

from alembic import op

revision = "0003"
down_revision = "0002"

_POSTGRESQL: Final = """
    CREATE TABLE asked (
        game text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL CHECK (kind IN ('hint', 'time')),
        hand bigint NOT NULL,
        seat bigint NOT NULL,
        n bigint NOT NULL,
        CONSTRAINT asked_pkey PRIMARY KEY (game, kind, hand, seat, n)
    )
"""

_SQLITE: Final = """
    CREATE TABLE asked (
        game TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('hint', 'time')),
        hand INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (game, kind, hand, seat, n)
    ) STRICT, WITHOUT ROWID
"""


def upgrade() -> None:
    """Make the table."""
    connection = op.get_bind()
    is_postgresql = connection.dialect.name == "postgresql"
    connection.exec_driver_sql(_POSTGRESQL if is_postgresql else _SQLITE)
