"""A log of a few leaves in memory, as whoever asks witnesses has it."""

from collections.abc import Sequence
from typing import Final

from fairdeal.records.notes import SigningKey
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.merkle import EMPTY_ROOT, leaf_hash, root_of
from fairdeal.tlog.proving import TileTree

KEY: Final = SigningKey("fairdeal.localhost/live", bytes(range(32)))
OPENING: Final = Checkpoint(KEY.name, 0, EMPTY_ROOT).sign(KEY)


class SmallLog:
    """At most 255 leaves.

    Args:
        entries: All that there will be.
    """

    def __init__(self, entries: Sequence[bytes]) -> None:
        self._leaves = [leaf_hash(entry) for entry in entries]

    def at(self, size: int) -> "Head":
        """Return its head at a size."""
        return Head(self._leaves[:size])


class Head:
    """A size of a log; ``cosign(*head)`` shows it."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._tree = TileTree(len(leaves), lambda tile: b"".join(leaves[: tile.width]))
        self.checkpoint = Checkpoint(KEY.name, len(leaves), root_of(leaves))
        self.note = self.checkpoint.sign(KEY)

    def proof(self, old: int) -> tuple[bytes, ...]:
        """Return the consistency proof from an older size."""
        return self._tree.consistency(old)
