"""``fairdeal key``: the keys that a service signs and seals with, and those of its sites."""

import secrets
from pathlib import Path

import click

from fairdeal.cli import sitekeys
from fairdeal.cli.place import database_option, folder_option
from fairdeal.service import Database, rotate_receipt_key, rotate_vault_key

_ROTATE_HELP = """Sign receipts with a new key from the next start on; print its public half.

Stop the service first. Tell the new public key wherever you told the old one, and go on telling
the old one: receipts that it signed are checked with it for as long as anybody keeps them. Whoever
checks gives both: fairdeal-verify game.jsonl --receipt-key OLD --receipt-key NEW

With --vault it is the key that secrets are encrypted with: everything is sealed anew and the old
key removed. Stop the service first where the database is a file in the folder; on PostgreSQL it
runs on, and the command takes two minutes and more. A copy of the database that was made before
opens with a copy of the key file that was made before, and with no other.

\b
Examples:
  fairdeal key rotate --folder /srv/fairdeal
  fairdeal key rotate --vault --folder /srv/fairdeal
"""


@click.group()
def key() -> None:
    """Look after the keys that a service signs and seals with, and those of its sites."""


for command in sitekeys.COMMANDS:
    key.add_command(command)


@key.command(help=_ROTATE_HELP)
@folder_option
@database_option
@click.option("--vault", is_flag=True, help="The key that secrets are encrypted with.")
def rotate(folder: Path, database: Database, *, vault: bool) -> None:
    """Put a new key in force."""
    if not vault:
        click.echo(rotate_receipt_key(folder, entropy=secrets.token_bytes))
        return
    done = rotate_vault_key(folder, database=database, entropy=secrets.token_bytes)
    click.echo(f"{done.texts} texts were sealed anew; the earlier key is gone.")
    if done.shut:
        click.echo(f"These games' secrets opened with no key before: {', '.join(done.shut)}")
