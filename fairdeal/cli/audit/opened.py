"""Reads a finished game for its deals alone: chain, commitments, lines, secrets (protocol §2).

Quick, and strict about the little that it reads: whatever is not a plain finished game is
refused here and left to the verifier. Acts and scores are hashed into the chain, not judged.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from fairdeal.canasta.ruleset import from_json
from fairdeal.cli.audit.epochs import Epochs
from fairdeal.cli.audit.plain import NotPlain, hold
from fairdeal.fairness.deal import first_seat_of
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.lines import commit, hand_line, master_line
from fairdeal.fairness.steps import Step, parse_steps
from fairdeal.fairness.stream import mix
from fairdeal.game.table import rules_object
from fairdeal.records.fields import MAX_CARDS

# Keys are sorted, so these six end every canonical record whatever its body is.
_TAIL: Final = re.compile(
    rb'"game":"([a-z0-9._-]{8,64})","n":(\d{1,5}),"prev":"([0-9a-f]{64})","t":(\d{1,16}),'
    rb'"type":"([a-z]{1,8})","v":"pfd1"\}\n\Z'
)
_TAIL_BYTES: Final = 256
_UNREAD: Final = frozenset({"act", "draw"})
_SEEDS: Final = frozenset({"seal", "sealed", "share", "void", "lock"})
_MAX_LINE: Final = 262_144  # bytes (§2.10), and records of a file
_MAX_RECORDS: Final = 20_000


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
    hold(data.endswith(b"\n"), "the last line has no end")
    lines = data.splitlines(keepends=True)
    hold(len(lines) <= _MAX_RECORDS and max(map(len, lines)) <= _MAX_LINE, "a size")
    reader = _Reader(lines[0])
    before, time, game = "0" * 64, 0, reader.game.encode()
    for at, line in enumerate(lines):
        tail = _TAIL.search(line[-_TAIL_BYTES:])
        hold(tail is not None, f"record {at} has another form")
        assert tail is not None
        named, number, prev, moment, kind = tail.groups()
        hold(named == game and int(number) == at and prev.decode() == before, "the chain breaks")
        hold(int(moment) >= time, "time falls")
        before, time = sha256(line).hexdigest(), int(moment)
        reader.take(at, kind.decode(), line)
    return reader.done()


@lru_cache(maxsize=64)
def _is_canasta(text: str) -> bool:
    """Say whether deck, steps and sides are those that the ruleset gives (§6.1)."""
    rules = json.loads(text)
    play = rules["play"]
    ruleset = from_json(play["ruleset"])
    return bool(rules == rules_object(ruleset, play["preset"], play["custody"], play["seating"]))


class _Reader:
    """Takes the records in turn; what must follow what is held to protocol §2.5 and §2.8."""

    def __init__(self, first: bytes) -> None:
        record = json.loads(first)
        self.game: str = record["game"]
        self.body: dict[str, Any] = record["body"]
        self.open_hash = sha256(first).hexdigest()
        self.seats = len(self.body["seats"])
        self.epochs = Epochs(self.game, self.open_hash, self.body)
        self.hands: list[OpenedHand] = []
        self.playing: dict[str, Any] | None = None
        self.ended: str | None = None  # how the hand ended that waits for its secret
        self.master: str | None = None
        self.is_closed = False

    def take(self, at: int, kind: str, line: bytes) -> None:
        hold(self.master is None, "there is a record behind the master")
        hold((kind == "open") == (at == 0), "the first record is out of place")
        hold(self.ended is None or kind == "reveal", "a secret is late")
        hold(not self.is_closed or kind == "master", "there is a record behind the end")
        if kind in _UNREAD:
            hold(self.playing is not None, "an act out of place")
            hold((kind == "act") == ("play" in self.body["rules"]), "an act of another kind")
        elif kind in _SEEDS:
            hold(self.playing is None, "seeds during a hand")
            getattr(self.epochs, kind)(json.loads(line)["body"])
        elif kind == "beacon":
            self.epochs.take_beacon(json.loads(line)["body"])
        elif kind != "open":
            take = getattr(self, f"_{kind}", None)
            hold(take is not None, f"a record of the type {kind}")
            assert take is not None
            take(json.loads(line)["body"])

    def done(self) -> OpenedGame:
        hold(self.master is not None, "the game is not over")
        assert self.master is not None
        rules = self.body["rules"]
        hold("play" not in rules or _is_canasta(json.dumps(rules)), "other cards than canasta's")
        hold(isinstance(rules["deck"], list), "a deck of another form")
        deck = tuple(rules["deck"])
        # It is dealt again in bulk, where one bad deck would stop all the others.
        hold(1 <= len(deck) <= MAX_CARDS and all(type(face) is str for face in deck), "the deck")
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
            has_void=any(epoch.is_void for epoch in self.epochs.all),
            hands=tuple(self.hands),
        )

    def _deal(self, body: dict[str, Any]) -> None:
        hold(self.playing is None and body["hand"] == len(self.hands) + 1, "a deal out of place")
        self.epochs.locked.dealt += 1
        due = first_seat_of(self.body["first_seat"], body["hand"], self.seats)
        hold(body["first_seat"] == due, "another seat is dealt first")
        self.playing = body

    def _score(self, body: dict[str, Any]) -> None:
        self._end(body, "score")

    def _abort(self, body: dict[str, Any]) -> None:
        self._end(body, "abort")

    def _end(self, body: dict[str, Any], how: str) -> None:
        hold(self.playing and body["hand"] == self.playing["hand"], "an end out of place")
        self.ended = how

    def _reveal(self, body: dict[str, Any]) -> None:
        hold(self.ended and self.playing and body["hand"] == self.playing["hand"], "a secret")
        assert self.playing is not None
        secret, number = Secret.from_hex(body["secret"]), body["hand"]
        due = self.body["hand_commits"][number - 1]
        hold(commit(hand_line(self.game, number, secret)) == due, "a secret that does not fit")
        epoch = self.epochs.all[-1]
        assert epoch.lines is not None
        mixed = mix(
            game=self.game,
            open_hash=self.open_hash,
            epoch=len(self.epochs.all),
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
        hold(self.playing is None and body["hands"] == len(self.hands), "an end out of place")
        self.is_closed = True

    def _master(self, body: dict[str, Any]) -> None:
        hold(self.is_closed, "the master before the end")
        master = Secret.from_hex(body["secret"])
        hold(commit(master_line(self.game, master)) == self.body["master_commit"], "the master")
        self._hold_commitments(master, self.body["hand_commits"])
        self.master = sha256(master.raw).hexdigest()

    def _hold_commitments(self, master: Secret, commits: Sequence[str]) -> None:
        for number, due in enumerate(commits, 1):
            line = hand_line(self.game, number, hand_secret(master, self.game, number))
            hold(commit(line) == due, f"commitment {number} is not of the master")
