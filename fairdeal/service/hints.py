"""Hints: what a good bot would do in a seat's place, with its reasons (decision 0012).

A hint is made from what its seat sees and nothing else, and is the same whenever it is asked for
at the same version. It is kept that it was asked for before it is given: so the score of the hand
counts each, in whatever process the hand ends (`ports.Write.asked_before`).
"""

from typing import Final

from fairdeal.bots.levels import LEVELS
from fairdeal.bots.reasons import reasons
from fairdeal.bots.seen import Seen
from fairdeal.canasta.acts import format_act
from fairdeal.canasta.describe import describe
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.position import Position
from fairdeal.errors import StaleVersion, Unprocessable
from fairdeal.game import Game, check_in_turn, seat_knowledge
from fairdeal.service.answers import Alternative, Hint
from fairdeal.service.botplay import seen_by
from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk
from fairdeal.store.askport import Asked

HINTER: Final = "sharp@1"
"""The level whose move a hint is."""

SEED: Final = 0
"""Its seed: no chance is in a hint."""

MOST: Final = 5
"""At most so many alternatives are told."""


class Hints:
    """Gives hints to seats in turn.

    Args:
        clerk: Keeps the books.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def give(self, caller: Caller, game_id: str) -> Hint:
        """Give the caller's seat a hint; at one version it counts once.

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat of this game.
            NotFound: `no_such_game`.
            Unprocessable: `hints_off`: the ruleset has none.
            Conflict: `game_over`, `no_hand`.
            RuleBroken: `not_your_turn`.
            StaleVersion: The game has moved on meanwhile; nothing was counted.
            StorageFailure: It could not be kept, or nobody knows whether it was.
        """
        seat = self._clerk.callers.check_seated(caller, game_id)
        game = self._clerk.game(game_id)
        if game.ruleset is not None and game.ruleset.hints == "off":
            raise Unprocessable("hints_off", "The rules of this game have no hints.")
        check_in_turn(game, seat)
        found = hint(game, seat)
        asked = Asked(game=game_id, kind="hint", hand=game.hand, seat=seat, n=game.version)
        try:
            self._clerk.store.ask(asked, newest=True)
        except StaleVersion:
            raise self._clerk.stale(self._clerk.game(game_id), game.version, seat) from None
        return found


def hint(game: Game, seat: int) -> Hint:
    """Return what HINTER would do on a seat in turn, and why.

    Raises:
        LookupError: No hand is in play.
    """
    known, seen = seat_knowledge(game, seat), seen_by(game, seat)
    return told(known, seen, version=game.version, hand=game.hand)


def told(known: Position, seen: Seen, *, version: int, hand: int) -> Hint:
    """Return a hint in words.

    Args:
        known: What the seat in turn knows, with the faces.
        seen: The same as a bot sees it.
        version: The game's newest record.
        hand: The hand in play.
    """
    seat = seen.seat
    best, *others = LEVELS[HINTER].weigh(seen, SEED)
    act = to_act(known, seat, best.move)
    rest = [(to_act(known, seat, one.move), one.value) for one in others[:MOST]]
    return Hint(
        version=version,
        hand=hand,
        level=HINTER,
        act=format_act(act),
        sentence=describe(known, act),
        value=best.value,
        reasons=reasons(seen, best.move),
        alternatives=tuple(
            Alternative(act=format_act(one), sentence=describe(known, one), value=value)
            for one, value in rest
        ),
    )
