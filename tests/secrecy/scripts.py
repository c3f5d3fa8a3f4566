"""A hand as requests: who sends what in order, and the game before each of them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from fairdeal.game import Game, decide_draw, fold
from fairdeal.records.chain import make
from tests.secrecy.asking import Asked
from tests.secrecy.lines import played_out, redealt, redealt_only
from tests.secrecy.plans import Table

DRAWS: Final = 25
"""So many cards are drawn in a dealt-only hand."""

Move = tuple[int | None, Asked]
"""A request and the seat that sends it; None for the operator."""

Redealt = Callable[[list[int], int, int | None, Random], list[int] | None]


@dataclass(frozen=True, slots=True)
class Script:
    """A hand as requests.

    Attributes:
        moves: In order; none of them ends the hand.
        moments: The game before each of them, and after the last; a human is in turn in all.
        onward: What ends the hand; the last of these deals the next one, if there is one.
        redealt: Gives, for an order of the cards, a number of moves and a seat, another order
            with which the seat sees the same up to there, or None.
    """

    moves: tuple[Move, ...]
    moments: tuple[Game, ...]
    onward: tuple[Move, ...]
    redealt: Redealt


def script(table: Table, game: Game, chance: Random) -> Script:
    """Return a hand that was just dealt, played out.

    Args:
        table: The game's.
        game: As it stood when the hand was dealt.
        chance: Draws the line.
    """
    make = _dealt_only if table.plan.dealt_only else _refereed
    return make(table, game, chance)


def first_deal(table: Table, game: Game) -> tuple[Move, ...]:
    """Return what the first deal waits for."""
    seed = table.last_seed()
    if not table.plan.dealt_only:
        return (seed,)
    return (seed, _posted(table, "hands", {"expect": game.version + 2}))


def _refereed(table: Table, game: Game, chance: Random) -> Script:
    seats = frozenset(table.tokens)
    line = played_out(game, chance, seats)
    acts = [
        (before.version, step.seat, step.text)
        for step, before in zip(line.steps, line.moments, strict=False)
    ]
    acts.append((line.moments[-1].version, *line.last))
    # What bots do follows by itself from the act of a human; so does the end, if a bot makes it.
    humans = [at for at, (_, seat, _) in enumerate(acts) if seat in seats]
    sent = [table.act(seat, version, text) for version, seat, text in (acts[at] for at in humans)]

    def again(order: list[int], moves: int, seat: int | None, chance: Random) -> list[int] | None:
        return redealt(line, order, humans[moves], seat, chance, seats)

    moments = tuple(line.moments[at] for at in humans)
    return Script(tuple(sent[:-1]), moments, (sent[-1],), again)


def _dealt_only(table: Table, game: Game, chance: Random) -> Script:
    moves: list[Move] = []
    moments = [game]
    for _ in range(DRAWS):
        seat, before = chance.randrange(game.seats), moments[-1]
        body = {"seat": seat, "expect": before.version}
        moves.append((seat, _posted(table, f"hands/{game.hand}/draws", body)[1]))
        ((type_, said),) = decide_draw(before, game.hand, seat)
        record = make(before.head, game.id, before.head.t, type_, said)
        moments.append(fold(before, record))

    def again(order: list[int], moved: int, seat: int | None, chance: Random) -> list[int] | None:
        return redealt_only(moments[moved], order, seat, chance)

    onward = (
        _posted(table, f"hands/{game.hand}/score", {"result": {"winner": 0}}),
        _posted(table, "hands", {"expect": moments[-1].version + 2}),
    )
    return Script(tuple(moves), tuple(moments), onward, again)


def _posted(table: Table, end: str, body: Any) -> Move:
    return None, Asked("POST", f"{table.path}/{end}", json.dumps(body).encode())
