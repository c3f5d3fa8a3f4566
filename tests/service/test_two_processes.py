"""Two services on one file, as two processes would be: one record each, no second deal."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.service import Seed
from tests.table import OPERATOR, Service
from tests.verdicts import report

DEALT = {
    "name": "one each",
    "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
    "steps": [{"op": "deal", "count": 1, "packet": 1}],
}


@pytest.fixture
def two(service, folder):
    other = Service(folder, "the other process")
    yield service, other
    other.close()


def at_once(asks):
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(tried, asks))


def tried(ask):
    """Ask until the store answers: two writers may wait for each other's lock."""
    for _ in range(20):
        try:
            return ask()
        except StorageFailure:
            continue
    return ask()


@pytest.mark.parametrize("profile", ["open", "sealed"])
def test_seeds_sent_to_both_at_once_are_recorded_once_and_dealt_once(two, profile):
    service, _ = two
    created = service.create("hhhh", profile=profile, hands=1)
    players = [service.seat(created, at) for at in range(4)]
    if profile == "sealed":
        for player in players:
            player.seal()

    def share(dealer, player):
        seed = Seed(**player.seed_body())
        caller = dealer.identify(player.token)
        return lambda: dealer.seeds.share(caller, player.game, player.seat, seed)

    answers = at_once([share(one.dealer, p) for p in players for one in two for _ in range(2)])
    first = {(a.events[0]["body"]["seat"], a.events[0]["n"], a.receipts[0]) for a in answers}
    assert len(first) == 4
    types = [event["type"] for event in players[0].get("events")["events"]]
    assert (types.count("share"), types.count("lock"), types.count("deal")) == (4, 1, 1)


def test_deals_and_draws_sent_to_both_at_once_happen_once(two):
    service, _ = two
    created = service.create("hh", rules={"dealt": DEALT}, hands=1, first_seat=0)
    players = [service.seat(created, at) for at in (0, 1)]
    for player in players:
        version = player.share()["version"]
    game = created["id"]
    operators = [(one.dealer, one.dealer.identify(OPERATOR)) for one in two] * 3
    dealt = at_once([
        lambda dealer=dealer, who=who: dealer.hands.deal(who, game, version)
        for dealer, who in operators
    ])  # fmt: skip
    assert len({answer.receipts for answer in dealt}) == 1
    version = dealt[0].version
    me = players[0]
    drawn = at_once([
        lambda dealer=dealer: dealer.hands.draw(
            dealer.identify(me.token), game, 1, me.seat, version
        )
        for dealer, _ in operators
    ])  # fmt: skip
    assert len({str(answer.events) for answer in drawn}) == 1
    closed = at_once([
        lambda dealer=dealer, who=who: dealer.hands.close(who, game, "enough")
        for dealer, who in operators
    ])  # fmt: skip
    assert len({answer.receipts for answer in closed}) == 1
    assert report(service, game).verdict == "VALID"


@pytest.mark.parametrize("refused", ["discard KS", "end", "no act"])
def test_what_is_refused_of_a_game_that_has_gone_on_elsewhere_is_stale(two, refused):
    service, other = two
    created, (player,) = service.started()
    version, act = player.choose()
    game, dealer = created["id"], other.dealer
    who = dealer.identify(player.token)
    assert dealer.looks.view(who, game).version == version
    made = player.act(version, act)
    with pytest.raises(StaleVersion) as stale:
        dealer.act(who, game, version, refused)
    assert stale.value.facts["version"] == made["version"]
    assert stale.value.facts["events"] == made["events"]


def test_an_act_that_was_made_elsewhere_is_told_again_and_not_made_twice(two):
    service, other = two
    created, (player,) = service.started()
    version, act = player.choose()
    game, dealer = created["id"], other.dealer
    who = dealer.identify(player.token)
    assert dealer.looks.view(who, game).version == version
    made = player.act(version, act)
    again = dealer.act(who, game, version, act)
    assert (again.version, list(again.receipts)) == (made["version"], made["receipts"])
    assert service.store.newest(game) == made["version"]
