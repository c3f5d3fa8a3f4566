"""The public log's tree: ``python -m benchmarks.merkle``, beside a C floor and pymerkle.

pymerkle (dependency group ``bench``) is optional; so is a C compiler. What is absent is named.
"""

import ctypes
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.peers import HOW
from benchmarks.timing import ratio, show, side_by_side
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import is_consistent, is_included, leaf_hash, root_of
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import Tile

LEAVES: Final = 1 << 15
AT_ONCE: Final = 256
"""Leaves that a turn of the sequencer takes in, on a busy service."""

_PROOFS: Final = 200
_SOURCE: Final = Path(__file__).with_name("nodes.c")
Case = Callable[[], int]


def run() -> None:
    """Measure roots, appending and proofs, and print them."""
    entries = [b'{"n":%d}\n' % number for number in range(LEAVES)]
    hashes = list(map(leaf_hash, entries))
    _nodes(hashes)
    _beside_pymerkle(entries, hashes)


def _nodes(hashes: Sequence[bytes]) -> None:
    def ours() -> int:
        root_of(hashes)
        return len(hashes) - 1

    cases: dict[str, Case] = {"root, hashlib": ours}
    try:
        floor = load()
    except RuntimeError as failure:
        print(f"\n  the C floor is not run: {failure}")
        floor = None
    if floor is not None:
        text = b"".join(hashes)
        assert floor(text) == root_of(hashes)
        there = floor

        def theirs() -> int:
            there(text)
            return len(hashes) - 1

        cases["root, C floor"] = theirs
    timed = side_by_side(cases)
    show(f"Public log: the root over {len(hashes):,} hashes", timed, "nodes")
    if floor is not None:
        slow, fast = timed.values()
        ratio("M1: hashlib against C", slow, fast, "at most 9")


def _beside_pymerkle(entries: Sequence[bytes], hashes: Sequence[bytes]) -> None:
    edge, tiles = grow(Edge(), hashes)
    tree = TileTree(LEAVES, tiles.__getitem__)
    chance = Random(1)
    places = [chance.randrange(LEAVES) for _ in range(_PROOFS)]
    ours = {at: tree.inclusion(at) for at in places}
    half = LEAVES // 2 + 1
    root, old, path = edge.root, tree.root(half), tree.consistency(half)

    def verified() -> int:
        for at in places:
            assert is_included(hashes[at], at, LEAVES, ours[at], root)
        return _PROOFS

    def consistent() -> int:
        for _ in range(_PROOFS):
            assert is_consistent(half, old, LEAVES, root, path)
        return _PROOFS

    cases: dict[str, Case] = {
        "append, tiles made, 256 at a time": lambda: _appended(entries),
        "inclusion proof, of tiles at hand": lambda: _proved(tree, places),
        "inclusion proof, of tiles read anew": lambda: _proved_anew(tiles, places),
        "inclusion verified": verified,
        "consistency verified": consistent,
    }
    peer = _pymerkle(entries, places, root)
    timed = side_by_side(cases | peer)
    show(f"Public log: a tree of {LEAVES:,}", timed, "")
    if not peer:
        print(f"  pymerkle is not installed, so it is not run; {HOW}")
        return
    append, prove, anew, verify, _, *others = timed.values()
    their_append, their_prove, their_verify = others
    ratio("M1: appending, pymerkle against ours", their_append, append, "at least 4")
    ratio("M1: proving, pymerkle against ours", their_prove, prove, "at least 10")
    ratio("proving, pymerkle against tiles read anew", their_prove, anew, "none")
    ratio("M1: verifying, pymerkle against ours", their_verify, verify, "at least 2")


def _appended(entries: Sequence[bytes]) -> int:
    edge = Edge()
    for first in range(0, len(entries), AT_ONCE):
        edge, _ = grow(edge, map(leaf_hash, entries[first : first + AT_ONCE]))
    return len(entries)


def _proved(tree: TileTree, places: Sequence[int]) -> int:
    for at in places:
        tree.inclusion(at)
    return len(places)


def _proved_anew(tiles: dict[Tile, bytes], places: Sequence[int]) -> int:
    for at in places:
        TileTree(LEAVES, tiles.__getitem__).inclusion(at)
    return len(places)


def _pymerkle(entries: Sequence[bytes], places: Sequence[int], root: bytes) -> dict[str, Case]:
    """Return the peer's cases; none where it is not installed."""
    try:
        import pymerkle  # noqa: PLC0415  a peer may be absent
    except ImportError:
        return {}
    tree: Any = pymerkle.InmemoryTree(algorithm="sha256")
    for entry in entries:
        tree.append_entry(entry)
    proofs = {at: tree.prove_inclusion(at + 1) for at in places}
    bases = {at: tree.get_leaf(at + 1) for at in places}
    assert tree.get_root() == root

    def appended() -> int:
        grown: Any = pymerkle.InmemoryTree(algorithm="sha256")
        for entry in entries:
            grown.append_entry(entry)
        return len(entries)

    def proved() -> int:
        for at in places:
            tree.prove_inclusion(at + 1)
        return len(places)

    def verified() -> int:
        for at in places:
            pymerkle.verify_inclusion(bases[at], root, proofs[at])
        return len(places)

    return {
        "append, pymerkle": appended,
        "inclusion proof, pymerkle": proved,
        "inclusion verified, pymerkle": verified,
    }


def load() -> Callable[[bytes], bytes]:
    """Compile the floor and return it: hashes one after another to their root.

    Raises:
        RuntimeError: There is no C compiler, or it fails.
    """
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError("no C compiler")
    with tempfile.TemporaryDirectory(prefix="fairdeal-nodes-") as home:
        (Path(home) / "constants.h").write_text(_constants(), "ascii")
        target = Path(home) / "nodes.so"
        flags = ["-O3", "-march=native", "-shared", "-fPIC", "-I", home]
        command = [compiler, *flags, str(_SOURCE), "-o", str(target)]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode:
            raise RuntimeError(f"the C compiler failed: {made.stderr[:200]}")
        library = ctypes.CDLL(str(target))

    def root(hashes: bytes) -> bytes:
        held = ctypes.create_string_buffer(hashes, len(hashes))
        library.root(held, len(hashes) // 32)
        return held.raw[:32]

    return root


def _constants() -> str:
    """Return SHA-256's constants: roots of the first primes, as FIPS 180-4 says."""
    primes = list(_primes(64))
    rounds = [_cube_root(prime << 96) % 2**32 for prime in primes]
    start = [math.isqrt(prime << 64) % 2**32 for prime in primes[:8]]
    return (
        f"static const uint32_t K[64] = {{{', '.join(f'{k}u' for k in rounds)}}};\n"
        f"static const uint32_t H[8] = {{{', '.join(f'{h}u' for h in start)}}};\n"
    )


def _primes(count: int) -> Iterator[int]:
    number = 2
    while count:
        if all(number % by for by in range(2, math.isqrt(number) + 1)):
            yield number
            count -= 1
        number += 1


def _cube_root(value: int) -> int:
    low, high = 0, 1 << (value.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= value else (low, middle - 1)
    return low


if __name__ == "__main__":
    run()
    sys.exit(0)
