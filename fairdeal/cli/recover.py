"""``fairdeal recover``: a service whose database lost records."""

import secrets
import sys
import time
from pathlib import Path

import click

from fairdeal import service
from fairdeal.cli.place import database_option, folder_option

_HELP = """Say what a database lost and, with --yes, let the service start again without it.

A service refuses to start on a database that was set back to an older copy, emptied, exchanged or
removed: it would sign the numbers of lost records a second time. If you still have the right
database, put it back instead, a file with its -wal file. Otherwise every unfinished game is closed
for good, for newer records of it may have been signed, and its master secret is published. Whoever
kept a receipt of a lost record can prove that the game's record is not the one that was signed.
On PostgreSQL every worker has to be stopped first.

\b
Examples:
  fairdeal recover --folder /srv/fairdeal
  fairdeal recover --folder /srv/fairdeal --yes
"""


@click.command(help=_HELP)
@folder_option
@database_option
@click.option("--yes", is_flag=True, help="Close the games; this cannot be undone.")
def recover(folder: Path, database: service.Database, *, yes: bool) -> None:
    """Tell the loss, and accept it."""
    loss = service.look(folder, database)
    if loss is None:
        click.echo("Nothing is missing.")
        return
    click.echo(loss.sentence)
    click.echo(f"{len(loss.unfinished)} unfinished games cannot go on.")
    if not yes:
        click.echo("Nothing was changed; --yes closes them and lets the service start again.")
        sys.exit(1)
    done = service.recover(
        folder,
        database=database,
        entropy=secrets.token_bytes,
        clock=lambda: time.time_ns() // 1_000_000,
    )
    click.echo(f"{len(done.closed)} games were closed; the service can start again.")
    if done.left:
        click.echo(f"Their secret or records are damaged, they stay shut: {', '.join(done.left)}")
