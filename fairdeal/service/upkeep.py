"""What games do by themselves: hands follow, clocks run out, rounds come out, games close."""

from typing import Final

from fairdeal.errors import Conflict
from fairdeal.fairness.beacon import CHAINS
from fairdeal.game import SEEDING, Game, decide_beacon, decide_close, round_awaited
from fairdeal.service.batch import Batch
from fairdeal.service.clerk import ASKED_MEANWHILE, Clerk
from fairdeal.service.clocks import RETURN, Due, due_of, lacks_seed, stand_in, stands
from fairdeal.store.askport import Asked, AskedCount
from fairdeal.store.beacons import BeaconSource
from fairdeal.store.ports import Seen

REVEAL_DUE: Final = "reveal_due"
"""The reason of a game that closes so that its master secret is out in time."""

SEED_MISSING: Final = "seed_missing"
"""The reason of a game in a room that closes because nobody is there to send a seed."""

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
        while True:
            try:
                return self._advance(game_id)
            except Conflict as refusal:
                if refusal.code != ASKED_MEANWHILE:
                    raise

    def _advance(self, game_id: str) -> bool:
        game, now = self._clerk.game(game_id), self._clerk.clock()
        batch = self._clerk.batch(game, now)
        if self._is_forgotten(game, now):
            batch.add(decide_close(game, REVEAL_DUE))
        elif self._lacks_seed(game, now):
            batch.add(decide_close(game, SEED_MISSING))
        else:
            self._add_beacon(batch)
            batch.follow()
            wishes = self._clerk.more_time(game)
            due = None if batch.made else self._passed(game, now, wishes)
            if due is not None:
                if self._clerk.settings(game_id).extends:  # None may come before this is kept.
                    known = AskedCount(kind="time", hand=game.hand, count=len(wishes))
                    batch.knows = (known,)
                batch.add(stand_in(game, due, self._clerk.hints))
                batch.follow()
        if batch.made:
            self._clerk.keep(batch)
        if batch.goes_on:
            return True
        return self._passed(batch.game, now, self._clerk.more_time(batch.game)) is not None

    def wakes_at(self, game: Game) -> int | None:
        """Return when a game has something to do by itself, ms since 1970; perhaps it has now.

        None where nothing is known to come.
        """
        at = self._clerk.next_hand_at(game)
        if at is None and (due := self._due(game, self._clerk.more_time(game))) is not None:
            at = due.at
        return at

    def is_deal_due(self, game: Game) -> bool:
        """Say whether the next hand's time has come."""
        at = self._clerk.next_hand_at(game)
        return at is not None and at <= self._clerk.clock()

    def returns(self, place: str, at: int) -> tuple[Seen, ...]:
        """Return what has to be kept where a player comes back to a game whose clock stands.

        Args:
            place: The game, or a room; then its newest game is meant.
            at: When, ms since 1970.
        """
        game_id = self._game_in(place)
        if game_id is None:
            return ()
        settings = self._clerk.settings(game_id)
        if not settings.ticks:
            return ()
        if not stands(self._clerk.game(game_id), settings, self._clerk.seen(game_id)):
            return ()
        return (Seen(place=game_id, seat=RETURN, at=at),)

    def awaits_round(self, game_id: str) -> bool:
        """Say whether a game waits for a round of its beacon (raises `NotFound`)."""
        return round_awaited(self._clerk.game(game_id)) is not None

    def due(self) -> tuple[str, ...]:
        """Return the unfinished games that have to be looked at now and then.

        Those of which half of the time to `reveal_by` has passed, and those with clocks: that
        somebody came back to one whose clock stood may have been noted by another process.
        """
        now, running = self._clerk.clock(), self._clerk.store.unfinished()
        self._spans = {game: self._spans.get(game) or self._span(game) for game in running}
        return tuple(
            game
            for game, (begun, due) in self._spans.items()
            if 2 * (now - begun) >= due - begun or self._clerk.settings(game).ticks
        )

    def _span(self, game_id: str) -> tuple[int, int]:
        first = self._clerk.first(game_id)
        return first.t, first.body["reveal_by"]

    def _due(self, game: Game, wishes: tuple[Asked, ...]) -> Due | None:
        settings = self._clerk.settings(game.id)
        if not settings.ticks or game.position is None:
            return None
        return due_of(game, settings, self._clerk.seen(game.id), wishes)

    def _passed(self, game: Game, now: int, wishes: tuple[Asked, ...]) -> Due | None:
        due = self._due(game, wishes)
        return due if due is not None and due.at <= now else None

    def _game_in(self, place: str) -> str | None:
        """Return the game of a place."""
        if self._clerk.store.newest(place) is not None:
            return place
        newest = self._clerk.store.listings(room=place, limit=1)
        return newest[0].game if newest else None

    def _lacks_seed(self, game: Game, now: int) -> bool:
        """Say whether a game in a room waits in vain to begin; the room then goes on without it."""
        if game.state != SEEDING or not self._clerk.callers.places.game(game.id).room:
            return False
        settings = self._clerk.settings(game.id)
        return lacks_seed(game, settings, self._clerk.seen(game.id), now)

    def _is_forgotten(self, game: Game, now: int) -> bool:
        """At half of the time an idle game closes; at three quarters one that is played too."""
        if game.closed:
            return False
        begun, due = self._spans.get(game.id) or self._spans.setdefault(
            game.id, self._span(game.id)
        )
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
