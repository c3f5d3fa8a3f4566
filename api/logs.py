"""How a process of the service logs: lines on standard error, each written in one go."""

import logging
import os
from typing import Final

from api.hygiene import hide_tokens

_STDERR: Final = 2


class Lines(logging.Handler):
    """Writes each line with one call of the system, so that no two lines mix.

    The library's own handler holds a lock while it writes. The interpreter's own lock is let go
    across a write, so under load whoever has a line to log stood in one queue behind the other.
    """

    def createLock(self) -> None:  # noqa: N802  the library's name
        """Make no lock, nor have one made anew in a process that is forked."""
        self.lock = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        try:
            os.write(_STDERR, f"{self.format(record)}\n".encode("utf-8", "backslashreplace"))
        except Exception:  # noqa: BLE001  as the library's: what cannot be logged stops nothing
            self.handleError(record)


def install() -> None:
    """Let everything be logged that is worth it, without tokens."""
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s", handlers=[Lines()])
    logging.getLogger("gunicorn.error").addFilter(hide_tokens)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # Nothing of it stands in a line, and to find it out takes as long as the rest of a line. The
    # process does stand in those of the server.
    logging.logThreads = logging.logMultiprocessing = False
