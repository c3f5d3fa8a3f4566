"""Every refusal: what it looks like, and that whatever is raised has a code that is explained."""

import ast
import json
from pathlib import Path

import pytest

from api.codes import CODES
from api.problems import FRAMEWORK, PUBLIC_URL, STATUS, status_of
from fairdeal import errors
from fairdeal.errors import FairdealError
from fairdeal.service.dealer import Dealer
from tests.api.test_codes import SEATS, accident, create, failing, no_disk, own_act, seat
from tests.table import OPERATOR

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_of_statuses_is_total():
    """Each class of error stands for itself: nothing is answered by inheritance."""

    def below(root):
        return {root}.union(*(below(child) for child in root.__subclasses__()))

    ours = {error for error in below(FairdealError) if error.__module__ == errors.__name__}
    assert set(STATUS) == ours - {FairdealError}


def raised(folder):
    """Find what the code raises: our errors, each with the constant that is its code."""
    names = {error.__name__: error for error in STATUS}
    found = set()
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in names
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                code = str(node.args[0].value)
                found.add((code, status_of(names[node.func.id], code)))
    return found


AT_THE_START = "refuses the start, before anybody can ask"
CAUGHT = "caught, and answered otherwise"
SHADOWED = "something in front of it refuses first"
COMMANDS = "for commands alone: HTTP offers nothing that raises it"

SEQUENCER = "for the sequencer alone, whom nobody asks"

#: What is raised with a status of its own and never answered so, and why.
NEVER_ANSWERED = {
    ("bad_database", 503): AT_THE_START,
    ("bad_log_path", 503): AT_THE_START,
    ("bad_public_url", 503): AT_THE_START,
    ("other_vault", 503): AT_THE_START,
    ("in_use", 503): AT_THE_START,
    ("asked_meanwhile", 409): CAUGHT,
    ("key_file", 503): AT_THE_START,
    ("no_driver", 503): AT_THE_START,
    ("key_in_use", 503): COMMANDS,
    ("other_key", 503): AT_THE_START,
    ("other_origin", 503): AT_THE_START,
    ("store_foreign", 503): AT_THE_START,
    ("store_too_new", 503): AT_THE_START,
    ("store_unsafe", 503): AT_THE_START,
    ("answer_kept", 409): CAUGHT,
    ("claim_used", 409): CAUGHT,
    ("key_taken", 409): CAUGHT,
    ("no_such_claim", 409): CAUGHT,
    ("no_such_grant", 409): CAUGHT,
    ("empty", 400): CAUGHT,
    ("bad_position", 400): COMMANDS,
    ("no_beacon_awaited", 409): COMMANDS,
    ("hands_out_of_range", 422): SHADOWED,
    ("sealing_closed", 409): SHADOWED,
    ("bad_log_prefix", 503): SEQUENCER,
    ("bad_policy", 400): SEQUENCER,
    ("bundle_altered", 503): SEQUENCER,
    ("entries_missing", 503): SEQUENCER,
    ("log_moved", 409): SEQUENCER,
    ("log_not_durable", 503): SEQUENCER,
    ("log_post_lost", 503): SEQUENCER,
    ("no_such_checkpoint", 409): SEQUENCER,
    ("tile_differs", 503): SEQUENCER,
    ("tile_missing", 503): SEQUENCER,
}


@pytest.mark.parametrize(
    "folder",
    ["api", "fairdeal/service", "fairdeal/game", "fairdeal/rooms", "fairdeal/store",
     "fairdeal/canasta"],
)  # fmt: skip
def test_every_code_in_the_code_has_its_one_status_and_a_page(folder):
    found = raised(folder)
    assert found
    known = {(code.code, code.status) for code in CODES.values()}
    assert found - known - set(NEVER_ANSWERED) == set()


def test_what_is_never_answered_is_raised_somewhere_and_has_no_page():
    found = raised("fairdeal") | raised("api")
    assert set(NEVER_ANSWERED) <= found
    assert not {(code.code, code.status) for code in CODES.values()} & set(NEVER_ANSWERED)


def test_every_code_of_the_framework_has_its_status():
    assert {status: CODES[code].status for status, code in FRAMEWORK.items()} == {
        status: status for status in FRAMEWORK
    }


def test_the_address_of_a_page_is_whole_where_the_service_knows_its_own(service, monkeypatch):
    assert service.call("GET", "/v2").json["type"] == "/help/no_such_page"
    monkeypatch.setitem(service.app.config, PUBLIC_URL, "https://deals.example")
    assert service.call("GET", "/v2").json["type"] == "https://deals.example/help/no_such_page"


def test_an_accident_shows_nothing_of_what_it_said(service, caplog):
    answer = accident(service)
    assert answer.status_code == 500
    assert "nobody may see" not in answer.text
    assert "nobody may see" not in caplog.text
    assert "RuntimeError" in caplog.text
    assert answer.json["request_id"] in caplog.text


def test_a_broken_rule_names_every_rule_that_is_broken(service):
    facts = own_act(service, "discard 4C").json["facts"]
    assert facts["broken"][0] == "WRONG_PHASE"
    assert facts["rule"].startswith("R-")


def test_a_stale_act_is_told_the_newest_version_and_what_it_missed(service):
    player = seat(service)
    version = player.get("view")["version"]
    answer = player.try_act(version - 3, "draw")
    facts = answer.json["facts"]
    assert set(facts) == {"expected", "version", "events", "has_more"}
    assert (facts["expected"], facts["version"]) == (version - 3, version)
    assert facts["events"] == player.get(f"events?after={version - 3}")["events"]
    assert facts["has_more"] is False
    assert answer.json["retry"] == "after_change"


def test_what_a_stale_act_missed_is_told_as_far_as_its_own_seat_may_see(service):
    _, players = service.started("hhhh")
    acting = next(player for player in players if player.choose())
    version, act = acting.choose()
    acting.act(version, act)
    other = next(player for player in players if player is not acting)
    (event,) = other.try_act(version, "draw").json["facts"]["events"][:1]
    assert event["body"]["act"] == act
    assert "drawn" not in event.get("private", {})
    before_the_deal = acting.try_act(0, "draw").json["facts"]["events"]
    deal = next(event for event in before_the_deal if event["type"] == "deal")
    (mine,) = (e for e in acting.get("events")["events"] if e["type"] == "deal")
    assert deal == mine


def test_a_stale_act_is_told_a_page_at_most(service):
    player = seat(service)
    while (chosen := player.choose()) and chosen[0] < 110:
        player.act(*chosen)
    facts = player.try_act(0, "draw").json["facts"]
    assert [event["n"] for event in facts["events"]] == list(range(1, 101))
    assert facts["has_more"] is True


def test_an_operator_who_is_late_is_told_only_what_everybody_may_see(service):
    created = service.create("hhbb")
    player, other = service.seat(created), service.seat(created, 1)
    player.share()
    path = f"/v1/games/{created['id']}/overdue"
    facts = service.call("POST", path, {"expect": 0}, OPERATOR).json["facts"]
    assert facts["version"] == player.get("view")["version"]
    assert [event["type"] for event in facts["events"]] == ["share"]
    assert facts["has_more"] is False
    other.share()
    told = []
    for expect in (0, 3, player.get("view")["version"], 99):
        problem = service.call("POST", path, {"expect": expect}, OPERATOR).json
        told.append((problem["code"], problem["facts"]))
    # How many records the running hand has is not to be guessed.
    assert told == [("no_seeds_awaited", {})] * 4


@pytest.mark.parametrize(
    "body", [{"seats": SEATS[:2]}, {"seats": SEATS, "rules": {"preset": "nope@1"}}]
)
def test_a_request_that_may_be_mended_is_not_refused_for_good(service, body):
    answer = create(service, body)
    assert (answer.status_code, answer.json["retry"]) == (422, "after_change")


def test_who_is_not_known_is_asked_for_a_token(service):
    answer = service.call("POST", "/v1/games", {"seats": SEATS})
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("path", ["/v1/games?limit=x", "/v1/games/g?x=1", "/v1/rules/validate?x=1"])
def test_a_wrong_method_is_no_other_fault_whatever_else_is_wrong(service, path):
    answer = service.call("TRACE", path, token="cd_live_op_guess")
    assert (answer.status_code, answer.json["code"]) == (405, "wrong_method")


def test_whoever_shows_no_token_where_one_is_needed_is_told_so_before_anything_else(service):
    for path in ("/v1/games?cursor=0", "/v1/games?colour=red", "/v1/rooms/r?wait=x"):
        assert service.call("GET", path).json["code"] == "no_key"
    for body in (b"{", b'{"seats":0}', b" " * 70_000):
        answer = service.call("POST", "/v1/games", data=body, content_type="text/plain")
        assert answer.json["code"] == "no_key"


def test_a_path_names_its_own_methods_alone(service):
    assert service.call("OPTIONS", "/v1/rules/validate").allow == {"OPTIONS", "POST"}
    assert service.call("OPTIONS", "/v1/rules/classic@1").allow == {"OPTIONS", "GET", "HEAD"}


def test_a_wrong_method_is_told_the_right_one(service):
    assert "POST" in service.call("DELETE", "/v1/games").headers["Allow"]


def test_a_failing_store_says_when_to_come_back(service):
    assert failing(service, no_disk).headers["Retry-After"] == "1"


def test_problems_are_one_line_of_json(service):
    text = service.call("GET", "/v2").text
    assert json.loads(text)["code"] == "no_such_page"
    assert "\n" not in text


def test_the_dealer_has_no_way_to_be_asked_for_a_secret():
    """No public name of the front door speaks of secrets."""
    public = [name for name in dir(Dealer) if not name.startswith("_")]
    assert not [name for name in public if "secret" in name or "master" in name]


def test_the_log_says_what_lies_behind_a_failure_of_the_store(service, caplog):
    with no_disk(service):
        answer = service.call("POST", "/v1/games", {"seats": SEATS}, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (503, "store_failed")
    assert f"{answer.json['request_id']}: store_failed (OperationalError)" in caplog.text
