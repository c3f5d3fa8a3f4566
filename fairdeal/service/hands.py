"""Hands of games that the site referees, and the ways in which any hand or game is stopped."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from fairdeal.errors import Conflict, StaleVersion
from fairdeal.game import (
    Draft,
    Game,
    decide_abort,
    decide_close,
    decide_deal,
    decide_draw,
    decide_score,
)
from fairdeal.records.canonical import encode
from fairdeal.records.chain import Record, reread
from fairdeal.service.answers import Answer
from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk
from fairdeal.service.repeats import Once

VOID_REASONS: Final = (
    "players_left",
    "site_fault",
    "dealer_fault",
    "rules_dispute",
    "test",
)
"""Why a game is called off; with its `close` the record says which."""


class Hands:
    """Deals, draws, scores and stops by request (decisions 17).

    Args:
        clerk: Keeps the books.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def deal(
        self, caller: Caller, game_id: str, expect: int, *, once: Once | None = None
    ) -> Answer:
        """Deal the next hand of a dealt-only game; a repeat gets the same records again.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game.
            NotFound: `no_such_game`.
            StaleVersion: The game has moved on, and not by this deal.
            Conflict: As `fairdeal.game.decide_deal`.
        """
        self._clerk.callers.check_operator(caller, game_id)
        self._check_sites(game_id)
        game = self._clerk.game(game_id)
        if game.ruleset is not None:
            # Refused on every version alike, or trying would tell how far a hand has got.
            decide_deal(game)
        return self._expected(game_id, expect, decide_deal, None, {"type": "deal"}, once)

    def draw(
        self,
        caller: Caller,
        game_id: str,
        hand: int,
        seat: int,
        expect: int,
        *,
        once: Once | None = None,
    ) -> Answer:
        """Give a seat the next stock card; its face goes to the holder of that seat's token.

        Raises:
            NotIdentified, NotAllowed: The caller does not hold this seat.
            NotFound: `no_such_game`.
            StaleVersion: The game has moved on, and not by this draw.
            Conflict: As `fairdeal.game.decide_draw`.
        """
        self._clerk.callers.check_seated(caller, game_id, seat)
        self._check_sites(game_id)

        def decide(game: Game) -> tuple[Draft, ...]:
            return decide_draw(game, hand, seat)

        return self._expected(
            game_id, expect, decide, seat, {"type": "draw", "hand": hand, "seat": seat}, once
        )

    def score(
        self,
        caller: Caller,
        game_id: str,
        hand: int,
        result: object,
        *,
        once: Once | None = None,
    ) -> Answer:
        """Record a hand's result as the site states it, and open the hand's secret.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game.
            NotFound: `no_such_game`.
            Conflict: As `fairdeal.game.decide_score`.
            MalformedInput, Unprocessable: The result cannot be recorded.
        """
        self._clerk.callers.check_operator(caller, game_id)
        self._check_sites(game_id)

        def decide(game: Game) -> tuple[Draft, ...]:
            return decide_score(game, hand, result)

        return self._once(game_id, "score", {"hand": hand, "result": result}, decide, once)

    def abort(
        self,
        caller: Caller,
        game_id: str,
        hand: int,
        reason: str,
        *,
        once: Once | None = None,
    ) -> Answer:
        """Stop the hand in play of any game and open it; a refereed game deals on.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game.
            NotFound: `no_such_game`.
            Conflict: `no_hand`: that hand is not in play.
        """
        self._clerk.callers.check_operator(caller, game_id)

        def decide(game: Game) -> tuple[Draft, ...]:
            if hand != game.hand:
                raise Conflict("no_hand", f"Hand {hand} is not in play.")
            return decide_abort(game, reason, deal_on=False)

        return self._once(game_id, "abort", {"hand": hand, "reason": reason}, decide, once)

    def close(
        self, caller: Caller, game_id: str, reason: str, *, once: Once | None = None
    ) -> Answer:
        """End a game and publish its master secret; a repeat gets the same records again.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game.
            NotFound: `no_such_game`.
            Conflict: `game_over`: it was closed for another reason.
            MalformedInput: `bad_field`: a refereed game alone says when it is complete.
        """
        self._clerk.callers.check_operator(caller, game_id)

        def decide(game: Game) -> tuple[Draft, ...]:
            if game.closed:
                why = reread(self._clerk.store.lines_of_type(game_id, "close")[0])
                raise Conflict("game_over", "This game is over.", {"reason": why.body["reason"]})
            return decide_close(game, reason)

        return self._once(game_id, "close", {"reason": reason}, decide, once)

    def _check_sites(self, game_id: str) -> None:
        """Refuse what a site decides in its own games alone (raises `Conflict`: `refereed`)."""
        if self._clerk.draws_seats(self._clerk.game(game_id)):
            raise Conflict("refereed", "This service referees the draws of its rooms by itself.")

    def _expected(
        self,
        game_id: str,
        expect: int,
        decide: Callable[[Game], tuple[Draft, ...]],
        seat: int | None,
        wish: Mapping[str, object],
        once: Once | None,
    ) -> Answer:
        """Do what was decided on a version; a repeat of it is answered with what it made."""
        game = self._clerk.game(game_id)
        if expect == game.version:
            try:
                return self._clerk.append(game, decide(game), seat, once=once)
            except StaleVersion:
                # Somebody was faster; perhaps it was this very request, sent twice.
                game = self._clerk.game(game_id)
        before = self._clerk.standing(game, expect)
        if before is None or not _is(before, wish):
            raise self._clerk.stale(game, expect, seat)
        return self._clerk.again(game, before, seat, once)

    def _once(
        self,
        game_id: str,
        type_: str,
        said: Mapping[str, Any],
        decide: Callable[[Game], tuple[Draft, ...]],
        once: Once | None,
    ) -> Answer:
        """Do what happens once in a game; a repeat of it is answered with what it made."""
        while True:
            game = self._clerk.game(game_id)
            for line in self._clerk.store.lines_of_type(game_id, type_):
                record = reread(line)
                if encode({name: record.body[name] for name in said}) == encode(said):
                    return self._clerk.again(game, self._begun(game, record), None, once)
            try:
                return self._clerk.append(game, decide(game), None, once=once)
            except StaleVersion:
                continue  # Somebody was faster; perhaps it was this very request, sent twice.

    def _begun(self, game: Game, record: Record) -> Record:
        """Return the first record of the answer in which this one was made.

        A hand that was in play when its game was closed was aborted and opened by the same request.
        """
        if record.type == "close" and record.n >= 3:
            before = self._clerk.standing(game, record.n - 3)
            if before is not None and before.type == "abort":
                return before
        return record


def _is(record: Record, wish: Mapping[str, object]) -> bool:
    return all(
        {**record.body, "type": record.type}.get(name) == said for name, said in wish.items()
    )
