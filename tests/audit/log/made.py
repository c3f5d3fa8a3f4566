"""Honest logs of small games, and the means to spoil them."""

import gzip
import json
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

from fairdeal.cli.audit.log.auditing import audit_log
from fairdeal.cli.audit.log.mirror import FolderMirror
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.records.notes import SigningKey
from fairdeal.tlog.bundlefile import BundleDay, BundleIndex
from fairdeal.tlog.cosignature import WitnessKey
from fairdeal.tlog.policy import Policy, Witness
from tests.audit.games import transcript
from tests.tlog.logmaker import make_log, put

ORIGIN = "fairdeal.localhost/demo"
KEY = SigningKey(ORIGIN, bytes(range(32)))
WITNESS = ("witness.localhost/w1", bytes(range(32, 64)))
ACT = b'"type":"act","v":"pfd1"}\n'
NOW_S = 1_796_000_001
"""After all records, within the games' reveal_by."""


@cache
def lines_of(seed, hands=1):
    """Return the lines of a finished game."""
    return tuple(transcript(seed, hands).splitlines(keepends=True))


def leaves_of(lines):
    """Return the lines that are leaves."""
    return [line for line in lines if not line.endswith(ACT)]


def woven(*games):
    """Return the leaves of games that are played at once, one of each in turn."""
    left = [leaves_of(lines) for lines in games]
    made = []
    while any(left):
        made += [lines.pop(0) for lines in left if lines]
    return made


def index_of(entries, lines):
    """Return the place of a game's master."""
    return entries.index(lines[-1])


@dataclass
class Made:
    """A log to be written: change it, then write it.

    Attributes:
        entries: Its leaves.
        days: By day, the games of its bundle in the order of their masters.
    """

    entries: list[bytes]
    days: dict[str, list[tuple[bytes, ...]]]
    witnesses: tuple[tuple[str, bytes], ...] = ()
    times: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    complete_to: int | None = None

    def write(self, folder):
        make_log(
            folder,
            self.entries,
            key=KEY,
            witnesses=self.witnesses,
            times=self.times,
            sizes=self.sizes,
        )
        days = []
        for day, games in self.days.items():
            data = b"".join(gzip.compress(b"".join(lines), mtime=0) for lines in games)
            put(folder / "bundles" / f"{day}.jsonl.gz", data)
            places = [self.place(lines) for lines in games]
            days.append(
                BundleDay(
                    day=day,
                    bytes=len(data),
                    sha256=sha256(data).hexdigest(),
                    games=len(games),
                    first_index=places[0],
                    last_index=places[-1],
                )
            )
        complete = len(self.entries) if self.complete_to is None else self.complete_to
        put(folder / "bundles" / "index.json", BundleIndex(complete, tuple(days)).text)
        return folder

    def place(self, lines):
        return self.entries.index(lines[-1])


def honest(count=4, hands=2, witnesses=(WITNESS,), **more):
    """Return a log of finished games that were played at once."""
    games = [lines_of(seed, hands) for seed in range(1, count + 1)]
    entries = woven(*games)
    games.sort(key=lambda lines: entries.index(lines[-1]))
    half = len(games) // 2 or 1
    days = {"2026-11-29": games[:half], "2026-11-30": games[half:]}
    more = {"times": [NOW_S] * 9, **more}
    return Made(entries, {day: one for day, one in days.items() if one}, witnesses, **more)


def audit(
    folder, *, book=None, clock_s=NOW_S, pinned=True, executor=None, witnesses=(WITNESS,), **more
):
    """Audit a folder as a caller who knows the log's key and witnesses."""
    keys = tuple(
        Witness(WitnessKey(name, SigningKey(name, seed).verifying_key.public))
        for name, seed in witnesses
    )
    policy = Policy((KEY.verifying_key,), keys, len(keys))
    trust = Trust(policy, is_pinned=True) if pinned else None
    return audit_log(
        FolderMirror(folder),
        trust=trust,
        book=book,
        executor=executor,
        clock_ms=clock_s * 1000,
        **more,
    )


def rechained(lines, at, change):
    """Return a game's lines with one record changed and all later ones chained anew."""
    made, before = [], None
    for number, line in enumerate(lines):
        record = json.loads(line)
        if number == at:
            change(record)
        if before is not None:
            record["prev"] = before
        text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        made.append(f"{text}\n".encode())
        before = sha256(made[-1]).hexdigest()
    return tuple(made)
