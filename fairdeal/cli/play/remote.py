"""Speaks to the service for a player, and waits for it when the connection is lost."""

import time
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import Any, Final, Self, TypeVar

from fairdeal.cli.client import ApiError, Client

LOST: Final = "The connection to the service is lost. Trying to come back; Ctrl-C leaves."
BACK: Final = "Connected again."
_BUSY: Final = frozenset({429, 502, 503, 504})
_WAITS_S: Final = (0.0, 0.5, 1.0, 2.0, 4.0)

_Answer = TypeVar("_Answer")


class Remote:
    """One seat's connection.

    Every request may be sent again: acts name the version on which they were decided, seeds and
    claims are the same each time (docs/http-api.md, Sending again). So whatever was lost is asked
    for until it is there.

    Args:
        url: The address of the service.
        token: Shown with every request; None for the public.
        say: Prints a line to the player.
        mend: Called while the connection is lost; starts the own service again where it ended.

    Raises:
        ValueError: The address is none.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        say: Callable[[str], None],
        mend: Callable[[], None] = lambda: None,
    ) -> None:
        self.url = url
        self._client = Client.at(url, token, tries=1)
        self._say = say
        self._mend = mend
        self._met = False

    def get(self, path: str) -> Any:  # noqa: ANN401  the shape depends on the path
        """Give the JSON of an address.

        Raises:
            ApiError: The service refused.
            OSError: Nothing ever answered there.
        """
        return self._until_there(lambda: self._client.get(path))

    def get_bytes(self, path: str) -> bytes:
        """Give an address's bytes; raise as ``get`` does."""
        return self._until_there(lambda: self._client.get_bytes(path))

    def send(
        self,
        method: str,
        path: str,
        body: dict[str, Any],
        headers: Mapping[str, str] | None = None,
    ) -> Any:  # noqa: ANN401  the shape depends on the path
        """Send JSON and give the answer's JSON; raise as ``get`` does."""
        return self._until_there(lambda: self._client.send(method, path, body, headers))

    def __enter__(self) -> Self:
        """Speak, until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection: a service that stops waits for those that are open."""
        self._client.close()

    def _until_there(self, ask: Callable[[], _Answer]) -> _Answer:
        tries = 0
        while True:
            try:
                answer = ask()
            except ApiError as refusal:
                if refusal.status not in _BUSY or refusal.code == "too_many_streams":
                    self._found(tries)
                    raise
            except (OSError, HTTPException) as gone:
                if not self._met:
                    raise OSError(f"Nothing answers at {self.url}: {gone}") from gone
            else:
                self._found(tries)
                return answer
            # A hiccup that one more try mends is not worth a word.
            if tries == 1:
                self._say(LOST)
            self._client.close()
            self._mend()
            time.sleep(_WAITS_S[min(tries, len(_WAITS_S) - 1)])
            tries += 1

    def _found(self, tries: int) -> None:
        self._met = True
        if tries > 1:
            self._say(BACK)
