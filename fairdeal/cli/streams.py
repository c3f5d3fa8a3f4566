"""``fairdeal streams``: a process of its own for those who follow games."""

import os
import resource
import sys
from pathlib import Path

import click

from api.config import DATABASE, DEFAULT_ORIGIN, FOLDER, ORIGIN
from fairdeal.cli import modes
from fairdeal.cli.place import database_option, folder_option
from fairdeal.service import Database

_HELP = """Serve the streams of a service that runs, from a process of its own.

The service itself streams to 64 clients at a time. This process streams to thousands, the same
bytes from the same database, and answers nothing but GET /v1/games/{game}/events: let the proxy in
front of both send that address here. It needs the service's folder, for the keys in it, and starts
when the service has been started once.

\b
Examples:
  fairdeal streams
  fairdeal streams --folder /srv/fairdeal --origin cards.example/deal --port 8001
  FAIRDEAL_DATABASE=postgresql://fairdeal@db.example/fairdeal fairdeal streams
"""


@click.command(help=_HELP)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to bind.")
@click.option("--port", default=8001, show_default=True, type=click.IntRange(0, 65535))
@folder_option
@database_option
@click.option(
    "--origin",
    envvar=ORIGIN,
    default=DEFAULT_ORIGIN,
    show_default=True,
    help="The name of the service.",
)
@click.option("--test", "kind", flag_value="test", help="Of a service in test mode.")
def streams(
    host: str, port: int, folder: Path, database: Database, origin: str, kind: str | None
) -> None:
    """Become the process of streams."""
    from api.streams import GUNICORN  # noqa: PLC0415  late: start-up time

    folder, origin = modes.settle(kind, host, folder, origin)
    click.echo(f"fairdeal streams {origin} from {folder} on http://{host}:{port}", err=True)
    os.environ.update({FOLDER: str(folder), ORIGIN: origin, DATABASE: database.url})
    allow_many_connections()
    command = [sys.executable, "-m", "gunicorn", "--bind", f"{host}:{port}", *GUNICORN]
    os.execv(sys.executable, [*command, "api.streams:app()"])  # noqa: S606  our own interpreter


def allow_many_connections() -> None:
    """Let this process, and what it becomes, have as many descriptors as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
