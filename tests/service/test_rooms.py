"""Rooms in a service whose store fails, whose process is killed, or where others are faster."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.errors import Conflict, FairdealError, Gone, StorageFailure
from fairdeal.service import Asked, NewGame, NewRoom, NewSeat
from fairdeal.service.roombook import TRIES
from fairdeal.store.ports import RoomState, Write
from fairdeal.store.sql import SqlStore
from tests.stores.failing import FailingStore
from tests.table import OPERATOR, Service, quick_folder

HUMAN, BOT = NewSeat(kind="human"), NewSeat(kind="bot")


class Room:
    """A room of a service, and who may do what in it."""

    def __init__(self, service, seats=(HUMAN, HUMAN, BOT, BOT), **more):
        self.service = service
        wanted = NewRoom(game=NewGame(seats=seats, overrides={}), **more)
        made = service.dealer.rooms.create(self.operator, wanted)
        self.id, self.claims = made.id, made.claims
        self.tokens = {}

    @property
    def rooms(self):
        return self.service.dealer.rooms

    @property
    def operator(self):
        return self.service.dealer.identify(OPERATOR)

    def take(self, *seats):
        for claim in self.claims:
            if not seats or claim.seat in seats:
                taken = self.service.dealer.claim(claim.claim, f"a-random-key-of-{claim.seat}")
                self.tokens[claim.seat] = taken.token
        return self

    def by(self, seat=None, **more):
        caller = self.operator if seat is None else self.service.dealer.identify(self.tokens[seat])
        return Asked(caller=caller, room=self.id, **more)

    def now(self):
        return self.rooms.look(self.operator, self.id)

    def ready(self):
        for seat in self.tokens:
            self.rooms.ready(self.by(seat), yes=True)
        return self


def kept(service, room):
    """Return what a room and its games have in the store."""
    grants = service.store.grants
    given = [*grants(role="claim", room=room.id), *grants(role="seat", room=room.id)]
    return (
        service.store.room(room.id),
        sorted((one.digest, one.state) for one in given),
        service.store.unfinished(),
    )


# -------------------------------------------------------------------------- failures and kills

DEEDS = {
    "claim": lambda room: room.take(1),
    "ready": lambda room: room.rooms.ready(room.by(0), yes=True),
    "start": lambda room: room.rooms.start(room.by()),
    "leave": lambda room: room.rooms.seats.leave(room.by(0)),
    "reissue": lambda room: room.rooms.seats.reissue(room.by(), 0),
    "release": lambda room: room.rooms.seats.release(room.by(), 0),
    "put_bot": lambda room: room.rooms.seats.put_bot(room.by(), 1, "steady@1"),
    "close": lambda room: room.rooms.close(room.by()),
}


@pytest.mark.parametrize("kill", [False, True], ids=["lives", "killed"])
@pytest.mark.parametrize("deed", DEEDS)
def test_a_step_that_fails_is_kept_whole_or_not_at_all(deed, kill):
    for fail in ("before", "after"):
        with quick_folder() as folder:
            service = Service(folder, maker=FailingStore)
            room = Room(service).take(0)
            if deed != "ready":
                room.ready()
            before = kept(service, room)
            service.store.fail = fail
            with pytest.raises(StorageFailure):
                DEEDS[deed](room)
            if kill:
                service.close()
                room.service = service = Service(folder, "again", FailingStore)
            after = kept(service, room)
            if fail == "before":
                assert after == before
            else:
                assert after[0].version == before[0].version + 1
                assert (len(after[2]), room.now().game is not None) == ((deed == "start"),) * 2
            service.close()


@pytest.mark.parametrize("fail", ["before", "after"])
def test_a_start_that_failed_is_asked_for_again_and_there_is_one_game(fail):
    with quick_folder() as folder:
        service = Service(folder, maker=FailingStore)
        room = Room(service).take().ready()
        service.store.fail = fail
        with pytest.raises(StorageFailure):
            room.rooms.start(room.by())
        game = room.rooms.start(room.by()).game
        assert service.store.unfinished() == (game.id,)
        assert [played.game for played in room.now().games] == [game.id]
        service.close()


@pytest.mark.parametrize("fail", ["before", "after"])
def test_a_claim_that_failed_is_exchanged_again_and_the_seat_is_taken_once(fail):
    with quick_folder() as folder:
        service = Service(folder, maker=FailingStore)
        room = Room(service)
        service.store.fail = fail
        with pytest.raises(StorageFailure):
            room.take(1)
        room.take(1)
        assert room.now().version == 1
        assert [seat.state for seat in room.now().seats][:2] == ["invited", "claimed"]
        service.close()


# --------------------------------------------------------------------------- the end of a game


def test_a_room_that_nobody_told_of_the_end_of_its_game_finds_it_out(service):
    room = Room(service).take().ready()
    game = room.rooms.start(room.by()).game
    version = room.now().version
    service.dealer._clerk.ended = lambda _: None  # As where the process was killed in between.
    service.dealer.hands.close(room.operator, game.id, "enough")
    assert service.store.room(room.id).version == version
    now = room.now()
    assert (now.state, now.game, now.version) == ("lobby", None, version + 1)
    assert room.now() == now


def test_a_game_is_over_also_where_its_room_cannot_be_kept(service):
    room = Room(service).take().ready()
    game = room.rooms.start(room.by()).game
    service.sql(f"UPDATE rooms SET body = x'00' WHERE room = '{room.id}'")
    service.dealer.hands.close(room.operator, game.id, "enough")
    assert service.store.unfinished() == ()
    with pytest.raises(StorageFailure) as caught:
        room.now()
    assert caught.value.code == "records_damaged"


@pytest.mark.parametrize("wanted", ["{}", '{"rules":{},"clock":{},"watch":{}}'])
def test_a_room_that_wants_no_game_says_so(service, wanted):
    room = Room(service).take().ready()
    state = service.store.room(room.id)
    body = state.body.decode()
    start = body.index('"wanted":')
    damaged = f'{body[:start]}"wanted":{wanted}}}'.encode()
    next_one = RoomState(room=room.id, site=state.site, version=state.version + 1, body=damaged)
    service.store.write(Write(room=next_one))
    with pytest.raises(StorageFailure) as caught:
        room.rooms.start(room.by())
    assert caught.value.code == "records_damaged"


def test_one_process_starts_a_game_and_another_one_shows_it(service, folder):
    room = Room(service).take().ready()
    other = Service(folder, "another process")
    started = room.rooms.start(room.by())
    room.service = other
    assert room.now() == started
    assert room.rooms.start(room.by()) == started
    other.close()


# ------------------------------------------------------------------------------ others are faster


class Meddled(SqlStore):
    """Does something else just before it writes a room."""

    meddle: Callable[[], object] | None = None

    def write(self, write):
        if write.room is not None and self.meddle is not None:
            meddle, self.meddle = self.meddle, None
            meddle()
        super().write(write)


@pytest.fixture
def meddled(folder):
    opened = Service(folder, maker=Meddled)
    yield opened
    opened.close()


def test_a_step_that_somebody_outran_is_decided_anew(meddled):
    room = Room(meddled).take()
    meddled.store.meddle = lambda: room.rooms.ready(room.by(1), yes=True)
    now = room.rooms.ready(room.by(0), yes=True)
    assert [seat.ready for seat in now.seats] == [True, True, False, False]
    assert now.version == 4


def test_a_start_that_somebody_outran_gives_the_game_that_runs(meddled):
    room = Room(meddled).take().ready()
    first = []
    meddled.store.meddle = lambda: first.append(room.rooms.start(room.by(0)).game)
    assert [room.rooms.start(room.by()).game] == first
    assert meddled.store.unfinished() == (first[0].id,)


def test_a_start_whose_players_changed_their_minds_meanwhile_is_refused(meddled):
    room = Room(meddled).take().ready()
    meddled.store.meddle = lambda: room.rooms.ready(room.by(1), yes=False)
    with pytest.raises(Conflict) as caught:
        room.rooms.start(room.by())
    assert (caught.value.code, caught.value.facts) == ("not_ready", {"seats": [1]})
    assert meddled.store.unfinished() == ()


def test_a_step_decided_on_a_version_is_not_taken_on_the_next_one(meddled):
    room = Room(meddled).take()
    meddled.store.meddle = lambda: room.rooms.ready(room.by(1), yes=True)
    with pytest.raises(Conflict) as caught:
        room.rooms.ready(room.by(0, expect=2), yes=True)
    assert (caught.value.code, caught.value.facts) == ("room_moved", {"expected": 2, "version": 3})


def test_a_seat_that_changed_hands_meanwhile_obeys_its_old_token_no_more(meddled):
    room = Room(meddled).take()
    meddled.store.meddle = lambda: room.rooms.seats.reissue(room.by(), 1)
    with pytest.raises(Gone) as caught:
        room.rooms.ready(room.by(1), yes=True)
    assert caught.value.code == "token_replaced"
    assert not room.now().seats[1].ready


def test_a_claim_that_was_replaced_meanwhile_seats_nobody(meddled):
    room = Room(meddled)
    meddled.store.meddle = lambda: room.rooms.seats.reissue(room.by(), 1)
    with pytest.raises(Gone) as caught:
        room.take(1)
    assert caught.value.code == "token_replaced"
    assert room.now().seats[1].state == "invited"


def test_of_two_who_exchange_one_claim_the_second_hears_that_it_was_used(meddled):
    room = Room(meddled)
    claim = room.claims[1].claim
    meddled.store.meddle = lambda: meddled.dealer.claim(claim, "a-random-key-of-other")
    with pytest.raises(Gone) as caught:
        meddled.dealer.claim(claim, "a-random-key-of-mine1")
    assert caught.value.code == "claim_used"
    assert room.now().version == 1


def test_a_step_that_is_outrun_all_the_time_is_given_up(meddled):
    room = Room(meddled).take()
    count = 0

    def flip():
        nonlocal count
        count += 1
        meddled.store.meddle = None
        room.rooms.ready(room.by(1), yes=bool(count % 2))
        meddled.store.meddle = flip

    meddled.store.meddle = flip
    with pytest.raises(FairdealError) as caught:
        room.rooms.ready(room.by(0), yes=True)
    assert caught.value.code == "room_moved"
    assert count == TRIES


# ----------------------------------------------------------------------------- several processes


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.suite("postgres"))])
def two(request, folder):
    """Two services on one database, as two processes would be."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None

    def maker(path):
        return SqlStore(path if url is None else url)

    opened = [Service(folder, seed, maker) for seed in ("one process", "another process")]
    yield opened
    for service in opened:
        service.close()


def at_once(asks):
    with ThreadPoolExecutor(len(asks)) as pool:
        return list(pool.map(tried, asks))


def tried(ask):
    """Ask until the store answers: two writers of one file may wait for each other's lock."""
    for _ in range(20):
        try:
            return ask()
        except StorageFailure as failure:
            if failure.code != "store_failed":
                raise
    return ask()


def test_in_two_processes_a_room_has_one_holder_a_seat_one_game_and_one_rematch(two):
    one, other = two
    room = Room(one, seats=(HUMAN,) * 4)
    claims = [
        lambda d=service.dealer, c=claim: d.claim(c.claim, f"a-random-key-of-{c.seat}")
        for claim in room.claims
        for service in (one, other)
    ]
    taken = at_once(claims)
    assert len({seating.token for seating in taken}) == 4
    room.tokens = {seating.seat: seating.token for seating in taken}

    def by(service, seat):
        return Asked(caller=service.dealer.identify(room.tokens[seat]), room=room.id)

    at_once(
        [
            lambda s=service, n=seat: s.dealer.rooms.ready(by(s, n), yes=True)
            for seat in range(4)
            for service in two
        ]
    )
    host = room.now().host
    starts = [lambda s=service: s.dealer.rooms.start(by(s, host)) for service in two * 4]
    started = at_once(starts)
    assert len({view.game.id for view in started}) == 1
    first = started[0].game.id
    other.dealer.hands.close(room.operator, first, "enough")
    asked = [
        lambda s=service, n=seat: s.dealer.rooms.rematch(by(s, n), first)
        for seat in range(4)
        for service in two
    ]
    at_once(asked)
    games = [played.game for played in room.now().games]
    assert games[0] == first
    assert one.store.unfinished() == other.store.unfinished() == (games[1],)
    assert len(games) == 2
