"""Quick match in a service, with simulated time: failures, kills, several processes."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.errors import Conflict, FairdealError, Gone, NotFound, StorageFailure
from fairdeal.rooms import CLAIM_MS
from fairdeal.service import Asked, NewGame, QuickWanted
from fairdeal.service.lookout import Lookout
from fairdeal.service.onward import MATCH_S, Onward
from fairdeal.store.sql import SqlStore
from tests.order import stalled
from tests.stores.failing import FailingStore
from tests.table import OPERATOR, START_MS, Service, quick_folder

WAIT_MS = 20_000


def wish(wait_s=20, label="", hands=None, **more):
    return QuickWanted(game=NewGame(seats=(), overrides={}, hands=hands), wait_s=wait_s,
                       label=label, **more)  # fmt: skip


class Hall:
    """A service whose players look for others, and a clock that stands where it was set."""

    def __init__(self, service):
        self.service = service
        self.at(0)

    def at(self, ms):
        """Let it be so long after the beginning; every look at the clock takes no time."""
        now = START_MS + ms
        self.service.clock._ticks = iter(lambda: now, None)
        return self

    @property
    def dealer(self):
        return self.service.dealer

    @property
    def operator(self):
        return self.dealer.identify(OPERATOR)

    def enter(self, *wishes, **more):
        return self.dealer.quick_match.enter(self.operator, *(wishes or (wish(),)), **more)

    def take(self, told, key=None):
        seating = self.dealer.claim(told.claim.claim, key)
        return self.dealer.identify(seating.token)

    def look(self, told):
        return self.dealer.quick_match.look(self.operator, told.ticket)

    def withdraw(self, told):
        return self.dealer.quick_match.withdraw(self.operator, told.ticket)

    def room(self, told):
        return self.dealer.rooms.look(self.operator, told.room)

    def games(self):
        return self.service.store.unfinished()


@pytest.fixture
def hall(service):
    return Hall(service)


# ---------------------------------------------------------------------------------- who meets


def test_players_with_the_same_wishes_meet_and_the_table_starts_when_it_is_full(hall):
    told = [hall.at(ms).enter(wish(label=f"P{ms}")) for ms in (0, 1000, 2000, 3000)]
    assert len({one.room for one in told}) == 1
    assert [one.seat for one in told] == [0, 1, 2, 3]
    assert [one.players for one in told] == [1, 2, 3, 4]
    assert [one.starts_in_ms for one in told] == [20_000, 19_000, 18_000, CLAIM_MS]
    for one in told:
        assert hall.games() == ()
        hall.take(one)
    (game,) = hall.games()
    looks = [hall.look(one) for one in told]
    assert [(one.state, one.game, one.starts_at) for one in looks] == [("started", game, None)] * 4
    assert hall.room(told[0]).games[0].bots == ()
    labels = [seat.label for seat in hall.dealer.looks.public(game).seats]
    assert labels == ["P0", "P1000", "P2000", "P3000"]


@pytest.mark.parametrize(
    "other", [wish(hands=3), wish(bot="random@1")], ids=["another game", "another bot"]
)
def test_players_with_other_wishes_do_not_meet(hall, other):
    assert hall.enter().room != hall.enter(other).room


def test_how_long_one_waits_and_what_one_is_called_is_no_wish(hall):
    one = hall.enter(wish(5, "Ruth", custody="site"))
    assert hall.enter(wish(120, "Vera")).room == one.room


def test_the_fifth_player_gets_another_room_and_the_oldest_room_is_filled_first(hall):
    first = [hall.enter() for _ in range(4)]
    fifth = hall.enter()
    assert fifth.room != first[0].room
    hall.withdraw(first[2])
    again = hall.enter()
    assert (again.room, again.seat) == (first[0].room, 2)
    assert hall.enter().room == fifth.room


def test_a_preset_for_two_has_two_seats(hall):
    game = NewGame(seats=(), preset="two-player@1", overrides={})
    told = [hall.enter(QuickWanted(game=game)) for _ in range(2)]
    assert [(one.seat, one.seats) for one in told] == [(0, 2), (1, 2)]


# ------------------------------------------------------------------------------------- time


def test_after_the_wait_bots_take_the_empty_seats_and_the_game_starts(hall):
    told = [hall.at(ms).enter() for ms in (0, 4000)]
    for one in told:
        hall.take(one)
    hall.at(WAIT_MS - 1)
    assert hall.dealer.quick_match.start_due() == START_MS + WAIT_MS
    assert hall.games() == ()
    hall.at(WAIT_MS)
    assert hall.dealer.quick_match.start_due() is None
    (game,) = hall.games()
    assert [hall.look(one).game for one in told] == [game, game]
    assert hall.room(told[0]).games[0].bots == (2, 3)


def test_whoever_looks_at_the_room_in_time_starts_the_game_where_no_thread_did(hall):
    told = hall.enter()
    hall.take(told)
    hall.at(WAIT_MS)
    assert hall.look(told).state == "started"
    assert len(hall.games()) == 1


def test_a_player_who_did_not_take_the_seat_in_time_is_a_guest_and_is_told_so(hall):
    here, late = hall.enter(), hall.enter()
    hall.take(here)
    hall.at(WAIT_MS)
    told = hall.look(late)
    assert (told.state, told.game) == ("missed", hall.look(here).game)
    assert hall.room(here).games[0].bots == (1, 2, 3)
    with pytest.raises(Conflict) as caught:
        hall.take(late)
    assert caught.value.code == "bot_plays"


def test_whoever_got_a_seat_at_the_last_moment_has_time_to_take_it(hall):
    early = hall.enter()
    hall.take(early)
    late = hall.at(WAIT_MS - 1).enter()
    assert late.starts_in_ms == CLAIM_MS
    hall.at(WAIT_MS + CLAIM_MS - 2).take(late)
    assert [hall.look(one).state for one in (early, late)] == ["started"] * 2


def test_a_table_to_which_nobody_came_is_closed_without_a_game(hall):
    told = hall.enter()
    hall.at(WAIT_MS)
    assert hall.dealer.quick_match.start_due() is None
    assert (hall.look(told).state, hall.room(told).state, hall.games()) == ("missed", "closed", ())
    with pytest.raises(FairdealError) as caught:
        hall.take(told)
    assert caught.value.code == "no_such_claim"
    assert hall.enter().room != told.room


def test_whoever_waits_for_nobody_plays_with_guests_at_once(hall):
    told = hall.enter(wish(0))
    hall.take(told)
    assert hall.room(told).games[0].bots == (1, 2, 3)


def test_an_impatient_player_starts_the_game_for_those_who_would_wait(hall):
    patient, impatient = hall.enter(wish(120)), hall.enter(wish(3))
    hall.take(patient)
    hall.take(impatient)
    assert hall.look(patient).starts_in_ms == 3000
    assert hall.at(3000).look(patient).state == "started"


# ---------------------------------------------------------------------------- withdrawing


def test_whoever_withdrew_is_in_no_game_and_has_no_token(hall):
    stays, goes = hall.enter(), hall.enter()
    hall.take(stays)
    caller = hall.take(goes, "a-random-key-of-mine1")
    assert hall.withdraw(goes).state == "withdrawn"
    assert hall.withdraw(goes).state == "withdrawn"
    with pytest.raises(FairdealError) as caught:
        hall.dealer.rooms.look(caller, goes.room)
    assert caught.value.code == "bad_key"
    hall.at(WAIT_MS)
    assert hall.look(goes).state == "withdrawn"
    assert hall.look(goes).game is None
    assert hall.room(stays).games[0].bots == (1, 2, 3)


def test_a_claim_of_a_withdrawn_ticket_opens_nothing(hall):
    hall.enter()
    told = hall.enter()
    hall.withdraw(told)
    with pytest.raises(NotFound) as caught:
        hall.take(told)
    assert caught.value.code == "no_such_claim"


def test_a_ticket_is_not_withdrawn_from_a_game_that_has_started(hall):
    told = hall.enter()
    hall.take(told)
    hall.at(WAIT_MS)
    with pytest.raises(Conflict) as caught:
        hall.withdraw(told)
    assert caught.value.code == "match_started"
    assert hall.look(told).state == "started"


def test_the_room_that_the_last_player_withdrew_from_is_closed(hall):
    told = hall.enter()
    assert hall.withdraw(told).state == "withdrawn"
    assert hall.room(told).state == "closed"
    assert hall.service.store.next_matching((-1, "")) is None
    assert hall.enter().room != told.room


def test_leaving_the_room_withdraws_too_and_frees_the_seat(hall):
    stays, goes = hall.enter(), hall.enter()
    caller = hall.take(goes)
    hall.dealer.rooms.seats.leave(Asked(caller=caller, room=goes.room))
    assert hall.look(goes).state == "withdrawn"
    assert hall.enter().seat == goes.seat
    assert hall.look(stays).players == 2


@pytest.mark.parametrize(
    "name", ["", "x", "r" + "a" * 16, "r" + "a" * 16 + "-0-1", "{room}-9-1", "{room}-0-2",
             "{room}-0-0", "{room}-00-1", "{room}-0-1 "]
)  # fmt: skip
def test_a_ticket_that_nobody_gave_out_is_not_there(hall, name):
    told = hall.enter()
    for ask in (hall.dealer.quick_match.look, hall.dealer.quick_match.withdraw):
        with pytest.raises(NotFound) as caught:
            ask(hall.operator, name.format(room=told.room))
        assert caught.value.code == "no_such_ticket"
    assert hall.look(told).state == "waiting"


# ------------------------------------------------------------------------ failures and kills


@pytest.mark.parametrize("fail", ["before", "after"])
@pytest.mark.parametrize("deed", ["enter", "join", "take", "withdraw", "start"])
def test_a_step_that_fails_is_kept_whole_or_not_at_all_and_the_table_still_comes_about(deed, fail):
    with quick_folder() as folder:
        service = Service(folder, maker=FailingStore)
        hall = Hall(service)
        first = None if deed == "enter" else hall.enter()
        if deed in ("withdraw", "start"):
            hall.take(first)
        hall.at(WAIT_MS if deed == "start" else 1)
        service.store.fail = fail
        with pytest.raises(StorageFailure):
            {
                "enter": hall.enter,
                "join": hall.enter,
                "take": lambda: hall.take(first, "a-random-key-of-mine1"),
                "withdraw": lambda: hall.withdraw(first),
                "start": lambda: hall.look(first),
            }[deed]()
        service.close()
        hall = Hall(Service(folder, "again", FailingStore))
        hall.at(WAIT_MS if deed == "start" else 2)
        if deed == "take":
            hall.take(first, "a-random-key-of-mine1")
        if deed == "withdraw":
            assert hall.withdraw(first).state == "withdrawn"
            assert hall.room(first).state == "closed"
        if deed == "start":
            assert hall.look(first).state == "started"
            assert len(hall.games()) == 1
        last = hall.enter()
        if deed in ("enter", "join", "take"):
            before = 0 if deed == "enter" else 1
            assert last.seat == before + (fail == "after" and deed != "take")
        hall.take(last)
        hall.at(3 * WAIT_MS)
        assert hall.look(last).state == "started"
        hall.service.close()


def test_a_game_that_is_due_is_started_after_a_restart(folder):
    service = Service(folder)
    hall = Hall(service)
    told = hall.enter()
    hall.take(told)
    service.close()
    hall = Hall(Service(folder, "again"))
    hall.at(WAIT_MS)
    assert hall.dealer.quick_match.start_due() is None
    assert len(hall.games()) == 1
    assert hall.look(told).state == "started"
    hall.service.close()


def comes_true(asked):
    pause = threading.Event()
    return any(asked() or pause.wait(0.005) for _ in range(4000))


def test_the_thread_starts_a_game_when_its_time_has_come_and_goes_on_behind_a_failure(folder):
    service = Service(folder, maker=FailingStore)
    hall = Hall(service)
    told = hall.enter()
    hall.take(told)
    hall.at(WAIT_MS - 300)
    service.store.fail = "before"
    onward = Onward(service.dealer)
    onward.start()
    hall.at(WAIT_MS)
    assert comes_true(lambda: len(hall.games()) == 1)
    assert not service.store.fail
    onward.stop()
    service.close()


def test_a_process_that_does_not_lead_starts_nothing(folder):
    service = Service(folder)
    hall = Hall(service)
    hall.take(hall.enter())
    hall.at(WAIT_MS)
    lookout = Lookout(service.store)
    onward = Onward(service.dealer, lookout)
    onward._look_at = float("inf")
    assert not onward.leads
    onward._wake(time.monotonic())
    assert hall.games() == ()
    lookout.leads = True
    onward._wake(time.monotonic() + 2 * MATCH_S)
    assert len(hall.games()) == 1
    service.close()


def test_a_start_that_has_to_wait_for_the_log_comes_later(hall):
    told = hall.enter()
    hall.take(told)
    clerk = hall.dealer._clerk
    order, clerk.order = clerk.order, stalled()
    hall.at(WAIT_MS)
    assert hall.look(told).state == "waiting"
    assert hall.look(told).starts_in_ms == 0
    clerk.order = order
    assert hall.look(told).state == "started"


def test_a_room_that_cannot_be_read_keeps_no_other_one_waiting(hall, caplog):
    broken, told = hall.enter(wish(19)), hall.enter(wish(hands=3))
    hall.take(told)
    hall.service.sql(f"UPDATE rooms SET body = x'00' WHERE room = '{broken.room}'")
    hall.at(WAIT_MS)
    assert hall.dealer.quick_match.start_due() is None
    assert len(hall.games()) == 1
    assert "records_damaged" in caplog.text


# ------------------------------------------------------------------------- several processes


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.suite("postgres"))])
def two(request, folder):
    """Two services on one database, as two processes would be."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None

    def maker(path):
        return SqlStore(path if url is None else url)

    opened = [Hall(Service(folder, seed, maker)) for seed in ("one process", "another process")]
    yield opened
    for hall in opened:
        hall.service.close()


def tried(ask):
    """Ask until the store answers: two writers of one file may wait for each other's lock."""
    for _ in range(20):
        try:
            return ask()
        except StorageFailure as failure:
            if failure.code != "store_failed":
                raise
    return ask()


def at_once(*asks):
    with ThreadPoolExecutor(len(asks)) as pool:
        return list(pool.map(tried, asks))


def test_in_two_processes_players_who_come_at_once_fill_room_by_room(two):
    one, other = two
    for count in (1, 2, 3):
        told = at_once(*(hall.enter for hall in (one, other) * (2 * count)))
        for room in {one.room for one in told}:
            seats = [one.seat for one in told if one.room == room]
            assert sorted(seats) == [0, 1, 2, 3]
        assert len({one.room for one in told}) == count


def test_in_two_processes_a_table_that_is_due_starts_once(two):
    one, other = two
    told = one.enter()
    one.take(told)
    for hall in two:
        hall.at(WAIT_MS)
    at_once(*(hall.dealer.quick_match.start_due for hall in two * 4))
    assert len(one.games()) == 1
    assert other.look(told).game == one.games()[0]


def test_in_two_processes_whoever_withdraws_while_the_game_starts_is_in_it_or_not(two):
    for _ in range(6):
        one, other = (hall.at(0) for hall in two)
        stays, goes = one.enter(), one.enter()
        for told in (stays, goes):
            one.take(told)
        for hall in two:
            hall.at(WAIT_MS - 1)

        def withdraw(hall=other, told=goes):
            try:
                return hall.withdraw(told).state
            except Conflict as refusal:
                return refusal.code

        one.at(WAIT_MS)
        _, fate = at_once(one.dealer.quick_match.start_due, withdraw)
        other.at(WAIT_MS)
        (played,) = other.room(stays).games
        assert (fate, 1 in played.bots) in [("withdrawn", True), ("match_started", False)]
        one.dealer.hands.close(one.operator, played.game, "enough")


def test_a_seat_claimed_twice_is_one_players(hall):
    told = hall.enter()
    hall.take(told, "a-random-key-of-mine1")
    with pytest.raises(Gone) as caught:
        hall.take(told, "a-random-key-of-other")
    assert caught.value.code == "claim_used"
