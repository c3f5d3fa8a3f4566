"""Random hands of every preset and of rulesets by chance, held to what the engine promises.

python -m benchmarks.soak --hands 100000

At every position: there is a legal act, every listed act passes `check`, cards and points are
conserved. Every hand ends; its acts' texts, replayed from the deal, give the same position. At one
position in two hundred the closure of the listed acts is counted too (decisions, 10).
"""

import argparse
import sys
import time
from collections import Counter
from multiprocessing import Pool
from random import Random

from benchmarks.closure import Count, look
from benchmarks.hands import cards_of, dealt, points_of
from benchmarks.rulesets import by_chance, preset
from fairdeal.canasta import acts, engine, presets
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import DRAW, PLAY, Position

_CLOSURE_SHARE = 1 / 200
_LARGEST_LISTED = 60
"""Holdings beyond this are played by a draw, a discard or what else is listed first."""
_CHUNK = 50
_CHECKED = 12
"""So many of a position's listed acts, the played one among them, are checked and played on."""


def main() -> int:
    """Run and print; the status is 1 if anything was found."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    began, done, found, totals = time.monotonic(), 0, 0, Counter[str]()
    starts = range(asked.first, asked.first + asked.hands, _CHUNK)
    last = asked.first + asked.hands
    with Pool(asked.processes) as pool:
        chunks = [(start, min(start + _CHUNK, last)) for start in starts]
        for counts, bad in pool.imap_unordered(_chunk, chunks):
            totals += counts
            done += counts["hands"]
            found += len(bad)
            for line in bad:
                print(line)
            if sys.stderr.isatty() or done % 2000 < _CHUNK:
                took = time.monotonic() - began
                print(f"{done}/{asked.hands} hands, {found} bad, {took:.0f} s", file=sys.stderr)
    print(", ".join(f"{name} {number:,}" for name, number in sorted(totals.items())))
    print(f"{totals['hands']} hands, {found} bad, {time.monotonic() - began:.0f} s")
    return 1 if found else 0


def _chunk(bounds: tuple[int, int]) -> tuple[Counter[str], list[str]]:
    counts, bad = Counter[str](), []
    for seed in range(*bounds):
        try:
            counts += hand(seed)
        except AssertionError as error:
            bad.append(f"seed {seed}: {error}")
            counts["hands"] += 1
    return counts, bad


def hand(seed: int) -> Counter[str]:
    """Play one hand; raise AssertionError with what broke (every second ruleset by chance)."""
    chance = Random(seed)
    names = sorted(presets.PRESETS)
    rules = by_chance(chance) if seed % 2 else preset(names[seed // 2 % len(names)])
    position = dealt(rules, chance)
    first = position.copy()
    cards, points = cards_of(position), points_of(position)
    texts: list[tuple[int, str]] = []
    counts = Counter[str]({"hands": 1})
    while not position.end:
        assert len(texts) < 3000, "the hand does not end"
        act = _step(position, chance, counts)
        texts.append((position.turn, acts.format_act(act)))
        engine.play(position, position.turn, act)
        assert cards_of(position) == cards, f"cards after {texts[-1]}"
        assert points_of(position) == points, f"points after {texts[-1]}"
    assert next(engine.legal_acts(position), None) is None, "an act is listed after the end"
    for seat, text in texts:
        act = acts.parse(text)
        engine.check(first, seat, act)
        engine.play(first, seat, act)
    assert _same(first, position), "the replay ends elsewhere"
    counts[position.end] += 1
    counts["acts"] += len(texts)
    return counts


def _step(position: Position, chance: Random, counts: Counter[str]) -> acts.Act:
    """Choose an act among the listed ones, holding a sample of them to `check`."""
    seat = position.turn
    lister = engine.legal_acts(position)
    if position.sizes[seat] > _LARGEST_LISTED:
        listed = [act for act, _ in zip(lister, range(400), strict=False)]
    else:
        listed = list(lister)
    assert listed, f"no legal act for seat {seat} in phase {position.phase}"
    counts["listed"] += len(listed)
    act = chance.choice(listed)
    for one in [act, *chance.sample(listed, min(_CHECKED, len(listed)))]:
        broken = tuple(faults(position, seat, one))
        assert not broken, f"listed and refused: {acts.format_act(one)}: {broken}"
    small = position.phase in (DRAW, PLAY) and position.sizes[seat] <= _LARGEST_LISTED
    if small and chance.random() < _CLOSURE_SHARE:
        count = Count()
        look(position, chance, count)
        assert not count.open, f"outside the closure: {count.open}"
        counts["acts held to the closure"] += count.acts
    return act


def _same(one: Position, other: Position) -> bool:
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("held", "pile", "laid", "red3", "drawn", "turn", "end", "out", "penalties")
    )


if __name__ == "__main__":
    sys.exit(main())
