"""The luck of the seats of one game, against all hands that could have been dealt."""

import math
from collections.abc import Iterator

import numpy as np

from fairdeal.cli.report.chosen import Chosen
from fairdeal.cli.report.tallies import MEASURES, SeatSum, worths
from fairdeal.cli.stats.looks import drawn_law
from fairdeal.cli.stats.tails import normal_two_sided


def luck_of(chosen: Chosen) -> Iterator[SeatSum]:
    """Yield each measure of each seat over the game's hands, as they were first played."""
    if not chosen.state.judges_rules:
        return
    deck = tuple(chosen.state.terms.deck)
    worth = worths(deck)
    tables = [hand.table for hand in chosen.state.hands if hand.table and not hand.is_wrong]
    for measure in (MEASURES[0], MEASURES[2]):
        each = worth[MEASURES.index(measure)]
        # Red threes are replaced, so what is counted are the hands that are played: the others.
        kept = np.array([face not in {"3D", "3H"} for face in deck])
        for seat in range(chosen.state.seats):
            held = [each[table.hands[seat]].sum() for table in tables]
            laws = [drawn_law(each[kept], len(table.hands[seat])) for table in tables]
            spread = math.sqrt(sum(variance for _, variance in laws)) or 1.0
            due = sum(mean for mean, _ in laws)
            z = (float(sum(held)) - due) / spread
            yield SeatSum(measure, seat, float(sum(held)) / len(tables), due / len(tables), z)


def so_odd(one: SeatSum) -> str:
    """Say how many players in a hundred would look so lucky or unlucky, or more so."""
    return f"{100 * normal_two_sided(one.z):.0f} in a hundred"
