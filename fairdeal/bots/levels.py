"""All bots that there are, by name and version."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from fairdeal.bots import expert, greedy, random, sharp, steady
from fairdeal.bots.level import Level
from fairdeal.bots.seen import see
from fairdeal.canasta import acts
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.position import Position

LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level(
            "random@1",
            "Plays any legal move, each as likely: a yardstick, not an opponent.",
            random.choose,
            random.weigh,
        ),
        Level(
            "steady@1",
            "Sound rules of thumb: takes the pile, lays what it can, throws what helps nobody.",
            steady.choose,
            steady.weigh,
        ),
        Level(
            "sharp@1",
            "Counts what is unseen, remembers who took and left what, and weighs each choice.",
            sharp.choose,
            sharp.weigh,
        ),
        Level(
            expert.NAME,
            "Looks ahead: deals the hidden cards as they may lie many times and plays on in each.",
            expert.choose,
            expert.weigh,
            weight=10,
        ),
    )
}
"""Weakest first. ``greedy.NAME`` is not among them: it plays from a position with faces."""

DEFAULT: Final = "steady@1"
"""The bot of a seat of which nothing is said, and the one that stands in for players."""


_SEED: Final = b"pfd1 bot"
_BUDGET: Final = ":"
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}")
_MOST: Final = 100_000


def is_known(name: str) -> bool:
    """Say whether there is such a bot, offered or not."""
    return name in LEVELS or name == greedy.NAME


def weight_of(name: str) -> int:
    """Give how many acts of a quick bot one of this bot's takes."""
    level = LEVELS.get(name.partition(_BUDGET)[0])
    return level.weight if level is not None else 1


def level_of(name: str) -> Level:
    """Give a level by name; one that searches may be named with another number of playouts.

    ``expert@1:1000`` is ``expert@1`` with 1,000 playouts a move. No seat is named so: it is for
    measuring.

    Raises:
        KeyError: There is no such level, or no such number: 1 to 100,000.
    """
    plain, colon, number = name.partition(_BUDGET)
    if not colon:
        return LEVELS[name]
    if plain != expert.NAME or not _NUMBER.fullmatch(number) or int(number) > _MOST:
        raise KeyError(name)
    return expert.make(int(number), LEVELS[plain])


def seed_of(head: bytes, seat: int) -> int:
    """Give the seed of a bot's act in a game (docs/decisions/0012).

    Args:
        head: Hash of the newest record before the act, 32 bytes.
        seat: The bot's seat.
    """
    return int.from_bytes(sha256(_SEED + head + seat.to_bytes(4)).digest()[:8])


def choose(name: str, known: Position, seat: int, memory: Memory, seed: int) -> acts.Act:
    """Choose an act for the seat in turn, from what that seat knows.

    Args:
        name: The bot, by name and version, as ``level_of`` takes it.
        known: ``canasta.view.knowledge`` of the seat.
        seat: The seat.
        memory: What all could have noticed since the deal.
        seed: From 0 to 2^64 - 1; the same seed gives the same act.

    Raises:
        KeyError: There is no such bot.
        ValueError: The seat is not in turn, so there is nothing to choose.
    """
    if known.end or known.turn != seat:
        raise ValueError(f"seat {seat} is not in turn")
    if name == greedy.NAME:
        return greedy.choose(known, seat)
    return to_act(known, seat, level_of(name).choose(see(known, seat, memory), seed))
