"""Hints: who gets one, what it says, and that each is counted in the score of its hand."""

import contextlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.bots.levels import LEVELS
from fairdeal.canasta import engine
from fairdeal.canasta.acts import parse
from fairdeal.canasta.moves import to_act
from fairdeal.errors import FairdealError
from fairdeal.service import hints
from fairdeal.service.botplay import seen_by
from fairdeal.store.askport import Asked
from fairdeal.store.sql import SqlStore
from tests.stores.failing import FailingStore
from tests.table import OPERATOR, Service, play_out
from tests.verdicts import report

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.suite("postgres"))]


@pytest.fixture(params=BOTH)
def everywhere(request, folder):
    """A service on each database."""
    url = None if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with contextlib.closing(
        Service(folder, maker=lambda path: SqlStore(path if url is None else url))
    ) as opened:
        yield opened


def ask(player):
    return player.service.call("GET", f"{player.path}/hint", token=player.token)


def hint(player):
    answer = ask(player)
    assert answer.status_code == 200, answer.text
    return answer.json


def refusal(player):
    answer = ask(player)
    return answer.status_code, answer.json["code"]


class Four:
    """A game of four players who do what the hints say, whether they ask for them or not."""

    def __init__(self, service, kinds="hhhh", hands=1, **more):
        self.service, self.dealer = service, service.dealer
        _, self.players = service.started(kinds, hands=hands, **more)
        self.game = self.players[0].game

    @property
    def now(self):
        return self.dealer._clerk.game(self.game)

    @property
    def scores(self):
        lines = self.service.store.lines_of_type(self.game, "score")
        return [json.loads(line)["body"]["result"] for line in lines]

    def kept(self, hand=1):
        return self.service.store.asked(self.game, "hint", hand)

    def caller(self, seat):
        (player,) = [one for one in self.players if one.seat == seat]
        return self.dealer.identify(player.token)

    def give(self, seat):
        return self.dealer.hints.give(self.caller(seat), self.game)

    def act(self, seat, version, text):
        return self.dealer.act(self.caller(seat), self.game, version, text)

    def to_the_end(self, every=7):
        """Play until the next act ends the hand, some of it with hints.

        Returns:
            The seat in turn, the version and the act; how many hints each seat had.
        """
        given, turns = [0] * 4, 0
        while True:
            game = self.now
            seat = game.position.turn
            text = hints.hint(game, seat).act
            if engine.apply(game.position, seat, parse(text)).position.end:
                return (seat, game.version, text), given
            turns += 1
            if turns % every == 0:
                self.give(seat)
                given[seat] += 1
            self.act(seat, game.version, text)


@pytest.fixture
def alone(service):
    """A player among bots."""
    _, (player,) = service.started("hbbb", hands=2)
    return player


def test_a_hint_is_the_level_s_own_move_from_what_the_seat_sees(alone, service):
    for _ in range(25):
        game = service.dealer._clerk.game(alone.game)
        if game.hand > 1:
            break
        found = hint(alone)
        weighed = LEVELS[hints.HINTER].weigh(seen_by(game, alone.seat), 0)
        listed = [found["act"], *(one["act"] for one in found["alternatives"])]
        for text, one in zip(listed, weighed, strict=False):
            engine.check(game.position, alone.seat, parse(text))
            assert to_act(game.position, alone.seat, one.move) == parse(text)
        assert found["value"] == weighed[0].value
        assert len(listed) == min(1 + hints.MOST, len(weighed))
        told = (found["version"], found["hand"], found["level"])
        assert told == (game.version, game.hand, hints.HINTER)
        assert found["reasons"]
        alone.act(found["version"], found["act"])


def test_the_same_hint_comes_again_at_the_same_version_and_counts_once(alone, service):
    first = hint(alone)
    assert hint(alone) == first
    one = Asked(game=alone.game, kind="hint", hand=1, seat=alone.seat, n=first["version"])
    assert service.store.asked(alone.game, "hint", 1) == (one,)
    alone.act(first["version"], first["act"])
    assert hint(alone)["version"] > first["version"]
    assert len(service.store.asked(alone.game, "hint", 1)) == 2


def test_the_score_counts_the_hints_of_its_hand_by_seat(everywhere):
    four = Four(everywhere, hands=2)
    last, given = four.to_the_end()
    four.act(*last)
    other, then = four.to_the_end(every=5)
    four.act(*other)
    assert [one["hints"] for one in four.scores] == [given, then]
    assert sum(given) > 2
    assert given != then
    assert report(everywhere, four.game).verdict == "VALID"


def test_hints_are_counted_where_a_clock_ends_the_hand(service, monkeypatch):
    four = Four(service, clock={"turn_s": 60, "between_hands_s": 0})
    (seat, _, text), given = four.to_the_end()
    monkeypatch.setattr("fairdeal.service.clocks.chosen", lambda *_: parse(text))
    now = service.clock()
    for player in four.players:
        service.dealer.presences.note(four.game, player.seat)
    service.dealer.presences.flush()
    service.clock.set(now + 61_000)
    service.dealer.advance(four.game)
    (score,) = four.scores
    assert score["hints"] == given
    assert score["stood_in"][seat] == 1


def test_hints_are_counted_where_bots_end_the_hand(service):
    for _ in range(20):
        four = Four(service, "hbbb")
        player, count = four.players[0], 0
        while not four.scores:
            found = hint(player)
            count += 1
            records = player.act(found["version"], found["act"])["events"]
        if [one for one in records if one["type"] == "act"][-1]["body"]["seat"] != player.seat:
            break
    else:
        pytest.fail("no bot ended a hand")
    assert four.scores[0]["hints"] == [count, 0, 0, 0]


def test_a_hand_that_is_aborted_counts_none_and_takes_none_along(alone, service):
    first = hint(alone)
    path = f"/v1/games/{alone.game}/hands/1/abort"
    answer = service.call("POST", path, {"reason": "test"}, token=OPERATOR)
    assert answer.status_code == 200, answer.text
    service.dealer.advance(alone.game)
    play_out([alone])
    (line,) = service.store.lines_of_type(alone.game, "score")
    assert json.loads(line)["body"]["hand"] == 2
    assert json.loads(line)["body"]["result"]["hints"] == [0] * 4
    assert first["hand"] == 1


def test_a_seat_that_is_not_in_turn_gets_none_and_is_told_so(service):
    four = Four(service)
    for player in four.players:
        if player.seat != four.now.position.turn:
            assert refusal(player) == (422, "not_your_turn")
    assert four.kept() == ()


def test_without_a_hand_there_is_no_hint(service):
    created = service.create("hhbb")
    assert refusal(service.seat(created)) == (409, "no_hand")
    _, (player,) = service.started("hbbb", hands=1)
    play_out([player])
    assert refusal(player) == (409, "game_over")


def test_a_ruleset_without_hints_gives_none(service):
    rules = {"preset": "classic@1", "overrides": {"hints": "off"}}
    _, (player,) = service.started("hbbb", rules=rules)
    assert refusal(player) == (422, "hints_off")
    assert service.store.asked(player.game, "hint", 1) == ()


@pytest.mark.parametrize("fail", ["before", "after"])
def test_a_hint_whose_keeping_fails_is_not_given_and_counts_once_when_asked_again(folder, fail):
    with contextlib.closing(Service(folder, maker=FailingStore)) as service:
        _, (player,) = service.started("hbbb")
        service.store.fail = fail
        assert refusal(player) == (503, "store_failed")
        found = hint(player)
        assert len(service.store.asked(player.game, "hint", 1)) == 1
        assert hint(player) == found


# ------------------------------------------------------------------------------ two at once


def test_a_hint_that_is_kept_after_the_count_and_before_the_score_is_counted(
    everywhere, monkeypatch
):
    four = Four(everywhere)
    (seat, version, text), given = four.to_the_end()
    store, asked = everywhere.store, everywhere.store.asked
    with monkeypatch.context() as patch:
        patch.setattr(store, "asked", lambda *which: _overtaken(asked, which, four, seat))
        four.act(seat, version, text)
    given[seat] += 1
    assert four.scores[0]["hints"] == given
    assert len(four.kept()) == sum(given)


def _overtaken(asked, which, four, seat):
    """Count what was asked for, and have a hint given at once behind it."""
    before = asked(*which)
    if which[1] == "hint":
        four.give(seat)
    return before


def test_a_hint_that_comes_to_be_kept_after_the_score_is_refused_and_not_counted(
    everywhere, monkeypatch
):
    four = Four(everywhere)
    last, given = four.to_the_end()
    store, ask = everywhere.store, everywhere.store.ask

    def late(asked, **more):
        four.act(*last)
        return ask(asked, **more)

    monkeypatch.setattr(store, "ask", late)
    with pytest.raises(FairdealError) as refused:
        four.give(last[0])
    assert refused.value.code == "stale_version"
    assert refused.value.facts["expected"] == last[1]
    assert four.scores[0]["hints"] == given
    assert len(four.kept()) == sum(given)


def test_of_a_hint_and_the_last_act_at_once_none_is_given_that_is_not_counted(everywhere):
    fates = []
    for _ in range(6):
        four = Four(everywhere)
        last, given = four.to_the_end(every=50)
        counted = given[last[0]]
        wish = _at_once(four, last)
        after = four.scores[0]["hints"][last[0]]
        if wish == "given":
            assert after == counted + 1
        else:
            assert wish in ("stale_version", "game_over")
            assert after == counted
        fates.append(wish)
    assert len(fates) == 6


def _at_once(four, last):
    """Have the last act and a hint meet; return what became of the hint."""
    start = threading.Barrier(2)

    def wish():
        start.wait()
        try:
            four.give(last[0])
        except FairdealError as refused:
            return refused.code
        return "given"

    def act():
        start.wait()
        four.act(*last)

    with ThreadPoolExecutor(2) as pool:
        wished, acted = pool.submit(wish), pool.submit(act)
        acted.result()
        return wished.result()
