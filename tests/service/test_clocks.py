"""When somebody acts in place of a player who does not; all times are arguments."""

import threading

import pytest

from fairdeal.service.clocks import DESERTED_MS
from fairdeal.service.onward import Onward
from tests.api.test_rooms import Table
from tests.table import Service
from tests.verdicts import report

MINUTE = 60_000


class Sitting:
    """A game with clocks, whose players are there when a test says so."""

    def __init__(self, service, kinds="hhhh", clock=None, **rules):
        self.service = service
        clock = {"turn_s": 60, "between_hands_s": 0, **(clock or {})}
        self.created, self.players = service.started(kinds, clock=clock, **rules)
        self.game = self.created["id"]
        self.now = service.clock()
        self.are_here()

    def at(self, ms):
        """Go to so long after the deal."""
        self.service.clock.set(self.now + ms)

    def are_here(self, *seats):
        """Have the players of these seats, or all of them, seen now."""
        for player in self.players:
            if not seats or player.seat in seats:
                self.service.dealer.presences.note(self.game, player.seat)
        self.service.dealer.presences.flush()

    def advance(self):
        """Do what is due by itself, one act at a time; return how the game stands."""
        self.service.dealer.advance(self.game)

    def over_turn(self, seat):
        """Let the turn of a seat, whose time is over, be played to its end; return all acts."""
        while self.turn == seat:
            self.advance()
            self.service.clock.set(self.service.clock() + 3_100)
        return self.acts()

    def desert(self):
        """Let half an hour go by in which nobody is there; return how many acts were made."""
        for step in range(1, 1800 // 6):
            self.at(step * 6_000)
            self.service.dealer.advance(self.game)
        return len(self.acts())

    def acts(self, who=0):
        """Return seat, by and act of each act so far, as a player is told them."""
        return [
            (event["body"]["seat"], event["body"]["by"], event["body"]["act"])
            for event in self.players[who].get("events?after=0")["events"]
            if event["type"] == "act"
        ]

    @property
    def turn(self):
        return self.players[0].get("view")["table"]["turn"]["seat"]


@pytest.fixture
def sitting(service):
    return Sitting(service)


def test_at_the_limit_one_act_is_made_in_place_of_the_player(sitting):
    first = sitting.turn
    sitting.at(50_000)
    sitting.are_here()
    sitting.advance()
    assert sitting.acts() == []
    sitting.at(61_000)
    sitting.advance()
    assert sitting.acts() == [(first, "clock", "draw")]


def test_the_next_act_of_a_turn_whose_time_is_over_follows_in_seconds(sitting):
    first = sitting.turn
    sitting.at(61_000)
    sitting.advance()
    sitting.advance()
    assert len(sitting.acts()) == 1
    sitting.at(65_000)
    sitting.advance()
    assert [(seat, by) for seat, by, _ in sitting.acts()] == [(first, "clock")] * 2
    played = sitting.over_turn(first)
    assert {(seat, by) for seat, by, _ in played} == {(first, "clock")}
    sitting.service.clock.set(sitting.service.clock() + 5_000)
    sitting.advance()
    assert sitting.acts() == played


def test_a_player_who_comes_back_in_the_middle_of_the_turn_acts_next(sitting):
    first = sitting.turn
    sitting.at(61_000)
    sitting.advance()
    player = sitting.players[first]
    sitting.at(66_000)
    player.act(*player.choose())
    sitting.advance()
    assert [by for _, by, _ in sitting.acts()] == ["clock", "seat"]


def test_what_a_seat_does_in_its_turn_gives_it_no_more_time(sitting):
    first = sitting.turn
    sitting.at(59_000)
    sitting.are_here()
    player = sitting.players[first]
    player.act(player.choose()[0], "draw")
    sitting.at(62_500)
    sitting.advance()
    assert [by for _, by, _ in sitting.acts()] == ["seat", "clock"]


def test_the_next_seat_has_its_whole_time_from_the_record_that_put_it_in_turn(sitting):
    first = sitting.turn
    sitting.at(61_000)
    sitting.are_here()
    played = sitting.over_turn(first)
    since = sitting.service.dealer._clerk.game(sitting.game).head.t
    sitting.service.clock.set(since + 59_000)
    sitting.are_here()
    sitting.advance()
    assert sitting.acts() == played
    sitting.service.clock.set(since + 60_000)
    sitting.advance()
    (then,) = sitting.acts()[len(played) :]
    assert then[:2] == ((first + 1) % 4, "clock")


def test_without_a_limit_nobody_acts_for_anybody(service):
    sitting = Sitting(service, clock={"turn_s": None})
    sitting.at(9 * MINUTE)
    sitting.advance()
    assert sitting.acts() == []


def test_a_seat_that_is_away_is_stood_in_for_while_another_waits(service):
    sitting = Sitting(service, clock={"turn_s": None, "away_grace_s": 30})
    first = sitting.turn
    others = {0, 1, 2, 3} - {first}
    sitting.at(25_000)
    sitting.are_here(*others)
    sitting.advance()
    assert sitting.acts() == []
    sitting.at(31_000)
    sitting.advance()
    assert sitting.acts() == [(first, "stand-in", "draw")]
    sitting.are_here(first)
    sitting.advance()
    assert len(sitting.acts()) == 1


def test_where_all_have_gone_nobody_stands_in(service):
    sitting = Sitting(service, clock={"turn_s": None, "away_grace_s": 30})
    sitting.at(10_000)
    sitting.are_here((sitting.turn + 1) % 4)
    assert sitting.desert() == 0


def test_a_player_alone_with_bots_is_not_stood_in_for(service):
    sitting = Sitting(service, "hbbb", clock={"turn_s": None, "away_grace_s": 15})
    before = len(sitting.acts())
    sitting.at(5 * MINUTE)
    sitting.advance()
    assert len(sitting.acts()) == before


def test_nobody_stands_in_where_all_want_to_wait(service):
    sitting = Sitting(service, clock={"turn_s": 3600, "away_grace_s": 30, "if_away": "wait"})
    sitting.at(31_000)
    sitting.are_here((sitting.turn + 1) % 4)
    sitting.advance()
    assert sitting.acts() == []


def test_who_only_acts_and_never_looks_is_there_too(service):
    sitting = Sitting(service, clock={"turn_s": None, "away_grace_s": 30})
    first = sitting.turn
    sitting.at(25_000)
    caller = service.dealer.identify(sitting.players[first].token)
    version = sitting.players[first].get("view")["version"]
    service.dealer.presences.flush()
    sitting.at(70_000)
    service.dealer.act(caller, sitting.game, version, "draw")
    sitting.at(75_000)
    sitting.are_here((first + 1) % 4)
    sitting.advance()
    assert [by for _, by, _ in sitting.acts()] == ["seat"]


@pytest.mark.slow
def test_what_is_done_in_its_place_is_no_sign_of_a_player(service):
    sitting = Sitting(service, clock={"turn_s": None, "away_grace_s": 30})
    away = sitting.turn
    others = {0, 1, 2, 3} - {away}
    for step in range(1, 60):
        sitting.at(step * 5_000)
        sitting.are_here(*others)
        sitting.advance()
        if (turn := sitting.players[min(others)].get("view")["table"]["turn"]["seat"]) != away:
            player = sitting.players[turn]
            player.act(*player.choose())
    by_turn = [by for seat, by, _ in sitting.acts(min(others)) if seat == away]
    assert len(by_turn) > 10
    assert set(by_turn) == {"stand-in"}


@pytest.mark.slow
def test_a_question_that_nobody_answers_counts_as_no(service):
    sitting = Sitting(service, clock={"turn_s": 3600, "answer_s": 20})
    for _ in range(400):
        player = sitting.players[sitting.turn]
        listed = player.get("choices")
        asking = [one["act"] for one in listed["can"] if one["act"] == "ask"]
        version, act = (listed["version"], "ask") if asking else player.choose()
        player.act(version, act)
        if asking:
            break
    asked = sitting.turn
    assert asked != player.seat
    sitting.are_here()
    sitting.service.clock.set(sitting.service.clock() + 21_000)
    sitting.advance()
    last = player.get("view")["version"]
    (event,) = player.get(f"events?after={last - 1}")["events"]
    assert (event["body"]["seat"], event["body"]["by"], event["body"]["act"]) == (
        asked, "clock", "no",
    )  # fmt: skip
    assert sitting.turn == player.seat


def test_when_nobody_was_there_for_ten_minutes_the_clock_stands(sitting):
    played = sitting.desert()
    assert {by for _, by, _ in sitting.acts()} == {"clock"}
    turns = [act for _, _, act in sitting.acts() if act == "draw"]
    assert abs(len(turns) - DESERTED_MS // 66_000) <= 1
    sitting.at(24 * 60 * MINUTE)
    sitting.advance()
    assert len(sitting.acts()) == played


def test_whoever_comes_back_to_a_standing_clock_finds_the_whole_time_before_them(sitting):
    played = sitting.desert()
    sitting.at(60 * MINUTE)
    sitting.are_here(sitting.players[3].seat)
    sitting.advance()
    sitting.at(60 * MINUTE + 55_000)
    sitting.are_here(sitting.players[3].seat)
    sitting.advance()
    assert len(sitting.acts()) == played
    sitting.at(60 * MINUTE + 61_000)
    sitting.advance()
    assert len(sitting.acts()) == played + 1


def test_an_act_that_ends_the_absence_does_not_start_the_old_time(service, sitting):
    played = sitting.desert()
    sitting.at(60 * MINUTE)
    player = sitting.players[sitting.turn]
    player.act(player.choose()[0], "draw")
    sitting.at(60 * MINUTE + 5_000)
    sitting.advance()
    service.dealer.presences.flush()
    sitting.advance()
    assert len(sitting.acts()) == played + 1


def test_the_time_of_a_long_turn_runs_while_nobody_is_there(service):
    sitting = Sitting(service, clock={"turn_s": 24 * 3600})
    sitting.at(23 * 60 * MINUTE)
    sitting.are_here((sitting.turn + 1) % 4)
    sitting.advance()
    assert sitting.acts() == []
    sitting.at(24 * 60 * MINUTE + 1000)
    sitting.advance()
    assert len(sitting.acts()) == 1


def test_the_view_tells_the_deadline_and_that_of_nobody_while_the_clock_stands(sitting):
    turn = sitting.players[0].get("view")["table"]["turn"]
    assert sitting.now - 100 < turn["deadline"] - 60_000 <= sitting.now
    sitting.desert()
    assert sitting.players[0].get("view")["table"]["turn"]["deadline"] is None


@pytest.mark.slow
def test_acts_in_place_of_a_player_are_counted_and_verify(service):
    sitting = Sitting(service, "hbbb", hands=1)
    for step in range(1, 4000):
        sitting.at(step * 5_000)
        sitting.are_here()
        service.dealer.advance(sitting.game)
        if service.dealer.looks.public(sitting.game).state == "closed":
            break
    found = report(service, sitting.game)
    assert found.verdict == "VALID"
    events = sitting.players[0].get("events?after=4")["events"]
    (score,) = [event for event in events if event["type"] == "score"] or [None]
    assert score["body"]["result"]["stood_in"][0] > 0


def comes_true(asked):
    pause = threading.Event()
    return any(asked() or pause.wait(0.005) for _ in range(2000))


def test_the_thread_comes_back_when_a_limit_passes(folder):
    service = Service(folder)
    sitting = Sitting(service)
    onward = Onward(service.dealer)
    onward.start()
    assert comes_true(lambda: sitting.game in onward._later)
    sitting.at(59_900)
    service.dealer._clerk.go_on(sitting.game)
    assert comes_true(lambda: len(sitting.acts()) == 1)
    onward.stop()
    service.close()


def test_in_a_room_too_whoever_comes_back_finds_the_whole_time_before_them(service):
    table = Table(service, "hhhh", clock={"turn_s": 60})
    game = table.started()["game"]
    players = table.players(game)
    for player in players:
        player.share()
    service.dealer.presences.flush()
    for _ in range(400):
        service.clock.set(service.clock() + 5_000)
        service.dealer.advance(game["id"])
    stood = service.dealer.looks.view(service.dealer.identify(players[0].token), game["id"])
    assert stood.view["table"]["turn"]["deadline"] is None
    service.clock.set(service.clock() + 3_600_000)
    players[2].get("view")
    service.dealer.presences.flush()
    now = service.clock()
    deadline = players[2].get("view")["table"]["turn"]["deadline"]
    assert 59_000 < deadline - now <= 60_000


def test_whoever_comes_back_has_the_thread_watch_the_clock_again(service):
    sitting = Sitting(service)
    sitting.desert()
    named: list[str] = []
    service.dealer.go_on_with(named.append)
    sitting.at(60 * MINUTE)
    sitting.are_here(2)
    assert named == [sitting.game]
    assert 59.0 < service.dealer.wakes_in(sitting.game) <= 60.0


def test_games_with_clocks_are_looked_at_now_and_then(service):
    sitting = Sitting(service)
    service.started(clock={"between_hands_s": 10})
    assert service.dealer.due() == (sitting.game,)
