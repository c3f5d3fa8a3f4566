"""More time for a turn, and the warning before its end; all times are arguments."""

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.service import follow
from fairdeal.store.ports import Write
from fairdeal.store.sql import SqlStore
from tests.service.test_clocks import Sitting
from tests.service.test_following import PassingFeed, told, until_it_waits
from tests.table import Service

CLOCK = {"turn_s": 60, "warn_s": 10, "extend_s": 30, "extends": 2}


class Table(Sitting):
    """A sitting at which seats may ask for more time."""

    def __init__(self, service, kinds="hhhh", clock=None, **rules):
        super().__init__(service, kinds, {**CLOCK, **(clock or {})}, **rules)

    @property
    def player(self):
        """Who is in turn."""
        return self.players[self.turn]

    @property
    def end(self):
        turn = self.players[0].get("view")["table"]["turn"]
        return turn["deadline"], turn["warn_at"], turn["warned"]

    def ask(self, player=None, expect=None, **headers):
        player = player or self.player
        expect = player.get("view")["version"] if expect is None else expect
        path, body = f"{player.path}/more-time", {"expect": expect}
        return self.service.call("POST", path, body, player.token, headers=headers)

    def code(self, *args, **named):
        answer = self.ask(*args, **named)
        return answer.status_code, answer.json["code"]

    def over_whole_turn(self):
        """Let the clock play the turn to its end; return whose it was."""
        seat = self.turn
        while self.turn == seat:
            self.service.clock.set(self.service.clock() + 70_000)
            self.are_here()
            self.advance()
        return seat


@pytest.fixture
def table(service):
    return Table(service)


def test_the_turn_of_whoever_asks_ends_so_much_later(table):
    before, _, _ = table.end
    answer = table.ask().json
    assert answer == {
        "version": answer["version"], "left": 1, "deadline": before + 30_000,
        "warn_at": before + 20_000, "warned": False,
    }  # fmt: skip
    assert table.end == (before + 30_000, before + 20_000, False)


def test_nobody_acts_for_a_seat_in_the_time_that_it_was_given(table):
    first = table.turn
    table.at(59_000)
    table.are_here()
    table.ask()
    table.at(88_000)
    table.are_here()
    table.advance()
    assert table.acts() == []
    table.at(91_000)
    table.advance()
    assert [(seat, by) for seat, by, _ in table.acts()] == [(first, "clock")]


def test_a_turn_is_warned_so_long_before_its_end(table):
    deadline, warn_at, _ = table.end
    assert deadline - warn_at == 10_000
    table.service.clock.set(warn_at - 100)
    assert not table.end[2]
    table.service.clock.set(warn_at)
    assert table.end[2]
    table.ask()
    assert not table.end[2]


def test_without_a_warning_nothing_is_warned(service):
    table = Table(service, clock={"warn_s": None})
    table.at(59_900)
    assert table.end[1:] == (None, False)


def test_at_one_version_it_is_given_once_and_the_answer_is_the_same(table):
    first = table.ask()
    assert table.ask().json == first.json
    assert table.ask(**{"Idempotency-Key": "k"}).json == first.json
    assert len(table.service.store.asked(table.game, "time", 1)) == 1


def test_a_turn_may_be_lengthened_twice_and_each_seat_has_its_own(table):
    before, _, _ = table.end
    one = table.player
    table.ask()
    one.act(one.choose()[0], "draw")
    assert table.ask().json["left"] == 0
    assert table.end[0] == before + 60_000
    table.over_whole_turn()
    assert table.player is not one
    assert table.ask().json["left"] == 1


def test_whoever_has_asked_as_often_as_it_may_in_a_hand_is_refused(service):
    table = Table(service, clock={"extends": 1})
    one = table.player
    table.ask()
    one.act(one.choose()[0], "draw")
    assert table.code() == (409, "no_more_time")
    table.over_whole_turn()
    while table.player is not one:
        table.over_whole_turn()
    assert table.code() == (409, "no_more_time")


def test_in_the_next_hand_a_seat_may_ask_anew(service):
    table = Table(service, clock={"extends": 1})
    one = table.player
    table.ask()
    service.call("POST", f"{one.path}/hands/1/abort", {"reason": "rain"}, "cd_live_op_" + "t" * 43)
    table.advance()
    while table.player is not one:
        table.over_whole_turn()
    assert one.get("view")["hand"] == 2
    assert table.ask().json["left"] == 0


def test_time_of_a_turn_before_does_not_lengthen_this_one(table):
    table.ask()
    table.over_whole_turn()
    head = table.service.dealer._clerk.game(table.game).head
    assert table.end[0] == head.t + 60_000


def test_time_that_is_over_is_not_lengthened(table):
    table.at(60_001)
    assert table.code() == (409, "no_more_time")
    assert table.service.store.asked(table.game, "time", 1) == ()


def test_who_is_not_in_turn_is_refused_as_for_an_act(table):
    other = table.players[(table.turn + 1) % 4]
    version = other.get("view")["version"]
    asked, acted = table.ask(other), other.try_act(version, "draw")
    assert (asked.status_code, asked.json["code"]) == (422, "not_your_turn")
    own = ("request_id", "instance")
    said = [{k: v for k, v in one.json.items() if k not in own} for one in (asked, acted)]
    assert said[0] == said[1]


def test_a_refusal_by_the_rules_is_kept_for_a_repeat(table):
    other, headers = table.players[(table.turn + 1) % 4], {"Idempotency-Key": "once"}
    version = other.get("view")["version"]
    first = table.ask(other, version, **headers)
    assert first.json["code"] == "not_your_turn"
    again = table.ask(other, version, **headers)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.data == first.data


def test_another_version_is_stale_and_comes_with_the_events_since(table):
    one = table.player
    version = one.get("view")["version"]
    one.act(version, "draw")
    answer = table.ask(one, version)
    assert (answer.status_code, answer.json["code"]) == (409, "stale_version")
    assert [event["n"] for event in answer.json["facts"]["events"]] == [version + 1]


def test_a_turn_without_a_limit_needs_no_more_time(service):
    assert Table(service, clock={"turn_s": None}).code() == (409, "no_clock")


def test_a_game_without_extensions_gives_none(service):
    assert Table(service, clock={"extends": 0}).code() == (409, "no_more_time")


def test_a_repeat_under_its_key_gets_the_same_bytes_after_the_turn(table):
    one = table.player
    version = one.get("view")["version"]
    first = table.ask(one, version, **{"Idempotency-Key": "more"})
    table.over_whole_turn()
    again = table.ask(one, version, **{"Idempotency-Key": "more"})
    assert (again.data, again.headers["Idempotent-Replayed"]) == (first.data, "true")


def test_of_many_wishes_at_once_one_counts(table):
    one, version = table.player, table.player.get("view")["version"]
    caller = table.service.dealer.identify(one.token)
    start = threading.Barrier(6)

    def ask(_):
        start.wait()
        return table.service.dealer.more_time.ask(caller, table.game, version).left

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(ask, range(6))) == {1}
    assert len(table.service.store.asked(table.game, "time", 1)) == 1


def test_more_wishes_than_there_may_be_lengthen_a_turn_by_no_more(table):
    """As of two processes that looked at the same moment."""
    before, _, _ = table.end
    (wish,) = [table.ask(), *table.service.store.asked(table.game, "time", 1)][1:]
    for n in range(3):
        kept = {
            "game": wish.game,
            "kind": "time",
            "hand": 1,
            "seat": wish.seat,
            "n": wish.n + n + 1,
        }
        table.service.store.write(Write(asked=type(wish)(**kept)))
    assert table.end[0] == before + 60_000


def test_after_a_restart_the_turn_ends_when_it_was_told_to(folder):
    service = Service(folder)
    table = Table(service)
    told_end = table.ask().json["deadline"]
    now, token = service.clock(), table.players[0].token
    service.close()
    service = Service(folder)
    service.clock.set(now)
    path = f"/v1/games/{table.game}/view"
    view = service.call("GET", path, token=token).json
    assert view["table"]["turn"]["deadline"] == told_end
    service.close()


def test_while_a_question_is_open_its_time_is_lengthened_by_whoever_has_to_answer(service):
    table = Table(service, clock={"answer_s": 20, "turn_s": 3600})
    for _ in range(400):
        player = table.player
        listed = player.get("choices")
        if any(one["act"] == "ask" for one in listed["can"]):
            player.act(listed["version"], "ask")
            break
        player.act(*player.choose())
    table.are_here()
    asker, answerer = player, table.player
    assert asker is not answerer
    assert table.code(asker) == (422, "not_your_turn")
    before = table.end[0]
    assert table.ask(answerer).json["deadline"] == before + 30_000


class Interrupted(SqlStore):
    """Has something happen right before the next write of records, or of a wish, is kept."""

    part = "lines"
    happen: Callable[[], object] | None = None

    def write(self, write):
        if self.happen is not None and getattr(write, self.part):
            happen, self.happen = self.happen, None
            happen()
        super().write(write)


@pytest.fixture
def interrupted(folder):
    service = Service(folder, maker=Interrupted)
    yield service
    service.close()


def test_no_act_is_made_in_place_of_whoever_asks_for_time_at_that_very_moment(interrupted):
    table, answers = Table(interrupted), list[int]()
    deadline, player, version = table.end[0], table.player, table.player.get("view")["version"]

    def ask():
        interrupted.clock.set(deadline - 500)
        answers.append(table.ask(player, version).status_code)
        interrupted.clock.set(deadline + 500)

    interrupted.store.happen = ask
    interrupted.clock.set(deadline + 500)
    table.advance()
    assert answers == [200]
    assert table.acts() == []
    assert table.end[0] == deadline + 30_000


def test_more_time_for_a_game_that_moves_on_at_that_very_moment_is_stale_and_not_spent(
    interrupted,
):
    table = Table(interrupted)
    player, version = table.player, table.player.get("view")["version"]
    interrupted.store.part = "asked"
    interrupted.store.happen = lambda: player.act(version, "draw")
    assert table.code(player, version) == (409, "stale_version")
    assert interrupted.store.asked(table.game, "time", 1) == ()


# --------------------------------------------------------------------------------- who is told


def test_others_who_follow_are_sent_the_new_end_at_once(service, table):
    feed = PassingFeed(service)
    other = table.players[(table.turn + 1) % 4]
    steps = follow(feed, other.token, table.game, -1)
    until_it_waits(steps)
    with feed.bell.listen(table.game) as ear:
        wanted = table.ask().json
        assert ear.wait(10)
    sent, _ = until_it_waits(steps)
    assert told(sent) == ["beat"]
    beat = json.loads(sent[0].data)
    assert {name: beat[name] for name in ("deadline", "warn_at", "warned")} == {
        name: wanted[name] for name in ("deadline", "warn_at", "warned")
    }


def test_a_stream_waits_until_the_warning_and_tells_it(service, table):
    feed = PassingFeed(service)
    _, warn_at, _ = table.end
    service.clock.set(warn_at - 3000)
    steps = follow(feed, table.players[0].token, table.game, -1)
    _, waits = until_it_waits(steps)
    assert 2.9 < waits <= 3.0
    service.clock.set(warn_at)
    feed.pass_s(3)
    sent, _ = until_it_waits(steps)
    assert [json.loads(item.data)["warned"] for item in sent] == [True]


def test_with_each_turn_a_stream_tells_its_end(service, table):
    feed = PassingFeed(service)
    steps = follow(feed, table.players[0].token, table.game, -1)
    until_it_waits(steps)
    table.over_whole_turn()
    sent, _ = until_it_waits(steps)
    assert told(sent)[-1] == "beat"
    assert json.loads(sent[-1].data)["deadline"] == table.end[0]


def test_whoever_watches_is_sent_no_end_and_no_beat_for_it(service, table):
    feed = PassingFeed(service)
    steps = follow(feed, None, table.game, -1)
    sent, _ = until_it_waits(steps)
    snapshot = json.loads(sent[0].data)
    assert [snapshot[name] for name in ("deadline", "warn_at", "warned")] == [None, None, False]
    table.ask()
    assert until_it_waits(steps)[0] == []


@pytest.mark.parametrize("what", ["events", "view"])
def test_a_poll_of_another_seat_answers_when_more_time_was_asked_for(service, table, what):
    other = table.players[(table.turn + 1) % 4]
    caller, version = service.dealer.identify(other.token), other.get("view")["version"]
    answers: list[dict[str, object]] = []

    def happen():
        """Ask between the first look and the wait; nobody hung up."""
        if not answers:
            answers.append(table.ask().json)
        return False

    begun = time.monotonic()
    if what == "events":
        page = service.dealer.feed.poll(caller, table.game, version, 100, 20, happen)
        assert (page.version, page.events) == (version, ())
    else:
        shown = service.dealer.looks.view(caller, table.game, version + 1, 20, happen)
        assert shown.view["table"]["turn"]["deadline"] == answers[0]["deadline"]
    assert time.monotonic() - begun < 15


def test_a_view_that_waits_for_a_later_version_is_not_given_because_a_record_moved_the_end(table):
    service, one = table.service, table.player
    caller, version = service.dealer.identify(one.token), one.get("view")["version"]
    begun = time.monotonic()

    def happen():
        """Act between the first look and the wait."""
        if one.get("view")["version"] == version:
            one.act(version, "draw")
        return False

    shown = service.dealer.looks.view(caller, table.game, version + 2, 0.5, happen)
    assert shown.version == version + 1
    assert time.monotonic() - begun >= 0.5
