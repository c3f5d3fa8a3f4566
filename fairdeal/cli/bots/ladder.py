"""The ladder: which pairs of bots play how many deals, in which parts, and what came of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from fairdeal.bots.levels import LEVELS, weight_of
from fairdeal.canasta import presets
from fairdeal.cli.bots import code
from fairdeal.cli.bots.duel import duel, scale_of
from fairdeal.cli.bots.finished import Finished, kept, spread
from fairdeal.cli.bots.tally import Sums, added, from_json, tallied

YARDSTICK: Final = "random@1"
CHUNKS: Final = "chunks.jsonl"
_PART: Final = 10
_SLOW_PART: Final = 2
_CHUNKS_FORMAT: Final = "fairdeal-ladder-1"
_FLOORS: Final = {
    ("steady", "random"): 50,
    ("sharp", "random"): 50,
    ("expert", "random"): 50,
    ("sharp", "steady"): 50,
    ("expert", "sharp"): 0,
}


class CodeChangedError(Exception):
    """The code changed while it played: its parts do not belong together."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two bots, the better one first, or one against itself, and how many deals they play."""

    first: str
    second: str
    deals: int

    @property
    def part(self) -> int:
        """How many deals are played and kept at once."""
        return _SLOW_PART if max(weight_of(self.first), weight_of(self.second)) > 1 else _PART

    @property
    def floor(self) -> int | None:
        """What the interval of a new version must not lie below, points a hand."""
        return _FLOORS.get((family(self.first), family(self.second)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some deals of a match, as a process is handed them."""

    preset: str
    seed: str
    first: str
    second: str
    number: int
    deals: int

    @property
    def name(self) -> str:
        """What it is kept under."""
        return f"{self.first} {self.second} {self.number}+{self.deals}"


def family(bot: str) -> str:
    """Return a bot's name without version and budget."""
    return bot.partition("@")[0]


def offered() -> tuple[str, ...]:
    """Return the bots that a new game may seat, weakest first."""
    return tuple(level.name for level in LEVELS.values() if level.offered)


def matches(
    levels: Sequence[str], deals: int, *, aside: int | None = None, itself: int = 0
) -> tuple[Match, ...]:
    """Return the matches of a ladder: each level and the next, each and the yardstick, each alone.

    Args:
        levels: Weakest first; with ``random@1`` among them all others play it too.
        deals: Of each pair.
        aside: Of a level that searches beside the pair with its neighbour, where that is less:
            it takes its time.
        itself: Of each level against itself.
    """

    def limited(level: str, wanted: int) -> int:
        is_slow = aside is not None and weight_of(level) > 1
        return min(wanted, aside or 0) if is_slow else wanted

    found = [Match(better, worse, deals) for worse, better in pairwise(levels)]
    known = {(match.first, match.second) for match in found} | {(YARDSTICK, YARDSTICK)}
    found += [
        Match(level, YARDSTICK, limited(level, deals))
        for level in levels
        if YARDSTICK in levels and (level, YARDSTICK) not in known
    ]
    found += [Match(level, level, limited(level, itself)) for level in levels]
    return tuple(match for match in found if match.deals)


def parts(match: Match, *, preset: str, seed: str) -> list[Part]:
    """Return the parts of a match; the first ones are the same for any number of deals."""
    return [
        Part(
            preset=preset, seed=seed, first=match.first, second=match.second, number=number,
            deals=min(match.part, match.deals + 1 - number),
        )
        for number in range(1, match.deals + 1, match.part)
    ]  # fmt: skip


def work(part: Part) -> dict[str, Any]:
    """Play a part: its sums, and which code played."""
    rules = presets.build(part.preset)
    numbers = range(part.number, part.number + part.deals)
    pairs = duel(rules, part.first, part.second, part.seed, numbers)
    sums = tallied(rules, part.first, part.second, pairs)
    return {"code": code.code_hash(), "sums": sums.to_json()}


def run(
    found: Sequence[Match],
    *,
    preset: str,
    seed: str,
    out: Path | None,
    jobs: int,
    tell: Callable[[int], object] = lambda _: None,
) -> dict[tuple[str, str], list[Sums]]:
    """Play matches; what is kept of an earlier run is not played again.

    Args:
        found: The matches.
        preset: The rules (raises `Unprocessable`: ``no_such_preset``, ``rules_incomplete``).
        seed: The text that the deals come from.
        out: The folder of what is done; None keeps nothing.
        jobs: Processes.
        tell: Called with the number of deals that are newly done.

    Returns:
        By bots the sums of each part, in order.

    Raises:
        OSError: The folder cannot be used, or it is of another seed or preset.
        CodeChangedError: A part was played by other code than this process has.
    """
    presets.build(preset)
    mine = code.code_hash()
    heading = {"v": _CHUNKS_FORMAT, "seed": seed, "preset": preset}
    place = None if out is None else out / CHUNKS
    with kept(place, heading) as finished:
        forget_others(finished)
        sums: dict[tuple[str, str], list[Sums]] = {}
        for match in found:
            named = [(part.name, part) for part in parts(match, preset=preset, seed=seed)]
            spread(named, work, finished, jobs=jobs, tell=_deals(tell, match.part))
            done = [finished.known[name] for name, _ in named]
            if any(one["code"] != mine for one in done):
                raise CodeChangedError(f"{match.first} and {match.second}")
            sums[match.first, match.second] = [from_json(one["sums"]) for one in done]
        return sums


def _deals(tell: Callable[[int], object], size: int) -> Callable[[int], object]:
    return lambda number: tell(number * size)


def forget_others(finished: Finished) -> int:
    """Leave out parts that other code played, and return how many there were."""
    mine = code.code_hash()
    other = [part for part, found in finished.known.items() if found["code"] != mine]
    for part in other:
        del finished.known[part]
    return len(other)


def result(
    name: str,
    found: Sequence[Match],
    sums: Mapping[tuple[str, str], Sequence[Sums]],
    *,
    preset: str,
    seed: str,
) -> dict[str, Any]:
    """Return a run as play.json has it: whole numbers and words alone."""
    scale = scale_of(presets.build(preset))
    return {
        "name": name,
        "seed": seed,
        "preset": preset,
        "commit": code.commit(),
        "code": code.code_hash(),
        "pairs": [
            {
                "first": match.first,
                "second": match.second,
                "deals": match.deals,
                "floor": match.floor,
                "scale": scale,
                "part": match.part,
                "totals": [part.total for part in sums[match.first, match.second]],
                "sums": added(sums[match.first, match.second]).to_json(),
            }
            for match in found
        ],
    }
