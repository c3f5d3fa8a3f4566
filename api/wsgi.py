"""The application as a server wants it: `gunicorn 'api.wsgi:app()'`, a process or several.

The only place that takes the real clock and the real entropy. No preloading: each worker opens the
database by itself, for no connection may be shared by two. One in the folder belongs to one
process; a second one is refused by the lock there.
"""

import atexit
import os
import secrets
import sys
import time
from typing import Final

from flask import Flask

from api import logs
from api.app import create_app
from api.config import Config, read_config
from api.hygiene import in_advance
from api.patience import AT_STOP
from fairdeal.errors import FairdealError, StorageFailure
from fairdeal.service import Premises, open_premises

GUNICORN: Final = (
    "--worker-class", "api.patience.PatientWorker", "--threads", "160",
    "--no-control-socket", "--forwarded-allow-ips", "",
    "--limit-request-line", "2048", "--graceful-timeout", "10",
)  # fmt: skip
"""The arguments that gunicorn needs beside `--bind ADDRESS:PORT --workers N api.wsgi:app()`.

Of the threads 64 may hold streams and 64 polls (`api.waiting`); the others stay for requests
that are answered at once. A thread is only made when it is needed.
"""

CANNOT_START: Final = 4
"""The exit status by which gunicorn knows that starting the worker again would not help."""

WAITS_S: Final = (1.0, 2.0, 4.0)
"""A database server that does not answer is asked again after so long: it may be starting too, and
a worker that is started anew must not end all others because of a moment without it."""


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def app() -> Flask:
    """Open the folder that the environment names, and return its application."""
    logs.install()
    try:
        config = read_config(os.environ)
        premises = _opened(config)
        made = create_app(
            premises.dealer, entropy=in_advance(secrets.token_bytes), public_url=config.public_url
        )
    except (FairdealError, OSError) as error:
        print(f"fairdeal cannot start: {error}", file=sys.stderr, flush=True)  # noqa: T201  for whoever started it
        raise SystemExit(CANNOT_START) from None
    AT_STOP.append(premises.dealer.feed.stop)
    atexit.register(premises.close)
    for purpose, path in premises.made.items():
        print(f"made the {purpose}: {path}", file=sys.stderr, flush=True)  # noqa: T201  for whoever started it
    return made


def _opened(config: Config) -> Premises:
    """Open the service, waiting for its database server where that is not there yet."""
    waits = list(WAITS_S) if config.database.is_shared else []
    while True:
        try:
            return open_premises(
                config.folder,
                config.origin,
                database=config.database,
                entropy=secrets.token_bytes,
                clock=now_ms,
                public_url=config.public_url,
                sandbox=config.sandbox,
                log_folder=config.log_folder / "public",
                log=config.log,
            )
        except StorageFailure as failure:
            if failure.code != "store_unavailable" or not waits:
                raise
            print(f"fairdeal waits: {failure}", file=sys.stderr, flush=True)  # noqa: T201  for whoever started it
        time.sleep(waits.pop(0))
