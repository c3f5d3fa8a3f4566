"""Games that the site referees: dealt, drawn from, scored and opened by request (decisions 17)."""

import hashlib
import io
import itertools

import pytest

from api.codes import CODES
from fairdeal.records.notes import card_text, open_note
from tests.table import OPERATOR, ORIGIN
from tests.verdicts import report

FACES = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
ONE_EACH = {
    "name": "draw for seats",
    "deck": FACES,
    "steps": [{"op": "deal", "count": 1, "packet": 1}],
}
POKER = {
    "name": "five cards",
    "deck": FACES,
    "steps": [
        {"op": "deal", "count": 5, "packet": 5},
        {"op": "turn", "until_not": []},
        {"op": "set", "name": "kitty", "count": 3},
    ],
}
SHOE = {"name": "shoe", "deck": (FACES * 20)[:1024], "steps": []}


class Site:
    """A site that referees a game and holds its seats' tokens."""

    def __init__(self, service, rules, kinds="hhhh", **more):
        self.service = service
        created = service.create(kinds, rules={"dealt": rules}, **{"first_seat": 0, **more})
        self.game = created["id"]
        self.path = f"/v1/games/{self.game}"
        self.created = created
        self.seats = [service.seat(created, at) for at in range(len(created["claims"]))]

    @property
    def version(self):
        return self.seats[0].get("view")["version"]

    def seeded(self, epoch=1):
        for seat, kind in zip(self.seats, self.kinds(), strict=True):
            if kind == "player":
                seat.share(epoch=epoch)
        return self

    def kinds(self):
        return [seat["kind"] for seat in self.service.call("GET", self.path).json["seats"]]

    def ask(self, what, body, token=OPERATOR):
        return self.service.call("POST", f"{self.path}/{what}", body, token)

    def do(self, what, body, token=OPERATOR):
        answer = self.ask(what, body, token)
        assert answer.status_code == 200, answer.text
        return answer.json

    def deal(self):
        return self.do("hands", {"expect": self.version})

    def draw(self, hand, seat, expect=None):
        body = {"seat": seat, "expect": self.version if expect is None else expect}
        return self.do(f"hands/{hand}/draws", body, self.seats[seat].token)


def types(answer):
    return [event["type"] for event in answer["events"]]


def test_a_hand_is_dealt_drawn_from_scored_and_opened_and_the_game_verifies(service):
    site = Site(service, POKER, hands=2).seeded()
    for hand in (1, 2):
        assert types(site.deal()) == ["deal"]
        for seat in (0, 2, 2):
            assert types(site.draw(hand, seat)) == ["draw"]
        result = {"winner": 2, "why": "two pairs"}
        assert types(site.do(f"hands/{hand}/score", {"result": result})) == ["score", "reveal"]
    assert types(site.do("close", {"reason": "complete"})) == ["close", "master"]
    found = report(service, site.game)
    assert (found.verdict, found.errors) == ("VALID", ())


def test_the_face_of_a_draw_goes_to_the_holder_of_that_seats_token_alone(service):
    site = Site(service, POKER).seeded()
    site.deal()
    answer = site.draw(1, 2)
    (drawn,) = answer["events"][0]["private"]["drawn"]
    assert drawn["position"] == 0
    text = open_note(drawn["note"], [service.key.verifying_key])
    assert text == card_text(ORIGIN, site.game, 1, 2, 0, drawn["face"])
    assert site.seats[2].get("view")["dealt"]["you"]["drawn"] == [drawn["face"]]
    for other in (0, 1, 3):
        events = site.seats[other].get("events")["events"]
        (draw,) = [event for event in events if event["type"] == "draw"]
        assert "private" not in draw
        assert site.seats[other].get("view")["dealt"]["you"]["drawn"] == []
    body = {"seat": 2, "expect": site.version}
    assert site.ask("hands/1/draws", body, site.seats[1].token).json["code"] == "not_your_seat"
    assert site.ask("hands/1/draws", body, OPERATOR).json["code"] == "wrong_role"
    assert site.ask("hands/1/draws", body, None).json["code"] == "no_key"
    told = service.call("GET", f"{site.path}/events", token=OPERATOR).json["events"]
    assert "deal" not in [event["type"] for event in told]


def test_a_seat_sees_its_cards_and_how_the_table_stands(service):
    site = Site(service, POKER).seeded()
    site.deal()
    site.draw(1, 3)
    view = site.seats[1].get("view")
    assert view["table"] is None
    assert len(view["dealt"]["you"]["dealt"]) == 5
    assert len(view["dealt"]["up"]) == 1
    assert view["dealt"]["sets"] == [["kitty", 3]]
    assert view["dealt"]["stock"] == 52 - 20 - 1 - 3 - 1
    assert view["dealt"]["draws"] == [3]
    private = next(e for e in site.seats[1].get("events")["events"] if e["type"] == "deal")
    assert private["private"]["faces"] == view["dealt"]["you"]["dealt"]
    assert site.seats[1].get("choices")["can"] == []
    assert site.seats[1].try_act(site.version, "draw").json["code"] == "no_hand"


def test_repeats_get_the_same_answer_and_happen_once(service):
    site = Site(service, POKER).seeded()
    before = site.version
    dealt = site.deal()
    assert site.do("hands", {"expect": before}) == dealt
    drawn = site.draw(1, 1)
    assert site.draw(1, 1, expect=dealt["version"]) == drawn
    scored = site.do("hands/1/score", {"result": [1, True]})
    assert site.do("hands/1/score", {"result": [1, True]}) == scored
    assert site.ask("hands/1/score", {"result": [True, True]}).json["code"] == "no_hand"
    closed = site.do("close", {"reason": "done"})
    assert site.do("close", {"reason": "done"}) == closed
    for what, body in (
        ("hands", {"expect": 0}),
        ("hands", {"expect": dealt["version"]}),
    ):
        assert site.ask(what, body).json["code"] == "stale_version"
    body = {"seat": 2, "expect": dealt["version"]}
    assert site.ask("hands/1/draws", body, site.seats[2].token).json["code"] == "stale_version"


def test_an_aborted_hand_is_opened_and_counted(service):
    site = Site(service, POKER).seeded()
    site.deal()
    answer = site.do("hands/1/abort", {"reason": "misdeal at the table"})
    assert types(answer) == ["abort", "reveal"]
    assert site.do("hands/1/abort", {"reason": "misdeal at the table"}) == answer
    assert site.ask("hands/1/abort", {"reason": "other"}).json["code"] == "no_hand"
    site.deal()
    site.do("close", {"reason": "enough"})
    found = report(service, site.game)
    assert found.verdict == "VALID"
    assert [warning.code for warning in found.warnings].count("W_HAND_ABORTED") == 2


def test_a_refereed_hand_is_aborted_by_its_operator_who_sees_nothing_of_the_next(service):
    created, (player,) = service.started("hbbb", hands=2)
    path = f"/v1/games/{created['id']}/hands"
    player.act(*player.choose())
    answer = service.call("POST", f"{path}/1/abort", {"reason": "power cut"}, OPERATOR).json
    assert types(answer) == ["abort", "reveal"]
    assert len(answer["receipts"]) == 2
    assert player.get("view")["hand"] == 2
    assert service.call("POST", f"{path}/1/abort", {"reason": "power cut"}, OPERATOR).json == answer
    refused = service.call("POST", f"{path}/2/score", {"result": {}}, OPERATOR)
    assert refused.json["code"] == "refereed"
    service.call("POST", f"{path}/2/abort", {"reason": "power cut"}, OPERATOR)
    assert service.call("GET", f"/v1/games/{created['id']}").json["state"] == "closed"
    found = report(service, created["id"])
    assert found.verdict == "VALID"


def test_a_site_holds_the_tokens_of_its_bots_too_and_everybody_is_told(service):
    site = Site(service, ONE_EACH, kinds="hb", hands=1)
    site.seeded()
    site.deal()
    assert site.draw(1, 1)["events"][0]["private"]["drawn"]
    refused = service.call(
        "PUT", f"{site.path}/seats/1/seed", site.seats[1].seed_body(), site.seats[1].token
    )
    assert refused.json["code"] == "no_such_seat"
    told = service.call("GET", site.path).json["seats"]
    assert [seat["custody"] for seat in told] == ["site", "site-bot"]


def test_a_dealt_only_game_takes_new_seeds_between_epochs(service):
    site = Site(service, ONE_EACH, hands=3, epoch_hands=1)
    for hand in (1, 2, 3):
        assert site.ask("hands", {"expect": site.version}).json["code"] == "seeds_awaited"
        site.seeded(hand)
        site.deal()
        site.do(f"hands/{hand}/score", {"result": None})
    refused = service.call(
        "PUT", f"{site.path}/seats/0/seed", site.seats[0].seed_body(epoch=4), site.seats[0].token
    )
    assert refused.json["code"] == "hands_used_up"
    site.do("close", {"reason": "complete"})
    assert report(service, site.game).verdict == "VALID"


def test_a_shoe_of_1024_cards_is_drawn_to_its_last_card(service):
    site = Site(service, SHOE, kinds="h", hands=1).seeded()
    site.deal()
    seen = [site.draw(1, 0, expect=version) for version in range(3, 3 + 1024)]
    faces = [answer["events"][0]["private"]["drawn"][0]["face"] for answer in seen]
    assert sorted(faces) == sorted(SHOE["deck"])
    body = {"seat": 0, "expect": 3 + 1024}
    assert site.ask("hands/1/draws", body, site.seats[0].token).json["code"] == "stock_used_up"
    site.do("close", {"reason": "complete"})
    assert report(service, site.game).verdict == "VALID"


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"dealt": {**ONE_EACH, "deck": FACES * 20}}, "malformed"),
        ({"dealt": {**ONE_EACH, "deck": []}}, "malformed"),
        ({"dealt": {**ONE_EACH, "deck": ["A C"]}}, "malformed"),
        ({"dealt": {**ONE_EACH, "deck": FACES[:3]}}, "bad_field"),
        ({"dealt": {**ONE_EACH, "steps": [{"op": "cut"}]}}, "bad_field"),
        ({"dealt": {**ONE_EACH, "steps": [{"op": "deal", "count": 0, "packet": 1}]}}, "bad_field"),
        ({"dealt": ONE_EACH, "preset": "classic@1"}, "bad_field"),
        ({"dealt": ONE_EACH, "overrides": {"decks": 2}}, "bad_field"),
    ],
)
def test_rules_that_cannot_be_dealt_are_refused(service, rules, code):
    body = {"rules": rules, "seats": [{"kind": "human"}] * 4}
    answer = service.call("POST", "/v1/games", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (CODES[code].status, code)


def test_only_an_operator_deals_scores_and_aborts(service):
    site = Site(service, POKER).seeded()
    for what, body in (
        ("hands", {"expect": site.version}),
        ("hands/1/score", {"result": 1}),
        ("hands/1/abort", {"reason": "x"}),
    ):
        assert site.ask(what, body, site.seats[0].token).json["code"] == "wrong_role"
        assert site.ask(what, body, None).json["code"] == "no_key"


# ------------------------------------------------------------------- partners by draw (18)

RANKS = "23456789TJQKA"
SUITS = "CDHS"


def strength(face):
    return RANKS.index(face[0]), SUITS.index(face[1])


def test_partners_and_first_dealer_are_drawn_for_in_a_game_before(service):
    site = Site(service, ONE_EACH, hands=1).seeded()
    site.deal()
    drawn = {seat.seat: seat.get("view")["dealt"]["you"]["dealt"][0] for seat in site.seats}
    high, second, third, low = sorted(drawn, key=lambda seat: strength(drawn[seat]), reverse=True)
    # The two highest play together and so do the two lowest; the highest is dealt to first.
    order = [high, third, second, low]
    site.do("hands/1/score", {"result": {"drew": list(drawn.values()), "order": order}})
    master = site.do("close", {"reason": "complete"})["events"][-1]
    assert master["type"] == "master"
    text = service.call("GET", f"{site.path}/transcript").data.splitlines(keepends=True)[-1]
    seating = {"game": site.game, "master_record": hashed(text)}
    body = {
        "seats": [{"kind": "human", "label": f"drew {drawn[seat]}"} for seat in order],
        "rules": {"preset": "classic@1", "seating": seating},
        "first_seat": 0,
        "hands": 1,
    }
    created = service.call("POST", "/v1/games", body, OPERATOR).json
    players = [service.seat(created, at) for at in range(4)]
    for player in players:
        player.share()
    opened = players[0].get("events")["events"][0]
    assert opened["body"]["rules"]["play"]["seating"] == {"how": "draw", **seating}
    service.call("POST", f"/v1/games/{created['id']}/close", {"reason": "x"}, OPERATOR)
    draw = service.call("GET", f"{site.path}/transcript").data
    found = report(service, created["id"], seating=io.BytesIO(draw))
    assert (found.verdict, found.errors) == ("VALID", ())
    other = report(service, created["id"], seating=io.BytesIO(draw[:-2]))
    assert "E_SEATING" in [error.code for error in other.errors]


def test_a_draw_that_is_not_over_or_of_other_seats_cannot_seat_anybody(service):
    site = Site(service, ONE_EACH, kinds="hh", hands=1).seeded()
    seats = [{"kind": "human"}] * 4
    for reason, index in itertools.product((None, "x"), (0, -1)):
        if reason is not None:
            site.ask("close", {"reason": reason})
        lines = service.store.lines(site.game)
        seating = {"game": site.game, "master_record": hashed(lines[index])}
        body = {"seats": seats, "rules": {"seating": seating}}
        answer = service.call("POST", "/v1/games", body, OPERATOR)
        assert (answer.status_code, answer.json["code"]) == (422, "seating_differs")


def hashed(line):
    return hashlib.sha256(line).hexdigest()
