"""An epoch: a run of hands that use one set of seat lines (protocol §2.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from fairdeal.fairness.beacon import beacon_field
from fairdeal.fairness.lines import seat_line

SEALED: Final = "sealed"
"""The profile in which every seat seals its line before any is shown (§2.5)."""

SEALING: Final = "sealing"
SHARING: Final = "sharing"
LOCKED: Final = "locked"
VOID: Final = "void"

MOST_VOIDS: Final = 2
"""After a second void epoch only ``close`` may follow (§2.5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch:
    """One epoch as its records leave it.

    Attributes:
        number: From 1.
        phase: SEALING, SHARING, LOCKED or VOID.
        seals: The seal of each seat, None where there is none.
        lines: The S line of each seat, empty where there is none (§2.4).
        first_hand: Its first hand; 0 until it is locked.
        round: The beacon's round that the lock fixed, or None.
        beacon: The field B of §2.6; empty without a beacon or before the round is out.
    """

    number: int
    phase: str
    seals: tuple[str | None, ...]
    lines: tuple[bytes, ...]
    first_hand: int = 0
    round: int | None = None
    beacon: bytes = b""

    @property
    def ready(self) -> bool:
        """Whether hands may be dealt from it: locked, and its beacon out where it has one."""
        return self.phase == LOCKED and (self.round is None or bool(self.beacon))


def fresh(number: int, seats: int, profile: str) -> Epoch:
    """Give an epoch that begins, with seals or at once with shares by the game's profile."""
    phase = SEALING if profile == SEALED else SHARING
    return Epoch(number=number, phase=phase, seals=(None,) * seats, lines=(b"",) * seats)


def with_seal(epoch: Epoch, body: Mapping[str, Any]) -> Epoch:
    """Give the epoch after a ``seal``."""
    return replace(epoch, seals=_put(epoch.seals, body["seat"], body["seal"]))


def with_share(epoch: Epoch, game: str, open_hash: str, body: Mapping[str, Any]) -> Epoch:
    """Give the epoch after a ``share``."""
    line = seat_line(
        game, epoch.number, body["seat"], open_hash, body["nonce"], body["seed_sha256"]
    )
    return replace(epoch, lines=_put(epoch.lines, body["seat"], line))


def with_lock(epoch: Epoch, body: Mapping[str, Any]) -> Epoch:
    """Give the epoch after a ``lock``."""
    return replace(epoch, phase=LOCKED, first_hand=body["first_hand"], round=body["round"])


def with_beacon(epoch: Epoch, chain: str, body: Mapping[str, Any]) -> Epoch:
    """Give the epoch after a ``beacon``."""
    return replace(epoch, beacon=beacon_field(chain, body["round"], body["signature"]))


def _put(row: tuple[Any, ...], seat: int, value: object) -> tuple[Any, ...]:
    return (*row[:seat], value, *row[seat + 1 :])
