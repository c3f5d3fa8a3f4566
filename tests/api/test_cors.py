"""What pages of other sites may ask in a browser, and what may be kept on the way."""

import pytest

from api import auth, cors
from api.auth import OPERATOR as OPERATORS_ONLY
from tests.table import OPERATOR

PAGE = {"Origin": "https://cards.example"}
ALLOW = "Access-Control-Allow-Origin"


def preflight(service, path, method, **more):
    headers = {**PAGE, "Access-Control-Request-Method": method, **more}
    return service.call("OPTIONS", path, headers=headers)


def words(header):
    return {word.strip() for word in header.split(",")}


# ---------------------------------------------------------------------------------- preflight


def test_a_page_may_act_for_a_seat(service):
    answer = preflight(service, "/v1/games/g/actions", "POST")
    assert answer.status_code == 200
    assert answer.headers[ALLOW] == "*"
    assert words(answer.headers["Access-Control-Allow-Methods"]) == {"POST"}
    assert words(answer.headers["Access-Control-Allow-Headers"]) >= {
        "Authorization", "Idempotency-Key", "Last-Event-ID", "Content-Type",
    }  # fmt: skip
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v1/keys", "POST"),
        ("/v1/keys/key_x", "DELETE"),
        ("/v1/site", "PATCH"),
        ("/v1/games", "POST"),
        ("/v1/games", "GET"),
        ("/v1/games/g/close", "POST"),
        ("/v1/games/g/watchers", "POST"),
    ],
)
def test_a_page_may_not_do_what_an_operator_does(service, path, method):
    for answer in (
        preflight(service, path, method),
        service.call(method, path, headers=PAGE, token=OPERATOR),
    ):
        assert not [name for name in answer.headers.keys() if name.startswith("Access-Control")]  # noqa: SIM118  these headers are no mapping


def test_the_methods_of_an_address_are_told_apart(service):
    """One method of an address may be everybody's and another an operator's."""
    room = service.call("POST", "/v1/rooms", {"seats": [{"kind": "human"}] * 4}, OPERATOR).json
    path = f"/v1/rooms/{room['id']}"
    assert words(preflight(service, path, "GET").headers["Access-Control-Allow-Methods"]) == {"GET"}
    assert ALLOW not in preflight(service, path, "DELETE").headers


def test_exactly_the_routes_that_an_operator_alone_uses_are_shut(service):
    described = service.call("GET", "/openapi.json").json["paths"]
    rules = {rule.rule for rule in service.app.url_map.iter_rules()}
    opened = {
        (auth.path_of(rule), method)
        for rule in rules
        for method in cors.methods_open(service.app, rule)
    }
    assert opened == {
        (path, method.upper())
        for path, methods in described.items()
        for method, said in methods.items()
        if method != "parameters" and said.get("security") != OPERATORS_ONLY
    }
    shut = {path for path in described if path.startswith(("/v1/keys", "/v1/site"))}
    assert shut
    assert not {path for path, _ in opened} & shut


# ------------------------------------------------------------------------------------ answers


def test_a_page_reads_public_and_seats_answers_and_their_headers(service):
    _, (player,) = service.started()
    for answer in (
        service.call("GET", player.path, headers=PAGE),
        service.call("GET", f"{player.path}/view", headers=PAGE, token=player.token),
        service.call("GET", "/healthz"),
    ):
        assert answer.status_code == 200
        assert answer.headers[ALLOW] == "*"
        exposed = words(answer.headers["Access-Control-Expose-Headers"])
        assert exposed >= {"Request-Id", "Idempotent-Replayed", "Retry-After"}


def test_a_page_reads_why_it_was_refused(service):
    """Without the header a browser would tell the page that the network failed."""
    created = service.create()
    view = f"/v1/games/{created['id']}/view"
    for answer, status in (
        (service.call("GET", view, headers=PAGE, token="cd_live_seat_nobody"), 401),
        (service.call("POST", "/v1/claims", {"claim": "cd_live_claim_x"}, headers=PAGE), 404),
        (service.call("GET", "/v1/nothing", headers=PAGE), 404),
        (service.call("DELETE", view, headers=PAGE), 405),
    ):
        assert (answer.status_code, answer.headers[ALLOW]) == (status, "*")


def test_head_is_treated_as_get(service):
    assert service.call("HEAD", "/healthz", headers=PAGE).headers[ALLOW] == "*"
    assert ALLOW not in service.call("HEAD", "/v1/keys", headers=PAGE, token=OPERATOR).headers


# ------------------------------------------------------------------------------- keeping them


def closed_game(service):
    _, (player,) = service.started()
    service.call("POST", f"{player.path}/close", {"reason": "rain"}, OPERATOR)
    return player


def test_the_transcript_of_a_game_that_is_over_may_be_kept_for_good(service):
    player = closed_game(service)
    answer = service.call("GET", f"{player.path}/transcript")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Authorization" not in answer.headers.get("Vary", "")
    tag = answer.headers["ETag"]
    again = service.call("GET", f"{player.path}/transcript", headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    other = service.call("GET", f"{player.path}/transcript", headers={"If-None-Match": '"x"'})
    assert (other.status_code, other.data) == (200, answer.data)


def test_two_transcripts_have_two_tags(service):
    tags = {
        service.call("GET", f"{closed_game(service).path}/transcript").headers["ETag"]
        for _ in range(2)
    }
    assert len(tags) == 2


def test_a_transcript_to_be_shown_has_the_same_bytes_and_another_tag(service):
    path = f"{closed_game(service).path}/transcript"
    saved = service.call("GET", path)
    shown = service.call("GET", path, headers={"Accept": "text/plain"})
    assert (saved.content_type, shown.content_type) == (
        "application/jsonl",
        "text/plain; charset=utf-8",
    )
    assert shown.data == saved.data
    assert shown.headers["ETag"] != saved.headers["ETag"]
    assert "attachment" in saved.headers["Content-Disposition"]
    assert "Content-Disposition" not in shown.headers
    for answer, accepted in ((saved, "*/*"), (shown, "text/*")):
        assert "Accept" in answer.headers["Vary"]
        headers = {"Accept": accepted, "If-None-Match": answer.headers["ETag"]}
        assert service.call("GET", path, headers=headers).status_code == 304
        headers["If-None-Match"] = {saved: shown, shown: saved}[answer].headers["ETag"]
        assert service.call("GET", path, headers=headers).status_code == 200


def test_the_transcript_of_a_running_game_is_not_kept(service):
    _, (player,) = service.started()
    answer = service.call("GET", f"{player.path}/transcript")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in answer.headers
    any_tag = service.call("GET", f"{player.path}/transcript", headers={"If-None-Match": "*"})
    assert any_tag.status_code == 200


def test_who_may_not_read_a_transcript_does_not_learn_that_it_has_not_changed(service):
    player = closed_game(service)
    tag = service.call("GET", f"{player.path}/transcript").headers["ETag"]
    elsewhere = service.seat(service.create())
    answer = service.call(
        "GET", f"{player.path}/transcript", token=elsewhere.token, headers={"If-None-Match": tag}
    )
    assert (answer.status_code, answer.json["code"]) == (403, "not_your_seat")
    assert answer.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("what", ["view", "events", "choices", "my-record", "counts"])
def test_what_is_somebody_s_own_is_kept_by_nobody_on_the_way(service, what):
    player = closed_game(service)
    answer = service.call("GET", f"{player.path}/{what}", token=player.token)
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "Authorization" in answer.headers["Vary"]
