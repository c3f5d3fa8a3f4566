"""Rooms that draw their seats, where the store fails, the process is killed, or others are faster.

Whatever happens between the draw and its game, the room is not stuck: it plays the game that was
drawn for, once, or is in its lobby.
"""

import io
import json

import pytest

from fairdeal import rooms
from fairdeal.errors import StorageFailure
from fairdeal.service import NewGame, NewRoom, Seed, Settings
from fairdeal.service.publiclog.watching import PAUSE_S
from fairdeal.service.wantedgame import DRAW_WITHIN_MS
from tests.api.test_seeding import BEACON, ROUND, after_round, at_round
from tests.service.test_order_rules import logged
from tests.service.test_rooms import BOT, HUMAN, Meddled, Room, at_once, tried, two
from tests.stores.failing import FailingStore
from tests.table import NOBODY, Service, quick_folder
from verifier.held import Held
from verifier.verify import verify

__all__ = ["two"]  # a fixture

FACELESS = "ab" * 32


class Drawing(Room):
    """A room that draws its seats, and what its players do."""

    def __init__(self, service, seats=(HUMAN, HUMAN, BOT, BOT), seating="draw", **more):
        super().__init__(service, seats, seating=seating, **more)

    def began(self):
        """Start the draw."""
        self.take().ready()
        assert self.rooms.start(self.by()).game.kind == "draw"
        return self

    def give(self, *seats, service=None, view=None, epoch=1):
        """Give the seeds of these seats of the room, or of all, in the game that runs."""
        service = service or self.service
        view = view or self.now()
        for seat in seats or sorted(self.tokens):
            seed = Seed(
                epoch=epoch,
                open_hash=view.game.commitment.open_hash,
                nonce=NOBODY,
                seed_sha256=FACELESS,
            )
            caller = service.dealer.identify(self.tokens[seat])
            service.dealer.seeds.share(caller, view.game.id, view.seats[seat].game_seat, seed)

    def id_of(self, number):
        """Return the name of a game of the room, as the store has it, without a look at it."""
        return (
            rooms.from_bytes(self.id, "site_main", 0, self.service.store.room(self.id).body)
            .games[number]
            .game
        )

    @property
    def kinds(self):
        return [played.kind for played in self.now().games]


def types(service, game):
    return [json.loads(line)["type"] for line in service.store.lines(game)]


def acts(service, game):
    """Return who acted in a game, by seats of the game, and how."""
    records = [json.loads(line)["body"] for line in service.store.lines(game)]
    return {(body["seat"], body["by"]) for body in records if "act" in body}


def held_back(service):
    """Let the room hear nothing of the end of a game, as where the process is killed just then."""
    service.dealer._clerk.ended = lambda _: None


# ------------------------------------------------------------------ between draw and game


def test_a_process_that_was_killed_behind_the_draw_starts_its_game_at_the_next_look():
    with quick_folder() as folder:
        service = Service(folder)
        room = Drawing(service).began()
        draw = room.now().game.id
        held_back(service)
        room.give()
        version = service.store.room(room.id).version
        service.close()
        room.service = service = Service(folder, "again")
        assert types(service, draw)[-1] == "master"
        assert service.store.unfinished() == ()
        now = room.now()
        assert (now.version, now.state, now.game.kind) == (version + 1, "playing", "game")
        assert service.store.unfinished() == (now.game.id,)
        assert room.now() == now
        room.give()
        assert "deal" in types(service, now.game.id)
        service.close()


@pytest.mark.parametrize("kill", [False, True], ids=["lives", "killed"])
@pytest.mark.parametrize("fail", ["before", "after"])
def test_a_game_that_could_not_be_kept_behind_its_draw_is_there_once(fail, kill):
    with quick_folder() as folder:
        service = Service(folder, maker=FailingStore)
        room = Drawing(service).began()
        held_back(service)
        room.give()
        service.store.fail = fail
        with pytest.raises(StorageFailure):
            room.now()
        if kill:
            service.close()
            room.service = service = Service(folder, "again", FailingStore)
        now = room.now()
        assert room.kinds == ["draw", "game"]
        assert service.store.unfinished() == (now.game.id,)
        service.close()


@pytest.mark.parametrize("kill", [False, True], ids=["lives", "killed"])
@pytest.mark.parametrize("fail", ["before", "after"])
def test_a_draw_whose_end_could_not_be_kept_is_dealt_whole_or_not_at_all(fail, kill):
    with quick_folder() as folder:
        service = Service(folder, maker=FailingStore)
        room = Drawing(service).began()
        draw = room.now().game.id
        room.give(0)
        service.store.fail = fail
        with pytest.raises(StorageFailure):
            room.give(1)
        if kill:
            service.close()
            room.service = service = Service(folder, "again", FailingStore)
        assert ("deal" in types(service, draw)) == ("master" in types(service, draw))
        if fail == "before":
            assert types(service, draw) == ["open", "share"]
            room.give(1)
        assert types(service, draw)[-1] == "master"
        assert room.kinds == ["draw", "game"]
        service.close()


@pytest.mark.parametrize("fail", ["before", "after"])
def test_a_start_of_a_draw_that_failed_is_asked_for_again_and_there_is_one_draw(fail):
    with quick_folder() as folder:
        service = Service(folder, maker=FailingStore)
        room = Drawing(service).take().ready()
        service.store.fail = fail
        with pytest.raises(StorageFailure):
            room.rooms.start(room.by())
        game = room.rooms.start(room.by()).game
        assert service.store.unfinished() == (game.id,)
        assert room.kinds == ["draw"]
        service.close()


def test_of_two_who_look_behind_a_draw_at_once_one_starts_the_game_and_both_see_it(folder):
    service = Service(folder, maker=Meddled)
    room = Drawing(service).began()
    held_back(service)
    room.give()
    seen = []
    service.store.meddle = lambda: seen.append(room.now().game)
    assert [room.now().game] == seen
    assert room.kinds == ["draw", "game"]
    assert service.store.unfinished() == (seen[0].id,)
    service.close()


def test_in_two_processes_a_draw_is_dealt_once_and_one_game_follows_it(two):
    one, other = two
    room = Drawing(one, seats=(HUMAN,) * 4).began()
    draw = room.now().game.id
    room.give(0, 1, 2)
    view = room.now()
    # The last seed, sent to both at once and more than once.
    at_once(
        [lambda s=service: tried(lambda: room.give(3, service=s, view=view)) for service in two * 2]
    )
    assert types(other, draw).count("deal") == types(one, draw).count("master") == 1
    looks = [
        lambda s=service: tried(lambda: s.dealer.rooms.look(room.operator, room.id))
        for service in two * 3
    ]
    views = at_once(looks)
    assert len({view.game.id for view in views}) == 1
    assert [played.kind for played in views[0].games] == ["draw", "game"]
    assert one.store.unfinished() == other.store.unfinished() == (views[0].game.id,)


# --------------------------------------------------------------------------- no such game


def test_where_there_can_be_no_such_game_any_more_the_room_is_in_its_lobby(service):
    due = service.clock() + 3_600_000
    room = Drawing(service)
    game = NewGame(seats=(), overrides={}, reveal_by=due)
    room.rooms.change_game(room.by(), NewRoom(game=game, seating="draw"))
    room.began()
    held_back(service)
    room.give()
    service.clock.set(due + 1)
    now = room.now()
    assert (now.state, now.game) == ("lobby", None)
    assert [played.over for played in now.games] == [True]


def test_a_game_is_not_older_than_the_draw_that_it_names_whatever_a_clock_says(service):
    room = Drawing(service).began()
    held_back(service)
    room.give()
    draw = service.store.lines(room.id_of(0))
    service.clock.set(service.clock() - 3_600_000)
    game = room.now().game.id
    first = json.loads(service.store.lines(game)[0])
    assert first["t"] == json.loads(draw[-1])["t"]
    room.give()
    service.dealer.hands.close(room.operator, game, "enough")
    record = b"".join(service.store.lines(game))
    found = verify(io.BytesIO(record), Held(seating=io.BytesIO(b"".join(draw))))
    assert (found.verdict, found.errors) == ("VALID", ())


def test_a_draw_that_nobody_goes_on_with_closes_within_half_a_day_and_the_room_is_free(service):
    room = Drawing(service).began()
    began = service.clock()
    draw = room.now().game.id
    room.give(0)
    service.clock.set(began + DRAW_WITHIN_MS // 2 - 60_000)
    assert service.dealer.due() == ()
    service.clock.set(began + DRAW_WITHIN_MS // 2 + 1_000)
    assert service.dealer.due() == (draw,)
    service.dealer.advance(draw)
    assert types(service, draw) == ["open", "share", "close", "master"]
    now = room.now()
    assert (now.state, now.game) == ("lobby", None)
    assert [seat.ready for seat in now.seats] == [False] * 4


# ------------------------------------------------------------------- beacons and the public log


def test_a_draw_waits_for_its_round_and_is_dealt_by_itself_when_it_is_out(service):
    """The game behind it waits for a round too: it is seeded as the room says."""
    room = Drawing(service)
    game = NewGame(seats=(), overrides={}, beacon=BEACON)
    room.rooms.change_game(room.by(), NewRoom(game=game, seating="draw"))
    at_round(service, ROUND)
    room.began()
    room.give()
    draw = room.now().game.id
    assert types(service, draw)[-1] == "lock"
    service.dealer.advance(draw)
    assert types(service, draw)[-1] == "lock"
    after_round(service, ROUND)
    service.dealer.advance(draw)
    assert types(service, draw)[-1] == "master"
    assert room.kinds == ["draw", "game"]


def test_a_draw_is_dealt_when_its_lock_is_public_and_its_game_starts_then(folder):
    with logged(folder) as (service, log):
        room = Drawing(service).began()
        named: list[str] = []
        service.dealer.go_on_with(named.append)
        draw = room.now().game.id
        log.publish()
        room.give()
        assert types(service, draw)[-1] == "lock"
        assert named == [draw]
        # Not at once, again and again.
        assert service.dealer.wakes_in(draw) >= PAUSE_S
        service.dealer.advance(draw)
        assert types(service, draw)[-1] == "lock"
        assert room.kinds == ["draw"]
        log.publish()
        service.dealer.advance(draw)
        assert types(service, draw)[-1] == "master"
        assert room.kinds == ["draw", "game"]
        assert service.dealer.wakes_in(draw) is None


def test_where_the_log_is_behind_when_a_draw_ends_the_game_starts_at_a_later_look(folder):
    with logged(folder) as (service, log):
        room = Drawing(service).began()
        draw = room.now().game.id
        log.publish()
        room.give()
        log.publish()
        held_back(service)
        service.dealer.advance(draw)
        log.place()
        assert not log.order.is_behind
        log.now += 60  # Nothing becomes public for a minute.
        assert log.order.is_behind
        now = room.now()
        assert (now.state, now.game.id, now.game.state) == ("playing", draw, "closed")
        log.publish()
        assert room.now().game.kind == "game"


def test_whoever_looks_at_a_draw_that_nobody_dealt_has_it_dealt(folder):
    with logged(folder) as (service, log):
        room = Drawing(service).began()
        draw = room.now().game.id
        log.publish()
        room.give()
        log.publish()
        caller = service.dealer.identify(room.tokens[0])
        assert service.dealer.looks.view(caller, draw).view["state"] == "closed"
        assert types(service, draw)[-1] == "master"


# --------------------------------------------------------------------------------- clocks


def test_a_stand_in_acts_for_the_seat_of_the_game_whose_player_of_the_room_is_away(service):
    clock = Settings(away_grace_s=30, if_away="bot")
    for _ in range(20):
        room = Drawing(service, seats=(HUMAN,) * 4)
        game = NewGame(seats=(), overrides={}, settings=clock)
        room.rooms.change_game(room.by(), NewRoom(game=game, seating="draw"))
        room.began()
        room.give()
        room.give()
        view = room.now()
        # Seat 0 of the game is dealt to first, and in turn.
        (away,) = [seat.seat for seat in view.seats if seat.game_seat == 0]
        if away != 0:
            break
    game, presences = view.game.id, service.dealer.presences
    began = service.clock()
    for step in range(1, 12):
        service.clock.set(began + 5_000 * step)
        for seat in range(4):
            if seat != away:
                presences.note(room.id, seat)
        presences.flush()
        service.dealer.advance(game)
    assert acts(service, game) == {(0, "stand-in")}


def test_nothing_is_done_for_a_seat_whose_player_of_the_room_is_there(service):
    clock = Settings(away_grace_s=30, if_away="bot")
    room = Drawing(service, seats=(HUMAN,) * 4)
    game = NewGame(seats=(), overrides={}, settings=clock)
    room.rooms.change_game(room.by(), NewRoom(game=game, seating="draw"))
    room.began()
    room.give()
    room.give()
    view = room.now()
    (there,) = [seat.seat for seat in view.seats if seat.game_seat == 0]
    game, presences = view.game.id, service.dealer.presences
    began = service.clock()
    for step in range(1, 12):
        service.clock.set(began + 5_000 * step)
        presences.note(room.id, there)
        presences.note(room.id, (there + 1) % 4)
        presences.flush()
        service.dealer.advance(game)
    assert acts(service, game) == set()
