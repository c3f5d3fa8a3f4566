"""What must hold of rooms at every moment: nobody stuck, no ghost in a seat, nobody's seat lost."""

from typing import Final

from benchmarks.roompeople import People, Table
from fairdeal.errors import FairdealError
from fairdeal.game import SEEDING, Game, bot_turn
from fairdeal.rooms import Room
from fairdeal.rooms import from_bytes as room_from_bytes
from fairdeal.service.clocks import DESERTED_MS, is_limited, lacks_seed
from fairdeal.service.upkeep import IDLE_MS

SLACK_MS: Final = 3_000
"""Later than this nothing is that is due."""

SETTLED_MS: Final = 30_000
"""So long somebody is back before the clock has to run for them."""

MINUTE_MS: Final = 60_000


class Watch:
    """Looks at all tables and notes what is wrong.

    Args:
        people: Who sits where.

    Attributes:
        wrong: A sentence each.
        latest_ms: How late anything that was due was found undone at most.
    """

    def __init__(self, people: People) -> None:
        self.wrong: list[str] = []
        self.latest_ms = 0
        self._people = people
        self._begun = people.world.now
        self._deserted: dict[str, int] = {}
        self._rooms: dict[str, Room] = {}

    def look(self) -> None:
        """Look at every table."""
        for table in self._people.tables:
            self.seats(table)
        for game_id in self._people.world.store.unfinished():
            table = self._people.table_of(game_id)
            self._game(table, self._people.world.game(game_id))

    def note(self, table: Table, said: str) -> None:
        """Note that something is wrong."""
        at = (self._people.world.now - self._begun) / MINUTE_MS
        self.wrong.append(f"minute {at:.1f}, room {table.id}: {said}")

    # ------------------------------------------------------------------------------- seats

    def seats(self, table: Table) -> None:
        """Hold the tokens that open anything to what the room says, and to who should have one."""
        world, room = self._people.world, self.room(table)
        live: dict[int, set[bytes]] = {}
        for grant in world.store.grants(role="seat", room=table.id):
            if grant.state == "open" and grant.seat is not None:
                live.setdefault(grant.seat, set()).add(grant.digest)
        for number, seat in enumerate(room.seats):
            tokens = live.get(number, set())
            if tokens and not seat.readable:
                self.note(table, f"a token opens seat {number}, which is {seat.state}: a ghost")
            if seat.held and len(tokens) != 1:
                self.note(table, f"seat {number} is {seat.state} with {len(tokens)} tokens")
            if len(tokens) > 1:
                self.note(table, f"seat {number} has {len(tokens)} tokens")
        for number, person in [*table.seated.items()]:
            if person.is_leaving and not room.seats[number].held:
                del table.seated[number]  # The game is over, and nobody was there to see it.
            else:
                self._person(table, room, number, person.token)

    def _person(self, table: Table, room: Room, number: int, token: str) -> None:
        callers, game = self._people.world.clerk.callers, room.running
        if not room.seats[number].held and room.state != "closed":
            said = room.seats[number].state
            self.note(table, f"seat {number} is {said} although its player never left it: lost")
            return
        try:
            caller = callers.identify(token)
            callers.check_in_room(caller, table.id, number)
            if game is not None and number not in game.bots:
                callers.check_seated(caller, game.game)
        except FairdealError as refusal:
            self.note(table, f"the player of seat {number} is refused with {refusal.code}: lost")

    def room(self, table: Table) -> Room:
        """Return a room as it is kept; nothing is done in it by looking."""
        state = self._people.world.store.room(table.id)
        assert state is not None
        known = self._rooms.get(table.id)
        if known is None or known.version != state.version:
            known = room_from_bytes(state.room, state.site, state.version, state.body)
            self._rooms[table.id] = known
        return known

    # ------------------------------------------------------------------------------- games

    def _game(self, table: Table, game: Game) -> None:
        now = self._people.world.now
        since = table.here_since()
        room = self.room(table)
        if room.running is None or room.running.game != game.id:
            self.note(table, f"game {game.id} runs, and its room is {room.state}")
            return
        if bot_turn(game) is not None:
            self.note(table, f"game {game.id} waits for a bot")
        due_at = self._people.world.clerk.next_hand_at(game)
        self._punctual(table, "the next hand", due_at)
        if since is None:
            self._left_alone(table, game)
            return
        self._deserted.pop(game.id, None)
        due = self._people.world.due(game)
        self._punctual(table, "an act in place of a player", None if due is None else due.at)
        if now - since < SETTLED_MS:
            return
        settings = self._people.world.clerk.settings(game.id)
        seat = None if game.position is None else game.position.turn
        is_running = seat is not None and game.is_player(seat) and is_limited(game, settings)
        if is_running and self._people.world.clerk.turn_end(game).deadline is None:
            self.note(table, f"the clock of {game.id} stands although somebody is here")
        if game.state == SEEDING:
            seen = self._people.world.clerk.seen(game.id)
            if lacks_seed(game, settings, seen, now - MINUTE_MS - SLACK_MS):
                self.note(table, f"game {game.id} waits in vain for a seed: stuck")
            self._seeds(table, game)

    def _punctual(self, table: Table, what: str, at: int | None) -> None:
        late = 0 if at is None else self._people.world.now - at
        self.latest_ms = max(self.latest_ms, late)
        if late > SLACK_MS:
            self.note(table, f"{what} is {late} ms late: stuck")

    def _seeds(self, table: Table, game: Game) -> None:
        """Find a seed that was not taken from somebody who is here and sent it."""
        epoch, now = game.epoch, self._people.world.now
        lines = (b"",) * game.seats if epoch is None else epoch.lines
        for person in table.seated.values():
            seat = self._people.seat_in(person, game)
            if not game.is_player(seat) or lines[seat] or person.here_since is None:
                continue
            if now - max(person.here_since, game.head.t) > MINUTE_MS:
                self.note(table, f"the seed of seat {person.seat} is missing: stuck")

    def _left_alone(self, table: Table, game: Game) -> None:
        """Hold a game that all have left to standing still once its last turns are over."""
        world = self._people.world
        gone = world.now - table.last_here
        pause_ms = 1000 * world.clerk.settings(game.id).between_hands_s
        if gone <= DESERTED_MS + world.limit_ms(game.id) + pause_ms + 2 * MINUTE_MS:
            return
        if self._deserted.setdefault(game.id, game.version) != game.version:
            self.note(table, f"game {game.id} goes on although all have left {gone // 1000} s ago")

    def is_closing_due(self, game: Game, slack_ms: int) -> bool:
        """Say whether a game should have closed by itself."""
        first = self._people.world.clerk.first(game.id)
        half = (first.t + first.body["reveal_by"]) // 2
        return bool(self._people.world.now > max(half, game.head.t + IDLE_MS) + slack_ms)
