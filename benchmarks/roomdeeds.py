"""What hosts and the operator do at tables, by chance."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from benchmarks.roompeople import People, Table
from fairdeal.game import SEEDING
from fairdeal.rooms import Seating
from fairdeal.service.answers import NewGame, NewSeat
from fairdeal.service.callers import Caller
from fairdeal.service.roombook import Asked
from fairdeal.service.rooms import NewRoom
from fairdeal.service.roomview import RoomView
from fairdeal.service.settings import Settings

DEED_S: Final = 60.0
"""So often, about, somebody does something at a table that is no act."""

REVEAL_H: Final = (2.0, 12.0)
"""In every second room the last date of its games is so many hours after it was opened."""

SEEDS_S: Final = 900
"""So long the operator waits for a seed before the game is called off."""

CLOCKS: Final = (
    Settings(turn_s=60, answer_s=20, warn_s=15, extend_s=30, extends=2, between_hands_s=10),
    Settings(
        turn_s=30, answer_s=15, warn_s=10, extend_s=20, extends=3, away_grace_s=20,
        between_hands_s=5,
    ),
    Settings(turn_s=45, away_grace_s=30, between_hands_s=0),
    Settings(turn_s=None, away_grace_s=30, between_hands_s=10),
    Settings(turn_s=90, away_grace_s=20, if_away="wait", warn_s=20, extends=1),
)  # fmt: skip
"""The clocks of tables; one in ten has none."""

BOTS: Final = ("greedy@1", "greedy@1", "random@1", "steady@1")

_LATE: Final = (
    "seat_taken", "seat_is_bot", "game_running", "room_closed", "host_only", "not_your_seat",
    "seat_not_claimed", "reveal_by_out_of_range",
)  # fmt: skip


class Deeds:
    """Opens rooms and does what hosts and operators do in them.

    Args:
        people: Who sits where.
        target: So many points end a game.
    """

    def __init__(self, people: People, target: int = 500) -> None:
        self._people = people
        self._world = people.world
        self._target = target

    def open(self) -> None:
        """Open a room, and invite people to it."""
        world, chance = self._world, self._world.chance
        humans = chance.choice((1, 2, 2, 3, 4, 4))
        kinds = ["human"] * humans + ["bot"] * (4 - humans)
        chance.shuffle(kinds)
        settings = Settings() if chance.random() < 0.1 else chance.choice(CLOCKS)
        reveal_by = None
        if chance.random() < 0.5:
            reveal_by = world.now + int(3_600_000 * chance.uniform(*REVEAL_H))
        seating: Seating = chance.choice(("given", "given", "given", "draw", "draw_each"))
        wanted = NewRoom(
            game=NewGame(
                seats=tuple(
                    NewSeat(kind="bot", bot=chance.choice(BOTS))
                    if kind == "bot"
                    else NewSeat(kind="human", bot=chance.choice(BOTS))
                    for kind in kinds
                ),
                preset="classic@1",
                overrides={"target": self._target},
                settings=settings,
                reveal_by=reveal_by,
            ),
            auto_start=chance.random() < 0.5,
            seating=seating,
        )
        view = world.dealer.rooms.create(world.operator, wanted)
        table = self._people.add(view.id)
        self._people.done["room"] += 1
        self._invite(table, view)
        world.after(chance.uniform(0, 2 * DEED_S), partial(self._something, table))

    def _invite(self, table: Table, view: RoomView) -> None:
        """Hand on the claims of an answer; most of them are taken up in a while."""
        chance = self._world.chance
        for claim in view.claims:
            table.claims[claim.seat] = claim.claim
            if chance.random() < 0.85:
                sit_down = partial(self._people.sit_down, table, claim.seat, claim.claim)
                self._world.after(chance.uniform(2, 300), sit_down)

    def _something(self, table: Table) -> None:
        """Do something at a table, and again in a while; a table that is closed is followed."""
        if self._people.quiet:
            return
        if table.closed:
            self.open()
            return
        chance = self._world.chance
        deeds: tuple[tuple[Callable[[Table], None], float], ...] = (
            (self._drop, 6), (self._reissue, 1), (self._release, 0.4), (self._leave, 0.8),
            (self._fill, 4), (self._bot_in, 1.5), (self._bot_out, 1), (self._pass_host, 0.5),
            (self._start, 3), (self._call_off, 0.15), (self._close, 0.05), (self._wait, 10),
        )  # fmt: skip
        (deed,) = chance.choices([deed for deed, _ in deeds], [weight for _, weight in deeds])
        deed(table)
        self._overdue(table)
        self._world.after(chance.uniform(0.2, 1.8) * DEED_S, partial(self._something, table))

    # ------------------------------------------------------------------------ what is done

    def _wait(self, table: Table) -> None:
        """Do nothing."""

    def _drop(self, table: Table) -> None:
        if table.here:
            self._people.drop(table, self._world.chance.choice(table.here))

    def _reissue(self, table: Table) -> None:
        seat, (caller, _) = self._any(table.seated), self._by(table)
        if seat is None:
            return
        asked = self._asked(table, caller)
        view = self._do("reissue", lambda: self._world.dealer.rooms.seats.reissue(asked, seat))
        if view is not None:
            was = table.seated[seat]
            table.lose(seat)
            self._people.use_dead(table, was)
            self._invite(table, view)

    def _release(self, table: Table) -> None:
        seat, (caller, _) = self._any(table.seated), self._by(table)
        if seat is None:
            return
        asked = self._asked(table, caller)
        view = self._do("release", lambda: self._world.dealer.rooms.seats.release(asked, seat))
        if view is not None:
            was = table.seated[seat]
            table.lose(seat)
            self._people.use_dead(table, was)

    def _leave(self, table: Table) -> None:
        if not table.here:
            return
        person = self._world.chance.choice(table.here)
        asked = self._asked(table, person.caller)
        view = self._do("leave", lambda: self._world.dealer.rooms.seats.leave(asked))
        if view is not None:
            person.is_leaving = True
            self._people.follow(table, view)

    def _fill(self, table: Table) -> None:
        """Invite somebody to a seat that nobody holds."""
        view = self._look(table)
        free = [s.seat for s in view.seats if s.state in ("open", "left", "invited")]
        if not free:
            return
        seat, (caller, _) = self._world.chance.choice(free), self._by(table)
        asked = self._asked(table, caller)
        told = self._do("invite", lambda: self._world.dealer.rooms.seats.invite(asked, seat))
        if told is not None:
            self._invite(table, told)

    def _bot_in(self, table: Table) -> None:
        view = self._look(table)
        free = [s.seat for s in view.seats if s.state in ("open", "left", "invited")]
        if free:
            self._put(table, "bot in", self._world.chance.choice(free), "greedy@1")

    def _bot_out(self, table: Table) -> None:
        view = self._look(table)
        bots = [seat.seat for seat in view.seats if seat.state == "bot"]
        if bots:
            self._put(table, "bot out", self._world.chance.choice(bots), None)

    def _put(self, table: Table, what: str, seat: int, bot: str | None) -> None:
        asked = self._asked(table, self._by(table)[0])
        view = self._do(what, lambda: self._world.dealer.rooms.seats.put_bot(asked, seat, bot))
        if view is not None:
            self._people.follow(table, view)

    def _pass_host(self, table: Table) -> None:
        seat = self._any(table.seated)
        if seat is not None:
            asked = self._asked(table, self._by(table)[0])
            self._do("pass host", lambda: self._world.dealer.rooms.seats.pass_host(asked, seat))

    def _start(self, table: Table) -> None:
        asked = self._asked(table, self._world.operator)
        late = ("not_ready", "nobody_seated")
        self._do("operator start", lambda: self._world.dealer.rooms.start(asked), late)

    def _call_off(self, table: Table) -> None:
        view = self._look(table)
        if view.game is not None:
            game, close = view.game.id, self._world.close_game
            self._do("game called off", lambda: close(game, "players_left"), ("game_over",))

    def _close(self, table: Table) -> None:
        asked = self._asked(table, self._world.operator)
        view = self._do("room closed", lambda: self._world.dealer.rooms.close(asked))
        if view is not None:
            table.closed = True

    def _overdue(self, table: Table) -> None:
        """Call a game off that waits too long for the seed of somebody who is not there.

        Where there is a clock and somebody waits, the service does so by itself, and sooner.
        """
        view = self._look(table)
        if view.game is None:
            last = view.wanted["reveal_by"]
            if last is not None and last <= self._world.now and not table.closed:
                self._close(table)  # No game can start here any more.
            return
        game = self._world.game(view.game.id)
        if game.state == SEEDING and self._world.now - game.head.t > 1000 * SEEDS_S:
            close = self._world.close_game
            self._do("called off for a seed", lambda: close(game.id, "players_left"))

    # ---------------------------------------------------------------------------- asking

    def _any(self, seated: dict[int, Any]) -> int | None:
        return self._world.chance.choice([*seated]) if seated else None

    def _by(self, table: Table) -> tuple[Caller, bool]:
        """Return who asks: the operator, or somebody at the table, who may be no host."""
        if table.here and self._world.chance.random() < 0.5:
            return self._world.chance.choice(table.here).caller, True
        return self._world.operator, False

    def _asked(self, table: Table, caller: Caller) -> Asked:
        return Asked(caller=caller, room=table.id)

    def _look(self, table: Table) -> RoomView:
        return self._world.dealer.rooms.look(self._world.operator, table.id)

    def _do(self, what: str, do: Callable[[], Any], more: tuple[str, ...] = ()) -> Any:  # noqa: ANN401  whatever the deed answers
        return self._people.tried(what, do, (*_LATE, *more))
