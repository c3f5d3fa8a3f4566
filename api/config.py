"""Reads the configuration from the environment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.service import Database, read_database

FOLDER: Final = "FAIRDEAL_DATA"
ORIGIN: Final = "FAIRDEAL_ORIGIN"
DATABASE: Final = "FAIRDEAL_DATABASE"
PUBLIC_URL: Final = "FAIRDEAL_PUBLIC_URL"
SANDBOX: Final = "FAIRDEAL_SANDBOX"
LOG: Final = "FAIRDEAL_LOG"
LOG_FOLDER: Final = "FAIRDEAL_LOG_FOLDER"

DEFAULT_FOLDER: Final = "var/fairdeal"
DEFAULT_ORIGIN: Final = "fairdeal.localhost/live"

TEST_FOLDER: Final = "var/fairdeal-test"
TEST_ORIGIN: Final = "fairdeal.localhost/test"
SANDBOX_FOLDER: Final = "var/fairdeal-sandbox"
SANDBOX_ORIGIN: Final = "fairdeal.localhost/sandbox/test"

_PUBLIC_URL: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,253}(?:/[A-Za-z0-9._~/-]{0,200})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Where the service lives and how it is named.

    Attributes:
        folder: Holds the keys, and the database where it is a file.
        origin: The name of the service, of its receipt key and in every record 0.
        database: Where the records are.
        public_url: What stands before the path of a link to the service; empty for the path alone.
        sandbox: Whether whoever shows no token is an operator.
        log: Whether a sequencer runs, and the order of the public log is kept.
        log_folder: That of the sequencer; what is public of the log lies in ``public`` in it.
    """

    folder: Path
    origin: str
    database: Database
    public_url: str
    sandbox: bool
    log: bool
    log_folder: Path


def read_config(environment: Mapping[str, str]) -> Config:
    """Return the configuration; what is not set has a default.

    Raises:
        StorageFailure: `bad_database`, `bad_public_url`.
    """
    public_url = environment.get(PUBLIC_URL, "").removesuffix("/")
    if public_url and not _PUBLIC_URL.fullmatch(public_url):
        raise StorageFailure("bad_public_url", f"{PUBLIC_URL} must be like https://cards.example")
    folder = Path(environment.get(FOLDER) or DEFAULT_FOLDER)
    return Config(
        folder=folder,
        origin=environment.get(ORIGIN) or DEFAULT_ORIGIN,
        database=read_database(environment.get(DATABASE, "")),
        public_url=public_url,
        sandbox=environment.get(SANDBOX, "") not in ("", "0"),
        log=environment.get(LOG, "") not in ("", "0"),
        log_folder=Path(environment.get(LOG_FOLDER) or folder / "log"),
    )
