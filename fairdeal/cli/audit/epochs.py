"""The seeds of a finished game, read for its mixes: seals, shares, locks, beacons (§2.5, §2.6)."""

from dataclasses import dataclass, field
from typing import Any, Final

from fairdeal.cli.audit.plain import hold
from fairdeal.fairness.beacon import beacon_field
from fairdeal.fairness.lines import commit, seat_line

_MAX_VOIDS: Final = 2


@dataclass(slots=True)
class Epoch:
    """A run of hands that use one set of seat lines.

    Attributes:
        seals: By seat.
        is_sealed: Whether shares may come; from the start in the profile ``open``.
        shares: By seat, its S line.
        lines: One a seat once locked, empty where none.
        beacon: B of §2.6 once the round is known.
        dealt: How many hands were dealt from it.
    """

    is_sealed: bool
    seals: dict[int, str] = field(default_factory=dict)
    shares: dict[int, bytes] = field(default_factory=dict)
    lines: tuple[bytes, ...] | None = None
    round: int | None = None
    beacon: bytes = b""
    is_void: bool = False
    dealt: int = 0


class Epochs:
    """Takes the records of seeds in turn; each method takes the body of one.

    Attributes:
        all: From the first one on.
    """

    def __init__(self, game: str, open_hash: str, body: dict[str, Any]) -> None:
        self.all: list[Epoch] = []
        self._game, self._open_hash, self._body = game, open_hash, body
        self._is_sealing = body["profile"] == "sealed"
        self._seats: list[bool] = [seat["kind"] == "player" for seat in body["seats"]]

    @property
    def locked(self) -> Epoch:
        """The newest epoch, from which a hand may be dealt now."""
        hold(self.all and self.all[-1].lines is not None, "a deal before the lock")
        epoch = self.all[-1]
        hold(bool(self._body["beacon"]) == bool(epoch.beacon), "a deal before the beacon")
        wanted = self._body["epoch_hands"]
        hold(not wanted or epoch.dealt < wanted, "a hand too many from old seeds")
        return epoch

    def seal(self, body: dict[str, Any]) -> None:
        """Take a seal."""
        epoch, seat = self._open(body), self._player(body)
        hold(not epoch.is_sealed and seat not in epoch.seals, "a seal out of place")
        hold(body["seal"] not in epoch.seals.values(), "a seal like another")
        epoch.seals[seat] = body["seal"]

    def sealed(self, body: dict[str, Any]) -> None:
        """Take the end of sealing."""
        epoch = self._open(body)
        listed = [epoch.seals.get(seat) for seat in range(len(self._seats))]
        hold(not epoch.is_sealed and body["seals"] == listed, "the seals are listed otherwise")
        hold(len(epoch.seals) == sum(self._seats), "a seal is missing")
        epoch.is_sealed = True

    def share(self, body: dict[str, Any]) -> None:
        """Take a share; it has to open its seal."""
        epoch, seat = self._open(body), self._player(body)
        hold(epoch.is_sealed and seat not in epoch.shares, "a share out of place")
        line = seat_line(
            self._game, body["epoch"], seat, self._open_hash, body["nonce"], body["seed_sha256"]
        )
        hold(not self._is_sealing or epoch.seals.get(seat) == commit(line), "an opened seal")
        epoch.shares[seat] = line

    def void(self, body: dict[str, Any]) -> None:
        """Take the end of an epoch that was given up."""
        self._open(body).is_void = True

    def lock(self, body: dict[str, Any]) -> None:
        """Take a lock: it needs the share of every player."""
        epoch = self._open(body)
        hold(epoch.is_sealed and len(epoch.shares) == sum(self._seats), "a share is missing")
        epoch.lines = tuple(epoch.shares.get(seat, b"") for seat in range(len(self._seats)))
        hold(body["shares"] == [commit(line) if line else None for line in epoch.lines], "the lock")
        dealt = sum(one.dealt for one in self.all)
        hold(body["first_hand"] == dealt + 1, "the lock names another hand")
        epoch.round = body["round"]

    def take_beacon(self, body: dict[str, Any]) -> None:
        """Take a round; whether it is the right one, and signed, is not looked at."""
        epoch = self.all[-1]
        hold(epoch.lines is not None and body["round"] == epoch.round, "a beacon out of place")
        hold(body["epoch"] == len(self.all) and not epoch.beacon, "a second beacon")
        epoch.beacon = beacon_field(self._body["beacon"]["chain"], body["round"], body["signature"])

    def _player(self, body: dict[str, Any]) -> int:
        seat = body["seat"]
        hold(type(seat) is int and 0 <= seat < len(self._seats) and self._seats[seat], "a seat")
        return int(seat)

    def _open(self, body: dict[str, Any]) -> Epoch:
        """Return the epoch that takes seeds; a new one begins where the last one has dealt."""
        number = body["epoch"]
        if number == len(self.all) + 1:
            hold(not self.all or self._may_follow(self.all[-1]), "an epoch out of place")
            hold(sum(one.is_void for one in self.all) < _MAX_VOIDS, "an epoch after two void ones")
            self.all.append(Epoch(is_sealed=not self._is_sealing or not any(self._seats)))
        hold(type(number) is int and number == len(self.all), "another epoch")
        epoch = self.all[-1]
        hold(epoch.lines is None and not epoch.is_void, "seeds after the lock")
        return epoch

    def _may_follow(self, last: Epoch) -> bool:
        wanted = self._body["epoch_hands"]
        return last.is_void or (last.lines is not None and wanted and last.dealt == wanted)
