"""Timing side by side: A B C, C B A, ...; CPU time of this process, medians, minima beside them.

Absolute times drift with the machine; ratios inside one interleaved run are what is judged.
"""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

ROUNDS: Final = 11
_GOAL: Final = re.compile(r"at (least|most) ([0-9][0-9.,]*)")


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds a unit of one case: median and least CPU time, median wall time."""

    cpu: float
    least: float
    wall: float

    @property
    def rate(self) -> float:
        """Units a CPU-second."""
        return 1 / self.cpu


def side_by_side(cases: Mapping[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, Timed]:
    """Run cases in turn, forth and back.

    Args:
        cases: Each does some work and gives the number of units that it did.
        rounds: How often each runs; one more run before it warms up.
    """
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    order = list(cases)
    for name in order:
        cases[name]()
    for number in range(rounds):
        for name in order if number % 2 == 0 else reversed(order):
            wall, cpu = time.perf_counter(), time.process_time()
            units = cases[name]()
            used = time.process_time() - cpu
            spent[name].append((used / units, (time.perf_counter() - wall) / units))
    return {
        name: Timed(
            cpu=median(cpu for cpu, _ in found),
            least=min(cpu for cpu, _ in found),
            wall=median(wall for _, wall in found),
        )
        for name, found in spent.items()
    }


def show(title: str, timed: Mapping[str, Timed], unit: str) -> None:
    """Print a table: rate a CPU-second, microseconds of CPU (median, least) and of wall time."""
    print(f"\n{title}")
    for name, one in timed.items():
        print(
            f"  {name:<44} {one.rate:>12,.0f} {unit}/CPU-s   "
            f"{one.cpu * 1e6:>9,.1f} us (least {one.least * 1e6:,.1f}, wall {one.wall * 1e6:,.1f})"
        )


def ratio(label: str, slow: Timed, fast: Timed, goal: str) -> None:
    """Print how many times as long one case takes as another, beside what is wanted."""
    times = slow.cpu / fast.cpu
    print(f"  {label:<44} {times:>12.1f} times   {against(times, goal)}")


def against(found: float, goal: str, unit: str = "") -> str:
    """Say what is wanted, and whether a figure as it was measured is that.

    Args:
        found: The figure.
        goal: ``at least`` or ``at most`` with a number first; anything else is judged by nobody.
        unit: Of both.
    """
    said = _GOAL.match(goal)
    if said is None:
        return f"(goal: {goal}{unit})"
    wanted = float(said[2].replace(",", ""))
    is_met = found >= wanted if said[1] == "least" else found <= wanted
    return f"(goal: {goal}{unit}; {'met' if is_met else 'MISSED'})"
