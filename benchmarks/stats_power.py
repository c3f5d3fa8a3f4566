"""Does `fairdeal stats` see what it should, and stay quiet where nothing is to be seen?

    python -m benchmarks.stats_power --runs 1000

Each run deals canasta from fixed seeds, as the service derives it, with one hand in fifty marked
as aborted. Printed: how many fair runs raised any alarm (wanted: about one in a hundred or less);
how many did with twenty per cent more wild cards for one seat than are due; and how many with
aborted hands chosen for one side's wild cards.
"""

import argparse
import sys
import time
from collections import Counter
from hashlib import sha512
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairdeal.canasta import cards, presets
from fairdeal.cli.stats.deals import Deals, Shape, dealt_places
from fairdeal.cli.stats.judging import look_at_all
from fairdeal.fairness.bulk import tables
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.steps import parse_steps
from fairdeal.game.table import steps

DEALS: Final = 1000
EXCESS: Final = 0.2
SEATS: Final = 4
ABORTED_EVERY: Final = 50
_RULES: Final = presets.build("classic@1")
_DECK: Final = cards.deck(_RULES.decks, _RULES.jokers)
SHAPE: Final = Shape(
    deck=_DECK,
    steps=parse_steps(steps(_RULES), cards=len(_DECK), seats=SEATS),
    seats=SEATS,
    is_canasta=True,
)
_WILD: Final = np.array([face == "JK" or face[0] == "2" for face in _DECK])


def fair(run: int, deals: int = DEALS) -> Deals:
    """Deal the hands of a run as the service would."""
    secrets = [Secret(sha512(b"secret %d %d" % (run, at)).digest()) for at in range(deals)]
    mixes = [sha512(b"mix %d %d" % (run, at)).digest() for at in range(deals)]
    found = np.concatenate(list(tables(secrets, mixes, len(_DECK))), axis=1).T
    return Deals(
        shape=SHAPE,
        orders=np.ascontiguousarray(found),
        first_seats=np.arange(deals) % SEATS,
        aborted=np.arange(deals) % ABORTED_EVERY == run % ABORTED_EVERY,
    )


def favoured(run: int, deals: int = DEALS, seat: int = 2, excess: float = EXCESS) -> Deals:
    """Give one seat more wild cards than are due, on average by `excess`, for other cards."""
    made = fair(run, deals)
    chance = np.random.default_rng([run, 1])
    orders = made.orders.copy()
    for row, first in enumerate(made.first_seats):
        places = np.array(dealt_places(SHAPE, int(first))[seat])
        due = len(places) * float(_WILD.mean())
        if chance.random() < excess * due:
            _give_a_wild_card(orders[row], places, chance)
    return Deals(shape=SHAPE, orders=orders, first_seats=made.first_seats, aborted=made.aborted)


def _give_a_wild_card(
    order: NDArray[np.uint16], places: NDArray[np.intp], chance: np.random.Generator
) -> None:
    is_wild = _WILD[order]
    own = places[~is_wild[places]]
    others = np.setdiff1d(np.flatnonzero(is_wild), places)
    if len(own) and len(others):
        mine, theirs = chance.choice(own), chance.choice(others)
        order[mine], order[theirs] = order[theirs], order[mine]


def chosen_aborts(run: int, deals: int = DEALS) -> Deals:
    """Abort the hands in which seats 1 and 3 hold most wild cards."""
    made = fair(run, deals)
    held = np.zeros(deals)
    for row, first in enumerate(made.first_seats):
        dealt = dealt_places(SHAPE, int(first))
        held[row] = _WILD[made.orders[row, [*dealt[1], *dealt[3]]]].sum()
    aborted = np.zeros(deals, np.bool_)
    aborted[np.argsort(-held, kind="stable")[: deals // ABORTED_EVERY]] = True
    return Deals(shape=SHAPE, orders=made.orders, first_seats=made.first_seats, aborted=aborted)


def alarms(deals: Deals) -> list[str]:
    """Return the names of the looks that raise an alarm."""
    return [one.look.name for one in look_at_all([deals]) if one.is_alarm]


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stats_power", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="fair runs")
    parser.add_argument("--planted", type=int, default=100, help="runs of each planted kind")
    asked = parser.parse_args()
    start = time.process_time()
    by_look: Counter[str] = Counter()
    false = 0
    for run in range(asked.runs):
        raised = alarms(fair(run))
        false += bool(raised)
        by_look.update(raised)
    print(
        f"fair: {false} of {asked.runs} runs of {DEALS} deals raised an alarm "
        f"({false / asked.runs:.1%}; wanted: at most about 1 %) {dict(by_look)}"
    )
    seen = sum("wild cards of seat 2" in alarms(favoured(run)) for run in range(asked.planted))
    print(f"20 % more wild cards for seat 2: found in {seen} of {asked.planted} runs")
    seen = sum(
        "aborted against finished hands" in alarms(chosen_aborts(run))
        for run in range(asked.planted)
    )
    print(f"aborted hands chosen by wild cards: found in {seen} of {asked.planted} runs")
    print(f"{time.process_time() - start:.0f} CPU-s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
