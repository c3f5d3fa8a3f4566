"""What was measured of the bots, for everybody."""

import pytest

from fairdeal.bots.levels import LEVELS
from fairdeal.cli.bots import ladder
from fairdeal.service import play
from tests.table import OPERATOR


@pytest.fixture
def published(monkeypatch):
    """Publish a small run."""
    matches = ladder.matches(("random@1", "steady@1"), 10, itself=1)
    sums = ladder.run(matches, preset="classic@1", seed="tests", out=None, jobs=1)
    run = ladder.result("small", matches, sums, preset="classic@1", seed="tests")
    monkeypatch.setattr(play, "runs", lambda: (play.run_of(run),))
    return run


def test_the_ladder_is_served_with_seed_interval_and_floor(service, published):
    answer = service.call("GET", "/v1/stats/play")
    (run,) = answer.json["runs"]
    assert (run["name"], run["seed"], run["preset"]) == ("small", "tests", "classic@1")
    assert (run["code"], run["commit"]) == (published["code"], published["commit"])
    better, *alone = run["pairs"]
    assert (better["first"], better["second"], better["floor"]) == ("steady@1", "random@1", 50)
    assert (better["deals"], better["hands"]) == (10, 20)
    assert better["low"] < better["points"] < better["high"]
    assert better["stock_outs_low"] <= better["stock_outs"] <= better["stock_outs_high"]
    assert [bot["bot"] for bot in better["bots"]] == ["steady@1", "random@1"]
    assert [pair["first"] == pair["second"] for pair in alone] == [True, True]


def test_a_bot_is_measured_from_its_own_side(service, published):
    strong, weak = (
        service.call("GET", f"/v1/bots/{bot}/measurements").json for bot in ("steady@1", "random@1")
    )
    (one,), (other,) = strong["measurements"], weak["measurements"]
    assert (one["against"], other["against"]) == ("random@1", "steady@1")
    assert one["points"] == -other["points"] > 0
    assert (one["low"], one["high"]) == (-other["high"], -other["low"])
    assert one["won"] + other["won"] == pytest.approx(100)
    assert (one["floor"], other["floor"]) == (50, None)
    assert strong["plays"] == LEVELS["steady@1"].summary


@pytest.mark.parametrize("path", ["/v1/stats/play", "/v1/bots/steady@1/measurements"])
def test_measurements_may_be_kept_by_caches_and_need_no_token(service, path):
    answer = service.call("GET", path)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "public, max-age=300")
    assert "Authorization" not in answer.headers.get("Vary", "")


def test_nothing_is_measured_of_a_bot_that_is_not_there(service):
    answer = service.call("GET", "/v1/bots/nobody@1/measurements", token=OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (422, "no_such_bot")
    assert service.call("GET", "/v1/bots/nobody/measurements").json["code"] == "no_such_page"


def test_every_bot_that_is_published_is_one_that_there_is():
    named = {bot for run in play.runs() for pair in run.pairs for bot in (pair.first, pair.second)}
    assert {bot.partition(":")[0] for bot in named} <= set(LEVELS)
