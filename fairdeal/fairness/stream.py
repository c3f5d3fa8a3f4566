"""Turns a hand secret and the players' lines into words and unbiased integers (protocol §2.7)."""

import hmac
import struct
from collections.abc import Iterator, Sequence
from hashlib import sha512
from typing import Final

from fairdeal.fairness.framing import tup, u32, u64
from fairdeal.fairness.keys import Secret

WORD_VALUES: Final = 65_536
BLOCK_WORDS: Final = 32
MIX_BYTES: Final = 64

_BLOCK: Final = struct.Struct(f">{BLOCK_WORDS}H")
_LAST_BLOCK: Final = 2**32 - 1


def mix(
    *,
    game: str,
    open_hash: str,
    epoch: int,
    hand: int,
    first_seat: int,
    lines: Sequence[bytes],
    beacon: bytes = b"",
) -> bytes:
    """Return the 64 bytes that bind a hand's deck to everything public about it (§2.7).

    Args:
        game: The game's name, ASCII.
        open_hash: The hash of record 0, 64 hex digits.
        epoch: From 1.
        hand: From 1.
        first_seat: Who is dealt first in this hand (`fairdeal.fairness.deal.first_seat_of`).
        lines: One a seat, in the order of the seats: its S line with LF, or empty.
        beacon: The field B of §2.6; empty without a beacon.

    Raises:
        ValueError: `open_hash` is not 32 bytes in hex.
    """
    opening = bytes.fromhex(open_hash)
    if len(opening) != 32:
        raise ValueError("open_hash has 64 hex digits")
    return sha512(
        tup(
            "pfd1/mix",
            game.encode("ascii"),
            opening,
            u64(epoch),
            u64(hand),
            u64(first_seat),
            beacon,
            *lines,
        )
    ).digest()


def block(secret: Secret, mix: bytes, index: int) -> bytes:
    """Return one block of the stream, 64 bytes (§2.7).

    This is SP 800-108r1 counter mode with HMAC-SHA-512, 32-bit counter first.

    Args:
        secret: The secret of the hand.
        mix: The 64 bytes from `mix`.
        index: From 1.
    """
    return hmac.digest(secret.raw, u32(index) + b"pfd1/stream\x00" + mix, "sha512")


def words(secret: Secret, mix: bytes) -> Iterator[int]:
    """Yield the words of the stream, each 0 to 65,535, in order (§2.7).

    Args:
        secret: The secret of the hand.
        mix: The 64 bytes from `mix`.

    Raises:
        ValueError: The mix has another length.
    """
    if len(mix) != MIX_BYTES:
        raise ValueError(f"a mix has {MIX_BYTES} bytes, got {len(mix)}")
    return _words(secret, mix)


def below(m: int, words: Iterator[int]) -> int:
    """Return an unbiased integer in ``range(m)``, by exact rejection (§2.7).

    Args:
        m: 1 to 65,536.
        words: Each 0 to 65,535; none is taken for m = 1, else as many as it needs.

    Raises:
        ValueError: m is out of range.
    """
    if not 1 <= m <= WORD_VALUES:
        raise ValueError(f"m is 1 to {WORD_VALUES}, got {m}")
    if m == 1:
        return 0
    limit = WORD_VALUES - WORD_VALUES % m
    while True:
        word = next(words)
        if word < limit:
            return word % m


def _words(secret: Secret, mix: bytes) -> Iterator[int]:
    for index in range(1, _LAST_BLOCK + 1):
        yield from _BLOCK.unpack(block(secret, mix, index))
