"""Requests that are not exactly meant are refused, with the place named, and change nothing."""

import io
import json

import pytest

from tests.table import OPERATOR

SEATS = '[{"kind":"human"},{"kind":"bot"},{"kind":"bot"},{"kind":"bot"}]'


def send(service, method, path, raw, token=None, content_type="application/json"):
    return service.call(method, path, token=token, data=raw, content_type=content_type)


# What no JSON body may be, whatever the route.
NOT_STRICT = {
    "empty": b"",
    "cut": b'{"claim":"x"',
    "trailing": b'{"claim":"x"} {}',
    "twice the same key": b'{"claim":"x","claim":"y"}',
    "NaN": b'{"claim":NaN}',
    "infinity": b'{"claim":-Infinity}',
    "float": b'{"claim":1.0}',
    "exponent": b'{"claim":1e3}',
    "minus zero": b'{"claim":-0}',
    "5,000 digits": b'{"claim":' + b"9" * 5000 + b"}",
    "beyond 2^53": b'{"claim":9007199254740992}',
    "60,000 deep": b"[" * 60_000,
    "65 deep": b"[" * 65 + b"]" * 65,
    "invalid UTF-8": b'{"claim":"\xff"}',
    "UTF-16": '{"claim":"x"}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"claim":"x"}',
    "half a character": b'{"claim":"\\ud800"}',
    "raw control character": b'{"claim":"a\nb"}',
    "single quotes": b"{'claim':'x'}",
    "comment": b'{"claim":"x"}//',
    "an array": b"[]",
    "a text": b'"claim"',
    "null": b"null",
}


@pytest.mark.parametrize("body", NOT_STRICT.values(), ids=NOT_STRICT)
def test_loose_json_is_malformed(service, body):
    answer = send(service, "POST", "/v1/claims", body)
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")


WHOLE = ["4", "4.0", "4.000", "4e0", "40e-1", "0.4E1", "400000.0e-5"]
NOT_WHOLE = ["4.5", "4e-1", "1e400", "1e-400", "1e99999999999999999999", "-4", "-4.0", "16.0",
             "4." + "0" * 500, "9007199254740993.0", "4" * 5000, "true", '"4"', "[4]"]  # fmt: skip


@pytest.mark.parametrize("written", WHOLE)
def test_an_integer_may_be_written_in_any_way_that_json_schema_counts_as_one(service, written):
    body = '{"seats":[' + ",".join(['{"kind":"bot"}'] * 4) + '],"first_seat":' + written + "}"
    answer = send(service, "POST", "/v1/games", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (422, "bad_field")  # Four seats: 0 to 3.
    body = body.replace(written, written.replace("4", "3", 1))
    assert send(service, "POST", "/v1/games", body, OPERATOR).status_code == 201


@pytest.mark.parametrize("written", NOT_WHOLE)
def test_what_is_no_integer_in_bounds_is_malformed(service, written):
    body = '{"seats":[' + ",".join(['{"kind":"bot"}'] * 4) + '],"first_seat":' + written + "}"
    answer = send(service, "POST", "/v1/games", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")


@pytest.mark.parametrize("zero", ["0", "-0", "-0.0", "0e5", "0.0E-7", "0e999999999"])
def test_zero_is_zero_however_it_is_written(service, zero):
    body = '{"seats":[' + ",".join(['{"kind":"bot"}'] * 4) + '],"first_seat":' + zero + "}"
    assert send(service, "POST", "/v1/games", body, OPERATOR).status_code == 201


@pytest.mark.parametrize("value", ["1.5", "1e400", '{"é":1}', "9007199254740992", "[[0.1]]"])
def test_where_any_json_may_stand_what_no_record_can_hold_is_told_from_what_is_malformed(
    service, value
):
    rules = (
        {"overrides": {"target": "HERE"}},
        {"dealt": {"name": "x", "deck": ["A"], "steps": [{"op": "HERE"}]}},
    )
    for one in rules:
        body = json.dumps({"seats": [{"kind": "bot"}], "rules": one}).replace('"HERE"', value)
        answer = send(service, "POST", "/v1/games", body, OPERATOR)
        assert (answer.status_code, answer.json["code"]) == (422, "bad_field"), answer.text


class Broken(io.RawIOBase):
    """A body whose sender framed it wrongly, as the server tells it."""

    def readable(self):
        return True

    def readinto(self, _):
        raise RuntimeError("Invalid chunk size: b'zz'")


@pytest.mark.parametrize(
    ("stream", "length"),
    [(io.BytesIO(b'{"claim":"x"}'), "14"), (Broken(), "20"), (Broken(), None)],
    ids=["shorter than declared", "broken", "broken and without a length"],
)
def test_a_body_that_does_not_come_whole_may_be_sent_again_at_once(service, stream, length):
    environ = {"wsgi.input": stream, "wsgi.input_terminated": True, "CONTENT_LENGTH": length}
    answer = service.call(
        "POST", "/v1/claims", content_type="application/json",
        environ_overrides={key: value for key, value in environ.items() if value is not None},
    )  # fmt: skip
    assert (answer.status_code, answer.json["code"]) == (400, "cut_body")
    assert answer.json["retry"] == "now"


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1",
     "application/problem+json", "multipart/form-data"],
)  # fmt: skip
def test_a_body_that_is_not_declared_as_json_is_not_read(service, content_type):
    answer = send(service, "POST", "/v1/claims", b'{"claim":"x"}', content_type=content_type)
    assert (answer.status_code, answer.json["code"]) == (415, "not_json")


def test_json_may_be_declared_with_its_character_set(service):
    kind = "application/json; charset=UTF-8"
    answer = send(service, "POST", "/v1/claims", b'{"claim":"x"}', content_type=kind)
    assert answer.json["code"] == "no_such_claim"


def game(**changes):
    body = {"seats": SEATS, **changes}
    return "{" + ",".join(f'"{name}":{value}' for name, value in body.items()) + "}"


def seat(**changes):
    first = "{" + ",".join(f'"{n}":{v}' for n, v in {"kind": '"human"', **changes}.items()) + "}"
    return game(seats=f"[{first}" + ',{"kind":"bot"}' * 3 + "]")


# body, the pointer that has to be named
BAD_GAMES = [
    ("{}", "/seats"),
    (game(seats="[]"), "/seats"),
    (game(seats="{}"), "/seats"),
    (game(seats="null"), "/seats"),
    (game(seats='["human"]'), "/seats/0"),
    (seat(kind='"Human"'), "/seats/0/kind"),
    (seat(kind="1"), "/seats/0/kind"),
    (seat(kind='"human\\n"'), "/seats/0/kind"),
    (seat(label='"a\\u0000b"'), "/seats/0/label"),
    (seat(label='"a\\nb"'), "/seats/0/label"),
    (seat(label='"a\\u0085b"'), "/seats/0/label"),
    (seat(label=f'"{"a" * 201}"'), "/seats/0/label"),
    (seat(label="7"), "/seats/0/label"),
    (seat(custody='"service-bot"'), "/seats/0/custody"),
    (seat(bot='"Greedy"'), "/seats/0/bot"),
    (seat(colour='"red"'), "/seats/0/colour"),
    (game(hands="0"), "/hands"),
    (game(hands="513"), "/hands"),
    (game(hands='"12"'), "/hands"),
    (game(hands="true"), "/hands"),
    (game(first_seat="-1"), "/first_seat"),
    (game(first_seat="16"), "/first_seat"),
    (game(reveal_by='"soon"'), "/reveal_by"),
    (game(rules='"classic@1"'), "/rules"),
    (game(rules='{"preset":"classic"}'), "/rules/preset"),
    (game(rules='{"preset":"classic@1\\n"}'), "/rules/preset"),
    (game(rules='{"overrides":[]}'), "/rules/overrides"),
    (game(rules='{"override":{}}'), "/rules/override"),
    (game(Seats="1"), "/Seats"),
]


@pytest.mark.parametrize(("body", "pointer"), BAD_GAMES)
def test_a_bad_field_of_a_new_game_is_named(service, body, pointer):
    answer = send(service, "POST", "/v1/games", body, OPERATOR)
    assert answer.status_code == 400, answer.text
    named = [error["pointer"] for error in answer.json["facts"]["errors"]]
    assert [place for place in named if place == pointer or place.startswith(pointer + "/")]
    assert service.store.unfinished() == ()


@pytest.mark.parametrize("first_seat", [4, 15])
def test_the_first_seat_has_to_be_one_of_the_game(service, first_seat):
    answer = send(service, "POST", "/v1/games", game(first_seat=first_seat), OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (422, "bad_field")
    assert service.store.unfinished() == ()


BAD_SEEDS = [
    {"epoch": "1"}, {"epoch": 0}, {"epoch": True}, {"epoch": None},
    {"nonce": "0" * 63}, {"nonce": "0" * 65}, {"nonce": "A" * 64}, {"nonce": "0" * 64 + "\n"},
    {"nonce": 0}, {"seed_sha256": "x" * 64}, {"seed_sha256": ""}, {"open_hash": "0x" + "0" * 62},
    {"text": "the typed text itself"},
]  # fmt: skip


@pytest.mark.parametrize("changes", BAD_SEEDS, ids=str)
def test_a_bad_seed_is_refused_and_not_recorded(service, changes):
    player = service.seat(service.create())
    body = {**player.seed_body(), **changes}
    path = f"{player.path}/seats/{player.seat}/seed"
    answer = service.call("PUT", path, body, player.token)
    assert answer.status_code == 400
    assert answer.json["facts"]["errors"][0]["pointer"] == "/" + next(iter(changes))
    assert player.get("view")["version"] == 0


BAD_ACTS = [
    {"expect": -1}, {"expect": "3"}, {"expect": True}, {"expect": None}, {"act": ""},
    {"act": "x" * 401}, {"act": "dräw"}, {"act": "draw\n"}, {"act": ["draw"]}, {"act": None},
    {"dry_run": True},
]  # fmt: skip


@pytest.mark.parametrize("changes", BAD_ACTS, ids=str)
def test_a_bad_act_is_refused_and_not_recorded(service, changes):
    player = service.started()[1][0]
    version = player.get("view")["version"]
    body = {"expect": version, "act": "draw", **changes}
    answer = service.call("POST", f"{player.path}/actions", body, player.token)
    assert answer.status_code == 400
    assert answer.json["facts"]["errors"][0]["pointer"] == "/" + next(iter(changes))
    assert player.get("view")["version"] == version


@pytest.mark.parametrize(
    "act", ["Draw", " draw", "draw ", "draw  ", "take", "lay", "lay 4", "lay 4:4C,4D,4H x",
            "lay 4:4D,4C,4H", "lay 5:5C,5D,5H;4:4C,4D,4H", "discard", "discard 10C",
            "discard 4C 5C", "discard JOKER", "pass"],
)  # fmt: skip
def test_an_act_that_is_not_canonical_is_not_judged(service, act):
    player = service.started()[1][0]
    answer = player.try_act(player.get("view")["version"], act)
    assert (answer.status_code, answer.json["code"]) == (422, "bad_act")


@pytest.mark.parametrize(
    "query", ["after=x", "after=1.0", "after=007", "after=%2B1", "after=-2", "after=", "after= 1",
              "limit=0", "limit=101", "limit=ten", "after=1&after=2", "offset=1", "after=1&Limit=2",
              "after=99999999999999999999"],
)  # fmt: skip
def test_a_bad_query_is_refused(service, query):
    path = f"/v1/games/{service.create()['id']}/events?{query}"
    answer = service.call("GET", path)
    assert answer.status_code == 400
    assert answer.json["code"] in ("malformed", "unknown_field")


@pytest.mark.parametrize("path", ["/healthz", "/v1/games/gaaaaaaaa", "/docs", "/openapi.json"])
def test_a_query_where_none_belongs_is_refused(service, path):
    assert service.call("GET", path + "?after=1").json["code"] == "unknown_field"


@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "schlüssel"])
def test_a_bad_idempotency_key_is_refused(service, key):
    headers = {"Idempotency-Key": key}
    answer = service.call(
        "POST", "/v1/games", data=game(), content_type="application/json", token=OPERATOR,
        headers=headers,
    )  # fmt: skip
    assert (answer.status_code, answer.json["code"]) == (400, "bad_idempotency_key")
    assert service.store.unfinished() == ()


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic b3A6", "cd_live_op_x",
                                    "Bearer cd_live_op_\xe9", "Bearer a b"])  # fmt: skip
def test_a_header_that_is_no_token_of_ours_is_refused(service, header):
    answer = service.call("GET", "/healthz", headers={"Authorization": header})
    assert (answer.status_code, answer.json["code"]) == (401, "bad_key")


@pytest.mark.parametrize(
    "path", ["//healthz", "/healthz/", "/v1/games/", "/v1//games", "/v1/games/a/b/view",
             "/v1/games/gaaaaaaaa/seats/-1/seed", "/v1/games/gaaaaaaaa/seats/x/seed",
             "/../etc/passwd", "/static/x", "/%00"],
)  # fmt: skip
def test_an_address_that_is_not_exact_is_not_there(service, path):
    answer = service.call("PUT" if "seats" in path else "GET", path)
    assert (answer.status_code, answer.json["code"]) in ((404, "no_such_page"),
                                                         (405, "wrong_method"))  # fmt: skip


@pytest.mark.parametrize("name", ["g", "G" * 17, "gaaaaaaaa'--", "g" * 300, "ga%2Fb", "gé123456"])
def test_a_name_that_is_no_game_is_not_there(service, name):
    answer = service.call("GET", f"/v1/games/{name}")
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "written", ["%D9%A0", "00", "+0", "-0", "0x0", "0 ", "%EF%BC%90", "9" * 17]
)
def test_a_seat_has_one_address(service, written):
    player = service.seat(service.create())
    answer = service.call(
        "PUT", f"{player.path}/seats/{written}/seed", player.seed_body(), player.token
    )
    assert (answer.status_code, answer.json["code"]) == (404, "no_such_page")
    assert service.call(
        "PUT", f"{player.path}/seats/0/seed", player.seed_body(), player.token
    ).json["events"]


def test_a_hand_has_one_address(service):
    game = service.create()["id"]
    said = {
        number: service.call(
            "POST", f"/v1/games/{game}/hands/{number}/abort", {"reason": "x"}, OPERATOR
        ).status_code
        for number in ("1", "01", "%D9%A1")
    }
    assert said == {"1": 409, "01": 404, "%D9%A1": 404}
