"""How the sequencer starts: compare with all that others saw, then write what may be missing.

Nothing is signed here. What was signed and kept before is published as it is.
"""

from dataclasses import dataclass

from fairdeal.errors import MalformedInput
from fairdeal.records.notes import VerifyingKey
from fairdeal.service.publiclog.ports import RefusesToSign, Witnesses
from fairdeal.service.publiclog.publishing import check_root, checkpoint_path, opened, published
from fairdeal.service.publiclog.treefiles import edge_at, extend
from fairdeal.store.files import Files
from fairdeal.store.logport import LogBook, LogHead
from fairdeal.tlog.checkpoint import Opened
from fairdeal.tlog.growth import Edge


@dataclass(frozen=True, slots=True)
class Recovered:
    """How the log stands after a start.

    Attributes:
        edge: Of the tree whose tiles are durable: all that was signed.
        newest: The newest checkpoint that was signed; None for an empty log.
        is_public: Whether that one is public, and the book knows it.
    """

    edge: Edge
    newest: Opened | None
    is_public: bool


def recover(book: LogBook, files: Files, key: VerifyingKey, witnesses: Witnesses) -> Recovered:
    """Bring the files up to what the book says was signed.

    Raises:
        RefusesToSign: `log_behind`: something larger than what the book has is public, or was seen
            by a witness; `other_root`; `other_checkpoint`; `edge_broken`; `note_missing`;
            `entry_altered`.
        StorageFailure: The book or the disk fails; `tile_differs`.
    """
    head = book.head()
    _check_edge(head)
    there = published(files, key)
    _check_not_behind(head, there, witnesses)
    edge = _rebuild(book, files, head, there)
    if there is None:
        _restore_checkpoints(book, files, head.published)
    if not head.size:
        return Recovered(edge, None, is_public=True)
    if there is not None and there.checkpoint.size == head.size:
        # It may have cosignatures that the book has not.
        return Recovered(edge, there, is_public=head.published == head.size)
    return Recovered(edge, _stored(book, head, key), is_public=False)


def _check_edge(head: LogHead) -> None:
    try:
        is_whole = Edge.read(head.size, head.edge).root == head.root
    except MalformedInput:
        is_whole = False
    if not is_whole:
        raise RefusesToSign(
            "edge_broken", f"The database's edge of {head.size} leaves is not that of its root."
        )


def _check_not_behind(head: LogHead, there: Opened | None, witnesses: Witnesses) -> None:
    if there is not None and there.checkpoint.size > head.size:
        raise _behind(head, f"a checkpoint of {there.checkpoint.size} is public")
    if there is not None and there.checkpoint.size == head.size:
        check_root(there, head.root)
    seen = max(witnesses.probe(), default=0)
    if seen > head.size:
        raise _behind(head, f"a witness has seen {seen}")


def _behind(head: LogHead, what: str) -> RefusesToSign:
    return RefusesToSign(
        "log_behind",
        f"The database has {head.size} leaves under a checkpoint, and {what}: it was set back, or"
        " the key signs elsewhere too. Put the right database back.",
    )


def _rebuild(book: LogBook, files: Files, head: LogHead, there: Opened | None) -> Edge:
    """Write every tile since the public checkpoint; all of them where its own are not whole."""
    edge = None
    if there is not None:
        edge = edge_at(files, there.checkpoint.size)
    if edge is None or there is None or edge.root != there.checkpoint.root:
        edge = Edge()
    begun = edge
    edge = extend(files, book, begun, head.size)
    if there is not None and begun.size == 0 < there.checkpoint.size < head.size:
        # Its own tiles were missing; so hold its root to the entries, too.
        check_root(there, extend(files, book, Edge(), there.checkpoint.size).root)
    if edge.root != head.root:
        raise RefusesToSign(
            "other_root",
            f"The entries since {begun.size} do not lead to the root of {head.size} leaves that"
            " was signed: this is not the database that belongs to the public log.",
        )
    return edge


def _restore_checkpoints(book: LogBook, files: Files, size: int) -> None:
    """Write every checkpoint that was public once; those behind it may lack a quorum."""
    found = book.latest(size)
    while found is not None and found.size:
        files.write(checkpoint_path(found.size), found.note.encode())
        found = book.latest(found.size - 1)


def _stored(book: LogBook, head: LogHead, key: VerifyingKey) -> Opened:
    note = book.note(head.size)
    if note is None:
        raise RefusesToSign("note_missing", f"Of {head.size} leaves no checkpoint is kept.")
    stored = opened(note, key, "The newest checkpoint of the database")
    if (stored.checkpoint.size, stored.checkpoint.root) != (head.size, head.root):
        raise RefusesToSign("other_root", "The database's newest checkpoint is of another tree.")
    return stored
