"""In which mode a service is started, and where it lives and what it is called by default."""

from ipaddress import ip_address
from pathlib import Path

import click
from click.core import ParameterSource

from api.config import SANDBOX_FOLDER, SANDBOX_ORIGIN, TEST_FOLDER, TEST_ORIGIN
from fairdeal.errors import StorageFailure
from fairdeal.service import path_of_origin

_TEST = "/test"


def settle(kind: str | None, host: str, folder: Path, origin: str) -> tuple[Path, str]:
    """Return the folder and the name of a service.

    Args:
        kind: `test`, `demo` for a sandbox, or None for a live service.
        host: The address to bind.
        folder: As given, or its default for a live service.
        origin: As given, or its default for a live service.

    Raises:
        click.UsageError: The name is of the other mode; a sandbox would be reachable from
            elsewhere.
    """
    if kind is None:
        if origin.endswith(_TEST):
            raise click.UsageError("A name that ends in /test is one of test mode: say --test.")
        return folder, origin
    own = (TEST_FOLDER, TEST_ORIGIN) if kind == "test" else (SANDBOX_FOLDER, SANDBOX_ORIGIN)
    folder = Path(own[0]) if _is_default("folder") else folder
    origin = own[1] if _is_default("origin") else origin
    if not origin.endswith(_TEST):
        raise click.UsageError("In test mode the name of the service ends in /test.")
    if kind == "demo" and not _is_loopback(host):
        raise click.UsageError("A sandbox needs no key, so it binds 127.0.0.1, ::1 or localhost.")
    return folder, origin


def _is_default(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.DEFAULT


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_name(origin: str) -> None:
    """Refuse a name below which no log can be served, before anything is made that carries it.

    Raises:
        click.UsageError: It is one.
    """
    try:
        path_of_origin(origin)
    except StorageFailure as fault:
        raise click.UsageError(fault.sentence) from fault
