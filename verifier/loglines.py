"""Reads a service log once: the roots at the sizes asked for, the leaves of one game (§2.11)."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Final

from verifier.merkle import Tree

MAX_LEAF: Final = 262_144  # bytes of a line with its LF: no record is longer
PROTOCOL: Final = "pfd1"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A record of the game as the log has it.

    Attributes:
        index: Its place in the log, from 0.
        n: The number the record gives itself.
        kind: Its ``type``.
        digest: H256 of the line, hex.
    """

    index: int
    n: int
    kind: str
    digest: str


@dataclass(frozen=True, slots=True)
class LogScan:
    """What was read of a log.

    Attributes:
        size: How many whole lines there are, counted no further than the largest size asked for.
        roots: By size, those that the log reaches.
        leaves: The game's, in order.
    """

    size: int
    roots: Mapping[int, bytes]
    leaves: tuple[Leaf, ...]


def scan_log(file: BinaryIO, game: str, sizes: Iterable[int]) -> LogScan:
    """Return what the first lines of a log hold, as many as the largest of the sizes."""
    wanted = set(sizes)
    end = max(wanted, default=0)
    tree, leaves = Tree(), []
    roots = {0: tree.root()}
    named = f'"game":"{game}"'.encode()
    file.seek(0)
    while tree.size < end:
        line = file.readline(MAX_LEAF + 1)
        if not line.endswith(b"\n") or len(line) > MAX_LEAF:
            break
        if named in line:
            leaf = _leaf_of(line, game, tree.size)
            leaves += [leaf] if leaf else []
        tree.add(line)
        if tree.size in wanted:
            roots[tree.size] = tree.root()
    return LogScan(tree.size, roots, tuple(leaves))


def _leaf_of(line: bytes, game: str, index: int) -> Leaf | None:
    """Return a record of the game, or None where the line is another log's word for something."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or (record.get("v"), record.get("game")) != (PROTOCOL, game):
        return None
    n, kind = record.get("n"), record.get("type")
    if not isinstance(n, int) or isinstance(n, bool) or not isinstance(kind, str):
        return None
    return Leaf(index, n, kind, hashlib.sha256(line).hexdigest())
