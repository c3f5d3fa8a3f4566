"""``fairdeal key``: the key that receipts are signed with."""

import secrets
from pathlib import Path

import click

from api.config import DEFAULT_FOLDER, FOLDER
from fairdeal.service import rotate_receipt_key

_ROTATE_HELP = """Sign receipts with a new key from the next start on; print its public half.

Stop the service first. Tell the new public key wherever you told the old one, and go on telling
the old one: receipts that it signed are checked with it for as long as anybody keeps them. Whoever
checks gives both: fairdeal-verify game.jsonl --receipt-key OLD --receipt-key NEW

\b
Example:
  fairdeal key rotate --folder /srv/fairdeal
"""


@click.group()
def key() -> None:
    """Look after the key that receipts are signed with."""


@key.command(help=_ROTATE_HELP)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    envvar=FOLDER,
    default=Path(DEFAULT_FOLDER),
    show_default=True,
    help="Holds database and keys.",
)
def rotate(folder: Path) -> None:
    """Put a new receipt key in force."""
    click.echo(rotate_receipt_key(folder, entropy=secrets.token_bytes))
