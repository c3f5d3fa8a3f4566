"""Whole games between bots, from a seed: records as a service makes them, without one."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256, sha512
from random import Random
from typing import Final

from benchmarks.hands import cards_of, points_of
from benchmarks.players import GREEDY, LAYING, choose
from fairdeal.canasta import acts
from fairdeal.fairness.keys import Secret
from fairdeal.game import (
    Draft,
    Game,
    GameConfig,
    SeatConfig,
    decide_act,
    decide_seed,
    fold,
    open_body,
    replay,
)
from fairdeal.records.chain import Record, make

ORIGIN: Final = "fairdeal.localhost/demo"
START_MS: Final = 1_796_000_000_000
_WEEK_MS: Final = 7 * 24 * 3600 * 1000
_BOTS: Final = 3


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: its transcript, what a player noted, and how far it went."""

    transcript: bytes
    open_hash: str
    reason: str
    hands: int
    acts: int


def play(seed: int, *, hands: int | None = None, mixed: bool = False) -> Played:
    """Play a whole game of classic canasta.

    Args:
        seed: All chance of the game comes from it.
        hands: Hand commitments; None for the default.
        mixed: Seat 0 plays by chance among the listed acts, instead of as the bot does.

    Raises:
        AssertionError: Cards or points were lost, or a game did not end as it should.
    """
    chance = Random(seed)
    records, game = _begin(seed, hands)
    made = 0
    while not game.closed:
        position = game.position
        assert position is not None
        style = LAYING if mixed and position.turn == 0 else GREEDY
        act = choose(position, style, chance)
        drafts = decide_act(game, position.turn, acts.format_act(act))
        game = _write(records, game, drafts, conserved)
        made += 1
    reason = next(one.body["reason"] for one in records if one.type == "close")
    return Played(b"".join(one.line for one in records), records[0].hash, reason, game.hand, made)


def conserved(game: Game) -> None:
    """Hold a hand in play to 108 cards and 1,580 points.

    Raises:
        AssertionError: It has others.
    """
    if game.position is not None:
        assert sum(cards_of(game.position)) == 108, game.version
        assert points_of(game.position) == 1580, game.version


def game_id(seed: int) -> str:
    """Give the name of the game of a seed."""
    return "g" + base64.b32encode(sha256(b"game %d" % seed).digest()).decode().lower()[:16]


def _begin(seed: int, hands: int | None) -> tuple[list[Record], Game]:
    name = game_id(seed)
    master = Secret(sha512(b"master %d" % seed).digest())
    config = GameConfig(
        origin=ORIGIN,
        seats=(
            SeatConfig(kind="player"),
            *(SeatConfig(kind="bot", label="bot:steady@1") for _ in range(_BOTS)),
        ),
        hands=hands,
        first_seat=seed % (_BOTS + 1),
        reveal_by=START_MS + _WEEK_MS,
    )
    records = [make(None, name, START_MS, "open", open_body(config, name, master))]
    game = replay(records, master)
    typed = sha256(b"typed %d" % seed).hexdigest()
    drafts = decide_seed(game, 0, 1, game.open_hash, sha256(b"nonce").hexdigest(), typed)
    return records, _write(records, game, drafts, conserved)


def _write(
    records: list[Record],
    game: Game,
    drafts: tuple[Draft, ...],
    look: Callable[[Game], None],
) -> Game:
    for kind, body in drafts:
        last = records[-1]
        records.append(make(last, last.game, last.t + 1, kind, body))
        game = fold(game, records[-1])
        look(game)
    return game
