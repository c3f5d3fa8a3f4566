"""The chains that this verifier knows, and what follows from a round's number (§2.6)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from verifier.derive import tup, u64

MIN_DELAY_PERIODS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A drand chain whose rounds come at fixed times.

    Attributes:
        name: Its hash, hex.
        public_key: A compressed point of G2, 96 bytes.
        genesis: When round 1 came, seconds since 1970.
        period: Seconds from one round to the next.
        tag: The domain separation tag of its signatures (RFC 9380).
    """

    name: str
    public_key: bytes
    genesis: int
    period: int
    tag: bytes

    def due_round(self, time_ms: int) -> int:
        """Return the smallest round that comes at or after a time."""
        since = time_ms - 1000 * self.genesis
        return 1 if since <= 0 else 1 + -(-since // (1000 * self.period))

    def round_time(self, number: int) -> int:
        """Return when a round comes, ms since 1970."""
        return 1000 * (self.genesis + (number - 1) * self.period)


QUICKNET: Final = Chain(
    name="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    public_key=bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    genesis=1692803367,
    period=3,
    tag=b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
)
CHAINS: Final[Mapping[str, Chain]] = {QUICKNET.name: QUICKNET}


def round_message(number: int) -> bytes:
    """Return what the operators sign for a round; unchained, so its number is all."""
    return hashlib.sha256(u64(number)).digest()


def mix_field(chain: str, number: int, signature: bytes) -> bytes:
    """Return B of §2.6: the randomness in it is made anew from the signature, never read."""
    randomness = hashlib.sha256(signature).digest()
    return tup("pfd1/drand", [bytes.fromhex(chain), u64(number), randomness])
