"""Deal honest games of every kind with the service, and verify each.

    python -m benchmarks.honest --games 2000

Every profile, preset and policy: open and sealed, with and without the beacon, epochs of 0 to 2
hands, missing seals and shares under `void` and `drop`, aborted hands, games that end by
themselves, are closed, left running or forgotten, and dealt-only games of 2 to 1,024 cards. A game
that is over has to be VALID, one that is not INCOMPLETE, both without an error and with exactly
the warnings that are due; and *my record* of one of its players has to agree.
"""

import argparse
import io
import json
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from benchmarks.sittings import Sitting, Table
from verifier.held import Held
from verifier.myrecord import parse_my_record
from verifier.notes import parse_key
from verifier.verify import verify

WORKERS: Final = 2
_GIVEN_UP: Final = ("players left", "reveal_due", "seeds_missing")
_COUNTED: Final = ("W_EPOCH_VOIDED", "W_HAND_ABORTED", "W_SHARE_DROPPED", "W_GAME_GIVEN_UP")


def judged(sitting: Sitting) -> list[str]:
    """Say everything about a game that is not as it should be."""
    open_hash = None
    faults: list[str] = []
    if sitting.record is not None:
        open_hash = sitting.record["open_hash"]
        faults += _held_against(sitting)
    report = verify(io.BytesIO(sitting.transcript), Held(commit=open_hash))
    due = "VALID" if sitting.closed else "INCOMPLETE"
    if report.verdict != due or report.errors:
        codes = [f"{error.code} at {error.at}: {error.detail}" for error in report.errors]
        faults.append(f"{report.verdict}, not {due}: {codes or _not_run(report.checks)}")
    said = Counter(warning.code for warning in report.warnings)
    for code, number in zip(_COUNTED, _due(sitting), strict=True):
        if said[code] != number:
            faults.append(f"{code} {said[code]} times, not {number}")
    return faults


def _due(sitting: Sitting) -> tuple[int, int, int, int]:
    """Return how often each counted warning is due, as far as the public file goes."""
    records = [json.loads(line) for line in sitting.transcript.splitlines()]
    kinds = [record["type"] for record in records]
    given_up = sitting.reason in _GIVEN_UP and sitting.plan.wanted.dealt is None
    dropped = sum(
        kind == "lock" and None in _shares_of_players(sitting, record)
        and any(_shares_of_players(sitting, record))
        for kind, record in zip(kinds, records, strict=True)
    )  # fmt: skip
    return kinds.count("void"), kinds.count("abort"), dropped, int(given_up)


def _shares_of_players(sitting: Sitting, lock: dict) -> list[str | None]:  # type: ignore[type-arg]
    shares = zip(sitting.kinds, lock["body"]["shares"], strict=True)
    return [share for kind, share in shares if kind == "player"]


def _held_against(sitting: Sitting) -> list[str]:
    """Check the file with all that a player kept; it must say the same as without."""
    mine = parse_my_record(json.dumps(sitting.record))
    held = Held(
        commit=mine.open_hash,
        notes=mine.notes,
        receipt_keys=(parse_key(sitting.vkey),),
        own_seed=mine.own_seed,
        hand_cards=mine.hand_cards,
        game=mine.game,
    )
    report = verify(io.BytesIO(sitting.transcript), held)
    # The receipts go further than the public file of a running game: that alone may be said.
    codes = {error.code for error in report.errors} - (
        {"E_TRUNCATED"} if not sitting.closed else set()
    )
    return [f"with my record: {sorted(codes)}"] if codes else []


def _not_run(checks: object) -> str:
    return str([check for check in checks if "not-run" in str(check)])  # type: ignore[attr-defined]


def one(seed: int) -> tuple[int, str, list[str]]:
    """Deal and judge one game: seed, what it was, faults."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        try:
            sitting = Table(Path(folder), seed).run()
            faults = judged(sitting)
        except Exception as error:  # noqa: BLE001  whatever it is, the run goes on and names it
            return seed, "broken", [f"{type(error).__name__}: {error}"]
    wanted = sitting.plan.wanted
    kind = "dealt" if wanted.dealt else wanted.preset
    verdict = "VALID" if sitting.closed else "INCOMPLETE"
    drawn = "beacon" if wanted.beacon else "plain"
    return seed, f"{kind} {wanted.profile} {drawn} {wanted.missing_share} {verdict}", faults


def main() -> int:
    """Run from the command line; 1 where a game is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.honest", description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=WORKERS)
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.games)
    met: Counter[str] = Counter()
    bad, start = 0, time.monotonic()
    with ProcessPoolExecutor(asked.workers) as pool:
        for number, (seed, kind, faults) in enumerate(pool.map(one, seeds, chunksize=4), 1):
            met.update(kind.split())
            bad += bool(faults)
            for fault in faults:
                print(f"game {seed} ({kind}): {fault}", flush=True)
            if number % 100 == 0:
                spent = time.monotonic() - start
                print(f"{number} of {asked.games} games, {bad} bad, {spent:.0f} s", flush=True)
    print(f"{asked.games} games in {time.monotonic() - start:.0f} s, {bad} bad")
    for kind, number in sorted(met.items()):
        print(f"  {kind}: {number}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
