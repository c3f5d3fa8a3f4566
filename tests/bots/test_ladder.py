"""Duplicate deals between bots: the same hands for everybody, sums that add up, honest figures."""

import json
from functools import cache
from math import isclose, sqrt
from statistics import mean, stdev

import pytest

from fairdeal.canasta import presets
from fairdeal.cli.bots import code, ladder
from fairdeal.cli.bots.duel import duel, scale_of
from fairdeal.cli.bots.finished import Finished, spread
from fairdeal.cli.bots.gating import gated
from fairdeal.cli.bots.table import dealt, play
from fairdeal.cli.bots.tally import added, from_json, tallied
from fairdeal.service.play import figures, share, spread_of

RULES = presets.build("classic@1")
STEADY, RANDOM = "steady@1", "random@1"
FEW = 30


@cache
def measured(first, second, deals=FEW):
    """Return a pair as play.json has it."""
    match = ladder.Match(first, second, deals)
    sums = ladder.run((match,), preset="classic@1", seed="tests", out=None, jobs=1)
    return ladder.result("tests", (match,), sums, preset="classic@1", seed="tests")["pairs"][0]


def test_a_seed_text_gives_everybody_the_same_hands_and_another_text_others():
    one, same, other = dealt(RULES, "a", 5), dealt(RULES, "a", 5), dealt(RULES, "b", 5)
    assert (one.held, one.stock, one.pile) == (same.held, same.stock, same.pile)
    assert one.stock != other.stock
    assert dealt(RULES, "a", 6).stock != one.stock


def test_the_totals_walk_through_the_bands_and_every_seat_is_first_in_each():
    hands = [dealt(RULES, "a", number) for number in range(64, 128)]
    assert len({(hand.turn, hand.totals) for hand in hands}) == 64


def test_a_hand_plays_alike_again_but_for_the_time_that_it_takes():
    position = dealt(RULES, "a", 1)
    bots = [STEADY, RANDOM, STEADY, RANDOM]
    one, same = (play(position, bots, "a", 1) for _ in range(2))
    assert (one.points, one.acts, one.end) == (same.points, same.acts, same.end)
    assert position.drawn == dealt(RULES, "a", 1).drawn


def test_who_swaps_the_sides_swaps_the_points():
    (one,), (other,) = duel(RULES, STEADY, RANDOM, "a", [3]), duel(RULES, RANDOM, STEADY, "a", [3])
    assert one.scaled == -other.scaled
    assert [hand.points for _, hand in one.hands] == [hand.points for _, hand in other.hands][::-1]


def test_in_a_solo_game_a_bot_sits_everywhere_once_and_is_held_against_the_mean():
    rules = presets.build("three-player-draw-one@1")
    (pair,) = duel(rules, STEADY, RANDOM, "a", [1])
    assert [side for side, _ in pair.hands] == [0, 1, 2]
    by_hand = [
        hand.points[side] - (sum(hand.points) - hand.points[side]) / 2 for side, hand in pair.hands
    ]
    assert isclose(pair.difference, mean(by_hand))
    assert pair.scaled == round(pair.difference * scale_of(rules))


def test_the_figures_are_those_of_the_samples():
    pairs = list(duel(RULES, STEADY, RANDOM, "tests", range(1, FEW + 1)))
    samples = [pair.difference for pair in pairs]
    found = figures(measured(STEADY, RANDOM))
    half = 1.96 * stdev(samples) / sqrt(FEW)
    assert found.points == round(mean(samples), 1)
    assert (found.low, found.high) == (
        round(mean(samples) - half, 1), round(mean(samples) + half, 1),
    )  # fmt: skip
    assert found.sd == round(stdev(samples), 1)
    hands = [(side, hand) for pair in pairs for side, hand in pair.hands]
    won = sum(hand.points[side] > hand.points[1 - side] for side, hand in hands)
    tied = sum(hand.points[0] == hand.points[1] for _, hand in hands)
    assert found.won == round(100 * (won + tied / 2) / (2 * FEW), 1)
    stock = sum(hand.out < 0 for _, hand in hands)
    assert found.stock_outs == round(100 * stock / (2 * FEW), 2)
    steady, weak = found.bots
    assert (steady.bot, weak.bot, steady.sides, weak.sides) == (STEADY, RANDOM, 2 * FEW, 2 * FEW)
    assert isclose(steady.points - weak.points, found.points, abs_tol=0.11)
    assert isclose(steady.went_out + weak.went_out, found.went_out, abs_tol=0.11)


def test_parts_add_up_to_the_whole_in_any_order():
    rules, first = RULES, duel(RULES, STEADY, RANDOM, "a", range(1, 5))
    second = duel(RULES, STEADY, RANDOM, "a", range(5, 9))
    parts = [tallied(rules, STEADY, RANDOM, pairs) for pairs in (first, second)]
    whole = tallied(rules, STEADY, RANDOM, duel(RULES, STEADY, RANDOM, "a", range(1, 9)))
    for order in (parts, parts[::-1]):
        assert added(order).without_time() == whole.without_time()
    assert from_json(json.loads(json.dumps(whole.to_json()))) == whole


def test_spread_and_share_are_textbook():
    samples = [3, -1, 4, 1, -5, 9]
    of = (len(samples), sum(samples), sum(one * one for one in samples))
    got, half, sd = spread_of(*of, 1)
    assert isclose(got, mean(samples))
    assert isclose(sd, stdev(samples))
    assert isclose(half, 1.96 * stdev(samples) / sqrt(6))
    low, high = share(1, 40)
    # Wilson's interval of 1 in 40, as tables have it.
    assert isclose(low, 0.00443, abs_tol=1e-4)
    assert isclose(high, 0.12881, abs_tol=1e-4)
    assert share(0, 40)[0] == 0


def test_a_ladder_plays_neighbours_each_against_random_and_each_alone():
    found = ladder.matches(("random@1", "steady@1", "sharp@1", "expert@1"), 10, aside=4, itself=6)
    assert [(one.first, one.second, one.deals) for one in found] == [
        ("steady@1", "random@1", 10), ("sharp@1", "steady@1", 10), ("expert@1", "sharp@1", 10),
        ("sharp@1", "random@1", 10), ("expert@1", "random@1", 4),
        ("random@1", "random@1", 6), ("steady@1", "steady@1", 6), ("sharp@1", "sharp@1", 6),
        ("expert@1", "expert@1", 4),
    ]  # fmt: skip
    assert {one.part for one in found if "expert@1" in (one.first, one.second)} == {2}
    near = ladder.matches(("sharp@1", "expert@1:20"), 10, aside=0)
    assert [(one.first, one.second) for one in near] == [("expert@1:20", "sharp@1")]


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    match, whole = ladder.Match(STEADY, RANDOM, FEW), measured(STEADY, RANDOM)
    told: list[int] = []

    def stop(deals):
        told.append(deals)
        if sum(told) >= 20:
            raise KeyboardInterrupt

    def run(tell):
        return ladder.run(
            (match,), preset="classic@1", seed="tests", out=tmp_path, jobs=1, tell=tell
        )

    with pytest.raises(KeyboardInterrupt):
        run(stop)
    place = tmp_path / ladder.CHUNKS
    assert len(place.read_bytes().splitlines()) == 1 + 2
    # What a kill leaves of a line is not taken for a part.
    place.write_bytes(place.read_bytes() + b'{"found":{"code"')
    told.clear()
    sums = run(told.append)
    assert told == [20, 10]
    assert [part.total for part in sums[STEADY, RANDOM]] == whole["totals"]
    assert len(place.read_bytes().splitlines()) == 1 + 3


def test_a_longer_run_takes_over_the_parts_of_a_shorter_one(tmp_path):
    told: list[int] = []
    for deals in (10, 20):
        told.clear()
        match = ladder.Match(STEADY, RANDOM, deals)
        ladder.run(
            (match,), preset="classic@1", seed="tests", out=tmp_path, jobs=1, tell=told.append
        )
    assert told == [10, 10]


def test_parts_that_other_code_played_do_not_count(tmp_path, monkeypatch):
    match = ladder.Match(STEADY, RANDOM, 10)
    run = {"preset": "classic@1", "seed": "tests", "out": tmp_path, "jobs": 1}
    ladder.run((match,), **run)
    monkeypatch.setattr(code, "code_hash", lambda: "another")
    told: list[int] = []
    ladder.run((match,), **run, tell=told.append)
    assert told == [0, 10]


def test_a_file_of_another_seed_is_left_as_it_is(tmp_path):
    match = ladder.Match(STEADY, RANDOM, 10)
    run = {"preset": "classic@1", "out": tmp_path, "jobs": 1}
    ladder.run((match,), seed="one", **run)
    before = (tmp_path / ladder.CHUNKS).read_bytes()
    with pytest.raises(FileExistsError, match="other settings"):
        ladder.run((match,), seed="other", **run)
    assert (tmp_path / ladder.CHUNKS).read_bytes() == before


def test_two_runs_do_not_write_to_one_file(tmp_path):
    first = Finished(tmp_path / "parts.jsonl", {})
    with pytest.raises(FileExistsError, match="another run is writing"):
        Finished(tmp_path / "parts.jsonl", {})
    first.add("a", 1)
    first.close()
    second = Finished(tmp_path / "parts.jsonl", {})
    assert second.known == {"a": 1}
    second.close()


def test_processes_find_what_one_finds_alone(tmp_path):
    alone, together = Finished(None, {}), Finished(tmp_path / "parts.jsonl", {"v": "tests"})
    parts = [
        (part.name, part)
        for part in ladder.parts(ladder.Match(STEADY, RANDOM, 20), preset="classic@1", seed="a")
    ]
    spread(parts, ladder.work, alone, jobs=1)
    spread(parts, ladder.work, together, jobs=2)
    together.close()
    assert [from_json(alone.known[name]["sums"]).without_time() for name, _ in parts] == [
        from_json(together.known[name]["sums"]).without_time() for name, _ in parts
    ]


@pytest.mark.parametrize(
    ("first", "second", "least", "status"),
    [(STEADY, RANDOM, 50, 0), (RANDOM, STEADY, 0, 1), (STEADY, RANDOM, 800, 3)],
)
def test_a_gate_passes_refuses_or_asks_for_more_by_the_interval(first, second, least, status):
    found = gated(figures(measured(first, second)), least)
    assert found.status == status
    assert found.to_json()["exit"] == status


def test_a_version_that_breaks_a_rule_is_no_result(monkeypatch):
    from fairdeal.canasta.acts import End
    from fairdeal.cli.bots import table
    from fairdeal.errors import RuleBroken

    monkeypatch.setattr(table, "choose", lambda *_: End())
    with pytest.raises(RuleBroken):
        play(dealt(RULES, "a", 1), [STEADY] * 4, "a", 1)


def test_the_hash_of_the_code_sees_code_and_no_comments():
    from fairdeal.cli.bots.code import _bare

    assert _bare('"""One."""\nx = 1  # why\n') == _bare('"""Two."""\n\nx = 1\n')
    assert _bare("x = 1\n") != _bare("x = 2\n")
