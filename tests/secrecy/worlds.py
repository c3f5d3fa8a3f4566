"""Worlds: the whole application over a store of its own, each with an order of cards of its own.

Two worlds are given the same entropy, the same clock and the same requests. So they are equal to
the last byte, tokens, times and names of requests included, except for the order of the cards in
the hand that is looked at: `fairdeal.game.dealing` derives it in one place, which is taken over
here. Nothing in the product knows of this.
"""

import asyncio
import contextlib
import functools
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask

from api import streams
from api.app import create_app
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.shuffle import order as derived_order
from fairdeal.game import Game, dealing, replay
from fairdeal.records.chain import reread
from fairdeal.store.bell import Ear
from tests.secrecy.process import Process
from tests.table import START_MS, Entropy, Service

TICK_S = 1.0
"""So much time passes for a stream with each look at it."""


class Count:
    """Counts like `itertools.count`, and can be read and set."""

    def __init__(self, start: int) -> None:
        self.next = start

    def __iter__(self) -> "Count":
        return self

    def __next__(self) -> int:
        self.next += 1
        return self.next - 1


@dataclass(frozen=True, slots=True)
class Reply:
    """All that a caller gets of an answer."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def code(self) -> int:
        """The status as a number."""
        return int(self.status[:3])


class World(Service):
    """A service of which the order of cards in single hands can be given.

    Args:
        folder: An empty folder, or one with a database.
        more: As for `Service`.

    Attributes:
        orders: Orders of cards by the secret of their hand; every other hand is dealt truly.
        dealt: The true orders, by the secret of the hand, of all hands looked at so far.
    """

    def __init__(self, folder: Path, **more: Any) -> None:
        super().__init__(folder, **more)
        self.folder = folder
        self.orders: dict[bytes, list[int]] = {}
        self.dealt: dict[bytes, list[int]] = {}
        self.entropy._count = self.draws = Count(0)  # type: ignore[assignment]  # counts in a place of the test
        self.clock._ticks = self.ticks = Count(START_MS)  # type: ignore[assignment]  # counts in a place of the test
        self.names = Entropy("names of requests")
        self.names._count = self.named = Count(0)  # type: ignore[assignment]  # counts in a place of the test
        self.passed = Count(0)
        # Of streams: time passes with each look at it, and nobody waits (`worlds_apart`).
        self.dealer.feed.ticks, self.dealer.feed.beat_s = self._ticks, 2 * TICK_S
        self.app = application()
        self.client = self.app.test_client()
        self.process = Process(self.dealer, self.store, self.names)

    def close(self) -> None:
        """Let go of the database."""
        self.process.close()
        super().close()

    def fork(self, folder: Path) -> "World":
        """Return a world that stands where this one does, over a copy of its database."""
        for path in self.folder.iterdir():
            if not path.name.endswith("-shm"):
                shutil.copy(path, folder / path.name)
        twin = World(folder)
        twin.draws.next, twin.ticks.next = self.draws.next, self.ticks.next
        twin.named.next, twin.passed.next = self.named.next, self.passed.next
        return twin

    def _ticks(self) -> float:
        return next(self.passed) * TICK_S

    def call(
        self, method: str, path: str, body: object = None, token: str | None = None, **more: Any
    ) -> Any:
        """Send a request into this world."""
        with self.entered():
            return super().call(method, path, body, token, **more)

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Be in this world: whatever is dealt and named meanwhile is dealt and named here."""
        global _here  # noqa: PLW0603  the derivation that is taken over has no place for it
        before, _here = _here, self
        try:
            yield
        finally:
            _here = before

    def ask(
        self,
        method: str,
        path: str,
        token: str | None = None,
        *,
        data: bytes | None = None,
        headers: Sequence[tuple[str, str]] = (),
        chunks: int | None = None,
        streams: bool = False,
    ) -> Reply:
        """Send a request and return all of its answer, byte by byte.

        Args:
            method: As sent.
            path: With its query.
            token: Shown as a bearer token; None shows none.
            data: A body, sent as JSON.
            headers: Further headers.
            chunks: Of a stream that does not end: how much of it is taken.
            streams: Whether the process of streams is asked.
        """
        if streams:
            shown = () if token is None else (("Authorization", f"Bearer {token}"),)
            with self.entered():
                status, told, body = self.process.ask(method, path, (*headers, *shown), chunks)
            return Reply(str(status), told, body)
        more: dict[str, Any] = {"headers": dict(headers)}
        if data is not None:
            more["data"] = data
            more["content_type"] = "application/json"
        with self.entered():
            answer = super().call(method, path, None, token, **more)
            body = b"".join(islice(answer.iter_encoded(), chunks))
            answer.close()
        return Reply(answer.status, tuple(answer.headers.items()), body)

    def settle(self) -> None:
        """Write down who was there, as a thread of the service does every second."""
        with self.entered():
            self.dealer.presences.flush()

    def game(self, game_id: str) -> Game:
        """Return a game as it stands in this world, its secrets included."""
        with self.entered():
            return self.dealer._clerk.game(game_id)

    def game_as_dealt(self, game_id: str) -> Game:
        """Return a game as it stood when its newest hand was dealt."""
        game = self.game(game_id)
        dealt = self.store.last_of_type(game_id, "deal")
        assert dealt is not None
        with self.entered():
            lines = self.store.lines(game_id, limit=dealt + 1)
            return replay(map(reread, lines), game.master)

    def order_of(self, game: Game, hand: int) -> list[int]:
        """Return the order in which a hand is dealt in this world."""
        secret = secret_of(game, hand).raw
        return list(self.orders.get(secret) or self.dealt[secret])

    def deal_as(self, game: Game, hand: int, order: Sequence[int]) -> None:
        """Deal a hand in this order, whenever it is dealt here."""
        self.orders[secret_of(game, hand).raw] = list(order)


_here: World | None = None


def here() -> World:
    """Return the world that is asked just now."""
    assert _here is not None, "a request outside of every world"
    return _here


def secret_of(game: Game, hand: int) -> Secret:
    """Return the secret of a hand, also of one that is not dealt yet."""
    assert game.master is not None
    return hand_secret(game.master, game.id, hand)


@functools.cache
def application() -> Flask:
    """Return the one application of all worlds; it names requests after the world's own count."""

    def name(size: int) -> bytes:
        return bytes(here().names(size))

    return create_app(None, entropy=name)


@contextlib.contextmanager
def worlds_apart() -> Iterator[None]:
    """Take orders of cards from the world that is asked; let no stream wait."""

    def order(secret: Secret, mix: bytes, n: int) -> list[int]:
        found = derived_order(secret, mix, n)
        if _here is None:
            return found
        _here.dealt[secret.raw] = found
        return list(_here.orders.get(secret.raw) or found)

    def wait(_ear: Ear, _seconds: float) -> bool:
        return False

    async def wait_in_loop(_ear: object, _seconds: float) -> None:
        await asyncio.sleep(0)

    with (
        patch.object(dealing, "order", order),
        patch.object(Ear, "wait", wait),
        patch.object(streams._Ear, "wait", wait_in_loop),
    ):
        yield
