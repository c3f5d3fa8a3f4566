"""Where the signatures of a beacon's rounds come from: a port, and rounds that were recorded.

Nothing here goes online, and nothing asks for a round before its time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


class BeaconSource(Protocol):
    """What every source of rounds promises.

    1. It serves the chains that it names, and no other.
    2. What it gives for a round is the signature that its chain published: whoever fetches
       checks it, for what is recorded can never be taken back (protocol 2.6).
    3. Asked again for a round it gives the same.
    """

    @property
    def chains(self) -> frozenset[str]:
        """The chains that are served, by hash."""

    def signature(self, chain: str, round_number: int) -> str | None:
        """Return a round's signature in hex, or None while it is not there."""


@dataclass(frozen=True, slots=True)
class RecordedRounds:
    """Rounds that are known from elsewhere.

    Attributes:
        rounds: By chain, then by number: the signature in hex.
    """

    rounds: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    @property
    def chains(self) -> frozenset[str]:
        """The chains of which there are any."""
        return frozenset(self.rounds)

    def signature(self, chain: str, round_number: int) -> str | None:
        """Return a recorded signature, or None."""
        return self.rounds.get(chain, {}).get(round_number)


NO_BEACON = RecordedRounds()
"""Serves no chain: games with a beacon are refused."""
