"""Shuffles: a readable reference, and the fast path that the service uses (protocol §2.7)."""

import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from fairdeal.fairness.keys import Secret
from fairdeal.fairness.stream import BLOCK_WORDS, MIX_BYTES, WORD_VALUES, below, block

MAX_CARDS: Final = 1024


def shuffle(n: int, words: Iterator[int]) -> list[int]:
    """Return a uniformly drawn order of n cards; the first is the top of the deck (§2.7).

    Args:
        n: The number of cards, 1 to 1,024.
        words: Each 0 to 65,535, uniform and independent; taken in order.

    Raises:
        ValueError: n is out of range.
    """
    _check_size(n)
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        # i + 1, not i: a card may stay where it is, or not all orders would come out.
        j = below(i + 1, words)
        order[i], order[j] = order[j], order[i]
    return order


def order(secret: Secret, mix: bytes, n: int) -> list[int]:
    """Return ``shuffle(n, words(secret, mix))``, several times faster (§2.7).

    Args:
        secret: The secret of the hand.
        mix: The 64 bytes from `fairdeal.fairness.stream.mix`.
        n: The number of cards, 1 to 1,024.

    Raises:
        ValueError: n or the mix's length is out of range.
    """
    _check_size(n)
    if len(mix) != MIX_BYTES:
        raise ValueError(f"a mix has {MIX_BYTES} bytes, got {len(mix)}")
    blocks = 1 + (n - 1) // BLOCK_WORDS
    taken = _unpack(b"".join(block(secret, mix, i) for i in range(1, blocks + 1)))
    result = list(range(n))
    at = 0
    for m, limit in _limits(n):
        if at == len(taken):
            blocks += 1
            taken += _unpack(block(secret, mix, blocks))
        word = taken[at]
        at += 1
        while word >= limit:
            if at == len(taken):
                blocks += 1
                taken += _unpack(block(secret, mix, blocks))
            word = taken[at]
            at += 1
        i, j = m - 1, word % m
        result[i], result[j] = result[j], result[i]
    return result


@lru_cache(maxsize=16)
def _limits(n: int) -> tuple[tuple[int, int], ...]:
    """Return the bounds of a shuffle of n cards in turn, each with its rejection limit."""
    return tuple((m, WORD_VALUES - WORD_VALUES % m) for m in range(n, 1, -1))


def _unpack(stream: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(stream) // 2}H", stream)


def _check_size(n: int) -> None:
    if not 1 <= n <= MAX_CARDS:
        raise ValueError(f"a deck has 1 to {MAX_CARDS} cards, got {n}")
