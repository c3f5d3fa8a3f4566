"""The contract of the log's side of a store: the leaves in order, and what was signed of them.

Leaves come in with the writes that make them (`ports.Write`). One process at a time gives them
their places and has a checkpoint signed for them, in one transaction (docs/decisions/0011).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LogHead:
    """How far the log has got.

    Attributes:
        size: Leaves that have a place and lie under a signed checkpoint.
        root: Of the tree over them.
        edge: What `fairdeal.tlog.growth.Edge.read` takes.
        published: The size of the newest checkpoint that is public; 0 for none.
    """

    size: int
    root: bytes
    edge: bytes
    published: int


@dataclass(frozen=True, slots=True)
class SignedHead:
    """A larger head, with the note that signs it.

    Attributes:
        size: Leaves.
        root: 32 bytes.
        edge: As in LogHead.
        note: The signed checkpoint.
    """

    size: int
    root: bytes
    edge: bytes
    note: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A leaf that has its place.

    Attributes:
        index: From 0.
        entry: Its bytes.
        leaf: Its hash, as it was when it was written.
    """

    index: int
    entry: bytes
    leaf: bytes


@dataclass(frozen=True, slots=True)
class LogStanding:
    """What whoever serves games needs to know of the log.

    Attributes:
        published: Leaves under the newest public checkpoint.
        waiting: A number that stays the same for as long as nothing more becomes public; None
            where every leaf is.
    """

    published: int
    waiting: int | None


class LogBook(Protocol):
    """The sequencer's side; every method raises `StorageFailure` where the store fails.

    1. *Fenced.* Of two sequencers at once one waits or is refused: `advance` gives a leaf one
       place, and a size one root, whoever calls it.
    2. *Durable before return*, as `ports.Store`.
    3. Nothing that has a place is ever changed or removed.
    """

    def head(self) -> LogHead:
        """Return how far the log has got."""

    def advance(
        self, most: int, sign: Callable[[LogHead, tuple[bytes, ...]], SignedHead]
    ) -> SignedHead | None:
        """Give places to leaves that wait, and keep what was signed of them: all in one commit.

        Args:
            most: So many leaves at most.
            sign: Told the head and the hashes of the leaves that follow, in order; called once
                at most, within the transaction.

        Returns:
            What `sign` gave; None where no leaf waits.

        Raises:
            Conflict: `log_moved`: another sequencer was faster; nothing was kept.
            StorageFailure: It may have been kept or not: look at `head` again.
        """

    def entries(self, begin: int, end: int) -> tuple[LogEntry, ...]:
        """Return leaves from ``begin`` to before ``end``, at most 10,000, in order."""

    def note(self, size: int) -> str | None:
        """Return the newest note of the checkpoint of a size; None where none was signed."""

    def latest(self, at_most: int) -> SignedHead | None:
        """Return the largest signed head of at most this size, its edge empty."""

    def publish(self, size: int, note: str) -> None:
        """Keep that a checkpoint is public, with the note as it is; never back to a smaller size.

        The note of a size may be kept again with more cosignatures.
        """

    def masters(self, after: int, limit: int) -> tuple[tuple[int, str], ...]:
        """Return place and game of `master` leaves at places from ``after`` on that are public."""

    def lines(self, game: str) -> tuple[bytes, ...]:
        """Return all records of a game that is over."""

    def add(self, entry: bytes, leaf: bytes) -> None:
        """Have a leaf of the service wait for its place, unless there is the same."""

    def close(self) -> None:
        """Let go of the database."""
