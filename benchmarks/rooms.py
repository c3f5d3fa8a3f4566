"""Hours at many tables, in minutes: people come, go, drop, come back, and nobody is ever stuck.

python -m benchmarks.rooms --rooms 100 --hours 6 --seed 2026

The service is its own, on SQLite in a temporary folder; only its time is made. Every minute of it
all tables are looked at:

- *Nobody is stuck.* Whatever is due (an act in place of a player, the next hand, a bot's act, the
  seed of whoever is here) is done within three seconds, at every table at which somebody is here.
- *No ghost.* No token opens a seat of which the room says that it is open, invited or a bot's; a
  seat that is held has one token.
- *No seat is lost.* Whoever was given a seat and neither left it nor lost it to the operator or
  host is let through, and in turn may act: an act of theirs is never refused.
- *What all have left* stands still, and closes by itself at half of the time to its last date.

At the end all go home, and days pass until every game has closed. Status 1 if anything was wrong.
"""

import argparse
import io
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.roomcheck import MINUTE_MS, Watch
from benchmarks.roomdeeds import Deeds
from benchmarks.roompeople import People
from benchmarks.roomworld import World
from fairdeal.records.chain import reread
from verifier.held import Held
from verifier.verify import verify

HOUR_MS: Final = 60 * MINUTE_MS
DAYS: Final = 8
VERIFIED: Final = 25
"""So many of the games that were played to their end are put through the verifier."""

SHOWN: Final = 20


@dataclass(frozen=True)
class Found:
    """What came of some hours.

    Attributes:
        wrong: A sentence for each thing that was wrong.
        done: How often what was done.
        latest_ms: How late anything due was found undone at most.
        closed: Games by the reason with which they closed.
        acts: By whom they were made.
    """

    wrong: tuple[str, ...]
    done: Counter[str]
    latest_ms: int
    closed: Counter[str]
    acts: Counter[str]


def run(folder: Path, rooms: int, hours: float, seed: int, restart_h: float = 1.0) -> Found:
    """Let hours pass at some tables; say what came of it.

    Args:
        folder: For the database.
        rooms: How many tables; one that is closed is followed by another.
        hours: Of made time.
        seed: Of all chance.
        restart_h: So often the process is ended and begun anew.
    """
    world = World(folder, seed)
    people = People(world)
    deeds, watch, begun = Deeds(people), Watch(people), world.now
    for _ in range(rooms):
        world.after(world.chance.uniform(0, 600), deeds.open)
    end, restart_at = begun + int(hours * HOUR_MS), begun + int(restart_h * HOUR_MS)
    while world.now < end:
        world.run_until(min(world.now + MINUTE_MS, end))
        watch.look()
        if sys.stderr.isatty() and not (world.now - begun) % (10 * MINUTE_MS):
            print(f"{(world.now - begun) // MINUTE_MS} minutes", file=sys.stderr)
        if world.now >= restart_at:
            restart_at += int(restart_h * HOUR_MS)
            world.restart()
            people.done["restart"] += 1
    people.go_home()
    while world.now < end + DAYS * 24 * HOUR_MS and world.store.unfinished():
        world.run_until(world.now + (MINUTE_MS if world.now < end + HOUR_MS else HOUR_MS))
        watch.look()
        for game_id in world.store.unfinished():
            if watch.is_closing_due(world.game(game_id), slack_ms=2 * MINUTE_MS):
                watch.note(people.table_of(game_id), f"game {game_id} does not close")
    for game_id in world.store.unfinished():
        watch.note(people.table_of(game_id), f"game {game_id} never closed")
    closed, acts, wrong = _games(world, people)
    world.close()
    found = (*watch.wrong, *people.odd, *wrong)
    return Found(found, people.done, watch.latest_ms, closed, acts)


def _games(world: World, people: People) -> tuple[Counter[str], Counter[str], list[str]]:
    """Count games and acts, and verify some of the games that were played to their end."""
    closed, acts, wrong, verified = Counter[str](), Counter[str](), list[str](), 0
    for table in people.tables:
        for listing in world.store.listings(room=table.id, limit=1000):
            lines = world.store.lines(listing.game)
            records = [reread(line) for line in lines]
            reasons = [record.body["reason"] for record in records if record.type == "close"]
            closed[reasons[0] if reasons else "open"] += 1
            acts.update(record.body["by"] for record in records if record.type == "act")
            if reasons and verified < VERIFIED:
                verified += 1
                verdict = verify(io.BytesIO(b"".join(lines)), Held()).verdict
                if verdict != "VALID":
                    wrong.append(f"game {listing.game} is {verdict}")
    closed["verified"] = verified
    return closed, acts, wrong


def main() -> int:
    """Run and print; the status is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rooms")
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--hours", type=float, default=6.0)
    parser.add_argument("--seed", type=int, default=2026)
    asked = parser.parse_args()
    began = time.monotonic()
    print(f"{asked.rooms} rooms, {asked.hours} hours, seed {asked.seed}")
    with tempfile.TemporaryDirectory(prefix="fairdeal-rooms-") as folder:
        found = run(Path(folder), asked.rooms, asked.hours, asked.seed)
    for title, counted in (("done", found.done), ("games", found.closed), ("acts", found.acts)):
        print(f"{title}: " + ", ".join(f"{name} {n:,}" for name, n in sorted(counted.items())))
    print(f"at most {found.latest_ms} ms late; {time.monotonic() - began:.0f} s")
    for said in found.wrong[:SHOWN]:
        print(said)
    print(f"{len(found.wrong)} wrong")
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
