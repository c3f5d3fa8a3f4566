"""A careful client behind a bad network: it repeats the very same request until it is answered."""

import json
import secrets
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from typing import Any, Final

from benchmarks.faultproxy import LOOPBACK, FaultProxy

MOST_TRIES: Final = 200


class Wrong(AssertionError):
    """An effect was lost or doubled."""


@dataclass(slots=True)
class Sender:
    """A careful client behind a bad network.

    Attributes:
        proxy: The network.
        port: The service's own, past the network, for looking.
        operator: The operator's token.
        sent: How many writes were sent, by route.
        tries: How many requests it took.
    """

    proxy: FaultProxy
    port: int
    operator: str
    sent: Counter[str] = field(default_factory=Counter)
    tries: int = 0

    def write(
        self, route: str, path: str, body: object, token: str | None = None, *, keyed: bool = True
    ) -> Any:  # noqa: ANN401  the shape depends on the path
        """Send a write until it is answered; give the answer.

        Args:
            route: Method and what it is counted under.
            path: Where.
            body: JSON.
            token: The operator's where None is given; "" for none.
            keyed: Whether it is sent under an idempotency key.

        Raises:
            Wrong: It was refused.
        """
        headers = {"Content-Type": "application/json"}
        if token != "":
            headers["Authorization"] = f"Bearer {token or self.operator}"
        if keyed:
            headers["Idempotency-Key"] = secrets.token_urlsafe(16)
        text = b"" if body is None else json.dumps(body).encode()
        method = route.partition(" ")[0]
        self.sent[route] += 1
        for _ in range(MOST_TRIES):
            self.tries += 1
            answer = _ask(self.proxy.port, method, path, text, headers)
            if answer is None or answer[0] in (429, 503):
                continue
            if answer[0] >= 400:
                raise Wrong(f"{route} {path} {body}: {answer[0]} {answer[1].decode()}")
            return json.loads(answer[1]) if answer[1] else None
        raise Wrong(f"{route} was never answered")

    def look(self, path: str, token: str | None = None) -> Any:  # noqa: ANN401  the shape depends on the path
        """Read past the bad network."""
        return json.loads(self.look_bytes(path, token))

    def look_bytes(self, path: str, token: str | None = None) -> bytes:
        """Read bytes past the bad network (raises `Wrong`)."""
        headers = {"Authorization": f"Bearer {token or self.operator}"}
        answer = _ask(self.port, "GET", path, b"", headers)
        if answer is None or answer[0] >= 400:
            raise Wrong(f"GET {path}: {answer}")
        return answer[1]

    def records(self, game: str, token: str | None = None) -> list[dict[str, Any]]:
        """Give the records of a game that a token may see; late copies have arrived by then."""
        self.proxy.flush()
        found: list[dict[str, Any]] = []
        while True:
            after = found[-1]["n"] if found else -1
            page = self.look(f"/v1/games/{game}/events?after={after}", token)
            found += page["events"]
            if not page["has_more"]:
                return found


def once(condition: object, what: str) -> None:
    """Go on where the condition holds (raises `Wrong`)."""
    if not condition:
        raise Wrong(what)


def _ask(
    port: int, method: str, path: str, body: bytes, headers: dict[str, str]
) -> tuple[int, bytes] | None:
    connection = HTTPConnection(LOOPBACK, port, timeout=60)
    try:
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def seal_of(game: str, epoch: int, seat: int, open_hash: str, nonce: str, text: str) -> str:
    """Return the hash of a seat's line (protocol 2.4)."""
    seed = sha256(text.encode()).hexdigest()
    line = f"pfd1:seat:{game}:{epoch}:{seat}:{open_hash}:{nonce}:{seed}\n"
    return sha256(line.encode()).hexdigest()
