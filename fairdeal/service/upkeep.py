"""What games do by themselves: bots go on, rounds come out, forgotten games close."""

from typing import Final

from fairdeal.fairness.beacon import CHAINS
from fairdeal.game import Game, decide_beacon, decide_close, round_awaited
from fairdeal.service.batch import Batch
from fairdeal.service.clerk import Clerk
from fairdeal.store.beacons import BeaconSource

REVEAL_DUE: Final = "reveal_due"
"""The reason of a game that closes so that its master secret is out in time."""

IDLE_MS: Final = 10 * 60 * 1000
"""A game in which nothing was recorded for so long is forgotten (decisions 15)."""


class Upkeep:
    """Advances games in which nobody has to ask.

    Args:
        clerk: Keeps the books.
        beacons: Where the rounds come from.
    """

    def __init__(self, clerk: Clerk, beacons: BeaconSource) -> None:
        self._clerk = clerk
        self._beacons = beacons
        self._spans: dict[str, tuple[int, int]] = {}

    def advance(self, game_id: str) -> bool:
        """Do what a game has to do by itself, a hand's worth (contract: `Dealer.advance`)."""
        game, now = self._clerk.game(game_id), self._clerk.clock()
        batch = self._clerk.batch(game, now)
        if self._is_forgotten(game, now):
            batch.add(decide_close(game, REVEAL_DUE))
        else:
            self._add_beacon(batch)
            batch.follow()
        if batch.made:
            self._clerk.keep(batch)
        return batch.goes_on

    def awaits_round(self, game_id: str) -> bool:
        """Say whether a game waits for a round of its beacon (raises `NotFound`)."""
        return round_awaited(self._clerk.game(game_id)) is not None

    def due(self) -> tuple[str, ...]:
        """Return the unfinished games of which half of the time to `reveal_by` has passed."""
        now, running = self._clerk.clock(), self._clerk.store.unfinished()
        self._spans = {game: self._spans.get(game) or self._span(game) for game in running}
        return tuple(
            game for game, (begun, due) in self._spans.items() if 2 * (now - begun) >= due - begun
        )

    def _span(self, game_id: str) -> tuple[int, int]:
        first = self._clerk.first(game_id)
        return first.t, first.body["reveal_by"]

    def _is_forgotten(self, game: Game, now: int) -> bool:
        """At half of the time an idle game closes; at three quarters one that is played too."""
        if game.closed:
            return False
        begun, due = self._span(game.id)
        if 4 * (now - begun) >= 3 * (due - begun):
            return True
        return 2 * (now - begun) >= due - begun and now - game.head.t >= IDLE_MS

    def _add_beacon(self, batch: Batch) -> None:
        """Record the round that the lock waits for, where it is out and its source has it."""
        number = round_awaited(batch.game)
        if number is None:
            return
        chain = batch.game.opening["beacon"]["chain"]
        if batch.t < CHAINS[chain].time_of(number):
            return
        signature = self._beacons.signature(chain, number)
        if signature is not None:
            batch.add(decide_beacon(batch.game, number, signature))
