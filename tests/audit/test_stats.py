"""The statistics see what is planted, stay quiet over fair deals, and adjust for many looks."""

import json
import math
from io import BytesIO
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from benchmarks.stats_power import SHAPE, alarms, chosen_aborts, fair, favoured
from fairdeal.cli.audit.judging import judge
from fairdeal.cli.audit.running import transcripts
from fairdeal.cli.stats.deals import Deals, Shape, dealt_places, gather
from fairdeal.cli.stats.judging import look_at_all
from fairdeal.cli.stats.limits import adjusted
from fairdeal.cli.stats.looks import LEAST_DEALS, drawn_law, look, neighbour_law
from fairdeal.cli.stats.tails import chi_square_above, normal_two_sided
from tests.audit.games import transcript, with_false_score
from verifier.held import Held
from verifier.verify import verify

SAMPLE = 40  # of the thousand fair runs of `python -m benchmarks.stats_power`


def remade(deals, **changes):
    fields = {name: getattr(deals, name) for name in ("shape", "orders", "first_seats", "aborted")}
    return Deals(**(fields | changes))


class TestTails:
    # Upper points of chi-square and the normal law, as printed in every table of them.
    @pytest.mark.parametrize(
        ("x", "degrees", "p"),
        [
            (3.841459, 1, 0.05), (6.634897, 1, 0.01), (9.487729, 4, 0.05), (18.30704, 10, 0.05),
            (124.3421, 100, 0.05), (135.8067, 100, 0.01), (77.92947, 100, 0.95), (0, 3, 1.0),
        ],
    )  # fmt: skip
    def test_chi_square_has_the_printed_points(self, x, degrees, p):
        assert chi_square_above(x, degrees) == pytest.approx(p, rel=1e-4)

    def test_chi_square_with_two_degrees_is_an_exponential(self):
        for x in (0.01, 0.5, 2, 3.9, 4.1, 30, 200):
            assert chi_square_above(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-9)

    def test_chi_square_of_many_degrees_is_that_of_the_cube_root_rule(self):
        degrees = 107 * 107
        for z in (-3, -1, 0, 1, 3, 5):
            x = degrees * (1 - 2 / (9 * degrees) + z * math.sqrt(2 / (9 * degrees))) ** 3
            assert chi_square_above(x, degrees) == pytest.approx(
                math.erfc(z / math.sqrt(2)) / 2, rel=1e-3
            )

    def test_the_normal_law_has_the_printed_points(self):
        assert normal_two_sided(1.959964) == pytest.approx(0.05, rel=1e-5)
        assert normal_two_sided(-2.575829) == pytest.approx(0.01, rel=1e-5)

    def test_no_degrees_of_freedom_are_refused(self):
        with pytest.raises(ValueError, match="above 0"):
            chi_square_above(1, 0)


class TestLimits:
    def test_holm_multiplies_by_what_is_left_and_never_falls(self):
        assert adjusted([0.02, 0.001, 0.03]) == pytest.approx([0.04, 0.003, 0.04])

    def test_one_look_is_not_adjusted_and_none_is_nothing(self):
        assert adjusted([0.5]) == [0.5]
        assert adjusted([]) == []

    def test_uniform_p_values_alarm_in_one_family_of_a_hundred(self):
        chance = Random(9)
        families = [[chance.random() for _ in range(17)] for _ in range(4000)]
        alarmed = sum(min(adjusted(family)) < 0.01 for family in families)
        assert 15 <= alarmed <= 70  # 40 expected; five standard deviations to either side


class TestPower:
    @pytest.mark.slow
    def test_fair_deals_seldom_alarm(self):
        # At a rate of 1 % four or more of forty come once in 1,500 times; the seeds are fixed.
        assert sum(bool(alarms(fair(run))) for run in range(SAMPLE)) < 4

    @pytest.mark.slow
    @pytest.mark.parametrize("run", range(4))
    def test_a_fifth_more_wild_cards_for_one_seat_is_found_within_a_thousand_deals(self, run):
        assert "wild cards of seat 2" in alarms(favoured(run))

    def test_hands_aborted_for_the_cards_of_one_side_are_found(self):
        assert "aborted against finished hands" in alarms(chosen_aborts(1))

    def test_a_card_that_stays_on_top_is_found(self):
        deals = fair(3)
        orders = deals.orders.copy()
        for row in orders[::8]:
            at = int(np.flatnonzero(row == 5)[0])
            row[0], row[at] = row[at], row[0]
        found = alarms(remade(deals, orders=orders))
        assert "position by card" in found

    def test_cards_that_stick_together_are_found(self):
        deals = fair(4)
        orders = deals.orders.copy()
        for row in orders[::4]:
            at = int(np.flatnonzero(row[:-1] == 5)[0]) if 5 in row[:-1] else 0
            other = int(np.flatnonzero(row == 6)[0])
            row[at + 1], row[other] = row[other], row[at + 1]
        assert alarms(remade(deals, orders=orders)) == ["ordered neighbours"]

    def test_a_shuffle_that_leaves_no_card_in_place_is_found(self):
        # What an upper bound that is excluded would give (protocol section 4, test 2).
        deals = fair(5)
        orders = deals.orders.copy()
        for row in orders:
            for at in np.flatnonzero(row == np.arange(108)):
                row[at], row[at - 1] = row[at - 1], row[at]
        assert "fixed points" in alarms(remade(deals, orders=orders))


class TestLaws:
    @pytest.mark.parametrize("size", [5, 6, 7])
    def test_the_neighbours_law_is_that_of_all_orders(self, size):
        rows = []
        for order in permutations(range(size)):
            cells = np.zeros((size, size))
            cells[order[:-1], order[1:]] = 1
            rows.append(cells[~np.eye(size, dtype=bool)])
        form = np.cov(np.array(rows), rowvar=False, bias=True) * size
        mean, variance = neighbour_law(size)
        assert np.trace(form) == pytest.approx(mean)
        # The small eigenvalues that are left out, at most.
        left_out = 2 * 2 * (size - 1) * (2 / (size - 1)) ** 2
        assert 0 <= 2 * np.trace(form @ form) - variance <= left_out

    def test_the_law_of_drawn_cards_is_that_of_all_draws(self):
        worth = np.array([50, 20, 20, 5, 5, 0, 0])
        sums = np.array([worth[list(drawn)].sum() for drawn in combinations(range(7), 3)])
        assert drawn_law(worth, 3) == pytest.approx((sums.mean(), sums.var()))


class TestLooks:
    def test_the_neighbour_statistic_has_the_mean_and_spread_that_are_claimed(self):
        chance = np.random.default_rng(7)
        size, deals, runs = 12, 400, 400
        shape = Shape(deck=tuple(f"c{i}" for i in range(size)), steps=(), seats=2, is_canasta=False)
        found = []
        for _ in range(runs):
            orders = chance.permuted(np.tile(np.arange(size), (deals, 1)), axis=1)
            made = Deals(
                shape=shape,
                orders=orders.astype(np.uint16),
                first_seats=np.zeros(deals, np.intp),
                aborted=np.zeros(deals, np.bool_),
            )
            found.append([one.p for one in look(made)])
        for column in zip(*found, strict=True):
            # Fair p-values are uniform: hold their mean and their tails.
            assert abs(sum(column) / runs - 0.5) < 5 * math.sqrt(1 / 12 / runs)
            assert sum(p < 0.05 for p in column) <= 45
            assert sum(p < 0.05 for p in column) >= 5

    def test_the_places_of_a_seat_are_those_that_the_deal_gives_it(self):
        assert dealt_places(SHAPE, 0)[1] == tuple(range(1, 44, 4))
        assert dealt_places(SHAPE, 3)[1] == tuple(range(2, 44, 4))

    def test_few_deals_are_not_looked_at(self):
        assert list(look(fair(1, LEAST_DEALS - 1))) == []
        assert len(list(look(fair(1, LEAST_DEALS)))) == 15

    def test_aborted_hands_are_compared_only_where_there_are_some(self):
        names = [one.name for one in look(fair(1, 300))]
        assert names[-1] == "aborted against finished hands"
        none = remade(fair(1, 300), aborted=np.zeros(300, np.bool_))
        assert [one.name for one in look(none)] == names[:-1]

    def test_the_same_deals_give_the_same_answer(self):
        assert look_at_all([fair(2, 300)]) == look_at_all([fair(2, 300)])

    def test_more_kinds_of_deals_mean_more_looks_and_stricter_limits(self):
        once = look_at_all([fair(2, 300)])
        twice = look_at_all([fair(2, 300), fair(3, 300)])
        assert len(twice) == 2 * len(once)
        assert all(b.adjusted >= a.adjusted for a, b in zip(once, twice, strict=False))


class TestGathering:
    def test_only_games_that_are_valid_are_taken_and_each_once(self, folder):
        for name, data in {
            "a": transcript(1),
            "copy": transcript(1),
            "b": transcript(2),
            "bad": with_false_score(transcript(3)),
            "running": transcript(4)[:-300].rsplit(b"\n", 1)[0] + b"\n",
        }.items():
            (folder / f"{name}.jsonl").write_bytes(data)
        files = [judge(folder, path, None, {}) for path in transcripts(folder)]
        gathered = gather(folder, files)
        assert gathered.games == 2
        assert gathered.left_out == {"INVALID": 1, "the same game again": 1, "INCOMPLETE": 1}
        (deals,) = gathered.deals
        assert len(deals) == 2
        assert sorted(deals.orders[0].tolist()) == list(range(108))

    def test_the_deals_are_those_of_the_verifier(self, folder):
        (folder / "a.jsonl").write_bytes(transcript(5))
        (deals,) = gather(folder, [judge(folder, "a.jsonl", None, {})]).deals
        due = verify(BytesIO(transcript(5)), Held()).hands[0].cards
        assert due is not None
        first = int(deals.first_seats[0])
        for seat, places in enumerate(dealt_places(deals.shape, first)):
            dealt = [deals.shape.deck[card] for card in deals.orders[0][list(places)]]
            kept = [face for face in dealt if face not in {"3D", "3H"}]
            assert list(due[seat])[: len(kept)] == kept


class TestCommand:
    def test_too_few_deals_are_said_and_are_no_clean_bill(self, fairdeal, folder):
        (folder / "a.jsonl").write_bytes(transcript(1))
        run = fairdeal("stats", folder, "--jobs", 1)
        assert run.exit_code == 3
        assert run.stdout.startswith("too little to look at: 100 deals of a kind are needed\n")

    def test_json_holds_every_look(self, fairdeal, folder, monkeypatch):
        (folder / "a.jsonl").write_bytes(transcript(1))
        planted = gather(folder, [])
        planted = type(planted)(deals=(favoured(1),), games=1, left_out={})
        monkeypatch.setattr("fairdeal.cli.stats.deals.gather", lambda *_: planted)
        run = fairdeal("stats", folder, "--jobs", 1, "--json", "--fast")
        report = json.loads(run.stdout)
        assert (run.exit_code, report["exit"], report["family"]) == (1, 1, 0.01)
        raised = {one["name"] for one in report["looks"] if one["alarm"]}
        assert raised == {"wild cards of seat 2", "card points of seat 2"}
        told = fairdeal("stats", folder, "--jobs", 1).stdout
        assert told.startswith("ALARM: 2 of 16 looks at the deals are too odd for chance\n")

    def test_without_numpy_it_says_what_is_needed(self, fairdeal, folder, monkeypatch):
        (folder / "a.jsonl").write_bytes(transcript(1))
        monkeypatch.setattr("fairdeal.fairness.bulk.HAS_NUMPY", False)
        run = fairdeal("stats", folder)
        assert run.exit_code == 2
        assert "the extra `fast`" in run.output

    @pytest.mark.parametrize("command", ["audit", "stats"])
    def test_help_shows_examples(self, fairdeal, command):
        assert f"Examples:\n    fairdeal {command} " in fairdeal(command, "--help").stdout
