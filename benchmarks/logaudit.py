"""Audits a log of many dealt-only games (performance.md A2): ``python -m benchmarks.logaudit``.

Printed in one run: the log part (tiles, root, leaves in order) for a number of games and for ten
times as many, with the peaks of memory of each, which must not grow; the whole audit with
`--fast`, transcripts included; and as the floor SHA-256 over the same entries alone, on one core.
Games are made in bulk and written before anything is timed.
"""

import argparse
import gzip
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256, sha512
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.log.auditing import audit_log
from fairdeal.cli.audit.log.findings import LogAudit
from fairdeal.cli.audit.log.mirror import FolderMirror
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.fairness.deal import card_hashes, deal, first_seat_of
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.lines import commit, hand_line, master_line
from fairdeal.fairness.shuffle import order
from fairdeal.fairness.steps import parse_steps
from fairdeal.fairness.stream import mix
from fairdeal.records import bodies
from fairdeal.records.chain import Record, make
from fairdeal.records.notes import SigningKey
from fairdeal.tlog.bundlefile import INDEX, BundleDay, BundleIndex
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import leaf_hash
from fairdeal.tlog.policy import Policy
from fairdeal.tlog.tiles import ENTRIES, WIDTH, bundle, read_bundle, tiles_of

HANDS: Final = 10
SEATS: Final = 4
AT_ONCE: Final = 20
KEY: Final = SigningKey("fairdeal.localhost/bench", bytes(32))
DECK: Final = tuple(rank + suit for suit in "CDHS" for rank in "A23456789TJQK")
STEPS: Final = ({"op": "deal", "count": 13, "packet": 1},)
T0: Final = 1_796_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One audit in processes of its own.

    Attributes:
        peaks: MB of the process that judges, and of the largest of the two that read.
    """

    entries: int
    seconds: float
    peaks: tuple[float, float]
    verdicts: dict[str, int]


def game(number: int) -> list[bytes]:
    """Return the lines of a game that is made of its number."""
    name = f"bench-{number:08d}"
    master = Secret(sha512(name.encode()).digest())
    secrets = [hand_secret(master, name, hand) for hand in range(1, HANDS + 1)]
    opening = bodies.open_body(
        origin=KEY.name,
        profile="open",
        beacon=None,
        seats=[{"kind": "bot", "label": ""}] * SEATS,
        rules={
            "v": "pfd1-rules",
            "name": "whist",
            "seats": SEATS,
            "deck": list(DECK),
            "steps": list(STEPS),
        },
        first_seat=0,
        master_commit=commit(master_line(name, master)),
        hand_commits=[commit(hand_line(name, at, one)) for at, one in enumerate(secrets, 1)],
        epoch_hands=0,
        missing_share="void",
        reveal_by=T0 + 10**9,
    )
    records: list[Record] = []

    def add(kind: str, body: dict[str, object]) -> None:
        last = records[-1] if records else None
        records.append(make(last, name, T0 + len(records), kind, body))

    add("open", opening)
    add("lock", bodies.lock_body(epoch=1, first_hand=1, shares=[None] * SEATS, round=None))
    steps = parse_steps(STEPS, cards=len(DECK), seats=SEATS)
    for hand, secret in enumerate(secrets, 1):
        first = first_seat_of(0, hand, SEATS)
        mixed = mix(
            game=name,
            open_hash=records[0].hash,
            epoch=1,
            hand=hand,
            first_seat=first,
            lines=[b""] * SEATS,
            beacon=b"",
        )
        table = deal(order(secret, mixed, len(DECK)), DECK, steps, SEATS, first)
        dealt = bodies.deal_body(
            hand=hand,
            first_seat=first,
            hands=card_hashes(name, hand, secret, table),
            up=table.up,
            laid=table.laid,
            stock=len(table.stock),
        )
        add("deal", dealt)
        add("score", bodies.score_body(hand=hand, result=None))
        add("reveal", bodies.reveal_body(hand=hand, secret=secret.hex()))
    add("close", bodies.close_body(reason="over", hands=HANDS))
    add("master", bodies.master_body(secret=master.hex()))
    return [record.line for record in records]


def woven(count: int) -> Iterator[tuple[bytes, bytes | None]]:
    """Yield leaves, some games at once, and with each master the transcript of its game."""
    for first in range(0, count, AT_ONCE):
        games = [game(number) for number in range(first, min(count, first + AT_ONCE))]
        for at in range(max(map(len, games))):
            for lines in games:
                yield lines[at], b"".join(lines) if at == len(lines) - 1 else None


def write(folder: Path, count: int) -> None:
    """Write the log of so many games."""
    edge, batch, places = Edge(), list[bytes](), list[int]()
    day = folder / "bundles" / "2026-11-30.jsonl.gz"
    day.parent.mkdir(parents=True)
    with day.open("wb") as file:
        for at, (leaf, transcript) in enumerate(woven(count)):
            batch.append(leaf)
            if transcript is not None:
                places.append(at)
                file.write(gzip.compress(transcript, 1, mtime=0))
            if len(batch) == WIDTH:
                edge = _append(folder, edge, batch)
                batch = []
    edge = _append(folder, edge, batch)
    data = day.read_bytes()
    told = BundleDay(
        day="2026-11-30",
        bytes=len(data),
        sha256=sha256(data).hexdigest(),
        games=count,
        first_index=places[0],
        last_index=places[-1],
    )
    (folder / INDEX).write_bytes(BundleIndex(edge.size, (told,)).text)
    note = Checkpoint(KEY.name, edge.size, edge.root).sign(KEY)
    (folder / "checkpoint").write_text(note, "utf-8")


def _append(folder: Path, edge: Edge, batch: list[bytes]) -> Edge:
    if not batch:
        return edge
    grown, made = grow(edge, map(leaf_hash, batch))
    for tile in tiles_of(grown.size, edge.size):
        path = folder / tile.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bundle(batch) if tile.level == ENTRIES else made[tile])
    return grown


def run(folder: Path, *, is_log_only: bool) -> Ran:
    """Audit a log on two processes; runs in a process of its own, so that peaks are its own."""
    trust = Trust(Policy((KEY.verifying_key,)), is_pinned=True)
    with ProcessPoolExecutor(2) as pool:
        pool.submit(peak).result()
        begin = time.perf_counter()
        found = audit_log(
            FolderMirror(folder),
            trust=trust,
            book=None,
            executor=pool,
            clock_ms=T0,
            is_fast=True,
            sample_seed="bench",
        )
        seconds = time.perf_counter() - begin
        peaks = peak(), max(pool.map(_peak_of, range(8)))
    _hold(found, is_log_only=is_log_only)
    return Ran(
        entries=found.size, seconds=seconds, peaks=peaks, verdicts=dict(found.counts.verdicts)
    )


def _hold(found: LogAudit, *, is_log_only: bool) -> None:
    wanted = {"I_TRANSCRIPTS"} if is_log_only else set()
    if {one.code for one in found.findings} != wanted:
        raise SystemExit(f"an honest log is not: {found.findings[:3]}")


def _peak_of(_: int) -> float:
    return peak()


def peak() -> float:
    """Return the most memory that this process had, MB."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def floor(folder: Path) -> float:
    """Return the seconds that SHA-256 over the entries alone takes, from memory, on one core."""
    size = int((folder / "checkpoint").read_text("utf-8").split("\n")[1])
    seconds = 0.0
    for tile in tiles_of(size):
        if tile.level != ENTRIES:
            break
        entries = read_bundle((folder / tile.path).read_bytes(), tile.width)
        begin = time.perf_counter()
        for entry in entries:
            sha256(entry).digest()
        seconds += time.perf_counter() - begin
    return seconds


def main() -> int:
    """Run it; return 1 where a bound is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="of ten hands each")
    return both(parser.parse_args().games)


def both(count: int) -> int:
    """Audit a log of so many games, and one of a tenth; return 1 where a bound is not met."""
    alone = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as place, ProcessPoolExecutor(2, alone) as makers:
        small, large = Path(place) / "small", Path(place) / "large"
        for making in (
            makers.submit(write, small, count // 10),
            makers.submit(write, large, count),
        ):
            making.result()
        return report(small, large)


def report(small: Path, large: Path) -> int:
    """Audit both logs and print what came of it."""
    fast = _alone(large, is_log_only=False)
    for folder in (small, large):
        (folder / INDEX).unlink()
    one, ten = (_alone(folder, is_log_only=True) for folder in (small, large))
    least = floor(large)
    for name, ran in (("log part", one), ("log part", ten), ("--fast, all of it", fast)):
        per = ran.seconds / ran.entries * 70_000
        print(
            f"{name}: {ran.entries} entries in {ran.seconds:.2f} s, {per:.2f} s a 70,000;"
            f" peak {ran.peaks[0]:.0f} MB and {ran.peaks[1]:.0f} MB {ran.verdicts or ''}"
        )
    print(
        f"floor, SHA-256 of the entries on one core: {least / ten.entries * 70_000:.3f} s a 70,000"
    )
    growth = ten.peaks[0] / one.peaks[0] - 1
    print(f"memory at ten times the entries: {growth:+.1%}")
    slow = ten.seconds / ten.entries * 70_000
    return int(slow > 3 or growth > 0.1 or max(*ten.peaks, *fast.peaks) > 300)


def _alone(folder: Path, *, is_log_only: bool) -> Ran:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(partial(run, folder, is_log_only=is_log_only)).result()


if __name__ == "__main__":
    sys.exit(main())
