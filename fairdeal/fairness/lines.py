"""Writes the lines that are committed to, and hashes them (protocol §2.2 to §2.4, §2.7).

A line is ASCII and ends with one LF, which is hashed too, so ``sha256sum`` on a file with the
line gives what `commit` gives.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from fairdeal.errors import MalformedInput
from fairdeal.fairness.keys import Secret

MAX_SEED_TEXT_BYTES: Final = 1024

_GAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{7,63}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


def commit(line: bytes) -> str:
    """Return the commitment to a line: its SHA-256 in hex, the LF included (§2.1)."""
    return sha256(line).hexdigest()


def master_line(game: str, master: Secret) -> bytes:
    """Return line M, whose commitment is `master_commit` (§2.2).

    Raises:
        MalformedInput: The game's name is not one.
    """
    return f"pfd1:master:{_game(game)}:{master.hex()}\n".encode("ascii")


def hand_line(game: str, hand: int, secret: Secret) -> bytes:
    """Return line Hk, whose commitment is `hand_commit(k)` (§2.3).

    Args:
        game: The game's name.
        hand: From 1.
        secret: The secret of that hand.

    Raises:
        MalformedInput: The game's name or the hand is not one.
    """
    return f"pfd1:hand:{_game(game)}:{_count(hand, 1, 'hand')}:{secret.hex()}\n".encode("ascii")


def seat_line(
    game: str, epoch: int, seat: int, open_hash: str, nonce: str, seed_sha256: str
) -> bytes:
    """Return line S, a player's contribution to the epoch; its commitment is the seal (§2.4).

    Args:
        game: The game's name.
        epoch: From 1.
        seat: From 0.
        open_hash: The hash of record 0, 64 hex digits.
        nonce: 32 bytes of the player's program, 64 hex digits.
        seed_sha256: The hash of the typed text, 64 hex digits.

    Raises:
        MalformedInput: One of them has another form.
    """
    return (
        f"pfd1:seat:{_game(game)}:{_count(epoch, 1, 'epoch')}:{_count(seat, 0, 'seat')}"
        f":{_hash(open_hash, 'open_hash')}:{_hash(nonce, 'nonce')}"
        f":{_hash(seed_sha256, 'seed_sha256')}\n"
    ).encode("ascii")


def card_line(game: str, hand: int, seat: int, salt_hex: str, cards: Sequence[int]) -> bytes:
    """Return the line whose hash the `deal` record shows for a seat (§2.7).

    Args:
        game: The game's name.
        hand: From 1.
        seat: From 0.
        salt_hex: The seat's salt, 64 hex digits (`fairdeal.fairness.keys.card_salt`).
        cards: Positions in `rules.deck`, in the order of the hand after all steps.

    Raises:
        MalformedInput: One of them has another form.
    """
    listed = ",".join(str(_count(card, 0, "cards")) for card in cards)
    return (
        f"pfd1:cards:{_game(game)}:{_count(hand, 1, 'hand')}:{_count(seat, 0, 'seat')}"
        f":{_hash(salt_hex, 'salt')}:{listed}\n"
    ).encode("ascii")


def seed_sha256(text: str) -> str:
    """Return the hash of a typed text, 64 hex digits: its UTF-8 exactly as given (§2.4).

    Args:
        text: Any Unicode scalar values, 0 to 1024 bytes in UTF-8; never trimmed or normalised.

    Raises:
        MalformedInput: Code `bad_seed_text`: an unpaired surrogate, or over 1024 bytes.
    """
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        # Not chained: the original error carries the text, which may be a password.
        raise MalformedInput(
            "bad_seed_text", "Your text holds half of a character (an unpaired surrogate)."
        ) from None
    if len(encoded) > MAX_SEED_TEXT_BYTES:
        raise MalformedInput(
            "bad_seed_text",
            f"Your text has {len(encoded)} bytes; at most {MAX_SEED_TEXT_BYTES} are allowed.",
            {"bytes": len(encoded), "max": MAX_SEED_TEXT_BYTES},
        )
    return sha256(encoded).hexdigest()


def _game(game: str) -> str:
    if _GAME.fullmatch(game) is None:
        raise _bad("game", "is not 8 to 64 of a-z 0-9 . _ - with a letter or digit first")
    return game


def _hash(value: str, field: str) -> str:
    if _HASH.fullmatch(value) is None:
        raise _bad(field, "is not 64 lower-case hex digits")
    return value


def _count(value: int, least: int, field: str) -> int:
    if type(value) is not int or value < least:
        raise _bad(field, f"is not an integer from {least}")
    return value


def _bad(field: str, why: str) -> MalformedInput:
    return MalformedInput("bad_field", f"The field {field} {why}.", {"field": field})
