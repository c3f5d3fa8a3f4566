"""Hints are legal, the level's own, and blind: ``python -m benchmarks.hints --positions 10000``.

Positions as in ``benchmarks.honesty``, each with another world that the seat in turn cannot tell
from it. Of each the hint has to be a legal act, the move that the level itself chooses, with a
reason; and the whole answer, as bytes, has to be the same in both worlds. What a hint takes is
told in CPU time.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.honesty import positions, twin
from fairdeal.bots.levels import LEVELS
from fairdeal.bots.reasons import ORDER
from fairdeal.bots.seen import Seen, see
from fairdeal.canasta import engine
from fairdeal.canasta.acts import format_act, parse
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.position import Position
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.wording import LONGEST
from fairdeal.cli.bots.code import code_hash
from fairdeal.cli.bots.finished import kept, spread
from fairdeal.errors import RuleBroken
from fairdeal.service import Hint
from fairdeal.service.hints import HINTER, MOST, SEED, told

PART: Final = 100


def hint_at(position: Position, seat: int, memory: Memory) -> tuple[Hint, Seen]:
    """Return the hint of a seat in turn, and what it is made from."""
    known = knowledge(position, seat)
    seen = see(known, seat, memory)
    return told(known, seen, version=0, hand=1), seen


def faults(position: Position, other: Position, seat: int, memory: Memory) -> Iterator[str]:
    """Name what is wrong with the hint of a position.

    Args:
        position: The position.
        other: A world that the seat cannot tell from it.
        seat: The seat in turn.
        memory: What all could have noticed; the same in both.
    """
    found, seen = hint_at(position, seat, memory)
    own = to_act(position, seat, LEVELS[HINTER].choose(seen, SEED))
    if found.act != format_act(own):
        yield f"{found.act} is not the level's own {format_act(own)}"
    for text in (found.act, *(one.act for one in found.alternatives)):
        try:
            engine.check(position, seat, parse(text))
        except RuleBroken as broken:
            yield f"{text} is refused with {broken.code}"
    sentences = [found.sentence, *(one.sentence for one in found.reasons)]
    sentences += [one.sentence for one in found.alternatives]
    if not found.reasons or not all(0 < len(one) <= LONGEST for one in sentences):
        yield "a sentence is missing or too long"
    codes = [ORDER.index(one.code) for one in found.reasons]
    if codes != sorted(set(codes)) or len(found.alternatives) > MOST:
        yield "reasons are out of order, or alternatives too many"
    blind, _ = hint_at(other, seat, memory)
    if as_bytes(found) != as_bytes(blind):
        yield f"{as_bytes(found)!r} differs in another world"


def as_bytes(found: Hint) -> bytes:
    """Return a hint as it is answered."""
    return json.dumps(asdict(found), sort_keys=True, separators=(",", ":")).encode()


def work(part: tuple[int, int, int]) -> dict[str, Any]:
    """Ask for hints in some positions.

    Args:
        part: The seed, the part's number and how many positions.
    """
    seed, number, count = part
    found = positions(seed, number)
    chance = Random(f"hints worlds {seed} {number}")
    wrong: list[str] = []
    given: Counter[str] = Counter()
    spent = []
    for at in range(count):
        position, seat, memory = next(found)
        began = time.process_time_ns()
        hint, _ = hint_at(position, seat, memory)
        spent.append(time.process_time_ns() - began)
        given.update(one.code for one in hint.reasons)
        other = twin(position, seat, memory, chance)
        wrong += [
            f"part {number}, position {at}: {one}" for one in faults(position, other, seat, memory)
        ]
    return {"positions": count, "faults": wrong, "given": given, "ns": spent}


def main() -> int:
    """Run from the command line; 1 where a hint is wrong."""
    wanted = argparse.ArgumentParser(prog="python -m benchmarks.hints", description=__doc__)
    wanted.add_argument("--positions", type=int, default=10_000)
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--jobs", type=int, default=2)
    wanted.add_argument("--out", type=Path, default=Path("var/bots"))
    given = wanted.parse_args()
    parts = []
    for first in range(0, given.positions, PART):
        count = min(PART, given.positions - first)
        parts.append((f"{first}+{count}", (given.seed, first, count)))
    heading = {"v": "fairdeal-hints-1", "seed": given.seed, "code": code_hash(), "level": HINTER}
    with kept(given.out / f"hints-{given.seed}-{code_hash()}.jsonl", heading) as finished:
        spread(parts, work, finished, jobs=given.jobs)
        found = [finished.known[name] for name, _ in parts]
    wrong = [one for part in found for one in part["faults"]]
    total = sum(part["positions"] for part in found)
    spent = sorted(ns / 1e6 for part in found for ns in part["ns"])
    mean, most = sum(spent) / len(spent), spent[-1]
    middle, high = (spent[int(len(spent) * share)] for share in (0.5, 0.99))
    print(
        f"{total:,} hints of {HINTER}: {len(wrong)} faults; CPU a hint {mean:.2f} ms, "
        f"median {middle:.2f}, 99 % within {high:.2f}, longest {most:.1f}"
    )
    counts: Counter[str] = Counter()
    for part in found:
        counts.update(part["given"])
    for code in ORDER:
        print(f"  {code:<18} {counts[code]:>7,}")
    for one in wrong[:20]:
        print(f"  {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
