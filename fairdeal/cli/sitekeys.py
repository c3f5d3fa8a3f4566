"""``fairdeal key list|add|roll|revoke``: the keys of sites."""

import secrets
import time
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from fairdeal.cli.place import database_option, folder_option
from fairdeal.service import MOST_OVERLAP_S, OVERLAP_S, Database, KeyDesk, NewKey, key_desk

_LIST_HELP = """List the keys of a site that open anything: id, scope, when made, end, label.

\b
Example:
  fairdeal key list --folder /srv/fairdeal
"""

_ADD_HELP = """Make a further key of a site, or the first one of another site; print its token.

The token is printed once and kept nowhere. A running service takes it at once.

\b
Examples:
  fairdeal key add --label reports --scope read
  fairdeal key add --site card-room
"""

_ROLL_HELP = """Make a key that follows another one, which works on for a while; print its token.

\b
Example:
  fairdeal key roll key_ygbqfsqq3nvrm2dc --overlap 3600
"""

_REVOKE_HELP = """Take a key away at once. A site keeps one full key that does not end.

\b
Example:
  fairdeal key revoke key_ygbqfsqq3nvrm2dc
"""

_SITE: Final = "site_"
_SIGNS: Final = "abcdefghijklmnopqrstuvwxyz0123456789-_"


def _site(_: click.Context, __: click.Parameter, name: str) -> str:
    short = name.removeprefix(_SITE)
    if not 1 <= len(short) <= 40 or not all(sign in _SIGNS for sign in short):
        raise click.BadParameter("1 to 40 of a to z, 0 to 9, - and _.")
    return _SITE + short


_site_option = click.option(
    "--site", default="site_main", show_default=True, callback=_site, help="Whose keys."
)


@click.command(name="list", help=_LIST_HELP)
@folder_option
@database_option
@_site_option
def listed(folder: Path, database: Database, site: str) -> None:
    """List a site's keys."""
    with _desk(folder, database) as desk:
        found = desk.listed(site)
        if not found:
            click.echo(f"{site} has no key here.", err=True)
        for key in found:
            end = "no end" if key.until is None else f"until {_day(key.until)}"
            click.echo(f"{key.id}  {key.scope:4}  {_day(key.made)}  {end}  {key.label}".rstrip())


@click.command(help=_ADD_HELP)
@folder_option
@database_option
@_site_option
@click.option("--label", default="", help="What the site calls it.")
@click.option("--scope", type=click.Choice(["full", "read"]), default="full", show_default=True)
def add(folder: Path, database: Database, site: str, label: str, scope: str) -> None:
    """Make a key."""
    with _desk(folder, database) as desk:
        _tell(desk.add(site, label, "read" if scope == "read" else "full"))


@click.command(help=_ROLL_HELP)
@folder_option
@database_option
@_site_option
@click.argument("key")
@click.option(
    "--overlap",
    type=click.IntRange(0, MOST_OVERLAP_S),
    default=OVERLAP_S,
    show_default=True,
    help="So many seconds the old one still works.",
)
def roll(folder: Path, database: Database, site: str, key: str, overlap: int) -> None:
    """Let a key follow another one."""
    with _desk(folder, database) as desk:
        _tell(desk.roll(site, key, overlap))


@click.command(help=_REVOKE_HELP)
@folder_option
@database_option
@_site_option
@click.argument("key")
def revoke(folder: Path, database: Database, site: str, key: str) -> None:
    """Take a key away."""
    with _desk(folder, database) as desk:
        desk.revoke(site, key)
    click.echo(f"{key} opens nothing any more.")


def _desk(folder: Path, database: Database) -> AbstractContextManager[KeyDesk]:
    return key_desk(
        folder,
        database=database,
        entropy=secrets.token_bytes,
        clock=lambda: time.time_ns() // 1_000_000,
    )


def _tell(new: NewKey) -> None:
    click.echo(f"{new.id} ({new.scope})", err=True)
    click.echo(new.token)


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


COMMANDS: Final = (listed, add, roll, revoke)
