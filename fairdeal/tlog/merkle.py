"""RFC 6962 trees: hashes of leaves and nodes, and checks of both proofs (RFC 9162 §2.1)."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves (RFC 6962 §2.1)."""

MOST_HASHES: Final = 63
"""A proof never has more: sizes are below 2^63 (C2SP tlog-witness)."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf, 32 bytes: SHA-256(0x00, entry)."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash over two nodes, 32 bytes: SHA-256(0x01, left, right)."""
    return sha256(b"\x01" + left + right).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root over the hashes of leaves, in order; EMPTY_ROOT for none.

    The hashes may be those of full subtrees of one size.
    """
    if not hashes:
        return EMPTY_ROOT
    level = list(hashes)
    while len(level) > 1:
        # A node without a neighbour goes up as it is; it meets one where RFC 6962 splits.
        odd = level[-1:] if len(level) & 1 else []
        level = [node_hash(a, b) for a, b in zip(level[::2], level[1::2], strict=False)] + odd
    return level[0]


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Say whether an inclusion proof holds (RFC 9162 §2.1.3.2).

    Args:
        leaf: The hash of the leaf.
        index: Its place, from 0.
        size: Of the tree.
        path: The leaf's sibling first; each of 32 bytes, or the proof is none.
        root: Of the tree.
    """
    if not 0 <= index < size or not _are_hashes(leaf, root, *path):
        return False
    # Where the way up to the last leaf is met, and how many subtrees lie to the left above that.
    met = (index ^ size - 1).bit_length()
    if len(path) != met + (index >> met).bit_count():
        return False
    reached, place = leaf, index
    for sibling in path[:met]:
        pair = sibling + reached if place & 1 else reached + sibling
        reached = sha256(b"\x01" + pair).digest()
        place >>= 1
    for sibling in path[met:]:
        reached = sha256(b"\x01" + sibling + reached).digest()
    return reached == root


def is_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Say whether a proof shows that a tree begins with an older one (RFC 9162 §2.1.4.2).

    Every tree begins with the empty one, for which the proof has no hash (C2SP tlog-witness).

    Args:
        old: The older size.
        old_root: Its root.
        new: The newer size.
        new_root: Its root.
        path: Each hash of 32 bytes, or the proof is none.
    """
    if not 0 <= old <= new or not _are_hashes(old_root, new_root, *path):
        return False
    if old in (0, new):
        return not path and old_root == (new_root if old == new else EMPTY_ROOT)
    hashes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            second = node_hash(second, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root


def _are_hashes(*hashes: bytes) -> bool:
    return len(hashes) <= MOST_HASHES + 2 and {*map(len, hashes)} == {HASH_BYTES}
