"""A sandbox speaks to programs on its own machine: whoever shows no token runs it.

It is one because it was started as one, never because of the address that somebody calls from: a
proxy in front of it would make everybody look local. What a proxy adds is refused therefore, and
so is what a page of another site sends through the user's own browser.
"""

from typing import Final
from urllib.parse import urlsplit

from flask import Flask, request

from api.auth import dealer
from fairdeal.errors import NotAllowed

FORWARDING: Final = ("Forwarded", "Via", "X-Real-IP")
_PREFIX: Final = "x-forwarded-"
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def install(app: Flask) -> None:
    """Refuse what does not come straight from this machine, where the service is a sandbox."""

    @app.before_request
    def refuse_from_elsewhere() -> None:
        if dealer().is_sandbox and not _is_local():
            raise NotAllowed(
                "sandbox_local_only", "A sandbox answers programs on its own machine alone."
            )


def _is_local() -> bool:
    forwarded = any(name in request.headers for name in FORWARDING) or any(
        name.lower().startswith(_PREFIX)
        for name in request.headers.keys()  # noqa: SIM118  these headers are no mapping
    )
    # The address that was called, not the one that called: a sandbox is bound to this machine.
    called = request.environ.get("gunicorn.socket")
    if called is not None and called.getsockname()[0] not in _LOCAL:
        return False
    origin = request.headers.get("Origin")
    addresses = [f"//{request.host}", *([] if origin is None else [origin])]
    return not forwarded and all(_host(address) in _LOCAL for address in addresses)


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
