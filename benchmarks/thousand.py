"""Play many whole games between bots and verify every transcript.

    python -m benchmarks.thousand --games 1000

Each game has its own seed; one in ten commits to few hands and closes as ``hands_used_up``, one in
ten seats a player who acts by chance. Held at every act: 108 cards, 1,580 points, the act passes
``check``. Held at the end: the game is complete or used its hands up, and the verifier, which
shares no code with the engine, calls the transcript VALID for the commitment noted at the start.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.games import Played, game_id, play
from verifier.held import Held
from verifier.verify import verify

WORKERS: Final = 2
_FEW_HANDS: Final = 2
_REASONS: Final = ("complete", "hands_used_up")


def played(seed: int) -> Played:
    """Play the game of a seed; every tenth one is short, every tenth one has a random player."""
    return play(seed, hands=_FEW_HANDS if seed % 10 == 3 else None, mixed=seed % 10 == 7)


def judged(played_game: Played, path: Path) -> list[str]:
    """Write a transcript, verify the file, and say everything that is not as it should be."""
    path.write_bytes(played_game.transcript)
    with path.open("rb") as file:
        report = verify(file, Held(commit=played_game.open_hash))
    told = [f"{error.code} at record {error.at}" for error in report.errors]
    if (report.verdict, report.level) != ("VALID", "pinned"):
        told.append(f"{report.verdict}, {report.level}")
    if played_game.reason not in _REASONS:
        told.append(f"closed as {played_game.reason}")
    return told


def one(folder: str, seed: int) -> tuple[int, str, int, int, float, list[str]]:
    """Play and judge one game: seed, reason, hands, acts, CPU seconds of verifying, faults."""
    try:
        found = played(seed)
    except Exception as error:  # noqa: BLE001  whatever it is, the run goes on and names it
        return seed, "", 0, 0, 0.0, [f"{type(error).__name__}: {error}"]
    path = Path(folder) / f"{game_id(seed)}.jsonl"
    start = time.process_time()
    faults = judged(found, path)
    used = time.process_time() - start
    if not faults:
        path.unlink()
    return seed, found.reason, found.hands, found.acts, used, faults


def main() -> int:
    """Run from the command line; 1 where a game is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thousand", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    asked = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="fairdeal-thousand-")
    seeds = range(asked.first, asked.first + asked.games)
    reasons: Counter[str] = Counter()
    hands = acts = bad = 0
    verifying, start = 0.0, time.monotonic()
    with ProcessPoolExecutor(WORKERS) as pool:
        results = pool.map(partial(one, folder), seeds, chunksize=4)
        for number, (seed, reason, dealt, made, used, faults) in enumerate(results, 1):
            reasons[reason or "none"] += 1
            hands, acts, verifying = hands + dealt, acts + made, verifying + used
            if faults:
                bad += 1
                print(f"seed {seed}: {'; '.join(faults)}", flush=True)
            if number % 50 == 0 or number == asked.games:
                print(
                    f"{number}/{asked.games} games, {hands} hands, {acts} acts, {bad} bad, "
                    f"{time.monotonic() - start:.0f} s",
                    flush=True,
                )
    print(
        f"closed as {dict(reasons)}; verifying took {1000 * verifying / asked.games:.0f} CPU-ms "
        f"a game; transcripts of bad games are in {folder}"
    )
    if not bad:
        Path(folder).rmdir()
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
