"""``fairdeal log``: the process that signs and publishes the public log."""

import sys
from pathlib import Path
from typing import Final

import click

from api.config import DEFAULT_ORIGIN, LOG_FOLDER, ORIGIN
from fairdeal.cli import modes
from fairdeal.cli.place import database_option, folder_option
from fairdeal.service import Database

LOG_PREFIX: Final = "FAIRDEAL_LOG_PREFIX"

_HELP = """Sign and publish the public log of a service.

Gives each leaf its place, signs a checkpoint, and writes the tiles below LOG-FOLDER/public; the
service, or any web server, serves that folder. `fairdeal serve` starts one by itself; with
`serve --no-sequencer` it runs here, under another user or on another machine, so that nobody who
breaks into the service gets at the log's key. It waits for the service's first start, and while
another sequencer works on the same database.

Ends with status 4, and signs nothing, where the database is not the one that the public log was
signed of, or a witness saw another tree; docs/operations.md says what to do then.

\b
Examples:
  fairdeal log --folder /srv/fairdeal --origin cards.example/log/1
  fairdeal log --witness-policy witnesses.txt --require-quorum
  fairdeal log --test
"""


@click.command(help=_HELP)
@folder_option
@click.option(
    "--log-folder",
    envvar=LOG_FOLDER,
    type=click.Path(path_type=Path, file_okay=False),
    help="Holds the log's key and what is public.  [default: FOLDER/log]",
)
@database_option
@click.option(
    "--origin",
    envvar=ORIGIN,
    default=DEFAULT_ORIGIN,
    show_default=True,
    help="The name of the service and of its log.",
)
@click.option(
    "--prefix",
    envvar=LOG_PREFIX,
    help="Where the log is served; http:// or https:// before the origin.  [default: https]",
)
@click.option(
    "--witness-policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A C2SP policy file: this log, its witnesses with their addresses, the quorum.",
)
@click.option("--require-quorum", is_flag=True, help="Publish nothing without the quorum.")
@click.option("--test", "kind", flag_value="test", help="That of a service in test mode.")
@click.option("--while-open", "pipe", type=int, metavar="FD", help="End once FD is at its end.")
@click.option("--no-restart", is_flag=True, help="End with status 5 where the disk or store fails.")
def log(
    folder: Path,
    log_folder: Path | None,
    database: Database,
    origin: str,
    prefix: str | None,
    witness_policy: Path | None,
    kind: str | None,
    pipe: int | None,
    *,
    require_quorum: bool,
    no_restart: bool,
) -> None:
    """Take turns until told to end."""
    folder, origin = modes.settle(kind, "127.0.0.1", folder, origin)
    from fairdeal.cli import sequencing  # noqa: PLC0415  late: start-up time

    status = sequencing.run(
        folder=folder,
        log_folder=log_folder or folder / "log",
        database=database,
        origin=origin,
        prefix=prefix or f"https://{origin}/",
        policy=witness_policy.read_text("utf-8") if witness_policy is not None else "",
        require_quorum=require_quorum,
        pipes=() if pipe is None else (pipe,),
        restarts=not no_restart,
    )
    sys.exit(status)
