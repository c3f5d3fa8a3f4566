"""From secrets and lines to an order of cards (§2.1 to §2.4, §2.7)."""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

SECRET_BYTES: Final = 64
WORD_VALUES: Final = 65536
MAX_CARDS: Final = 1024
_LABEL: Final = b"pfd1/stream\x00"
_SALT_BYTES: Final = 32


def tup(label: str, fields: Iterable[bytes]) -> bytes:
    """Return TUP(label, f1..fn) (§2.1)."""
    parts = list(fields)
    return _lp(label.encode("ascii")) + _u32(len(parts)) + b"".join(map(_lp, parts))


def u64(number: int) -> bytes:
    """Return 8 bytes, big-endian."""
    return number.to_bytes(8, "big")


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _lp(part: bytes) -> bytes:
    return _u32(len(part)) + part


def hash_line(line: str) -> str:
    """Return H256 of an ASCII line, its LF added, in hex."""
    return hashlib.sha256(line.encode("ascii") + b"\n").hexdigest()


def keyed(key: bytes, message: bytes) -> bytes:
    """Return HMAC-SHA-512 under a key of 64 bytes."""
    if len(key) != SECRET_BYTES:
        raise ValueError(f"a key has {SECRET_BYTES} bytes, this one {len(key)}")
    return hmac.digest(key, message, "sha512")


def master_line(game: str, master: bytes) -> str:
    """Return line M without its LF (§2.2)."""
    return f"pfd1:master:{game}:{master.hex()}"


def hand_secret(game: str, master: bytes, hand: int) -> bytes:
    """Return the secret of a hand, from 1 (§2.3)."""
    return keyed(master, tup("pfd1/hand", [game.encode("ascii"), u64(hand)]))


def hand_line(game: str, hand: int, secret: bytes) -> str:
    """Return line Hk without its LF (§2.3)."""
    return f"pfd1:hand:{game}:{hand}:{secret.hex()}"


def seat_line(
    game: str, epoch: int, seat: int, open_hash: str, nonce: str, seed_sha256: str
) -> str:
    """Return line S without its LF (§2.4)."""
    return f"pfd1:seat:{game}:{epoch}:{seat}:{open_hash}:{nonce}:{seed_sha256}"


def mix(
    *,
    game: str,
    open_hash: str,
    epoch: int,
    hand: int,
    first_seat: int,
    beacon: bytes,
    lines: Sequence[str | None],
) -> bytes:
    """Return the 64 bytes that bind a hand to everything public about it (§2.7).

    Args:
        game: The game's name.
        open_hash: Of record 0, hex.
        epoch: From 1.
        hand: From 1.
        first_seat: Of this hand.
        beacon: B of §2.6, empty without one.
        lines: One S line per seat, without LF; None for a seat that has none.
    """
    fields = [
        game.encode("ascii"),
        bytes.fromhex(open_hash),
        u64(epoch),
        u64(hand),
        u64(first_seat),
        beacon,
        *(b"" if line is None else line.encode("ascii") + b"\n" for line in lines),
    ]
    return hashlib.sha512(tup("pfd1/mix", fields)).digest()


def block(secret: bytes, mixed: bytes, number: int) -> bytes:
    """Return block i of the stream, from 1 (§2.7)."""
    return keyed(secret, _u32(number) + _LABEL + mixed)


def words(secret: bytes, mixed: bytes) -> Iterator[int]:
    """Yield the stream's words: 16 bits each, big-endian, block after block."""
    number = 1
    while True:
        data = block(secret, mixed, number)
        for at in range(0, len(data), 2):
            yield data[at] << 8 | data[at + 1]
        number += 1


def below(m: int, stream: Iterator[int]) -> int:
    """Return an exactly uniform number below m, 1 to 65,536 (§2.7)."""
    if not 1 <= m <= WORD_VALUES:
        raise ValueError(f"below takes 1 to {WORD_VALUES}, not {m}")
    if m == 1:
        return 0
    limit = WORD_VALUES - WORD_VALUES % m
    for word in stream:
        if word < limit:
            return word % m
    raise ValueError("the words ran out")


def shuffle(count: int, stream: Iterator[int]) -> list[int]:
    """Return the positions 0 to count-1 in the order of the deck, top first (§2.7)."""
    if not 0 <= count <= MAX_CARDS:
        raise ValueError(f"a deck has at most {MAX_CARDS} cards, not {count}")
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = below(i + 1, stream)
        order[i], order[j] = order[j], order[i]
    return order


def cards_salt(secret: bytes, seat: int) -> str:
    """Return the salt of a seat's card hash, 64 hex digits (§2.7)."""
    return keyed(secret, tup("pfd1/cards-salt", [u64(seat)]))[:_SALT_BYTES].hex()


def cards_hasher(game: str, hand: int, seat: int, salt: str) -> Callable[[Sequence[int]], str]:
    """Return the function from a seat's cards, in order, to their published hash (§2.7)."""

    def hash_cards(cards: Sequence[int]) -> str:
        return hash_line(f"pfd1:cards:{game}:{hand}:{seat}:{salt}:{','.join(map(str, cards))}")

    return hash_cards
