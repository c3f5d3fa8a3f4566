"""Kills the sequencer at random moments and looks whether what it published stands.

Run it: `python -m benchmarks.logkills --kills 100`, or on PostgreSQL with
`python -m benchmarks.logkills --kills 100 --database postgres`.

Writers keep records with leaves all the time. Again and again the sequencer is killed with
SIGKILL, in its turns, between them, or as it starts. After each kill the published checkpoint must
have all its tiles and bundles, which must hash to its root, and begin with all entries that were
public before; a reader besides takes every checkpoint that it can get hold of. In the end each
record that was acknowledged is in the log, once.
"""

import argparse
import contextlib
import itertools
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from benchmarks.kept import BrokenWord
from fairdeal.records.notes import parse_vkey
from fairdeal.service import Database, read_database
from fairdeal.service.signing import receipt_key
from fairdeal.store.ports import NEW_GAME, Store, StoredLine, Write
from fairdeal.tlog.checkpoint import Checkpoint, open_checkpoint
from fairdeal.tlog.leaves import SERVICE
from fairdeal.tlog.merkle import leaf_hash, root_of
from tests.postgres import Cluster
from tests.publiclog.reading import audited

ORIGIN: Final = "fairdeal.localhost/kills"
PATIENCE_S: Final = 60.0
_ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass
class Scene:
    """A service's folder and database, with writers and a reader.

    Attributes:
        folder: The service's.
        database: Its database.
        acknowledged: The lines of every write that returned.
        seen: Every checkpoint that was read, by its size.
    """

    folder: Path
    database: Database
    acknowledged: list[bytes] = field(default_factory=list)
    seen: dict[int, Checkpoint] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)
    failures: list[BaseException] = field(default_factory=list)

    @property
    def public(self) -> Path:
        """What everybody may read."""
        return self.folder / "log" / "public"

    def read(self, path: str) -> bytes | None:
        """Return a public file, or None."""
        try:
            return (self.public / path).read_bytes()
        except FileNotFoundError:
            return None

    def audit(self) -> tuple[Checkpoint, list[bytes]]:
        """Return the public checkpoint and its entries, all of it checked.

        Raises:
            BrokenWord: A tile is missing or another one.
        """
        try:
            vkey = (self.folder / "log" / "log.vkey").read_text("ascii").strip()
        except FileNotFoundError:
            return Checkpoint(ORIGIN, 0, root_of([])), []
        try:
            return audited(self.read, parse_vkey(vkey))
        except (AssertionError, ValueError) as error:
            raise BrokenWord(str(error)) from error

    def start(self, *options: str, log: IO[bytes] | None = None) -> "subprocess.Popen[bytes]":
        """Start a sequencer."""
        return subprocess.Popen(
            [sys.executable, "-m", "fairdeal.cli", "log", "--folder", self.folder,
             "--origin", ORIGIN, "--no-restart", *options],
            cwd=_ROOT,
            env={**os.environ, "FAIRDEAL_DATABASE": self.database.url},
            stdin=subprocess.DEVNULL,
            stdout=log or subprocess.DEVNULL,
            stderr=log or subprocess.DEVNULL,
        )  # fmt: skip

    def write(self, store: Store, writer: int, chance: random.Random) -> None:
        """Keep records until it is over, a few in each write, some of them without a leaf."""
        for number in itertools.count():
            game, after = f"w{writer}g{number}", NEW_GAME
            for _ in range(chance.randrange(1, 6)):
                lines = tuple(
                    _line(game, after + 1 + at, chance) for at in range(chance.randrange(1, 4))
                )
                store.write(Write(game=game, after=after, lines=lines))
                self.acknowledged += [line.text for line in lines if line.leaf is not None]
                after += len(lines)
                if self.over.wait(chance.random() * 0.01):
                    return

    def follow(self) -> None:
        """Take every checkpoint that can be got hold of, until it is over.

        Raises:
            BrokenWord: One is smaller than the one before it, or has another root.
        """
        newest = 0
        while not self.over.wait(0.003):
            note, vkey = self.read("checkpoint"), self.folder / "log" / "log.vkey"
            if note is None:
                continue
            key = parse_vkey(vkey.read_text("ascii").strip())
            checkpoint = open_checkpoint(note.decode(), [key]).checkpoint
            if checkpoint.size < newest:
                raise BrokenWord(f"after {newest} leaves {checkpoint.size} were public")
            newest = checkpoint.size
            if self.seen.setdefault(newest, checkpoint) != checkpoint:
                raise BrokenWord(f"two roots were public for {newest} leaves")

    def until_public(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait until all that was acknowledged is public."""
        deadline = time.monotonic() + PATIENCE_S
        while self.lacking(self.audit()[1]):
            if process.poll() is not None:
                raise BrokenWord(f"the sequencer ended with status {process.returncode}")
            if time.monotonic() > deadline:
                raise BrokenWord(f"{len(self.lacking(self.audit()[1]))} records are not public")
            time.sleep(0.1)

    def lacking(self, entries: list[bytes]) -> set[bytes]:
        """Return which acknowledged lines are not among entries."""
        return set(self.acknowledged) - set(entries)

    def check(self, entries: list[bytes]) -> None:
        """Hold all entries to what was acknowledged and to every checkpoint that was read.

        Raises:
            BrokenWord: They do not fit.
        """
        if self.failures:
            raise self.failures[0]
        ours = [entry for entry in entries if SERVICE.encode() not in entry]
        if len(set(entries)) != len(entries):
            raise BrokenWord("an entry is in the log twice")
        if set(ours) != set(self.acknowledged):
            raise BrokenWord(f"the log has {len(ours)} records, {len(self.acknowledged)} are kept")
        leaves = [leaf_hash(entry) for entry in entries]
        for size, checkpoint in self.seen.items():
            if root_of(leaves[:size]) != checkpoint.root:
                raise BrokenWord(f"the checkpoint of {size} leaves is of another tree")

    @contextlib.contextmanager
    def busy(self, store: Store, writers: int, seed: int) -> Iterator[None]:
        """Write and read, from several threads, in the meantime."""

        def careful(work: object, *arguments: object) -> None:
            try:
                assert callable(work)
                work(*arguments)
            except BaseException as error:  # noqa: BLE001  told by `check`
                self.failures.append(error)

        threads = [
            threading.Thread(
                target=careful, args=(self.write, store, at, random.Random(f"{seed} {at}"))
            )
            for at in range(writers)
        ]
        threads.append(threading.Thread(target=careful, args=(self.follow,)))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.over.set()
            for thread in threads:
                thread.join()


@contextlib.contextmanager
def scene(folder: Path, url: str = "") -> Iterator[tuple[Scene, Store]]:
    """Make a service's folder and its database, as its first start does."""
    folder.mkdir(mode=0o700)
    receipt_key(folder, ORIGIN, secrets.token_bytes, {})
    database = read_database(url.replace("+psycopg", "", 1))
    with contextlib.closing(database.open(folder)) as store:
        yield Scene(folder, database), store


def run_kills(kills: int, seed: int, folder: Path, url: str = "", writers: int = 2) -> Scene:
    """Kill so many sequencers, check after each, and in the end that nothing is missing.

    Raises:
        BrokenWord: Something is.
    """
    chance = random.Random(seed)
    with scene(folder, url) as (made, store), made.busy(store, writers, seed):
        known: list[bytes] = []
        for _ in range(kills):
            process = made.start()
            _live(made, process, chance)
            if process.poll() is not None:
                raise BrokenWord(f"the sequencer ended with status {process.returncode}")
            process.send_signal(signal.SIGKILL)
            process.wait()
            entries = made.audit()[1]
            if entries[: len(known)] != known:
                raise BrokenWord("what was public is another now")
            known = entries
        made.over.set()
        time.sleep(0.1)
        process = made.start()
        made.until_public(process)
        process.send_signal(signal.SIGTERM)
        if (status := process.wait(PATIENCE_S)) != 0:
            raise BrokenWord(f"told to end, it ended with status {status}")
    made.check(made.audit()[1])
    return made


def _live(made: Scene, process: "subprocess.Popen[bytes]", chance: random.Random) -> None:
    """Let a sequencer start, and mostly take a few turns."""
    was = made.read("checkpoint")
    turns = chance.randrange(4)
    deadline = time.monotonic() + PATIENCE_S
    while turns and process.poll() is None and time.monotonic() < deadline:
        note = made.read("checkpoint")
        turns, was = (turns - 1, note) if note != was else (turns, was)
        time.sleep(0.002)
    # As it starts; or about when the next turn is.
    time.sleep(chance.uniform(0.15, 0.27) if was is not None and process.pid % 3 else
               chance.uniform(0.2, 1.5))  # fmt: skip


def _line(game: str, n: int, chance: random.Random) -> StoredLine:
    text = b'{"game":"%s","n":%d,"r":"%016x"}\n' % (game.encode(), n, chance.getrandbits(64))
    has_leaf = chance.random() < 0.7
    return StoredLine(
        n=n,
        type="seed" if has_leaf else "act",
        hand=None,
        text=text,
        leaf=leaf_hash(text) if has_leaf else None,
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgres, or an address")
    wanted = parser.parse_args()
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fairdeal-logkills-")))
        url = "" if wanted.database == "sqlite" else wanted.database
        if url == "postgres":
            cluster = stack.enter_context(Cluster())
            url = cluster.url(cluster.create())
        made = run_kills(wanted.kills, wanted.seed, home / "service", url)
    print(
        f"{wanted.kills} kills on {wanted.database}: {len(made.acknowledged)} records acknowledged,"
        f" all in the log once; {len(made.seen)} checkpoints read, none of another tree, none"
        f" without its tiles ({time.monotonic() - began:.0f} s)"
    )


if __name__ == "__main__":
    main()
