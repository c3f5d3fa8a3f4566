"""The public beacon: which round a lock waits for, and what it adds to the mix (protocol §2.6).

Whether a round's signature is genuine is for the verifier, with a library; here the randomness is
recomputed from it and never read.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from fairdeal.fairness.framing import tup, u64


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A chain of rounds: ``genesis`` in seconds since 1970, ``period`` in seconds."""

    genesis: int
    period: int

    def round_after(self, ms: int) -> int:
        """Return the smallest round whose time is at or after a moment in ms since 1970."""
        late = ms - self.genesis * 1000
        if late <= 0:
            return 1
        return -(-late // (self.period * 1000)) + 1

    def time_of(self, round_number: int) -> int:
        """Return when a round comes out, in ms since 1970."""
        return (self.genesis + (round_number - 1) * self.period) * 1000


QUICKNET: Final = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
CHAINS: Final = {QUICKNET: Chain(genesis=1692803367, period=3)}
"""The chains that are known, by hash; none is taken from a record."""


def beacon_field(chain: str, round_number: int, signature: str) -> bytes:
    """Return the field B of the mix (§2.6).

    Args:
        chain: The chain's hash, 64 hex digits.
        round_number: The round.
        signature: Its signature in hex.
    """
    randomness = sha256(bytes.fromhex(signature)).digest()
    return tup("pfd1/drand", bytes.fromhex(chain), u64(round_number), randomness)
