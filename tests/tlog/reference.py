"""RFC 6962 §2.1 by its recursive definitions, written without a look at fairdeal or the verifier.

Slow and plain: MTH, PATH and PROOF as the RFC has them, and what a proof leads to by the same
recursion, read backwards.
"""

import hashlib
from collections.abc import Sequence
from functools import cache

Hashes = Sequence[bytes]


def sha(*parts: bytes) -> bytes:
    """Return SHA-256 over parts."""
    return hashlib.sha256(b"".join(parts)).digest()


def largest_split(size: int) -> int:
    """Return the largest power of two smaller than a size."""
    power = 1
    while power * 2 < size:
        power *= 2
    return power


class Definition:
    """A tree over leaves, which are entries."""

    def __init__(self, entries: Hashes) -> None:
        self.leaves = [sha(b"\x00", entry) for entry in entries]
        self._hash = cache(self._hash_of)

    def mth(self, begin: int = 0, end: int | None = None) -> bytes:
        """MTH(D[begin:end])."""
        end = len(self.leaves) if end is None else end
        return sha() if begin == end else self._hash(begin, end)

    def _hash_of(self, begin: int, end: int) -> bytes:
        if end - begin == 1:
            return self.leaves[begin]
        split = begin + largest_split(end - begin)
        return sha(b"\x01", self._hash(begin, split), self._hash(split, end))

    def path(self, m: int, size: int, begin: int = 0) -> list[bytes]:
        """PATH(m, D[begin:begin+size])."""
        if size == 1:
            return []
        k = largest_split(size)
        if m < k:
            return [*self.path(m, k, begin), self.mth(begin + k, begin + size)]
        return [*self.path(m - k, size - k, begin + k), self.mth(begin, begin + k)]

    def proof(self, m: int, size: int) -> list[bytes]:
        """PROOF(m, D[size]), for 0 < m <= size."""
        return self._subproof(m, 0, size, True)

    def _subproof(self, m: int, begin: int, size: int, known: bool) -> list[bytes]:
        if m == size:
            return [] if known else [self.mth(begin, begin + size)]
        k = largest_split(size)
        if m <= k:
            return [*self._subproof(m, begin, k, known), self.mth(begin + k, begin + size)]
        return [*self._subproof(m - k, begin + k, size - k, False), self.mth(begin, begin + k)]


class NoProof(Exception):
    """The proof has another length than the definition gives it."""


def includes(leaf: bytes, m: int, size: int, path: Hashes, root: bytes) -> bool:
    """Say whether a path is one from a leaf to a root."""
    try:
        return 0 <= m < size and _up(leaf, m, size, list(path)) == root
    except NoProof:
        return False


def _up(leaf: bytes, m: int, size: int, path: list[bytes]) -> bytes:
    if size == 1:
        if path:
            raise NoProof
        return leaf
    if not path:
        raise NoProof
    k = largest_split(size)
    if m < k:
        return sha(b"\x01", _up(leaf, m, k, path[:-1]), path[-1])
    return sha(b"\x01", path[-1], _up(leaf, m - k, size - k, path[:-1]))


def extends(m: int, old: bytes, size: int, new: bytes, proof: Hashes) -> bool:
    """Say whether a proof shows that one root's tree begins with another's; m is above 0."""
    try:
        return 0 < m <= size and _both(m, old, size, list(proof), True) == (old, new)
    except NoProof:
        return False


def _both(m: int, old: bytes, size: int, proof: list[bytes], known: bool) -> tuple[bytes, bytes]:
    """Return the older and the newer root that a proof leads to."""
    if m == size:
        if len(proof) != (0 if known else 1):
            raise NoProof
        return (old, old) if known else (proof[0], proof[0])
    if not proof:
        raise NoProof
    k, last = largest_split(size), proof[-1]
    if m <= k:
        older, newer = _both(m, old, k, proof[:-1], known)
        return older, sha(b"\x01", newer, last)
    older, newer = _both(m - k, old, size - k, proof[:-1], False)
    return sha(b"\x01", last, older), sha(b"\x01", last, newer)
