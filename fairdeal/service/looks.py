"""Looks at games: views, choices, counts, acts tried out; nothing of it changes a game.

But a hand that is due is dealt before the game is looked at, so that nobody has to wait for the
thread that goes on with games, nor for the process in which it runs (decisions 14).
"""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fairdeal import game as rules
from fairdeal.errors import FairdealError, NotAllowed
from fairdeal.game import BETWEEN_HANDS, PLAYING, Game
from fairdeal.records.chain import reread
from fairdeal.records.tablecode import table_code
from fairdeal.service.answers import Answer, Choices, Counts, PublicGame, PublicSeat, View
from fairdeal.service.callers import Caller
from fairdeal.service.claims import Claims
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.configure import custody_of
from fairdeal.service.feed import Feed
from fairdeal.service.upkeep import Upkeep


class Looks:
    """Shows games to whoever may see them.

    Args:
        clerk: Gives the games.
        feed: Knows how far each may see, and wakes who waits.
        upkeep: Deals what is due.
        claims: Knows which seats are taken.
    """

    def __init__(self, clerk: Clerk, feed: Feed, upkeep: Upkeep, claims: Claims) -> None:
        self._clerk = clerk
        self._feed = feed
        self._upkeep = upkeep
        self._claims = claims

    def view(
        self,
        caller: Caller,
        game_id: str,
        at_least: int = 0,
        wait_s: float = 0.0,
        is_gone: Callable[[], bool] = lambda: False,
    ) -> View:
        """Return what the caller may see now: a seat its table, everybody else the public line.

        Args:
            caller: Who looks.
            game_id: The game.
            at_least: The version that is waited for.
            wait_s: So long at most, or until a turn's end is moved; then the game is shown as it
                stands. Of a game that is over nothing is waited for.
            is_gone: Whether the caller has hung up.

        Raises:
            NotIdentified, Gone: While it was waited for the caller's token came to its end.
            NotAllowed: As `Callers.check_reader`.
            NotFound: `no_such_game`.
        """
        seat = self._clerk.callers.check_reader(caller, game_id)
        has_moved = self._feed.moving(caller, game_id)

        def look() -> tuple[tuple[Game, int], bool]:
            game, newest = self._line(game_id, seat)
            over = game.finished and newest >= game.version
            return (game, newest), newest >= at_least or over or has_moved()

        game, newest = self._feed.wait_for(game_id, look, wait_s, is_gone)
        if wait_s:  # Nothing is shown that was made after the token's end.
            self._clerk.callers.check_still(caller)
        return View(version=newest, seat=seat, view=self._feed.view(game, seat, newest))

    def choices(self, caller: Caller, game_id: str) -> Choices:
        """Return what the caller's seat can do now and what it cannot, with the reasons.

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat of this game.
            NotFound: `no_such_game`.
        """
        seat = self._clerk.callers.check_seated(caller, game_id)
        game, _ = self._line(game_id, seat)
        return Choices(version=game.version, **rules.choices(game, seat))

    def counts(self, caller: Caller, game_id: str) -> Counts:
        """Return where the cards of the hand in play are, as far as the caller can know.

        Raises:
            NotAllowed: As `Callers.check_reader`.
            NotFound: `no_such_game`.
        """
        seat = self._clerk.callers.check_reader(caller, game_id)
        game, newest = self._line(game_id, seat)
        if seat is None:
            game = self._feed.known(game, newest)
        dealt = None if game.position is None else self._clerk.store.last_of_type(game_id, "deal")
        lines = () if dealt is None else self._clerk.store.lines(game_id, after=dealt)
        records = tuple(record for record in map(reread, lines) if record.n <= game.version)
        found = rules.counts(game, seat, records)
        return Counts(
            version=newest,
            hand=game.hand if found else None,
            unseen=sum(one.unseen for one in found),
            cards=found,
        )

    def try_out(self, caller: Caller, game_id: str, expect: int, text: str) -> Answer:
        """Say what an act of the caller's seat would do, or refuse it as `Dealer.act` would.

        It is judged by what the seat knows; nothing is kept, and there is no receipt.

        Args:
            caller: Holds a seat.
            game_id: The game.
            expect: The number of the newest record when the act was thought of.
            text: The act in its canonical form (protocol 6.2).

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat of this game.
            NotFound: `no_such_game`.
            StaleVersion: The game has moved on.
            MalformedInput, RuleBroken, Conflict: As `fairdeal.game.decide_act`.
        """
        seat = self._clerk.callers.check_seated(caller, game_id)
        game = self._clerk.game(game_id)
        if expect != game.version:
            raise self._clerk.stale(game, expect, seat)
        said = rules.would(game, seat, text)
        return Answer(version=game.version, events=(), receipts=(), dry_run=True, would=said)

    def transcript(self, caller: Caller, game_id: str) -> bytes:
        """Return the game's lines as they are hashed, as far as they are public.

        Of a running game they end at the last `reveal`, or earlier where it is watched with a
        delay; before the first one, at the last record before the first deal.

        Raises:
            NotAllowed: As `Callers.check_reader`.
            NotFound: `no_such_game`.
        """
        self._clerk.callers.check_reader(caller, game_id)
        end = self._clerk.public_end(self._clerk.game(game_id))
        return b"".join(self._clerk.store.lines(game_id, limit=end + 1))

    def final_hash(self, caller: Caller, game_id: str) -> str | None:
        """Return the hash of the last record of a game that is over, or None of one that runs.

        It pins every byte of the transcript.

        Raises:
            NotAllowed, NotFound: As `transcript`.
        """
        self._clerk.callers.check_reader(caller, game_id)
        game = self._clerk.game(game_id)
        return game.head.hash if game.finished else None

    def public(self, game_id: str, caller: Caller | None = None) -> PublicGame:
        """Return what everybody may know of a game.

        Of one that is watched by invitation, whoever may not read it is told as if the first hand
        were still in play, until it is over.

        Args:
            game_id: The game.
            caller: Who looks; None for one who may read it.

        Raises:
            NotFound: `no_such_game`.
        """
        game, newest = self._line(game_id, None)
        known = self._feed.known(game, newest)
        first = self._clerk.first(game_id)
        told = PublicGame(
            id=game_id,
            state=self._clerk.public_state(game, newest),
            version=newest,
            origin=first.body["origin"],
            commitment=commitment(first),
            table_code=table_code(first.hash),
            seats=self._seats(game, first.body),
            reveal_by=first.body["reveal_by"],
            hand=known.hand,
            totals=known.totals,
            next_hand_at=None,
            reason=self._reason(game),
            clock=self._clerk.settings(game_id).clock,
            watch=self._clerk.settings(game_id).watch,
        )
        if caller is not None and not game.closed and not self._may_read(caller, game_id):
            return self._untold(told)
        if told.state == BETWEEN_HANDS:
            return replace(told, next_hand_at=self._clerk.next_hand_at(game))
        return told

    def _may_read(self, caller: Caller, game_id: str) -> bool:
        if self._clerk.callers.places.game(game_id).open:
            return True
        try:
            self._clerk.callers.check_reader(caller, game_id)
        except NotAllowed:
            return False
        return True

    def _untold(self, told: PublicGame) -> PublicGame:
        """Return a game without anything that came of its hands."""
        dealt = self._clerk.store.first_of_type(told.id, "deal")
        if dealt is None:
            return told
        nothing = (0,) * len(told.totals)
        return replace(told, state=PLAYING, version=dealt - 1, hand=0, totals=nothing)

    def _seats(self, game: Game, opening: Mapping[str, Any]) -> tuple[PublicSeat, ...]:
        held, lost = self._claims.held(game.id)
        there = self._feed.presence(game)
        seats = zip(opening["seats"], custody_of(opening), there, strict=True)
        return tuple(
            PublicSeat(
                seat=seat,
                kind=said["kind"],
                label=said["label"],
                custody=word,
                claimed=seat in held,
                reissued=lost.count(seat),
                presence=sign["presence"],
                since=sign["since"],
            )
            for seat, (said, word, sign) in enumerate(seats)
        )

    def _reason(self, game: Game) -> str | None:
        """Return why a game was closed."""
        for line in self._clerk.store.lines_of_type(game.id, "close"):
            return str(reread(line).body["reason"])
        return None

    def _line(self, game_id: str, seat: int | None) -> tuple[Game, int]:
        """Return a game and the newest record that a viewer may see (contract: `Feed.line`).

        The hand whose time has come is dealt first; where somebody else does, or nobody can, the
        game is shown as it stands.
        """
        game, newest = self._feed.line(game_id, seat)
        if not self._upkeep.is_deal_due(game):
            return game, newest
        with contextlib.suppress(FairdealError):
            self._upkeep.advance(game_id)
        return self._feed.line(game_id, seat)
