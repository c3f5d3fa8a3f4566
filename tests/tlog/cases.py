"""Proofs, true and spoilt, with what a verifier has to say of each.

The kinds are those of transparency-dev/merkle's published cases (a true proof; sizes, indexes and
roots changed; hashes changed, left out, added at either end). The trees are ours, and what is true
comes of `tests.tlog.reference`, which shares no code with what is tested. Mutations that happen to
be true proofs again are no cases.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from tests.tlog.reference import Definition, sha

TREE: Final = Definition([b"", b"\x00", b"\x10", *(b"%d" % n for n in range(3, 300))])
GARBAGE: Final = sha(b"garbage")

INCLUSIONS: Final = ((0, 1), (0, 2), (1, 2), (0, 8), (5, 8), (2, 3), (6, 7), (1, 5), (256, 300))
"""Index and size; among them each shape that a tree can have on its right side."""

CONSISTENCIES: Final = ((1, 1), (1, 8), (6, 8), (2, 5), (4, 7), (7, 8), (3, 4), (256, 300))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """A claim that a leaf is in a tree."""

    name: str
    leaf: bytes
    index: int
    size: int
    path: tuple[bytes, ...]
    root: bytes
    holds: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """A claim that a tree begins with another."""

    name: str
    old: int
    old_root: bytes
    new: int
    new_root: bytes
    path: tuple[bytes, ...]
    holds: bool = False


def inclusions() -> Iterator[Inclusion]:
    """Yield a true case of each place, and the spoilt ones made of it."""
    for index, size in INCLUSIONS:
        path = tuple(TREE.path(index, size))
        true = Inclusion(
            name="happy path", leaf=TREE.leaves[index], index=index, size=size, path=path,
            root=TREE.mth(0, size), holds=True,
        )  # fmt: skip
        seen = {_said(true)}
        yield true
        for name, other in _spoilt_inclusions(true):
            if _said(other) not in seen:
                seen.add(_said(other))
                yield replace(other, name=name, holds=False)


def consistencies() -> Iterator[Consistency]:
    """Yield a true case of each pair of sizes, and the spoilt ones made of it."""
    for old, new in CONSISTENCIES:
        true = Consistency(
            name="happy path", old=old, old_root=TREE.mth(0, old), new=new,
            new_root=TREE.mth(0, new), path=tuple(TREE.proof(old, new)), holds=True,
        )  # fmt: skip
        seen = {_said(true)}
        yield true
        for name, other in _spoilt_consistencies(true):
            if _said(other) not in seen:
                seen.add(_said(other))
                yield replace(other, name=name, holds=False)


def _said(case: Inclusion | Consistency) -> Inclusion | Consistency:
    return replace(case, name="", holds=False)


def _spoilt_inclusions(true: Inclusion) -> Iterator[tuple[str, Inclusion]]:
    index, size = true.index, true.size
    for name, at in (("- 1", index - 1), ("+ 1", index + 1), ("xor 2", index ^ 2)):
        yield f"index {name}", replace(true, index=at)
    for name, to in (("* 2", size * 2), ("/ 2", size // 2), ("of none", 0)):
        yield f"size {name}", replace(true, size=to)
    yield "wrong leaf", replace(true, leaf=sha(b"another leaf"))
    yield "empty root", replace(true, root=sha())
    yield "random root", replace(true, root=sha(b"another root"))
    yield "negative index", replace(true, index=-1)
    yield "leaf as root", replace(true, root=true.leaf)
    for name, path in _spoilt_paths(true.path, [true.root, true.leaf]):
        yield name, replace(true, path=path)


def _spoilt_consistencies(true: Consistency) -> Iterator[tuple[str, Consistency]]:
    old, new = true.old, true.new
    for name, to in (("- 1", old - 1), ("+ 1", old + 1), ("xor 2", old ^ 2), ("negative", -old)):
        yield f"old size {name}", replace(true, old=to)
    for name, to in (("* 2", new * 2), ("/ 2", new // 2)):
        yield f"new size {name}", replace(true, new=to)
    yield "wrong old root", replace(true, old_root=GARBAGE)
    yield "wrong new root", replace(true, new_root=GARBAGE)
    yield "swapped roots", replace(true, old_root=true.new_root, new_root=true.old_root)
    yield "swapped sizes", replace(true, old=new, new=old)
    for name, path in _spoilt_paths(true.path, [true.old_root, true.new_root]):
        yield name, replace(true, path=path)


def _spoilt_paths(
    path: tuple[bytes, ...], known: list[bytes]
) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    yield "empty proof", ()
    yield "truncated proof", path[:-1]
    yield "first left out", path[1:]
    yield "last component twice", path + path[-1:]
    yield "first component twice", path[:1] + path
    yield "turned round", path[::-1]
    yield "preceding garbage", (GARBAGE, *path)
    yield "trailing garbage", (*path, GARBAGE)
    yield "inserted component", (*path[:1], GARBAGE, *path[1:])
    for number, root in enumerate(known, 1):
        yield f"preceding root {number}", (root, *path)
        yield f"trailing root {number}", (*path, root)
    for at, one in enumerate(path):
        changed = bytes([one[0] ^ 1 << 4, *one[1:]])
        yield f"modified proof {at} bit 4", (*path[:at], changed, *path[at + 1 :])
