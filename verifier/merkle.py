"""RFC 6962 trees: the root over lines as they come, and the two proofs (§2.11)."""

import hashlib
from collections.abc import Sequence

EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(line: bytes) -> bytes:
    """Return the hash of a leaf: a line with its LF."""
    return hashlib.sha256(b"\x00" + line).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node over two."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows by one leaf at a time and keeps one hash a level."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []  # of the full subtrees, largest first

    def add(self, line: bytes) -> None:
        """Append a leaf."""
        grown = leaf_hash(line)
        size = self.size
        while size & 1:
            grown = node_hash(self._peaks.pop(), grown)
            size >>= 1
        self._peaks.append(grown)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over all leaves so far."""
        if not self._peaks:
            return EMPTY_ROOT
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root


def root_by_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that an inclusion proof leads to, or None where it has another length.

    Args:
        leaf: The leaf's hash.
        index: Its place, from 0.
        size: Of the tree.
        path: The neighbours' hashes, the leaf's own first (RFC 9162, 2.1.3.2).
    """
    if not 0 <= index < size:
        return None
    place, last, root = index, size - 1, leaf
    for neighbour in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            root = node_hash(neighbour, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, neighbour)
        place, last = place >> 1, last >> 1
    return root if last == 0 else None


def is_extension(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Return whether a consistency proof shows that a tree grew from an older one.

    Args:
        old: The older size, from 1.
        old_root: Its root.
        new: The newer size, at least as large.
        new_root: Its root.
        path: The proof's hashes (RFC 9162, 2.1.4.2).
    """
    if not 0 < old <= new:
        return False
    if old == new:
        return not path and old_root == new_root
    hashes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = hashes[0]
    for neighbour in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node_hash(neighbour, first), node_hash(neighbour, second)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            second = node_hash(second, neighbour)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root
