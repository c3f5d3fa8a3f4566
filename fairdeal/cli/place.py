"""Options that say where a service is: its folder and its database."""

from pathlib import Path

import click

from api.config import DATABASE, DEFAULT_FOLDER, FOLDER
from fairdeal.service import Database, read_database

folder_option = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    envvar=FOLDER,
    default=Path(DEFAULT_FOLDER),
    show_default=True,
    help="Holds the keys, and the database where it is a file.",
)


def _read(context: click.Context, parameter: click.Parameter, text: str) -> Database:
    database = read_database(text)
    told = context.get_parameter_source(parameter.name or "")
    if database.has_password and told is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError(
            f"Everybody on this machine can read a command line: set {DATABASE} to an address"
            " with a password, or leave the password to PGPASSWORD or a file of PGPASSFILE."
        )
    return database


database_option = click.option(
    "--database",
    envvar=DATABASE,
    default="",
    metavar="URL",
    callback=_read,
    help=f"postgresql://USER@HOST:PORT/NAME; also {DATABASE}. Without it, a file in the folder.",
)
