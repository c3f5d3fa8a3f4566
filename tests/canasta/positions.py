"""Positions written by hand, and acts tried on them.

A holding or a meld is a text of faces with blanks. ``at`` knows the rest from the conventions of
the scenario file; what is tried is the text of an act.
"""

from collections.abc import Mapping
from typing import Any

from fairdeal.canasta import acts, cards, engine, presets
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset, from_json, to_json
from fairdeal.cli.situations import position_of

CLASSIC = presets.build("classic@1")
CANASTA = "9C 9C 9D 9D 9H 9H 9S"
MIXED = "8C 8C 8D 8D 8H 8H 2S"


def rules(**changes: Any) -> Ruleset:
    """``classic@1`` with fields changed."""
    return from_json({**to_json(CLASSIC), **changes})


def at(
    hold: str | Mapping[int, str] = "",
    *,
    a: Mapping[str, str] | None = None,
    b: Mapping[str, str] | None = None,
    pile: str = "",
    stock: str | int = 20,
    phase: str = "draw",
    totals: tuple[int, int] = (0, 0),
    red: Mapping[str, str] | None = None,
    situation: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Position:
    """A hand in the turn of seat 0: its holding, the melds of sides A and B, the pile."""
    holdings = {0: hold} if isinstance(hold, str) else hold
    melds = {"A": a or {}, "B": b or {}}
    return position_of(
        rules(**changes),
        {
            "hands": {str(seat): faces.split() for seat, faces in holdings.items()},
            "melds": {
                side: {rank: faces.split() for rank, faces in by_rank.items()}
                for side, by_rank in melds.items()
            },
            "pile": pile.split(),
            "stock": stock if isinstance(stock, int) else stock.split(),
            "phase": phase,
            "scores": {"A": totals[0], "B": totals[1]},
            "red_threes": {side: faces.split() for side, faces in (red or {}).items()},
            **(situation or {}),
        },
    )


def broken(position: Position, text: str, seat: int | None = None) -> tuple[str, ...]:
    """Every rule that an act breaks; none where it is legal."""
    actor = position.turn if seat is None else seat
    return tuple(dict.fromkeys(faults(position, actor, acts.parse(text))))


def do(position: Position, *texts: str) -> Position:
    """The position after legal acts of whoever is in turn."""
    for text in texts:
        position = engine.apply(position, position.turn, acts.parse(text)).position
    return position


def legal(position: Position) -> list[str]:
    """The texts of all listed acts."""
    return [acts.format_act(act) for act in engine.legal_acts(position)]


def held(position: Position, seat: int = 0) -> str:
    """The holding of a seat as sorted faces."""
    every = enumerate(position.held[seat])
    return " ".join(sorted(cards.FACES[card] for card, number in every for _ in range(number)))


def meld(position: Position, rank: str, side: int = 0) -> int:
    """The size of a meld."""
    return len(position.laid[side][acts.GROUP_RANKS.index(rank)])
