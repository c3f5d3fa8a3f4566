"""Shuffles: a readable reference, and the fast path that the service uses (protocol §2.7)."""

import struct
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha512
from typing import Final

from fairdeal.fairness.framing import u32
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.stream import BLOCK_WORDS, MIX_BYTES, WORD_VALUES, below, words

MAX_CARDS: Final = 1024

_HMAC_BLOCK: Final = 128
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))


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
    """Return ``shuffle(n, words(secret, mix))``, in less than half the time (§2.7).

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
    result = list(range(n))
    for (i, m, limit), word in zip(_bounds(n), _first_words(secret, mix, n - 1), strict=False):
        if word >= limit:
            # A rejected word moves all that follow; of decks with 108 cards one in 26 meets one.
            return shuffle(n, words(secret, mix))
        j = word % m
        card = result[i]
        result[i] = result[j]
        result[j] = card
    return result


@lru_cache(maxsize=16)
def _bounds(n: int) -> tuple[tuple[int, int, int], ...]:
    """Return i, i + 1 and the rejection limit of each swap in a shuffle of n cards."""
    return tuple((m - 1, m, WORD_VALUES - WORD_VALUES % m) for m in range(n, 1, -1))


def _first_words(secret: Secret, mix: bytes, count: int) -> tuple[int, ...]:
    """Return at least `count` words of the stream; HMAC keyed once for all blocks (RFC 2104)."""
    key = secret.raw.ljust(_HMAC_BLOCK, b"\x00")
    inner, outer = sha512(key.translate(_INNER_PAD)), sha512(key.translate(_OUTER_PAD))
    tail = b"pfd1/stream\x00" + mix
    stream = []
    for index in range(1, 2 + count // BLOCK_WORDS):
        inside, outside = inner.copy(), outer.copy()
        inside.update(u32(index) + tail)
        outside.update(inside.digest())
        stream.append(outside.digest())
    return struct.unpack(f">{len(stream) * BLOCK_WORDS}H", b"".join(stream))


def _check_size(n: int) -> None:
    if not 1 <= n <= MAX_CARDS:
        raise ValueError(f"a deck has 1 to {MAX_CARDS} cards, got {n}")
