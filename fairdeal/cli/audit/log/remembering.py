"""Pass 2: the tree begins with every tree of this log that anybody has seen (log.md 7)."""

from collections.abc import Iterable, Iterator, Sequence

from fairdeal.cli.audit.log.collecting import Found
from fairdeal.cli.audit.log.mirror import Mirror
from fairdeal.cli.audit.log.signing import CHECKPOINT, Head, open_head
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.store.auditbook import AuditBook
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import Tile, cut

_AGAIN = 1000  # checkpoints after which the tiles that were read are let go of
_FOLDER = "checkpoints"


def hold_against_seen(
    head: Head, trust: Trust, seen: Sequence[str], book: AuditBook, found: Found
) -> bool:
    """Compare sizes, and roots of one size, which needs no tile; say whether all fit."""
    fits = True
    for place, other in _others(head, trust, seen, book, found):
        size, now = other.size, head.checkpoint
        if size < now.size or (size, other.root) == (now.size, now.root):
            continue
        fits = False
        if size > now.size:
            found.add(
                "E_ROLLBACK",
                f"The checkpoint has {now.size} leaves; {place} has {size}.",
                path=CHECKPOINT,
            )
        else:
            found.add(
                "E_SPLIT_VIEW", f"{place} has another root for {size} leaves.", path=CHECKPOINT
            )
    return fits


def hold_consistent(
    source: Mirror,
    head: Head,
    trust: Trust,
    seen: Sequence[str],
    book: AuditBook,
    since: int,
    found: Found,
) -> None:
    """Compare the roots of older trees with those that the tiles give; they were checked before.

    Args:
        source: Its tiles up to the checkpoint are good.
        head: The checkpoint.
        trust: Who signs for the log.
        seen: Notes from elsewhere.
        book: With the checkpoints of earlier audits.
        since: Of the files of the mirror only those above this size are looked at.
        found: Takes what is wrong.
    """
    quiet = Found()
    others = [one for one in _others(head, trust, seen, book, quiet) if one[1].size]
    sizes = _sizes(source, since)
    tree = _tree(source, head)
    for count, (place, other) in enumerate(_all(others, sizes, source, trust, found), 1):
        if count % _AGAIN == 0:
            tree = _tree(source, head)
        if other.origin != head.checkpoint.origin:
            continue
        if other.size > head.checkpoint.size:
            if place.startswith(_FOLDER):
                found.add(
                    "E_ROLLBACK",
                    f"The checkpoint has {head.checkpoint.size} leaves, this one {other.size}.",
                    path=place,
                )
        elif tree.root(other.size) != other.root:
            is_same = other.size == head.checkpoint.size
            found.add(
                "E_SPLIT_VIEW" if is_same else "E_LOG_FORK",
                f"The tree of {head.checkpoint.size} leaves does not begin with the tree of"
                f" {other.size} leaves that the log signed ({place}).",
                path=place if place.startswith(_FOLDER) else CHECKPOINT,
            )


def remember(book: AuditBook, head: Head) -> None:
    """Keep a checkpoint for the audits to come."""
    book.put("checkpoint", f"{head.checkpoint.size:020d}", head.note.encode())


def _all(
    others: Iterable[tuple[str, Checkpoint]],
    sizes: Iterable[int],
    source: Mirror,
    trust: Trust,
    found: Found,
) -> Iterator[tuple[str, Checkpoint]]:
    yield from others
    for size in sizes:
        path = f"{_FOLDER}/{size}"
        head = open_head(source.read(path) or b"", trust, path, found)
        if head is None:
            continue
        if head.checkpoint.size != size:
            found.add(
                "E_CHECKPOINT", f"It is of {head.checkpoint.size} leaves, not {size}.", path=path
            )
        yield path, head.checkpoint


def _sizes(source: Mirror, since: int) -> list[int]:
    names = (name for name in source.names(_FOLDER) if name.isdecimal() and name.isascii())
    return sorted(size for name in names if (size := int(name)) > since or size == 0)


def _others(
    head: Head, trust: Trust, seen: Sequence[str], book: AuditBook, found: Found
) -> Iterator[tuple[str, Checkpoint]]:
    for key, note in book.each("checkpoint"):
        kept = open_head(note, trust, None, Found())
        if kept is not None:
            yield f"the checkpoint of {int(key)} leaves that an earlier audit saw", kept.checkpoint
    for number, text in enumerate(seen, 1):
        name = f"the checkpoint {number} that was seen elsewhere"
        told = open_head(text.encode(), trust, None, quiet := Found())
        if told is None:
            found.add("W_SEEN", f"Not counted is {name}: {quiet.kept[0].sentence}")
        elif told.checkpoint.origin == head.checkpoint.origin:
            yield name, told.checkpoint


def _tree(source: Mirror, head: Head) -> TileTree:
    def read(tile: Tile) -> bytes:
        data = source.read(tile.path)
        if data is None:
            data = cut(tile, source.read(Tile(tile.level, tile.number).path) or b"")
        return data

    return TileTree(head.checkpoint.size, read)
