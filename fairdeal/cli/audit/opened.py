"""Reads a finished game for its deals alone: chain, commitments, lines, secrets (protocol §2).

Quick, and strict about the little that it reads: whatever is not a plain finished game is
refused here and left to the verifier. Acts and scores are hashed into the chain, not judged.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from fairdeal.fairness.beacon import beacon_field
from fairdeal.fairness.deal import first_seat_of
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.lines import commit, hand_line, master_line, seat_line
from fairdeal.fairness.steps import Step, parse_steps
from fairdeal.fairness.stream import mix

# Keys are sorted, so these six end every canonical record whatever its body is.
_TAIL: Final = re.compile(
    rb'"game":"([a-z0-9._-]{8,64})","n":(\d{1,5}),"prev":"([0-9a-f]{64})","t":(\d{1,16}),'
    rb'"type":"([a-z]{1,8})","v":"pfd1"\}\n\Z'
)
_TAIL_BYTES: Final = 256
_UNREAD: Final = frozenset({"act", "draw"})


class NotPlain(Exception):
    """This is no finished game that fits itself as far as it was read: the verifier's case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedHand:
    """A hand whose secret is out, ready to be dealt again.

    Attributes:
        deal: The body of its ``deal`` record.
        is_aborted: Whether it was given up.
    """

    number: int
    secret: Secret
    mix: bytes
    first_seat: int
    deal: dict[str, Any]
    is_aborted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedGame:
    """What a finished game's file says of its deals.

    Attributes:
        master: SHA-256 of the master secret.
        is_canasta: Whether the game was refereed, so that its faces mean something.
        has_beacon: Whether a beacon is in its mixes; its signature was not looked at.
        has_void: Whether an epoch was given up; whether rightly so was not looked at.
        first_seat: That of record 0.
    """

    game: str
    open_hash: str
    origin: str
    master: str
    deck: tuple[str, ...]
    steps: tuple[Step, ...]
    seats: int
    first_seat: int
    is_canasta: bool
    has_beacon: bool
    has_void: bool
    hands: tuple[OpenedHand, ...]


def read_opened(data: bytes) -> OpenedGame:
    """Read a finished game.

    Args:
        data: The whole file.

    Raises:
        NotPlain: It is none, or something in it does not fit.
    """
    try:
        return _read(data)
    except NotPlain:
        raise
    except Exception as error:  # noqa: BLE001  whatever shape it has, the verifier names it
        raise NotPlain(f"{type(error).__name__}: {error}") from None


def _read(data: bytes) -> OpenedGame:
    _hold(data.endswith(b"\n"), "the last line has no end")
    lines = data.splitlines(keepends=True)
    reader = _Reader(lines[0])
    before, time, game = "0" * 64, 0, reader.game.encode()
    for at, line in enumerate(lines):
        tail = _TAIL.search(line[-_TAIL_BYTES:])
        _hold(tail is not None, f"record {at} has another form")
        assert tail is not None
        named, number, prev, moment, kind = tail.groups()
        _hold(named == game and int(number) == at and prev.decode() == before, "the chain breaks")
        _hold(int(moment) >= time, "time falls")
        before, time = sha256(line).hexdigest(), int(moment)
        reader.take(at, kind.decode(), line)
    return reader.done()


def _hold(fits: object, why: str) -> None:
    if not fits:
        raise NotPlain(why)


@dataclass(slots=True)
class _Epoch:
    shares: dict[int, bytes] = field(default_factory=dict)
    lines: tuple[bytes, ...] | None = None
    round: int | None = None
    beacon: bytes = b""
    is_void: bool = False


class _Reader:
    """Takes the records in turn; what must follow what is held to protocol §2.5 and §2.8."""

    def __init__(self, first: bytes) -> None:
        record = json.loads(first)
        self.game: str = record["game"]
        self.body: dict[str, Any] = record["body"]
        self.open_hash = sha256(first).hexdigest()
        self.seats = len(self.body["seats"])
        self.epochs: list[_Epoch] = []
        self.hands: list[OpenedHand] = []
        self.playing: dict[str, Any] | None = None
        self.ended: str | None = None  # how the hand ended that waits for its secret
        self.master: str | None = None
        self.is_closed = False

    def take(self, at: int, kind: str, line: bytes) -> None:
        _hold(self.master is None, "there is a record behind the master")
        _hold((kind == "open") == (at == 0), "the first record is out of place")
        _hold(self.ended is None or kind == "reveal", "a secret is late")
        _hold(not self.is_closed or kind == "master", "there is a record behind the end")
        if kind in _UNREAD:
            _hold(self.playing is not None, "an act out of place")
        elif kind != "open":
            take = getattr(self, f"_{kind}", None)
            _hold(take is not None, f"a record of the type {kind}")
            assert take is not None
            take(json.loads(line)["body"])

    def done(self) -> OpenedGame:
        _hold(self.master is not None, "the game is not over")
        assert self.master is not None
        rules = self.body["rules"]
        deck = tuple(rules["deck"])
        return OpenedGame(
            game=self.game,
            open_hash=self.open_hash,
            origin=self.body["origin"],
            master=self.master,
            deck=deck,
            steps=parse_steps(rules["steps"], cards=len(deck), seats=self.seats),
            seats=self.seats,
            first_seat=self.body["first_seat"],
            is_canasta="play" in rules,
            has_beacon=self.body["beacon"] is not None,
            has_void=any(epoch.is_void for epoch in self.epochs),
            hands=tuple(self.hands),
        )

    def _seal(self, body: dict[str, Any]) -> None:
        self._sharing(body["epoch"])

    def _sealed(self, body: dict[str, Any]) -> None:
        self._sharing(body["epoch"])

    def _share(self, body: dict[str, Any]) -> None:
        epoch, seat = self._sharing(body["epoch"]), body["seat"]
        _hold(self.body["seats"][seat]["kind"] == "player" and seat not in epoch.shares, "a share")
        epoch.shares[seat] = seat_line(
            self.game, body["epoch"], seat, self.open_hash, body["nonce"], body["seed_sha256"]
        )

    def _lock(self, body: dict[str, Any]) -> None:
        epoch = self._sharing(body["epoch"])
        epoch.lines = tuple(epoch.shares.get(seat, b"") for seat in range(self.seats))
        listed = [commit(line) if line else None for line in epoch.lines]
        _hold(body["shares"] == listed, "the lock lists other shares")
        _hold(body["first_hand"] == len(self.hands) + 1, "the lock names another hand")
        epoch.round = body["round"]

    def _void(self, body: dict[str, Any]) -> None:
        self._sharing(body["epoch"]).is_void = True

    def _beacon(self, body: dict[str, Any]) -> None:
        epoch = self.epochs[-1]
        _hold(epoch.lines is not None and body["round"] == epoch.round, "a beacon out of place")
        _hold(body["epoch"] == len(self.epochs) and not epoch.beacon, "a second beacon")
        epoch.beacon = beacon_field(self.body["beacon"]["chain"], body["round"], body["signature"])

    def _deal(self, body: dict[str, Any]) -> None:
        _hold(self.playing is None and body["hand"] == len(self.hands) + 1, "a deal out of place")
        _hold(self.epochs and self.epochs[-1].lines is not None, "a deal before the lock")
        _hold(bool(self.body["beacon"]) == bool(self.epochs[-1].beacon), "a deal before the beacon")
        due = first_seat_of(self.body["first_seat"], body["hand"], self.seats)
        _hold(body["first_seat"] == due, "another seat is dealt first")
        self.playing = body

    def _score(self, body: dict[str, Any]) -> None:
        self._end(body, "score")

    def _abort(self, body: dict[str, Any]) -> None:
        self._end(body, "abort")

    def _end(self, body: dict[str, Any], how: str) -> None:
        _hold(self.playing and body["hand"] == self.playing["hand"], "an end out of place")
        self.ended = how

    def _reveal(self, body: dict[str, Any]) -> None:
        _hold(self.ended and self.playing and body["hand"] == self.playing["hand"], "a secret")
        assert self.playing is not None
        secret, number = Secret.from_hex(body["secret"]), body["hand"]
        due = self.body["hand_commits"][number - 1]
        _hold(commit(hand_line(self.game, number, secret)) == due, "a secret that does not fit")
        epoch = self.epochs[-1]
        assert epoch.lines is not None
        mixed = mix(
            game=self.game,
            open_hash=self.open_hash,
            epoch=len(self.epochs),
            hand=number,
            first_seat=self.playing["first_seat"],
            lines=epoch.lines,
            beacon=epoch.beacon,
        )
        self.hands.append(
            OpenedHand(
                number=number,
                secret=secret,
                mix=mixed,
                first_seat=self.playing["first_seat"],
                deal=self.playing,
                is_aborted=self.ended == "abort",
            )
        )
        self.playing = self.ended = None

    def _close(self, body: dict[str, Any]) -> None:
        _hold(self.playing is None and body["hands"] == len(self.hands), "an end out of place")
        self.is_closed = True

    def _master(self, body: dict[str, Any]) -> None:
        _hold(self.is_closed, "the master before the end")
        master = Secret.from_hex(body["secret"])
        _hold(commit(master_line(self.game, master)) == self.body["master_commit"], "the master")
        self._hold_commitments(master, self.body["hand_commits"])
        self.master = sha256(master.raw).hexdigest()

    def _hold_commitments(self, master: Secret, commits: Sequence[str]) -> None:
        for number, due in enumerate(commits, 1):
            line = hand_line(self.game, number, hand_secret(master, self.game, number))
            _hold(commit(line) == due, f"commitment {number} is not of the master")

    def _sharing(self, number: int) -> _Epoch:
        """Return the epoch that takes seeds; a new one begins where the last one has dealt."""
        _hold(self.playing is None, "seeds during a hand")
        if number == len(self.epochs) + 1:
            wanted = self.body["epoch_hands"]
            locked = sum(epoch.lines is not None for epoch in self.epochs)
            is_due = wanted and len(self.hands) == wanted * locked
            _hold(not self.epochs or self.epochs[-1].is_void or is_due, "an epoch out of place")
            _hold(sum(epoch.is_void for epoch in self.epochs) < 2, "an epoch behind two void ones")
            self.epochs.append(_Epoch())
        epoch = self.epochs[number - 1]
        is_open = epoch.lines is None and not epoch.is_void
        _hold(number == len(self.epochs) and is_open, "seeds after the lock")
        return epoch
