"""Ten thousand random structural changes of honest games: ``python -m benchmarks.mutations [N]``.

Lines are dropped, repeated, swapped, moved, cut, or spliced in from another game; half of the
results are then numbered and linked anew, as whoever made the file could. What the player holds
is the receipt of the honest game's last record. None may come out VALID, none may crash, and none
may take a second. The seed is fixed; every run sees the same files.
"""

import io
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from verifier.held import Held
from verifier.notes import parse_key
from verifier.selftest.run import plant
from verifier.strictjson import write_canonical
from verifier.verify import verify

VECTORS: Final = Path(__file__).resolve().parent.parent / "tests" / "vectors"
COUNT: Final = 10_000
SEED: Final = 20_260_101
# Whole games with the receipt of their last record: open, sealed, a beacon, two epochs, refereed.
PUBLISHED: Final = ("solo-0001", "table-0042", "beacon-0007", "reject-0023")
REFEREED: Final = ("V09a", "V05a")


@dataclass(frozen=True, slots=True)
class Honest:
    """A game and what its player holds."""

    name: str
    lines: tuple[str, ...]
    held: Held


@dataclass(slots=True)
class Tally:
    """What a run saw: verdicts, first errors, the longest check in seconds, what passed."""

    verdicts: Counter[str]
    errors: Counter[str]
    longest: float
    passed: list[str]


def honest_games() -> list[Honest]:
    """Return the games that are changed."""
    published = json.loads((VECTORS / "pfd1-vectors.json").read_bytes())
    key = published["signed_note"]["vkey"]
    games = [
        honest(name, published["transcripts"][name]["lines"], key, head)
        for name in PUBLISHED
        for head in [published["transcripts"][name]["head_receipt"]]
    ]
    for name in REFEREED:
        folder = VECTORS / "ours" / name
        evidence = json.loads((folder / "evidence.json").read_bytes())
        lines = (folder / "game.jsonl").read_text("utf-8").split("\n")[:-1]
        games.append(honest(name, lines, evidence["log_vkey"], evidence["receipts"][-1]))
    return games


def honest(name: str, lines: Sequence[str], key: str, note: str) -> Honest:
    """Return one game."""
    return Honest(name, tuple(lines), Held(notes=(note,), receipt_keys=(parse_key(key),)))


def changes(count: int, seed: int = SEED) -> Iterator[tuple[str, Honest, list[str]]]:
    """Yield (what was done, to which game, the lines that came out), never an unchanged game."""
    random = Random(seed)
    games = honest_games()
    whole = {game.lines for game in games}
    made = 0
    while made < count:
        game = random.choice(games)
        name, change = random.choice(_CHANGES)
        lines = change(list(game.lines), random, list(random.choice(games).lines))
        if random.random() < 0.5 and lines:
            name, lines = f"{name}, linked anew", linked_anew(lines)
        if tuple(lines) not in whole:  # one of the other games is no change, but another game
            made += 1
            yield name, game, lines


def linked_anew(lines: Sequence[str]) -> list[str]:
    """Return the lines as records of the first one's game: numbered, linked, in order of time."""
    name = json.loads(lines[0])["game"]
    renamed, time_before = [], 0
    for n, line in enumerate(lines):
        record = json.loads(line)
        time_before = max(time_before, record["t"])
        record |= {"n": n, "game": name, "t": time_before}
        renamed.append(write_canonical(record).decode())
    return plant(renamed, {"at": -1})


def run(count: int = COUNT, seed: int = SEED) -> Tally:
    """Check so many changed games."""
    tally = Tally(Counter(), Counter(), 0.0, [])
    for name, game, lines in changes(count, seed):
        data = "".join(f"{line}\n" for line in lines).encode()
        begun = time.perf_counter()
        report = verify(io.BytesIO(data), game.held)
        tally.longest = max(tally.longest, time.perf_counter() - begun)
        tally.verdicts[report.verdict] += 1
        tally.errors[report.errors[0].code if report.errors else "none"] += 1
        if report.verdict == "VALID":
            tally.passed.append(f"{game.name}: {name}")
    return tally


Change = Callable[[list[str], Random, list[str]], list[str]]


def _drop(lines: list[str], random: Random, _other: list[str]) -> list[str]:
    start = random.randrange(len(lines))
    del lines[start : start + random.choice((1, 1, 1, 2, 5))]
    return lines


def _repeat(lines: list[str], random: Random, _other: list[str]) -> list[str]:
    at = random.randrange(len(lines))
    lines.insert(random.choice((at, random.randrange(len(lines)))), lines[at])
    return lines


def _swap(lines: list[str], random: Random, _other: list[str]) -> list[str]:
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return lines


def _move(lines: list[str], random: Random, _other: list[str]) -> list[str]:
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randrange(len(lines) + 1), line)
    return lines


def _cut(lines: list[str], random: Random, _other: list[str]) -> list[str]:
    return lines[: random.randrange(len(lines))]


def _behead(lines: list[str], random: Random, _other: list[str]) -> list[str]:
    return lines[random.randrange(len(lines)) :]


def _splice(lines: list[str], random: Random, other: list[str]) -> list[str]:
    return lines[: random.randrange(len(lines))] + other[random.randrange(len(other)) :]


def _replace(lines: list[str], random: Random, other: list[str]) -> list[str]:
    lines[random.randrange(len(lines))] = random.choice(other)
    return lines


_CHANGES: Final[tuple[tuple[str, Change], ...]] = (
    ("drop", _drop),
    ("repeat", _repeat),
    ("swap", _swap),
    ("move", _move),
    ("cut", _cut),
    ("behead", _behead),
    ("splice", _splice),
    ("replace", _replace),
)


def main(arguments: Sequence[str]) -> int:
    """Run and print the tally; return 1 if anything passed."""
    count = int(arguments[0]) if arguments else COUNT
    begun = time.perf_counter()
    tally = run(count)
    print(f"{count} changed games in {time.perf_counter() - begun:.0f} s")
    print("verdicts: " + ", ".join(f"{name} {n}" for name, n in tally.verdicts.most_common()))
    print("first errors: " + ", ".join(f"{name} {n}" for name, n in tally.errors.most_common()))
    print(f"longest check: {tally.longest:.3f} s")
    for name in tally.passed:
        print(f"VALID: {name}")
    return int(bool(tally.passed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
