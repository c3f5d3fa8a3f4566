"""A game in a room that waits in vain for a seed gives way, so that the others can play."""

import pytest

from tests.api.test_rooms import Table, states
from tests.table import OPERATOR

MINUTE = 60_000
CLOCK = {"turn_s": 60, "between_hands_s": 0}


class Waiting(Table):
    """A room whose game waits for the seed of seat 3; the others have sent theirs."""

    def __init__(self, service, kinds="hhhh", clock=CLOCK, **more):
        super().__init__(service, kinds, clock=clock, **more)
        self.game = self.started()["game"]
        self.begun = service.clock()
        self.playing = self.players(self.game)
        for player in self.playing[:-1]:
            player.share()
        service.dealer.presences.flush()

    def at(self, ms, *here):
        """Go to so long after the start, with these seats there; do what is due by itself."""
        self.service.clock.set(self.begun + ms)
        for seat in here:
            self.service.dealer.presences.note(self.id, seat)
        self.service.dealer.presences.flush()
        self.service.dealer.advance(self.game["id"])

    @property
    def told(self):
        said = self.service.call("GET", f"/v1/games/{self.game['id']}").json
        return said["state"], said["reason"]


def test_after_five_minutes_without_a_sign_the_game_closes_and_the_room_is_a_lobby(service):
    table = Waiting(service)
    table.at(5 * MINUTE - 1000, 0)
    assert table.told == ("seeding", None)
    table.at(5 * MINUTE + 1000, 0)
    assert table.told == ("closed", "seed_missing")
    room = table.room()
    assert (room["state"], room["game"]) == ("lobby", None)
    assert states(room) == ["claimed"] * 4


def test_the_others_play_on_once_their_host_has_given_the_seat_away(service):
    table = Waiting(service)
    table.at(6 * MINUTE, 0)
    table.do(0, "seats/3/release")
    table.do(0, "seats/3/bot", {"bot": "steady@1"}, method="PUT")
    table.ready(0, 1, 2)
    game = table.do(0, "start")["game"]
    for player in table.players(game)[:3]:
        player.share()
    assert table.room()["game"]["state"] == "playing"


def test_while_nobody_is_there_who_waits_it_waits_too(service):
    table = Waiting(service)
    table.at(60 * MINUTE)
    assert table.told == ("seeding", None)


def test_whoever_gives_a_sign_is_waited_for(service):
    table = Waiting(service)
    table.at(4 * MINUTE, 3)
    table.at(8 * MINUTE, 0)
    assert table.told == ("seeding", None)
    table.at(9 * MINUTE + 1000, 0)
    assert table.told == ("closed", "seed_missing")


def test_a_seal_is_waited_for_as_long_as_a_share(service):
    table = Table(service, "hhhh", clock=CLOCK, profile="sealed")
    game = table.started()["game"]
    begun = service.clock()
    for player in table.players(game)[:3]:
        player.seal()
    service.clock.set(begun + 5 * MINUTE + 1000)
    service.dealer.presences.note(table.id, 0)
    service.dealer.presences.flush()
    service.dealer.advance(game["id"])
    assert table.room()["state"] == "lobby"


@pytest.mark.parametrize("clock", [{}, {"turn_s": None, "between_hands_s": 10}])
def test_a_game_without_a_limit_waits_on(service, clock):
    table = Waiting(service, clock=clock)
    table.at(60 * MINUTE, 0)
    assert table.told == ("seeding", None)


def test_a_game_outside_of_rooms_is_its_site_s_to_call_off(service):
    created = service.create("hhbb", clock=CLOCK)
    player = service.seat(created)
    player.share()
    service.clock.set(service.clock() + 60 * MINUTE)
    service.dealer.presences.note(created["id"], 0)
    service.dealer.presences.flush()
    service.dealer.advance(created["id"])
    assert player.get("view")["state"] == "seeding"


def test_a_game_that_has_begun_is_not_closed_for_a_seed_of_a_later_epoch(service):
    table = Waiting(service, epoch_hands=1, hands=2)
    table.playing[-1].share()
    body = {"reason": "rain"}
    path = f"/v1/games/{table.game['id']}/hands/1/abort"
    assert service.call("POST", path, body, OPERATOR).status_code == 200
    table.at(60 * MINUTE, 0)
    assert table.told == ("seeding", None)


def test_the_sweep_of_every_minute_looks_at_a_game_that_waits_for_seeds(service):
    table = Waiting(service)
    assert table.game["id"] in service.dealer.due()
