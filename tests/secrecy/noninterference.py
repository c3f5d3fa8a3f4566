"""Non-interference: cards that a role may not see change no byte that it receives (product 7.3).

Of each hand and each role two worlds are made that differ only in cards which the role has not
seen up to some act. The same line is played in both by the same requests; at drawn moments the
role asks every route, rightly and wrongly, and all that it gets is compared byte by byte but for
the fields listed in `tests.secrecy.forms`.
"""

import contextlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from fairdeal.game import Game
from tests.secrecy.asking import Asked, Moment, Who, requests
from tests.secrecy.forms import Differs, compare
from tests.secrecy.plans import Plan, Table
from tests.secrecy.scripts import Move, Script, first_deal, script
from tests.secrecy.worlds import Reply, World, worlds_apart
from tests.table import OPERATOR

ROLES: Final = 3
"""So many of the roles without a seat ask at a moment."""

EVERYTHING: Final = 0.06
"""At so many of these moments also what never changes is asked."""


@dataclass(slots=True)
class Tally:
    """What was compared.

    Attributes:
        pairs: Pairs of a position and a role, by role.
        answers: Answers compared; `size` their bytes in one world.
        replaced: Answers of which values of listed fields were left out.
        hands: Hands looked at.
        alone: Roles of a hand for which no other world was found.
        statuses: Answers by status.
    """

    pairs: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    size: int = 0
    replaced: int = 0
    hands: int = 0
    alone: int = 0
    statuses: Counter[str] = field(default_factory=Counter)

    @property
    def all_pairs(self) -> int:
        """Pairs of all roles together."""
        return sum(self.pairs.values())


@contextlib.contextmanager
def folders() -> Iterator[Callable[[], Path]]:
    """Give empty folders, in memory where the machine has one."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as path:
        yield lambda: Path(tempfile.mkdtemp(dir=path))


class Twins:
    """Two worlds that one role cannot tell apart, and what it asks in both.

    Args:
        worlds: The two.
        table: The game in them.
        seat: The role's seat, or None for all roles without one.
        tally: Counts what is compared.
    """

    def __init__(
        self, worlds: Sequence[World], table: Table, seat: int | None, tally: Tally
    ) -> None:
        self.worlds = worlds
        self.table = table
        self.seat = seat
        self.tally = tally

    def roles(self, chance: Random) -> list[Who]:
        """Return roles that may not tell these worlds apart: some of those without a seat."""
        if self.seat is None:
            return chance.sample(self.table.without_seat, ROLES)
        return [who for who in self.table.seated() if who.seat == self.seat]

    def play(self, move: Move) -> None:
        """Make a request of the line in both; its answer is compared where the role gets it."""
        one, other = (play_in(world, self.table, move) for world in self.worlds)
        if move[0] == self.seat:
            self.compare(move[1], one, other)

    def ask(self, moment: Moment) -> None:
        """Ask everything as one role in both worlds, and compare."""
        for asked in requests(moment):
            one, other = (send(world, asked, moment.who.token) for world in self.worlds)
            self.compare(asked, one, other)
            self.tally.answers += 1
            self.tally.size += len(one.body)
            self.tally.statuses[one.status[:3]] += 1
        self.tally.pairs[moment.who.name] += 1

    def follow(self, hand: Script, upto: int, chance: Random, share: float) -> None:
        """Play a hand in both worlds up to a move, and ask everything at drawn moments."""
        for at in range(upto + 1):
            if at == upto or chance.random() < share:
                everything = chance.random() < EVERYTHING
                for who in self.roles(chance):
                    drawn = Random(chance.random())
                    self.ask(Moment(hand.moments[at], who, self.table.others, drawn, everything))
            if at < upto:
                self.play(hand.moves[at])

    def level(self) -> None:
        """Let both count from the same numbers on, and be it the same time in both."""
        one, other = self.worlds
        for count in ("ticks", "draws", "named", "passed"):
            most = max(getattr(world, count).next for world in self.worlds)
            getattr(one, count).next = getattr(other, count).next = most + 10

    def close(self) -> None:
        """Let go of both worlds."""
        for world in self.worlds:
            world.close()

    def compare(self, asked: Asked, one: Reply, other: Reply) -> None:
        """Compare two answers to one request (raises `Differs`)."""
        try:
            self.tally.replaced += compare(one, other, self.seat) > 0
        except Differs as difference:
            raise Differs(f"seat {self.seat}, {asked}: {difference}") from None


def look_through(
    plan: Plan,
    seed: int,
    tally: Tally,
    *,
    share: float,
    enough: Callable[[], bool],
    hands: int = 3,
    kind: "type[Twins] | None" = None,
) -> None:
    """Compare worlds through the hands of one game.

    Args:
        plan: The kind of game.
        seed: Draws the lines and the moments.
        tally: Counts.
        share: At so many of the moves everything is asked; always behind the last one of a pair
            of worlds.
        enough: Asked before each role of each hand whether to stop.
        hands: At most so many hands of the game.
        kind: Asks and compares; `Twins` itself where it is left out.

    Raises:
        Differs: A role could tell two worlds apart.
    """
    chance = Random(f"{plan.name} {seed}")
    with folders() as folder, worlds_apart(), contextlib.closing(World(folder())) as main:
        table = Table(plan, main)
        deal = first_deal(table, main.game(table.id))
        for _ in range(hands):
            *before, dealing = deal
            for move in before:
                play_in(main, table, move)
            waiting = main.fork(folder())
            play_in(main, table, dealing)
            if main.game(table.id).in_play:
                game = main.game_as_dealt(table.id)
                hand = script(table, game, chance)
                look = Look(
                    waiting, dealing, game, main.order_of(game, game.hand), hand, kind or Twins
                )
                tally.hands += 1
                for seat in (None, *table.tokens):
                    if not enough():
                        look.as_role(table, seat, tally, chance, share, folder)
            waiting.close()
            if enough() or not main.game(table.id).in_play:
                return
            for move in hand.moves:
                play_in(main, table, move)
            deal = hand.onward


@dataclass(frozen=True, slots=True)
class Look:
    """A hand to be looked at.

    Attributes:
        waiting: The world just before it is dealt.
        dealing: The request that deals it.
        game: As it was dealt.
        order: Of the cards.
        hand: How it is played.
        kind: Asks and compares.
    """

    waiting: World
    dealing: Move
    game: Game
    order: list[int]
    hand: Script
    kind: type[Twins]

    def as_role(
        self,
        table: Table,
        seat: int | None,
        tally: Tally,
        chance: Random,
        share: float,
        folder: Callable[[], Path],
    ) -> None:
        """Compare two worlds for one seat, or for roles without one."""
        upto = _where_to_stop(len(self.hand.moves), chance)
        twin = self.hand.redealt(self.order, upto, seat, chance)
        if twin is None:
            tally.alone += 1
            return
        with contextlib.closing(self.twins(twin, table, seat, tally, folder)) as twins:
            twins.play(self.dealing)
            twins.follow(self.hand, upto, chance, share)

    def twins(
        self,
        order: list[int],
        table: Table,
        seat: int | None,
        tally: Tally,
        folder: Callable[[], Path],
    ) -> Twins:
        """Return the world as it is and one in which the hand will be dealt in another order."""
        worlds = [self.waiting.fork(folder()), self.waiting.fork(folder())]
        worlds[1].deal_as(self.game, self.game.hand, order)
        return self.kind(worlds, table, seat, tally)


def look_at_two_lines(plan: Plan, seed: int, tally: Tally, *, share: float) -> int:
    """Compare worlds in which a hand is played otherwise, for roles without a seat.

    Nothing at all may differ for them while the hand runs (decisions 16), so no field is left out.

    Args:
        plan: A kind of game that the service referees, all seats human.
        seed: Draws the lines and what is asked.
        tally: Counts.
        share: As for `look_through`.

    Returns:
        In how many moves the lines differed.

    Raises:
        Differs: A role could tell the lines apart.
    """
    chance = Random(f"{plan.name} {seed}")
    with first_hand(plan, seed) as (table, look, folder):
        other = script(table, look.game, Random(chance.random()))
        moves = min(len(look.hand.moves), len(other.moves) - 3)
        with contextlib.closing(look.twins(look.order, table, None, tally, folder)) as twins:
            twins.play(look.dealing)
            for at in range(moves):
                for who in twins.roles(chance) if at == 0 or chance.random() < share else ():
                    drawn, at_all = Random(chance.random()), chance.random() < EVERYTHING
                    everything = at_all or at == 0
                    twins.ask(Moment(look.hand.moments[at], who, table.others, drawn, everything))
                for world, hand in zip(twins.worlds, (look.hand, other), strict=True):
                    play_in(world, table, hand.moves[at])
                twins.level()
            # Nor how far it has got.
            for move in other.moves[moves : moves + 3]:
                play_in(twins.worlds[1], table, move)
            for who in table.without_seat:
                twins.level()
                moment = Moment(look.hand.moments[moves], who, table.others, chance, all=True)
                twins.ask(moment)
        if tally.replaced:
            raise Differs("a record of the running hand was seen")
        return sum(a != b for a, b in zip(look.hand.moves[:moves], other.moves, strict=False))


@contextlib.contextmanager
def first_hand(
    plan: Plan, seed: int, kind: type[Twins] = Twins
) -> Iterator[tuple[Table, Look, Callable[[], Path]]]:
    """Give the table of a game, its first hand to be looked at, and a maker of empty folders."""
    with folders() as folder, worlds_apart(), contextlib.closing(World(folder())) as main:
        table = Table(plan, main)
        *before, dealing = first_deal(table, main.game(table.id))
        for move in before:
            play_in(main, table, move)
        with contextlib.closing(main.fork(folder())) as waiting:
            play_in(main, table, dealing)
            game = main.game_as_dealt(table.id)
            hand = script(table, game, Random(f"{plan.name} {seed} first"))
            order = main.order_of(game, game.hand)
            yield table, Look(waiting, dealing, game, order, hand, kind), folder


def _where_to_stop(moves: int, chance: Random) -> int:
    """Draw a number of moves, late ones more often: there most is known, and least is free."""
    return max(chance.randint(0, moves), chance.randint(0, moves))


def play_in(world: World, table: Table, move: Move) -> Reply:
    """Make a request of a line in one world; it has to succeed."""
    seat, asked = move
    token = OPERATOR if seat is None else table.tokens[seat]
    reply = send(world, asked, token)
    assert reply.code == 200, (move, reply.body)
    world.settle()
    return reply


def send(world: World, asked: Asked, token: str | None) -> Reply:
    """Send a request into a world."""
    return world.ask(
        asked.method,
        asked.path,
        token,
        data=asked.data,
        headers=asked.headers,
        chunks=asked.chunks,
        streams=asked.streams,
    )
