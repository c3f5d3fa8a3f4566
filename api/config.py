"""Reads the configuration from the environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.service import Database, read_database

FOLDER: Final = "FAIRDEAL_DATA"
ORIGIN: Final = "FAIRDEAL_ORIGIN"
DATABASE: Final = "FAIRDEAL_DATABASE"

DEFAULT_FOLDER: Final = "var/fairdeal"
DEFAULT_ORIGIN: Final = "fairdeal.localhost/live"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Where the service lives and how it is named.

    Attributes:
        folder: Holds the keys, and the database where it is a file.
        origin: The name of the service, of its receipt key and in every record 0.
        database: Where the records are.
    """

    folder: Path
    origin: str
    database: Database


def read_config(environment: Mapping[str, str]) -> Config:
    """Return the configuration; what is not set has a default.

    Raises:
        StorageFailure: `bad_database`.
    """
    return Config(
        folder=Path(environment.get(FOLDER) or DEFAULT_FOLDER),
        origin=environment.get(ORIGIN) or DEFAULT_ORIGIN,
        database=read_database(environment.get(DATABASE, "")),
    )
