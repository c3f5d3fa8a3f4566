"""Honest games of every kind, dealt by the service itself: planned by chance, from a seed."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.rulesets import SIX
from fairdeal.bots import greedy
from fairdeal.canasta import presets
from fairdeal.canasta.acts import format_act
from fairdeal.fairness.beacon import CHAINS, QUICKNET
from fairdeal.fairness.lines import commit, seat_line
from fairdeal.game import seat_in_turn, seat_knowledge
from fairdeal.records.notes import SigningKey
from fairdeal.service import Dealer, NewDealt, NewGame, NewSeat, Seed
from fairdeal.service.callers import Anyone, Operator, Seated, digest, prefix
from fairdeal.store.beacons import RecordedRounds
from fairdeal.store.ports import Grant, Write
from fairdeal.store.sql import SqlStore
from fairdeal.store.vault import Vault

ORIGIN: Final = "fairdeal.localhost/honest"
DELAY_MS: Final = 6000
ROUNDS: Final = (1000, 657413)
"""Rounds of which the beacon's signatures are published in tests/vectors."""
_DAY_MS: Final = 24 * 3600 * 1000
_VECTORS: Final = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "pfd1-vectors.json"
_FACES: Final = tuple(rank + suit for suit in "CDHS" for rank in "A23456789TJQK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a game is to be and how it is to go.

    Attributes:
        wanted: The game as a site asks for it.
        voids: How many epochs are given up before seeds come from everybody, 0 to 2.
        drops: Whether a seat stays away for good where its share may be dropped.
        aborts: Hands that the operator stops.
        end: `play` to the end, `close` somewhere, `leave` it running, `forget` it until it closes.
        acts: After so many acts or draws a game that is closed or left stops.
    """

    wanted: NewGame
    voids: int
    drops: bool
    aborts: frozenset[int]
    end: str
    acts: int


@dataclass(slots=True)
class Sitting:
    """A game as it went.

    Attributes:
        transcript: What everybody may download in the end.
        record: *My record* of a human seat, with what only that player knows put in; or None.
        vkey: The key of the receipts.
        voids, dropped, aborts: How many there were.
        closed: Whether the game is over.
        reason: Why, or empty.
    """

    plan: Plan
    transcript: bytes = b""
    record: dict[str, Any] | None = None
    vkey: str = ""
    voids: int = 0
    dropped: int = 0
    aborts: int = 0
    closed: bool = False
    reason: str = ""
    kinds: tuple[str, ...] = field(default=())


def plan(chance: Random) -> Plan:
    """Plan a game: every profile, preset and policy has its share."""
    dealt = chance.random() < 0.3
    preset = chance.choice(sorted(presets.PRESETS))
    overrides: Mapping[str, object] = SIX if preset == "six-player@1" else {}
    seats = chance.randint(1, 8) if dealt else presets.build(preset, overrides).players
    kinds: list[Any] = [chance.choice(("human", "human", "bot")) for _ in range(seats)]
    humans = kinds.count("human")
    beacon = chance.random() < 0.3
    epoch_hands = chance.choice((0, 0, 1, 1, 2))
    hands = chance.randint(1, 3)
    if beacon and not humans:
        epoch_hands = 0  # The next epoch would lock by itself, for a round nobody here knows.
    if beacon and epoch_hands:
        hands = min(hands, len(ROUNDS) * epoch_hands)
    policy = chance.choice(("void", "drop")) if beacon else "void"
    end = chance.choice(("play", "play", "play", "close", "leave", "forget"))
    wanted = NewGame(
        seats=tuple(NewSeat(kind=kind) for kind in kinds),
        preset=preset,
        overrides=dict(overrides),
        dealt=_dealt(chance, seats) if dealt else None,
        profile=chance.choice(("open", "sealed")),
        beacon={"chain": QUICKNET, "delay_ms": DELAY_MS} if beacon else None,
        epoch_hands=epoch_hands,
        missing_share=policy,
        hands=hands,
        first_seat=chance.randrange(seats),
        reveal_by=None,
    )
    return Plan(
        wanted=wanted,
        voids=chance.choice((0, 0, 0, 1, 2)) if humans > 1 else 0,
        drops=policy == "drop" and humans > 1 and chance.random() < 0.5,
        aborts=frozenset(hand for hand in range(1, hands + 1) if chance.random() < 0.15),
        end=end,
        acts=chance.randint(0, 60),
    )


def _dealt(chance: Random, seats: int) -> NewDealt:
    deck = chance.choice((_FACES, _FACES * 2, (_FACES * 20)[:1024], _FACES[: seats + 1]))
    each = chance.randint(1, max(1, min(13, len(deck) // (seats + 1))))
    steps: list[Mapping[str, Any]] = [{"op": "deal", "count": each, "packet": chance.randint(1, 5)}]
    if chance.random() < 0.5:
        steps.append({"op": "turn", "until_not": chance.choice(([], ["AC", "2C"]))})
    if chance.random() < 0.3:
        steps.append({"op": "replace", "faces": ["KD", "KH"]})
    if len(deck) > seats * each + 3 and chance.random() < 0.5:
        steps.append({"op": "set", "name": "kitty", "count": 3})
    return NewDealt(name=f"game of {seats}", deck=tuple(deck), steps=tuple(steps))


class Table:
    """A service with one game, and everybody who sits at it.

    Args:
        folder: Where the database goes.
        seed: All chance of the game comes from it.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = Random(f"fairdeal honest {seed}")
        self.sitting = Sitting(plan(self.chance))
        self.plan = self.sitting.plan
        self._store = SqlStore(folder / "games.db")
        token = prefix("operator") + "t" * 43
        self._operator = Operator(digest(token))
        self._store.write(Write(grants=(Grant(digest=digest(token), role="operator"),)))
        self._locks = 0
        self._set(CHAINS[QUICKNET].time_of(ROUNDS[0]))
        published = json.loads(_VECTORS.read_text("utf-8"))["beacon"]["valid"]
        rounds = {one["round"]: one["signature"] for one in published}
        self.dealer = Dealer(
            store=self._store,
            vault=Vault(self.chance.randbytes(32), self.chance.randbytes),
            key=SigningKey(ORIGIN, self.chance.randbytes(32)),
            entropy=self.chance.randbytes,
            clock=lambda: next(self._now),
            beacons=RecordedRounds({QUICKNET: rounds}),
        )

    def run(self) -> Sitting:
        """Let the game go as planned."""
        first = CHAINS[QUICKNET].time_of(ROUNDS[0])
        # Open the game a little before its first round would be fixed, with time to spare.
        self._set(first - _DAY_MS)
        if all(seat.kind == "bot" for seat in self.plan.wanted.seats):
            self._before_lock()
        wanted = replace(self.plan.wanted, reveal_by=first + 100 * _DAY_MS)
        made = self.dealer.create_game(self._operator, wanted)
        self.game = made.id
        self.open_hash = made.commitment.open_hash
        self._nonces: dict[tuple[int, int], str] = {}
        try:
            self._go()
        finally:
            self._finish()
        return self.sitting

    # ------------------------------------------------------------------------------- going

    def _go(self) -> None:
        left = self.plan.acts
        limited = self.plan.end != "play"
        while not self._state.closed:
            if limited and left <= 0:
                break
            if self._state.hand in self.plan.aborts and self._state.in_play:
                self._abort()
            elif self._state.position is not None:
                left -= self._act()
            elif self._state.in_play:
                left -= self._draw()
            elif not self._next():
                break
        if not self._state.closed:
            self._leave()

    @property
    def _state(self) -> Any:  # noqa: ANN401  a Game; the service keeps it to itself
        return self.dealer._clerk.game(self.game)  # noqa: SLF001  what the players' programs know

    def _act(self) -> int:
        game = self._state
        seat = seat_in_turn(game)
        assert seat is not None
        if not game.is_player(seat):
            while self.dealer.advance(self.game):
                pass
            return 1
        act = format_act(greedy.choose(seat_knowledge(game, seat), seat))
        self.dealer.act(Seated(self.game, seat), self.game, game.version, act)
        return 1

    def _draw(self) -> int:
        game, stock = self._state, len(self._state.deal_of(self._state.hand).stock)
        if len(game.draws) < stock and self.chance.random() < 0.85:
            seat = self.chance.randrange(game.seats)
            self.dealer.hands.draw(
                Seated(self.game, seat), self.game, game.hand, seat, game.version
            )
        else:
            result = {"hand": game.hand, "won": [self.chance.randrange(9), None, "♠"]}
            self.dealer.hands.score(self._operator, self.game, game.hand, result)
        return 1

    def _abort(self) -> None:
        self.sitting.aborts += 1
        self.dealer.hands.abort(self._operator, self.game, self._state.hand, "cards fell")

    def _next(self) -> bool:
        """Bring the next hand about: by seeds, a round, or by asking for it; False at the end."""
        game = self._state
        if game.state == "playing":
            if game.hand == len(game.opening["hand_commits"]):
                self.dealer.hands.close(self._operator, self.game, "complete")
                return True
            self.dealer.hands.deal(self._operator, self.game, game.version)
            return True
        if game.epoch is not None and game.epoch.phase == "locked" and not game.epoch.ready:
            self._set(CHAINS[QUICKNET].time_of(game.epoch.round))
            self.dealer.advance(self.game)
            return bool(self._state.version > game.version)
        if game.hand == len(game.opening["hand_commits"]):
            self.dealer.hands.close(self._operator, self.game, "complete")
            return True
        return self._seeds()

    def _leave(self) -> None:
        if self.plan.end == "close":
            self.dealer.hands.close(self._operator, self.game, "players left")
        elif self.plan.end == "forget":
            self._set(CHAINS[QUICKNET].time_of(ROUNDS[0]) + 80 * _DAY_MS)
            self.dealer.advance(self.game)

    # ------------------------------------------------------------------------------- seeds

    def _seeds(self) -> bool:
        game = self._state
        humans = [seat for seat in range(game.seats) if game.is_player(seat)]
        if not humans:
            self._before_lock()
            self.dealer.advance(self.game)
            return bool(self._state.version > game.version)
        epoch = len(game.epochs) + 1
        self.chance.shuffle(humans)
        away = humans[-1] if self.sitting.voids < self.plan.voids and len(humans) > 1 else None
        sealed = self.plan.wanted.profile == "sealed"
        stage = self.chance.choice(("seal", "share")) if sealed and away is not None else "share"
        if sealed:
            for seat in humans:
                if not (seat == away and stage == "seal"):
                    self._seal(seat, epoch)
        if away is not None and stage == "share" and self.plan.wanted.missing_share == "drop":
            away = None  # this one would be dropped, not voided
        dropped = self.plan.drops and not self.sitting.dropped and away is None
        if away is None:
            self._before_lock()
        if not (away is not None and stage == "seal"):
            for seat in humans:
                if seat != away and not (dropped and seat == humans[-1]):
                    self._share(seat, epoch)
        if away is not None or dropped:
            self.sitting.voids += away is not None
            self.sitting.dropped += dropped
            self.dealer.seeds.overdue(self._operator, self.game, self._state.version)
        return True

    def _before_lock(self) -> None:
        """Set the clock so that the next lock waits for a round that is known."""
        if self.plan.wanted.beacon is not None:
            at = CHAINS[QUICKNET].time_of(ROUNDS[self._locks])
            self._set(at - DELAY_MS - 2500)
            self._locks += 1

    def _seed(self, seat: int, epoch: int) -> Seed:
        nonce = self._nonces.setdefault((seat, epoch), self.chance.randbytes(32).hex())
        text = hashlib.sha256(_text(seat).encode()).hexdigest()
        return Seed(epoch=epoch, open_hash=self.open_hash, nonce=nonce, seed_sha256=text)

    def _seal(self, seat: int, epoch: int) -> None:
        seed = self._seed(seat, epoch)
        line = seat_line(self.game, epoch, seat, self.open_hash, seed.nonce, seed.seed_sha256)
        self._twice(
            lambda: self.dealer.seeds.seal(
                Seated(self.game, seat), self.game, seat,
                epoch=epoch, open_hash=self.open_hash, seal=commit(line),
            )
        )  # fmt: skip

    def _share(self, seat: int, epoch: int) -> None:
        seed = self._seed(seat, epoch)
        self._twice(lambda: self.dealer.seeds.share(Seated(self.game, seat), self.game, seat, seed))

    def _twice(self, ask: Callable[[], Any]) -> None:
        """Ask, and one time in four ask again: a repeat gets the same receipts."""
        first = ask()
        if self.chance.random() < 0.25:
            assert ask() == first

    # -------------------------------------------------------------------------------- after

    def _finish(self) -> None:
        game, sitting = self._state, self.sitting
        sitting.transcript = self.dealer.looks.transcript(Anyone(), self.game)
        sitting.vkey = self.dealer.vkey
        sitting.closed = game.closed
        if game.closed:
            closing = self._store.lines_of_type(self.game, "close")[0]
            sitting.reason = json.loads(closing)["body"]["reason"]
        sitting.kinds = tuple(seat["kind"] for seat in game.opening["seats"])
        humans = [seat for seat in range(game.seats) if game.is_player(seat)]
        if humans:
            seat = self.chance.choice(humans)
            record = dict(self.dealer.my_record(Seated(self.game, seat), self.game))
            for seed in record["seeds"]:
                seed["nonce"] = self._nonces.get((seat, seed["epoch"]))
                seed["text"] = _text(seat)
            sitting.record = record
        self._store.close()

    def _set(self, ms: int) -> None:
        self._now = count(ms)


def _text(seat: int) -> str:
    return f"the text of seat {seat}, with ä and ♠"
