"""Derives every secret of a game from its master secret (protocol §2.2, §2.3, §2.7)."""

import hmac
from dataclasses import dataclass
from typing import Final

from fairdeal.fairness.framing import tup, u64

SECRET_BYTES: Final = 64
SALT_BYTES: Final = 32


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Secret:
    """A master secret or a hand secret: 64 bytes that no text of ours shows by itself.

    Attributes:
        raw: The 64 bytes.

    Raises:
        ValueError: There are not 64 bytes.
    """

    raw: bytes

    def __post_init__(self) -> None:
        # The length alone: a message that quoted the bytes would carry them into a log.
        if type(self.raw) is not bytes or len(self.raw) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes")

    @classmethod
    def from_hex(cls, text: str) -> "Secret":
        """Read a secret from 128 lower-case hex digits.

        Raises:
            ValueError: It is anything else.
        """
        try:
            raw = bytes.fromhex(text)
        except ValueError:
            # Not chained: the original message may quote the digit.
            raise ValueError("a secret is written as 128 hex digits") from None
        secret = cls(raw)
        if secret.hex() != text:
            raise ValueError("a secret is written as 128 lower-case hex digits")
        return secret

    def hex(self) -> str:
        """Return the 128 hex digits that a `reveal` or `master` record publishes."""
        return self.raw.hex()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self.raw, other.raw)

    def __repr__(self) -> str:
        return "Secret(silent)"


def hand_secret(master: Secret, game: str, hand: int) -> Secret:
    """Return the secret of one hand, ``HM(master, TUP("pfd1/hand", game, u64(k)))`` (§2.3).

    Args:
        master: The game's master secret.
        game: The game's name, ASCII.
        hand: From 1.

    Raises:
        ValueError: The hand is below 1.
    """
    if hand < 1:
        raise ValueError(f"hands count from 1, got {hand}")
    message = tup("pfd1/hand", game.encode("ascii"), u64(hand))
    return Secret(hmac.digest(master.raw, message, "sha512"))


def card_salt(secret: Secret, seat: int) -> str:
    """Return the salt of one seat's card line, 64 hex digits (§2.7).

    Args:
        secret: The secret of the hand.
        seat: From 0.
    """
    message = tup("pfd1/cards-salt", u64(seat))
    return hmac.digest(secret.raw, message, "sha512")[:SALT_BYTES].hex()
