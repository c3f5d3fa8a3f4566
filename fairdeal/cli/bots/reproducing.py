"""Measures again what is published and holds one against the other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairdeal.cli.bots.ladder import Match
from fairdeal.cli.bots.measuring import measured


@dataclass(frozen=True, slots=True)
class Again:
    """A pair that was measured again.

    Attributes:
        run, first, second: What it is.
        deals: How many were played again.
        is_equal: Whether every sum came out as published.
        parts: The first part that did not, counted from 1; 0 where all did, or where only sums of
            other things than points differ.
    """

    run: str
    first: str
    second: str
    deals: int
    is_equal: bool
    part: int

    @property
    def sentence(self) -> str:
        """It in words."""
        which = f"{self.run}: {self.first} and {self.second}, {self.deals:,} deals"
        if self.is_equal:
            return f"{which}: as published, to the point"
        where = f" from part {self.part} on" if self.part else " (not the points, another count)"
        return f"{which}: NOT as published{where}"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "run": self.run,
            "first": self.first,
            "second": self.second,
            "deals": self.deals,
            "equal": self.is_equal,
            "part": self.part,
        }


def reproduced(
    run: Mapping[str, Any], *, deals: int | None, out: Path, jobs: int | None, is_silent: bool
) -> Iterator[Again]:
    """Play a published run again, pair by pair.

    Args:
        run: As play.json has it.
        deals: At most so many of each pair, made whole parts; None for all.
        out: The folder below which what is done is kept.
        jobs: Processes; None for one a core.
        is_silent: Whether nothing is told on the way.
    """
    for pair in run["pairs"]:
        wanted = pair["deals"] if deals is None else -(-deals // pair["part"]) * pair["part"]
        match = Match(pair["first"], pair["second"], min(wanted, pair["deals"]))
        said = measured(
            run["name"],
            (match,),
            preset=run["preset"],
            seed=run["seed"],
            out=out / run["name"],
            jobs=jobs,
            is_silent=is_silent,
        )
        (found,) = said["pairs"]
        part = _first_other(found["totals"], pair["totals"])
        is_whole = match.deals == pair["deals"]
        is_equal = not part and (not is_whole or _timeless(found) == _timeless(pair))
        yield Again(run["name"], match.first, match.second, match.deals, is_equal, part)


def _first_other(found: list[int], published: list[int]) -> int:
    for at, (mine, theirs) in enumerate(zip(found, published, strict=False), 1):
        if mine != theirs:
            return at
    return 0


def _timeless(pair: Mapping[str, Any]) -> dict[str, Any]:
    sums = pair["sums"]
    bots = {bot: {**did, "cpu_us": 0} for bot, did in sums["bots"].items()}
    return {**sums, "bots": bots}
