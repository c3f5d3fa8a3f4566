"""Chance for bots: the same seed, the same choices, on every machine.

Words are read from SHAKE-128 of the seed, so a bot needs no clock and no generator of the
standard library's, and anybody can let it choose again.
"""

from collections.abc import Iterator, Sequence
from hashlib import shake_128
from struct import unpack
from typing import Final, TypeVar

_Thing = TypeVar("_Thing")
_BLOCK: Final = 256
_LABEL: Final = b"pfd1 bot chance"


def words(seed: int, *path: int) -> Iterator[int]:
    """Give words of 32 bits without end.

    Args:
        seed: From 0 to 2^64 - 1.
        path: Further numbers from 0 to 2^32 - 1: other numbers, other words.
    """
    block = 0
    while True:
        yield from block_of(_BLOCK, seed, *path, block)
        block += 1


def block_of(count: int, seed: int, *path: int) -> Sequence[int]:
    """Give ``count`` words at once."""
    text = _LABEL + seed.to_bytes(8) + b"".join(number.to_bytes(4) for number in path)
    return unpack(f"<{count}I", shake_128(text).digest(4 * count))


def shuffled(things: Sequence[_Thing], keys: Sequence[int]) -> list[_Thing]:
    """Order things by their keys, one a thing; equal keys keep their order."""
    return [things[place] for place in sorted(range(len(things)), key=keys.__getitem__)]
