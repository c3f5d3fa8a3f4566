"""Orders of many hands at once: numpy across the hands where it is installed (protocol §2.7).

An auditor's tool, never the dealer's. Without the optional package every hand goes the scalar
way of `fairdeal.fairness.shuffle`; `WAY` says which it is, so that a report can. Both give what
``shuffle(n, words(secret, mix))`` gives, and a property test holds them to it.

The words of all hands are one array, a column a hand. In the few columns that hold a rejected
word the rejected ones are taken out first; then n - 1 plain steps swap a row of all hands each.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha512
from typing import TYPE_CHECKING, Final

from fairdeal.fairness.framing import u32
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.shuffle import MAX_CARDS, order
from fairdeal.fairness.stream import BLOCK_WORDS, MIX_BYTES, WORD_VALUES

try:
    import numpy as np
except ImportError:
    HAS_NUMPY = False
else:
    HAS_NUMPY = True
    if TYPE_CHECKING:
        from numpy.typing import NDArray

WAY: Final = (
    "in bulk, with numpy"
    if HAS_NUMPY
    else "one by one, two to three times slower: numpy (the extra `fast`) is not installed"
)
CHUNK_CELLS: Final = 2**19  # cards in one array: about 4,900 decks of canasta, 12 MB in all

_SECRET_TAIL: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


def orders(secrets: Sequence[Secret], mixes: Sequence[bytes], n: int) -> Iterator[list[int]]:
    """Yield ``order(secret, mix, n)`` of each hand, in turn, much faster where numpy is (§2.7).

    Args:
        secrets: One a hand.
        mixes: One a hand, 64 bytes each.
        n: The number of cards, 1 to 1,024, of every one of these decks.

    Raises:
        ValueError: n or a mix's length is out of range, or there are not as many mixes as secrets.
    """
    _check(secrets, mixes, n)
    if not HAS_NUMPY:
        return (order(secret, mix, n) for secret, mix in zip(secrets, mixes, strict=True))
    return (deck for table in tables(secrets, mixes, n) for deck in table.T.tolist())


def tables(
    secrets: Sequence[Secret], mixes: Sequence[bytes], n: int
) -> "Iterator[NDArray[np.uint16]]":
    """Yield the orders as arrays of n rows, a column a hand, some thousand hands at a time.

    Args:
        secrets: One a hand.
        mixes: One a hand, 64 bytes each.
        n: The number of cards, 1 to 1,024.

    Raises:
        ValueError: As `orders` does.
        RuntimeError: numpy is not installed.
    """
    _check(secrets, mixes, n)
    if not HAS_NUMPY:
        raise RuntimeError("numpy is not installed")
    return _tables(secrets, mixes, n)


def _check(secrets: Sequence[Secret], mixes: Sequence[bytes], n: int) -> None:
    if not 1 <= n <= MAX_CARDS:
        raise ValueError(f"a deck has 1 to {MAX_CARDS} cards, got {n}")
    if len(secrets) != len(mixes):
        raise ValueError(f"{len(secrets)} secrets do not go with {len(mixes)} mixes")
    if any(len(mix) != MIX_BYTES for mix in mixes):
        raise ValueError(f"a mix has {MIX_BYTES} bytes")


def _tables(
    secrets: Sequence[Secret], mixes: Sequence[bytes], n: int
) -> "Iterator[NDArray[np.uint16]]":
    size = max(1, CHUNK_CELLS // n)
    for at in range(0, len(secrets), size):
        yield _table(secrets[at : at + size], mixes[at : at + size], n)


def _table(secrets: Sequence[Secret], mixes: Sequence[bytes], n: int) -> "NDArray[np.uint16]":
    hands = len(secrets)
    decks = np.empty((n, hands), np.uint16)
    decks[:] = np.arange(n, dtype=np.uint16)[:, None]
    if n == 1:
        return decks
    # Of a deck of n cards about n * n / 2**18 words are rejected; four times that is kept ready.
    blocks = -(-(n - 1 + n * n // WORD_VALUES) // BLOCK_WORDS)
    stream = np.frombuffer(_stream(secrets, mixes, blocks), ">u2").reshape(hands, -1)
    words = np.ascontiguousarray(stream.T, np.uint32)
    moduli = np.arange(n, 1, -1, dtype=np.uint32)[:, None]
    limits = WORD_VALUES - WORD_VALUES % moduli
    rejected = np.flatnonzero((words[: n - 1] >= limits).any(axis=0))
    short = _compact(words, rejected, limits)
    drawn = (words[: n - 1] % moduli).astype(np.intp)
    drawn *= hands
    drawn += np.arange(hands)
    _swap(decks, drawn)
    for hand in short:
        decks[:, hand] = order(secrets[hand], mixes[hand], n)
    return decks


def _stream(secrets: Sequence[Secret], mixes: Sequence[bytes], blocks: int) -> bytes:
    """Return the first blocks of each hand's stream, hand after hand; HMAC keyed once a hand."""
    starts = [u32(index) + b"pfd1/stream\x00" for index in range(1, blocks + 1)]
    inner_end, outer_end = (bytes(_SECRET_TAIL).translate(pad) for pad in (_INNER, _OUTER))
    made = list[bytes]()
    for secret, mix in zip(secrets, mixes, strict=True):
        inner = sha512(secret.raw.translate(_INNER) + inner_end).copy
        outer = sha512(secret.raw.translate(_OUTER) + outer_end).copy
        for start in starts:
            inside, outside = inner(), outer()
            inside.update(start + mix)
            outside.update(inside.digest())
            made.append(outside.digest())
    return b"".join(made)


def _compact(
    words: "NDArray[np.uint32]", lanes: "NDArray[np.intp]", limits: "NDArray[np.uint32]"
) -> list[int]:
    """Take the rejected words out of some lanes, in place.

    Args:
        words: A column a lane, all of its words.
        lanes: Those that hold a rejected word.
        limits: Of each draw, what its word must be below.

    Returns:
        The lanes whose words ran out: they are to be done otherwise.
    """
    draws = len(limits)
    found, short = words[:, lanes], list[int]()
    left = np.full(len(lanes), len(words))  # how many of a lane's words are still its own
    places = np.arange(len(words))[:, None]
    while len(lanes):
        bad = found[:draws] >= limits
        # Moved-up words leave stale ones behind: a lane with too few of its own is given up.
        is_bad, is_short = bad.any(axis=0), left < draws
        is_done = ~is_bad & ~is_short
        words[:, lanes[is_done]] = found[:, is_done]
        short += lanes[is_short].tolist()
        going = is_bad & ~is_short
        lanes, found, left = lanes[going], found[:, going], left[going] - 1
        first = bad[:, going].argmax(axis=0) if len(lanes) else np.empty(0, np.intp)
        # From its first rejected word on, each lane takes the word behind.
        source = np.minimum(places + (places >= first), len(words) - 1)
        found = np.take_along_axis(found, source, axis=0)
    return short


def _swap(decks: "NDArray[np.uint16]", drawn: "NDArray[np.intp]") -> None:
    """Do the swaps of all hands, a row at a time; `drawn` holds places in the flat table."""
    flat = decks.reshape(-1)
    for row, places in zip(range(len(decks) - 1, 0, -1), drawn, strict=True):
        cards = flat.take(places)
        # Written in this order a card that stays where it is stays whole.
        flat[places] = decks[row]
        decks[row] = cards
