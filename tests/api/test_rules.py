"""The rules that are offered, as everybody can read them."""

import pytest

from fairdeal.canasta.fieldwords import FIELD_WORDS
from fairdeal.canasta.presets import PRESETS
from fairdeal.service import BOTS
from tests.table import OPERATOR


def ask(service, path, **more):
    answer = service.call("GET", path, **more)
    assert answer.status_code == 200, answer.text
    return answer


def validate(service, preset, **overrides):
    body = {"preset": preset, "overrides": overrides}
    return service.call("POST", "/v1/rules/validate", body)


def test_every_preset_is_listed_and_what_is_not_offered_has_its_reason(service):
    said = ask(service, "/v1/rules").json
    assert [one["preset"] for one in said["presets"]] == list(PRESETS)
    six = next(one for one in said["presets"] if one["preset"] == "six-player@1")
    assert (six["players"], "target" in six["missing"]) == (6, True)
    assert {"Samba", "Hand and Foot"} <= {one["name"] for one in said["not_offered"]}
    assert all(one["why"] for one in said["not_offered"])


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_preset_says_every_field_by_value_and_in_words(service, preset):
    said = ask(service, f"/v1/rules/{preset}").json
    assert said["ruleset"] == PRESETS[preset]
    assert [one["field"] for one in said["in_words"]] == list(FIELD_WORDS)
    assert all(one["text"] and one["topic"] and one["rules"] for one in said["in_words"])


def test_two_presets_are_compared_in_words(service):
    said = ask(service, "/v1/rules/diff?a=classic@1&b=uruguay@1").json
    assert {one["field"] for one in said["differences"]} == {
        field for field in FIELD_WORDS if PRESETS["classic@1"][field] != PRESETS["uruguay@1"][field]
    }
    assert all(one["a"] != one["b"] for one in said["differences"])
    assert ask(service, "/v1/rules/diff?a=classic@1&b=classic@1").json["differences"] == []


def test_a_mixture_is_the_whole_ruleset_or_all_that_contradicts_it(service):
    mixed = validate(service, "classic@1", target=3000).json
    assert mixed["ruleset"] == {**PRESETS["classic@1"], "target": 3000}
    assert [one["field"] for one in mixed["differences"]] == ["target"]
    bad = {"players": 2, "meld_min_naturals": 4, "target": None}
    refused = validate(service, "classic@1", **bad)
    assert (refused.status_code, refused.json["code"]) == (422, "rules_conflict")
    assert len(refused.json["facts"]["clashes"]) >= 4


@pytest.mark.parametrize(
    ("preset", "overrides", "code"),
    [
        ("samba@1", {}, "no_such_preset"),
        ("classic@1", {"colour": "red"}, "ruleset_field"),
        ("classic@1", {"decks": "two"}, "ruleset_field"),
        ("six-player@1", {}, "rules_incomplete"),
        ("classic@1", {"players": 2}, "rules_conflict"),
    ],
)
def test_what_is_refused_here_is_refused_for_a_game(service, preset, overrides, code):
    refused = validate(service, preset, **overrides)
    rules = {"preset": preset, "overrides": overrides}
    seats = [{"kind": "human"}] * 4
    game = service.call("POST", "/v1/games", {"rules": rules, "seats": seats}, OPERATOR)
    assert refused.status_code == game.status_code
    assert refused.json["code"] == game.json["code"] == code
    assert refused.json["facts"] == game.json["facts"]


def test_an_unknown_preset_can_be_neither_read_nor_compared(service):
    for path in ("/v1/rules/samba@1", "/v1/rules/diff?a=classic@1&b=samba@1"):
        assert service.call("GET", path).json["code"] == "no_such_preset"
    assert service.call("GET", "/v1/rules/diff?a=classic@1").json["code"] == "malformed"


def test_the_bots_that_are_listed_are_those_that_may_sit_down(service):
    assert [one["bot"] for one in ask(service, "/v1/bots").json["bots"]] == list(BOTS)


def test_the_words_of_the_game_are_explained(service):
    terms = {one["term"]: one["meaning"] for one in ask(service, "/v1/terms").json["terms"]}
    assert "seven cards" in terms["canasta"]


@pytest.mark.parametrize(
    "path", ["/v1/rules", "/v1/rules/classic@1", "/v1/bots", "/v1/terms",
             "/v1/rules/diff?a=classic@1&b=hoyle@1"],
)  # fmt: skip
def test_the_rules_may_be_kept_by_caches_and_refusals_may_not(service, path):
    answer = ask(service, path)
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert "Authorization" not in answer.headers.get("Vary", "")
    refused = service.call("GET", path.replace("classic", "samba") + "x", token="cd_live_seat_x")
    assert refused.headers["Cache-Control"] == "private, no-store"
