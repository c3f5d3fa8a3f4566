"""The one that signs: gives leaves their places, and publishes tiles before checkpoints.

A turn is, in this order: places and the signed checkpoint in one commit of the book; tiles and
bundles; cosignatures; ``checkpoint``; the word to the book that it is public. Whatever fails behind
the commit ends the process; the next start writes and publishes what was signed (`recovering`).
"""

from collections.abc import Callable
from typing import Final

from fairdeal.errors import Conflict
from fairdeal.records.notes import SigningKey
from fairdeal.service.publiclog.ports import (
    NO_BUNDLES,
    NO_WITNESSES,
    Bundler,
    QuorumUnmet,
    RefusesToSign,
    Witnesses,
)
from fairdeal.service.publiclog.publishing import opened, publish
from fairdeal.service.publiclog.recovering import recover
from fairdeal.service.publiclog.treefiles import extend, prove_growth
from fairdeal.store.files import Files
from fairdeal.store.logport import LogBook, LogHead, SignedHead
from fairdeal.tlog.checkpoint import Checkpoint, Opened
from fairdeal.tlog.growth import Edge, grow

MOST_LEAVES: Final = 5_000
"""So many get their places in one turn (log.md 5.1)."""

BRING_S: Final = 1.0
"""So often the witnesses are brought a tree that did not grow: they merge what came late, and when
they are asked again is theirs to say (10 minutes, log.md 3)."""


class Sequencer:
    """Signs and publishes one log.

    Args:
        book: The database's side.
        files: The public folder.
        key: The log's; its name is the origin.
        witnesses: Cosign each checkpoint before it is public.
        bundler: Told of each checkpoint that is.
        clock: Seconds that never go back.
    """

    def __init__(
        self,
        book: LogBook,
        files: Files,
        key: SigningKey,
        witnesses: Witnesses = NO_WITNESSES,
        bundler: Bundler = NO_BUNDLES,
        *,
        clock: Callable[[], float],
    ) -> None:
        self._book, self._files, self._key = book, files, key
        self._witnesses, self._bundler = witnesses, bundler
        self._clock = clock
        self._edge = Edge()  # of the tree whose tiles are durable
        self._newest: Opened | None = None  # signed
        self._is_public = True
        self._ask_at = 0.0

    @property
    def published(self) -> int:
        """How many leaves are under the newest checkpoint that is public, as far as known here."""
        if self._newest is None or not self._is_public:
            return self._book.head().published
        return self._newest.checkpoint.size

    def start(self) -> None:
        """Publish what was signed before; once, before the first turn.

        Raises:
            RefusesToSign: Something speaks of another tree.
            StorageFailure: The book or the disk fails.
        """
        found = recover(self._book, self._files, self._key.verifying_key, self._witnesses)
        self._edge, self._newest, self._is_public = found.edge, found.newest, found.is_public
        self._ask_at = self._clock()
        if self._is_public:
            self._bundler.catch_up(self.published)
        else:
            self._publish()

    def turn(self) -> bool:
        """Do what there is to do; say whether leaves got their places.

        Raises:
            RefusesToSign: A witness saw another tree, or the database is not the one it was.
            StorageFailure: The book or the disk fails; end, and start anew.
        """
        signed = self._advance()
        if signed is not None:
            self._newest = opened(signed.note, self._key.verifying_key, "What was signed")
            self._is_public = False
            self._publish()
        elif self._newest is not None and self._clock() >= self._ask_at:
            self._publish() if not self._is_public else self._refresh(self._newest)
        return signed is not None

    def _advance(self) -> SignedHead | None:
        try:
            return self._book.advance(MOST_LEAVES, self._sign)
        except Conflict:
            return None  # Another was faster: there is nothing to sign.

    def _sign(self, head: LogHead, leaves: tuple[bytes, ...]) -> SignedHead:
        edge = Edge.read(head.size, head.edge)
        if edge.root != head.root:
            raise RefusesToSign("edge_broken", "The database's edge is not that of its root.")
        self._check_follows(head)
        grown, _ = grow(edge, leaves)
        note = Checkpoint(self._key.name, grown.size, grown.root).sign(self._key)
        return SignedHead(grown.size, grown.root, grown.text, note)

    def _check_follows(self, head: LogHead) -> None:
        """Sign nothing on a database that was set back while this process ran."""
        if self._newest is None:
            return
        before = self._newest.checkpoint
        if head.size < before.size or (head.size == before.size and head.root != before.root):
            raise RefusesToSign(
                "log_behind",
                f"A checkpoint of {before.size} leaves was signed, and the database no longer has"
                " it: it was set back. Put the right database back.",
            )

    def _publish(self) -> None:
        newest = self._newest
        assert newest is not None
        self._extend(newest.checkpoint)
        try:
            newest = self._cosigned(newest)
        except QuorumUnmet:
            self._ask_at = self._clock() + BRING_S
            return
        self._make_public(newest)

    def _refresh(self, newest: Opened) -> None:
        try:
            fresh = self._cosigned(newest)
        except QuorumUnmet:
            fresh = newest
        if fresh.note != newest.note:
            self._make_public(fresh)
        self._ask_at = self._clock() + BRING_S

    def _extend(self, checkpoint: Checkpoint) -> None:
        edge = extend(self._files, self._book, self._edge, checkpoint.size)
        if edge.root != checkpoint.root:
            raise RefusesToSign(
                "other_root",
                f"The entries since {self._edge.size} do not lead to the root that was signed of"
                f" {checkpoint.size} leaves.",
            )
        self._edge = edge

    def _cosigned(self, newest: Opened) -> Opened:
        size = newest.checkpoint.size
        note = self._witnesses.cosign(
            newest.note, newest.checkpoint, lambda old: prove_growth(self._files, old, size)
        )
        return Opened(newest.checkpoint, (), note)

    def _make_public(self, newest: Opened) -> None:
        publish(self._files, self._key.verifying_key, newest)
        self._book.publish(newest.checkpoint.size, newest.note)
        self._newest, self._is_public = newest, True
        self._ask_at = self._clock() + BRING_S
        self._bundler.catch_up(newest.checkpoint.size)
