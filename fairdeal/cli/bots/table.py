"""One hand at a table of bots: dealt from a seed text, played to its end, and counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256, sha512
from time import process_time_ns
from typing import Final

from fairdeal.bots.levels import choose
from fairdeal.canasta import cards, engine
from fairdeal.canasta.acts import Act, Draw, Take
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.position import Position, canastas
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.scoring import sheet
from fairdeal.canasta.view import knowledge
from fairdeal.fairness.deal import Deal, deal
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.shuffle import order
from fairdeal.fairness.steps import Step, parse_steps
from fairdeal.game.table import steps

BANDS: Final = (-50, 0, 1500, 3000)
"""One game total in each band of the opening ladder (R-27)."""
GAME: Final = "ladder"
LONGEST: Final = 3000
"""More acts than any hand has: a hand that goes on is stuck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of a hand.

    Attributes:
        points: Of each side.
        end: The code of its end; ``out`` the seat that went out or -1.
        concealed: Whether it did so concealed.
        canastas: Of each side: all, and the natural ones among them.
        opened_at: Of each side the turn of its seat that opened, 1 for the seat's first; 0 where
            it did not open.
        acts: How many acts of each seat it took.
        cpu_ns: Of each seat the processor time that its bot took for them, measured.
    """

    points: tuple[int, ...]
    end: str
    out: int
    concealed: bool
    canastas: tuple[tuple[int, int], ...]
    opened_at: tuple[int, ...]
    acts: tuple[int, ...]
    cpu_ns: tuple[int, ...]


def master_of(seed: str) -> Secret:
    """Give the master secret of a seed text: its SHA-512, so that anybody can deal the hands."""
    return Secret(sha512(seed.encode()).digest())


def dealt(rules: Ruleset, seed: str, number: int) -> Position:
    """Deal hand ``number`` (from 1) of a seed text, as pfd1 deals (protocol §2.4 to §2.6).

    The seats take turns to be first; the sides' totals walk through the bands of the ladder.
    """
    found, first = _deal_of(rules, seed, number)
    deck = _deck(rules)
    sides, round_ = len(rules.side_seats), number // rules.players
    places = [(round_ // len(BANDS) ** side + side) % len(BANDS) for side in range(sides)]
    return engine.start(
        rules,
        holdings=[[deck[card] for card in hand] for hand in found.hands],
        laid=[[deck[card] for card in laid] for laid in found.laid],
        up=[deck[card] for card in found.up],
        stock=[deck[card] for card in found.stock],
        first_seat=first,
        totals=[BANDS[place] for place in places],
    )


def _deal_of(rules: Ruleset, seed: str, number: int) -> tuple[Deal, int]:
    deck, first = _deck(rules), number % rules.players
    secret = hand_secret(master_of(seed), GAME, number)
    found = order(secret, sha512(f"{GAME} {seed}".encode()).digest(), len(deck))
    return deal(found, deck, _steps(rules), rules.players, first), first


@lru_cache(maxsize=32)
def _deck(rules: Ruleset) -> tuple[str, ...]:
    return cards.deck(rules.decks, rules.jokers)


@lru_cache(maxsize=32)
def _steps(rules: Ruleset) -> tuple[Step, ...]:
    return parse_steps(steps(rules), cards=rules.cards, seats=rules.players)


def seed_of(seed: str, number: int, seat: int, ply: int) -> int:
    """Give the seed of a bot's act: what is the hash of the newest record in a game."""
    text = f"{GAME} {seed} {number} {seat} {ply}"
    return int.from_bytes(sha256(text.encode()).digest()[:8])


def _nothing(_position: Position, _seat: int, _act: Act) -> None:
    pass


def play(
    position: Position,
    bots: Sequence[str],
    seed: str,
    number: int,
    look: Callable[[Position, int, Act], object] = _nothing,
) -> Played:
    """Play a hand to its end.

    Args:
        position: As it was dealt; it is left alone.
        bots: The bot of each seat, by name and version.
        seed: The seed text.
        number: The hand's number, for the bots' chances.
        look: Called with the position, the seat and its act before each act.

    Raises:
        RuleBroken: A bot chose an act that is not legal.
        RuntimeError: The hand does not end.
    """
    seats = range(position.rules.players)
    position, memory = position.copy(), Memory.fresh(len(seats))
    acted, turns, cpu = [0] * len(seats), [0] * len(seats), [0] * len(seats)
    opened_at = [0] * len(position.naturals)
    for ply in range(LONGEST):
        if position.end:
            return _counted(position, opened_at, acted, cpu)
        seat = position.turn
        known = knowledge(position, seat)
        began = process_time_ns()
        act = choose(bots[seat], known, seat, memory, seed_of(seed, number, seat, ply))
        cpu[seat] += process_time_ns() - began
        acted[seat] += 1
        turns[seat] += isinstance(act, Draw | Take)
        engine.check(position, seat, act)
        look(position, seat, act)
        memory = memory.after(position, seat, act)
        engine.play(position, seat, act)
        side = position.side_of[seat]
        if not opened_at[side] and position.opened(side):
            opened_at[side] = turns[seat]
    raise RuntimeError(f"hand {number} of seed {seed!r} with {bots} does not end")


def _counted(
    position: Position, opened_at: Sequence[int], acted: Sequence[int], cpu: Sequence[int]
) -> Played:
    sides = range(len(position.naturals))
    return Played(
        points=tuple(side.hand for side in sheet(position)),
        end=position.end,
        out=position.out,
        concealed=position.concealed,
        canastas=tuple(canastas(position.naturals[at], position.wilds[at]) for at in sides),
        opened_at=tuple(opened_at),
        acts=tuple(acted),
        cpu_ns=tuple(cpu),
    )
