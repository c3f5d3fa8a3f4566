"""Verified deals as arrays, those of one deck and one way of dealing together."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairdeal.cli.audit.judging import Judged
from fairdeal.cli.audit.opened import OpenedGame, OpenedHand, read_opened
from fairdeal.cli.audit.plain import NotPlain
from fairdeal.fairness.bulk import tables
from fairdeal.fairness.deal import deal
from fairdeal.fairness.steps import DealOut, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What deals must have in common to be counted together."""

    deck: tuple[str, ...]
    steps: tuple[Step, ...]
    seats: int
    is_canasta: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """Deals of one shape.

    Attributes:
        orders: A row a deal: the positions in the deck, the top card first.
        first_seats: Of each deal.
        aborted: Of each deal, whether its hand was given up.
    """

    shape: Shape
    orders: NDArray[np.uint16]
    first_seats: NDArray[np.intp]
    aborted: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self.orders)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """All deals that were taken, by shape, and what was not.

    Attributes:
        games: How many games they are of.
        left_out: By reason, how many files were not taken.
    """

    deals: tuple[Deals, ...]
    games: int
    left_out: dict[str, int]


def gather(folder: Path, files: Iterable[Judged]) -> Gathered:
    """Take the deals of all finished games that were verified or re-derived.

    Args:
        folder: Where their paths begin.
        files: What an audit found.
    """
    hands: dict[Shape, list[OpenedHand]] = defaultdict(list)
    left_out: dict[str, int] = defaultdict(int)
    seen: set[str] = set()
    for one in files:
        if one.verdict != "VALID" and one.how != "re-derived":
            left_out[one.verdict or one.how] += 1
            continue
        try:
            game = read_opened((folder / one.path).read_bytes())
        except (NotPlain, OSError):
            left_out["not read"] += 1
            continue
        if game.open_hash in seen:
            left_out["the same game again"] += 1
            continue
        seen.add(game.open_hash)
        hands[_shape(game)] += game.hands
    return Gathered(
        deals=tuple(_deals(shape, found) for shape, found in hands.items() if found),
        games=len(seen),
        left_out=dict(left_out),
    )


def gather_opened(games: Iterable[OpenedGame]) -> Gathered:
    """Take the deals of finished games that were verified or re-derived, each once."""
    hands: dict[Shape, list[OpenedHand]] = defaultdict(list)
    counted = 0
    for game in games:
        counted += 1
        hands[_shape(game)] += game.hands
    return Gathered(
        deals=tuple(_deals(shape, found) for shape, found in hands.items() if found),
        games=counted,
        left_out={},
    )


def _shape(game: OpenedGame) -> Shape:
    return Shape(deck=game.deck, steps=game.steps, seats=game.seats, is_canasta=game.is_canasta)


def _deals(shape: Shape, hands: list[OpenedHand]) -> Deals:
    made = tables([one.secret for one in hands], [one.mix for one in hands], len(shape.deck))
    return Deals(
        shape=shape,
        orders=np.ascontiguousarray(np.concatenate(list(made), axis=1).T),
        first_seats=np.array([one.first_seat for one in hands], np.intp),
        aborted=np.array([one.is_aborted for one in hands], np.bool_),
    )


@lru_cache(maxsize=64)
def dealt_places(shape: Shape, first_seat: int) -> tuple[tuple[int, ...], ...]:
    """Return for each seat the places in the order whose cards it is dealt, before any exchange.

    Args:
        shape: Whose leading ``deal`` steps count.
        first_seat: Of the deal.
    """
    leading = list[Step]()
    for step in shape.steps:
        if not isinstance(step, DealOut):
            break
        leading.append(step)
    size = len(shape.deck)
    return deal(range(size), shape.deck, leading, shape.seats, first_seat).hands
