"""People at tables, who come, play, wander off and come back by chance."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Final, TypeVar

from benchmarks.roomworld import World
from fairdeal.bots import greedy
from fairdeal.canasta.acts import format_act
from fairdeal.errors import FairdealError
from fairdeal.game import SEEDING, Game, bot_turn, seat_in_turn, seat_knowledge
from fairdeal.service.callers import Caller
from fairdeal.service.roombook import Asked
from fairdeal.service.roomview import RoomView
from fairdeal.service.seeds import Seed

BEAT_S: Final = 10.0
"""So often a client that is connected gives a sign."""

_T = TypeVar("_T")

# What may happen to whoever is outrun, or comes too late.
_CLAIM: Final = (
    "no_such_claim", "claim_used", "token_replaced", "bot_plays", "seat_taken", "seat_is_bot",
    "room_closed",
)  # fmt: skip
_STEP: Final = ("game_running", "room_closed", "not_your_seat", "reveal_by_out_of_range")
"""The last: the site said a last date for the room, and it has passed."""
_START: Final = ("not_ready", "nobody_seated", "room_closed", "reveal_by_out_of_range")
_TIME: Final = ("no_more_time", "no_clock")


@dataclass
class Person:
    """Whoever was given the token of a seat.

    Attributes:
        seat: Of the room.
        token: Opens it.
        caller: Who the service takes its holder for.
        here_since: Since when the player is connected, ms; None while away.
        is_leaving: Whether the player has said that this game is the last one.
        busy: What is about to be done; nothing is begun twice.
    """

    seat: int
    token: str
    caller: Caller
    here_since: int | None
    is_leaving: bool = False
    busy: set[str] = field(default_factory=set)


@dataclass
class Table:
    """A room, and who has which seat by what was answered to them.

    Attributes:
        id: The room.
        claims: The newest claim of each seat that nobody has taken up yet.
        seated: Who was given a seat and neither left it nor lost it.
        dead: Tokens that were taken away.
        last_here: When anybody was connected last, ms.
        closed: Whether the room is.
    """

    id: str
    claims: dict[int, str] = field(default_factory=dict)
    seated: dict[int, Person] = field(default_factory=dict)
    dead: list[str] = field(default_factory=list)
    last_here: int = 0
    closed: bool = False

    @property
    def here(self) -> list[Person]:
        """Who is connected."""
        return [person for person in self.seated.values() if person.here_since is not None]

    def here_since(self) -> int | None:
        """Return since when somebody has been connected all the time; None while nobody is."""
        return min(
            (one.here_since for one in self.here if one.here_since is not None), default=None
        )

    def lose(self, seat: int) -> None:
        """Note that whoever has a seat has it no more, and that the token is taken away."""
        person = self.seated.pop(seat, None)
        if person is not None:
            self.dead.append(person.token)


class People:
    """All who sit at tables.

    Args:
        world: The service.

    Attributes:
        world: As given.
        tables: All of them, closed ones too.
        done: How often what was done, and with what it was refused.
        odd: Refusals that nobody should have got, a sentence each.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.tables: list[Table] = []
        self.done = Counter[str]()
        self.odd: list[str] = []
        self._by_name: dict[str, Table] = {}
        self._quiet = False
        world.hear = self.hear
        world.after(BEAT_S, self._beat)

    def add(self, room_id: str) -> Table:
        """Return a new table, at which nobody sits."""
        table = Table(id=room_id, last_here=self.world.now)
        self.tables.append(table)
        self._by_name[room_id] = table
        return table

    def table_of(self, game_id: str) -> Table:
        """Return where a game is played."""
        return self._by_name[self.world.clerk.callers.places.game(game_id).room]

    def go_home(self) -> None:
        """Have everybody disconnect for good."""
        self._quiet = True
        for table in self.tables:
            for person in table.here:
                self._note_here(table)
                person.here_since = None

    @property
    def quiet(self) -> bool:
        """Whether everybody has gone for good."""
        return self._quiet

    # -------------------------------------------------------------------- coming and going

    def sit_down(self, table: Table, seat: int, claim: str) -> None:
        """Take a seat with a claim, if that still opens it."""
        if self._quiet or table.closed:
            return
        key = f"{self.world.chance.random()}"
        taken = self.tried("claim", lambda: self.world.dealer.claim(claim, key), _CLAIM)
        if taken is None:
            return
        table.claims.pop(seat, None)
        caller = self.world.dealer.identify(taken.token)
        person = Person(seat, taken.token, caller, self.world.now)
        table.seated[seat] = person
        self._look(table, person)

    def drop(self, table: Table, person: Person) -> None:
        """Have a connection break, to come back in a while or never."""
        if person.here_since is None:
            return
        self._note_here(table)
        person.here_since = None
        self.done["dropped"] += 1
        chance = self.world.chance
        kind = chance.random()
        if kind < 0.45:
            away_s = chance.uniform(3, 60)
        elif kind < 0.85:
            away_s = chance.uniform(60, 1500)
        elif kind < 0.97:
            away_s = chance.uniform(1500, 3 * 3600)
        else:
            return
        self.world.after(away_s, partial(self._come_back, table, person))

    def _come_back(self, table: Table, person: Person) -> None:
        if self._quiet or person.here_since is not None:
            return
        self.done["came back"] += 1
        if table.seated.get(person.seat) is not person:
            self.use_dead(table, person)
            return
        person.here_since = self.world.now
        self._look(table, person)

    def use_dead(self, table: Table, person: Person) -> None:
        """Try the token of a seat that was lost or left: it may read what it played, or nothing."""
        try:
            self.world.dealer.identify(person.token)
        except FairdealError as refusal:
            self.done[f"lost token refused: {refusal.code}"] += 1
            return
        if person.token in table.dead:
            self.odd.append(f"room {table.id}: a token of seat {person.seat} still opens something")

    def _beat(self) -> None:
        for table in self.tables:
            if table.closed or not table.here:
                continue
            self._note_here(table)
            for person in table.here:
                try:
                    self.world.dealer.identify(person.token)
                except FairdealError as refusal:
                    said = f"seat {person.seat} of {table.id} is refused with {refusal.code}"
                    self.odd.append(said)
                self.world.sign(person.caller)
        if not self._quiet:
            self.world.after(BEAT_S, self._beat)

    def _note_here(self, table: Table) -> None:
        table.last_here = self.world.now

    # ----------------------------------------------------------------------- what is heard

    def hear(self, name: str) -> None:
        """Have all who are connected look at what was written."""
        table = self._by_name.get(name)
        if table is not None:
            for person in table.here:
                self._look(table, person)
            return
        if self.world.store.newest(name) is None:
            return
        table = self.table_of(name)
        game = self.world.game(name)
        if game.state == SEEDING:
            for person in table.here:
                self._send_seed(person, game)
        self._turn(table, game)

    def _look(self, table: Table, person: Person) -> None:
        """Look at the room, as its newest version is told, and go on from there."""
        self.world.sign(person.caller)
        room = self.tried("look", lambda: self.world.dealer.rooms.look(person.caller, table.id), ())
        if room is None:
            return
        self.follow(table, room)
        if table.seated.get(person.seat) is not person:
            return
        if room.state == "lobby":
            self._want_on(table, person, room)
        elif room.game is not None:
            game = self.world.game(room.game.id)
            if game.state == SEEDING:
                self._send_seed(person, game)
            self._turn(table, game)

    def follow(self, table: Table, room: RoomView) -> None:
        """Note what a room says of who has left it, and whether it is closed."""
        table.closed = room.state == "closed"
        for number, seat in enumerate(room.seats):
            if seat.state == "left" or (seat.state == "bot" and number in table.seated):
                table.seated.pop(number, None)

    # ------------------------------------------------------------------------------ a game

    def _want_on(self, table: Table, person: Person, room: RoomView) -> None:
        """Want the next game, in a while, or not."""
        if room.seats[person.seat].ready or "ready" in person.busy:
            return
        if room.seats[person.seat].state != "claimed":
            return
        person.busy.add("ready")
        self.world.after(
            self.world.chance.uniform(1, 60), partial(self._ready, table, person, len(room.games))
        )

    def _ready(self, table: Table, person: Person, games: int) -> None:
        person.busy.discard("ready")
        if person.here_since is None or table.seated.get(person.seat) is not person:
            return
        asked, rooms = Asked(caller=person.caller, room=table.id), self.world.dealer.rooms
        view = self.tried("look", lambda: rooms.look(person.caller, table.id), ())
        if view is None or view.state != "lobby":
            return
        if games and view.games and self.world.chance.random() < 0.7:
            last = view.games[-1].game
            view = self.tried("rematch", lambda: rooms.rematch(asked, last), _STEP)
        else:
            view = self.tried("ready", lambda: rooms.ready(asked, yes=True), _STEP)
        if view is not None and view.host == person.seat and view.state == "lobby":
            self.tried("start", lambda: rooms.start(asked), _START)

    def _send_seed(self, person: Person, game: Game) -> None:
        seat = self.seat_in(person, game)
        epoch = game.epoch
        if "seed" in person.busy or not game.is_player(seat):
            return
        if epoch is not None and epoch.lines[seat]:
            return
        person.busy.add("seed")
        self.world.after(self.world.chance.uniform(0.2, 4), partial(self._seed, person, game.id))

    def _seed(self, person: Person, game_id: str) -> None:
        person.busy.discard("seed")
        game = self.world.game(game_id)
        if person.here_since is None or game.state != SEEDING:
            return
        number = 1 if game.epoch is None else game.epoch.number
        seed = Seed(
            epoch=number,
            open_hash=game.open_hash,
            nonce=sha256(person.token.encode()).hexdigest(),
            seed_sha256=sha256(b"").hexdigest(),
        )
        seat, share = self.seat_in(person, game), self.world.dealer.seeds.share
        self.tried("seed", lambda: share(person.caller, game_id, seat, seed), ())

    def seat_in(self, person: Person, game: Game) -> int:
        """Return which seat of a game somebody of its room has."""
        return self.world.clerk.callers.places.game(game.id).seat_of(person.seat)

    def _turn(self, table: Table, game: Game) -> None:
        """Have whoever is in turn think and act, if they are connected."""
        seat = seat_in_turn(game)
        if seat is None or bot_turn(game) is not None:
            return
        at = self.world.clerk.callers.places.game(game.id).in_room(seat)
        person, doing = table.seated.get(at), f"act {game.id} {game.version}"
        if person is None or person.here_since is None or doing in person.busy:
            return
        person.busy.add(doing)
        chance = self.world.chance
        kind = chance.random()
        think_s = chance.uniform(2, 20)
        if kind > 0.97:
            think_s = chance.uniform(60, 240)
        elif kind > 0.8:
            think_s = chance.uniform(15, 60)
        self.world.after(think_s, partial(self._act, table, person, game.id, game.version, doing))
        end = self.world.clerk.turn_end(game)
        if end.warn_at is not None and end.warn_at < self.world.now + 1000 * think_s:
            ask = partial(self._ask_for_time, table, person, game.id, game.version)
            self.world.at(end.warn_at + 500, ask)
        elif chance.random() < 0.02:
            self._ask_for_time(table, person, game.id, game.version)

    def _act(self, table: Table, person: Person, game_id: str, version: int, doing: str) -> None:
        person.busy.discard(doing)
        if person.here_since is None or table.seated.get(person.seat) is not person:
            return
        game = self.world.game(game_id)
        if game.version != version:
            return
        seat = self.seat_in(person, game)
        text = format_act(greedy.choose(seat_knowledge(game, seat), seat))
        self.world.sign(person.caller)
        self.tried("act", lambda: self.world.dealer.act(person.caller, game_id, version, text), ())

    def _ask_for_time(self, table: Table, person: Person, game_id: str, version: int) -> None:
        game = self.world.game(game_id)
        if person.here_since is None or game.version != version:
            return
        if table.seated.get(person.seat) is not person:
            return
        before = self.world.clerk.turn_end(game).deadline
        ask = self.world.dealer.more_time.ask
        told = self.tried("more time", lambda: ask(person.caller, game_id, version), _TIME)
        if told is None or told.deadline is None:
            return
        for other in table.here:
            seen = self.world.dealer.looks.view(other.caller, game_id).view["table"]["turn"]
            if seen["deadline"] != told.deadline:
                self.odd.append(f"seat {other.seat} of {table.id} is told another deadline")
        if before is not None and told.deadline < before:
            self.odd.append(f"more time ended a turn of {table.id} sooner")

    # ------------------------------------------------------------------------------ asking

    def tried(self, what: str, do: Callable[[], _T], allowed: tuple[str, ...]) -> _T | None:
        """Do something and count it; a refusal that nobody should have got is noted."""
        try:
            told = do()
        except FairdealError as refusal:
            self.done[f"{what} refused: {refusal.code}"] += 1
            if refusal.code not in allowed:
                self.odd.append(f"{what} is refused with {refusal.code}: {refusal.sentence}")
            return None
        self.done[what] += 1
        return told
