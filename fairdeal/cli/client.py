"""A small client of the HTTP API, as the demo and the examples use it."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final, Self
from urllib.parse import urlsplit

_TIMEOUT_S: Final = 30.0
_TRIES: Final = 2


class ApiError(Exception):
    """The service refused: ``status`` and the problem's ``code`` and ``sentence``."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code: str = problem.get("code", "unknown")
        self.sentence: str = problem.get("sentence", "")
        super().__init__(f"{status} {self.code}: {self.sentence}")


class Client:
    """Speaks to one service with one token over one kept connection.

    Args:
        host: The loopback address of the service.
        port: Its port.
        token: Shown with every request; None for the public.
    """

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        self._connection = HTTPConnection(host, port, timeout=_TIMEOUT_S)
        self._token = token
        self._below = ""
        self._tries = _TRIES

    @classmethod
    def at(cls, url: str, token: str | None = None, *, tries: int = _TRIES) -> Self:
        """Give a client of the service at an address, ``http`` or ``https``, with or without path.

        Args:
            url: The address.
            token: Shown with every request; None for the public.
            tries: How often a request is sent where the connection breaks.

        Raises:
            ValueError: That is no such address.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address that begins with http:// or https://")
        secure = parts.scheme == "https"
        port = parts.port or (443 if secure else 80)
        made = cls(parts.hostname, port, token)
        if secure:
            made._connection = HTTPSConnection(parts.hostname, port, timeout=_TIMEOUT_S)
        made._below = parts.path.rstrip("/")
        made._tries = tries
        return made

    @property
    def token(self) -> str | None:
        """The token that is shown."""
        return self._token

    def get(self, path: str) -> Any:  # noqa: ANN401  the shape depends on the path
        """Give the JSON of an address.

        Raises:
            ApiError: The service refused.
        """
        return json.loads(self._request("GET", path, None))

    def get_bytes(self, path: str) -> bytes:
        """Give an address's bytes as they are."""
        return self._request("GET", path, None)

    def send(
        self,
        method: str,
        path: str,
        body: dict[str, Any],
        headers: Mapping[str, str] | None = None,
    ) -> Any:  # noqa: ANN401  the shape depends on the path
        """Send JSON and give the answer's JSON.

        Raises:
            ApiError: The service refused.
        """
        return json.loads(self._request(method, path, json.dumps(body).encode(), headers))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _request(
        self, method: str, path: str, body: bytes | None, more: Mapping[str, str] | None = None
    ) -> bytes:
        headers = {"Accept": "application/json, application/jsonl", **(more or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        for attempt in range(self._tries):
            try:
                self._connection.request(method, self._below + path, body, headers)
                response = self._connection.getresponse()
                data = response.read()
                break
            except (ConnectionError, HTTPException):
                # A kept connection may have been closed under us; every write here may be
                # repeated: acts name the version they were decided on (decisions, 16).
                self._connection.close()
                if attempt + 1 == self._tries:
                    raise
        if response.status >= 400:
            raise ApiError(response.status, _problem(data))
        return data


def _problem(data: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(data)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
