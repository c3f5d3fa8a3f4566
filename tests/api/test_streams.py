"""Following a game over HTTP, without a server in between: forms, points, places."""

import threading
from contextlib import ExitStack

import pytest

from api import waiting
from api.framing import LINES, PAGE, SSE, form_of
from api.turnstile import Turnstile
from fairdeal.errors import Busy, TooMany
from fairdeal.service import as_json
from tests.api.reading import read_lines, read_sse
from tests.table import OPERATOR, play_out


@pytest.fixture
def game(service):
    """A game in its second hand."""
    created, _ = service.started("hbbb")
    answer = service.call(
        "POST", f"/v1/games/{created['id']}/hands/1/abort", {"reason": "rain"}, OPERATOR
    )
    assert answer.status_code == 200
    return created["id"]


def stream(service, game, form=SSE, token=None, query="", **headers):
    """Return the answer to a request for a stream, and what came of it before its first beat."""
    service.dealer.feed.beat_s = 0.02
    answer = service.call(
        "GET",
        f"/v1/games/{game}/events{query}",
        token=token,
        headers={"Accept": form, **headers},
    )
    assert answer.status_code == 200, answer.text
    assert answer.content_type.partition(";")[0] == form
    with answer:
        data = b""
        for part in answer.iter_encoded():
            if b"event: beat\n" in part or b'"event":"beat"' in part:
                return answer, data
            data += part
        return answer, data


def kinds(sent):
    return [one.kind for one in sent]


def pages(service, game, token):
    """Return the bytes of each event of all pages."""
    made, point = [], -1
    while True:
        answer = service.call("GET", f"/v1/games/{game}/events?after={point}", token=token)
        for event in answer.json["events"]:
            one = as_json(event)
            assert one in answer.data
            made.append(one)
        if not answer.json["has_more"]:
            return made
        point = answer.json["events"][-1]["n"]


@pytest.mark.parametrize("who", ["nobody", "operator", "seat 0", "seat 1"])
def test_page_poll_stream_and_lines_have_the_same_bytes_and_numbers(service, who):
    created, players = service.started("hhbb", hands=2)
    for _ in range(4):
        player = next(p for p in players if p.choose())
        player.act(*player.choose())
    tokens = {"nobody": None, "operator": OPERATOR}
    token = tokens[who] if who in tokens else players[int(who[-1])].token
    game = created["id"]
    paged = pages(service, game, token)
    sse = read_sse(stream(service, game, token=token)[1])
    lines = read_lines(stream(service, game, LINES, token=token)[1])
    polled = service.call("GET", f"/v1/games/{game}/events?wait=1", token=token)
    for sent in (sse, lines):
        assert kinds(sent) == ["snapshot", *["record"] * len(paged)]
        assert [one.data for one in sent[1:]] == paged
        assert [one.id for one in sent] == [None, *range(len(paged))]
    assert polled.data == service.call("GET", f"/v1/games/{game}/events", token=token).data


def test_an_event_source_reads_a_stream_as_the_standard_says(service, game):
    answer = opened(service, game)
    service.dealer.feed.stop()
    with answer:
        text = answer.text
    assert text.startswith("retry: 1000\n\nevent: snapshot\ndata: {")
    assert "\n\nevent: record\nid: 0\ndata: {" in text
    assert text.endswith('\n\nevent: end\ndata: {"reason":"stopping"}\n\n')
    assert "\r" not in text


def test_a_stream_is_neither_kept_nor_gathered_by_whoever_stands_in_between(service, game):
    headers = stream(service, game)[0].headers
    assert "no-store" in headers["Cache-Control"]
    assert headers["X-Accel-Buffering"] == "no"
    assert {"Accept", "Authorization"} <= set(headers["Vary"].split(", "))
    assert "Content-Length" not in headers


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (None, PAGE), ("*/*", PAGE), ("application/json", PAGE), ("text/html", PAGE), ("", PAGE),
        ("text/event-stream", SSE), ("text/event-stream, */*;q=0.1", SSE),
        ("application/x-ndjson", LINES), ("application/json;q=0.5, application/x-ndjson", LINES),
        ("text/event-stream;q=0", PAGE),
    ],
)  # fmt: skip
def test_the_accept_header_picks_the_form_and_a_page_is_the_default(accept, form):
    assert form_of(accept) == form


def test_the_header_of_a_browser_that_resumes_wins_over_the_query(service, game):
    for header, first in (("2", 3), ("", 6)):
        _, data = stream(service, game, query="?after=5", **{"Last-Event-ID": header})
        assert read_sse(data)[1].id == first


@pytest.mark.parametrize("point", ["99999", "-5", "-2", "3.0", "0x1", "abc", " 7", "9" * 40])
def test_a_point_that_cannot_be_resumed_is_a_reset(service, game, point):
    _, data = stream(service, game, **{"Last-Event-ID": point})
    assert kinds(read_sse(data)) == ["reset", "snapshot"]


@pytest.mark.parametrize("query", ["?after=-2", "?wait=0", "?wait=26", "?wait=1.5", "?until=3"])
def test_a_query_that_says_nothing_is_refused(service, game, query):
    assert service.call("GET", f"/v1/games/{game}/events{query}").status_code == 400


def test_who_may_not_read_a_game_may_not_follow_it(service, game):
    created = service.create()
    stranger = service.seat(created)
    for form in (PAGE, SSE, LINES):
        answer = service.call(
            "GET", f"/v1/games/{game}/events", token=stranger.token, headers={"Accept": form}
        )
        assert (answer.status_code, answer.json["code"]) == (403, "not_your_seat")
    answer = service.call("GET", "/v1/games/gaaaaaaaa/events", headers={"Accept": SSE})
    assert (answer.status_code, answer.json["code"]) == (404, "no_such_game")
    assert waiting.STREAMS.inside == 0


# ------------------------------------------------------------------------------------- polls


def test_a_poll_answers_at_once_where_there_is_something(service):
    created, (player,) = service.started("hbbb")
    answer = service.call(
        "GET", f"/v1/games/{created['id']}/events?after=1&limit=2&wait=25", token=player.token
    )
    assert [event["n"] for event in answer.json["events"]] == [2, 3]


def test_a_poll_waits_for_what_comes(service):
    created, (player,) = service.started("hbbb")
    version = player.get("view")["version"]
    chosen = player.choose()
    answers = []
    path = f"/v1/games/{created['id']}/events?after={version}&wait=25"
    waiting = threading.Thread(
        target=lambda: answers.append(service.call("GET", path, token=player.token))
    )
    waiting.start()
    while not service.store.bell._ears:
        waiting.join(0.001)
    made = player.act(*chosen)
    waiting.join(10)
    assert answers[0].json["events"] == made["events"]


def test_a_poll_of_a_game_that_is_over_waits_for_nothing(service):
    created, players = service.started("hbbb", hands=1)
    play_out(players)
    newest = service.store.newest(created["id"])
    answer = service.call("GET", f"/v1/games/{created['id']}/events?after={newest}&wait=25")
    assert answer.json == {"version": newest, "events": [], "has_more": False}


def test_a_poll_that_waits_answers_when_the_service_stops(service):
    created, _ = service.started("hbbb")
    answers = []
    path = f"/v1/games/{created['id']}/events?after=9999&wait=25"
    waiting = threading.Thread(target=lambda: answers.append(service.call("GET", path)))
    waiting.start()
    while not service.store.bell._ears:
        waiting.join(0.001)
    service.dealer.feed.stop()
    waiting.join(10)
    assert answers[0].json["events"] == []


def test_a_poll_without_anything_to_come_is_empty_after_its_time(service):
    created, _ = service.started("hbbb")
    answer = service.call("GET", f"/v1/games/{created['id']}/events?after=2&wait=1")
    assert answer.json == {"version": 2, "events": [], "has_more": False}


# ------------------------------------------------------------------------------------ places


def test_a_turnstile_lets_in_so_many_and_so_many_of_one_and_half_of_strangers():
    turnstile = Turnstile(8, each=2)
    leave = [turnstile.enter(b"one"), turnstile.enter(b"one")]
    with pytest.raises(TooMany):
        turnstile.enter(b"one")
    leave += [turnstile.enter(b"") for _ in range(4)]
    with pytest.raises(Busy):
        turnstile.enter(b"")
    leave += [turnstile.enter(b"other"), turnstile.enter(b"third")]
    with pytest.raises(Busy):
        turnstile.enter(b"fourth")
    assert turnstile.inside == 8
    leave[0]()
    leave[0]()
    assert turnstile.inside == 7
    leave.append(turnstile.enter(b"one"))
    for one in leave:
        one()
    assert turnstile.inside == 0


def opened(service, game, token=None):
    return service.call("GET", f"/v1/games/{game}/events", token=token, headers={"Accept": SSE})


def test_one_token_has_eight_streams_at_most(service, game):
    player = service.seat(service.create(), 0)
    with ExitStack() as held:
        for _ in range(8):
            answer = opened(service, player.game, player.token)
            held.callback(answer.close)
            assert answer.status_code == 200
        refused = opened(service, player.game, player.token)
        assert (refused.status_code, refused.json["code"]) == (429, "too_many_streams")
        assert (refused.json["retry"], refused.headers["Retry-After"]) == ("after", "1")
        other = opened(service, game)
        held.callback(other.close)
        assert other.status_code == 200
    assert waiting.STREAMS.inside == 0


def test_when_all_places_are_taken_the_service_is_busy_with_streams_but_not_with_else(
    service, game
):
    with ExitStack() as held:
        for _ in range(waiting.PLACES // 2):
            held.callback(opened(service, game).close)
        refused = opened(service, game)
        assert (refused.status_code, refused.json["code"]) == (503, "busy")
        assert (refused.json["retry"], refused.headers["Retry-After"]) == ("after", "1")
        assert service.call("GET", f"/v1/games/{game}/events").status_code == 200
    assert waiting.STREAMS.inside == 0


def test_asking_for_the_head_of_a_stream_keeps_no_place(service, game):
    answer = service.call(
        "HEAD", f"/v1/games/{game}/events", headers={"Accept": SSE}, buffered=True
    )
    assert (answer.status_code, answer.data) == (200, b"")
    assert waiting.STREAMS.inside == 0


def test_a_stream_over_which_the_store_fails_breaks_off_without_an_end(service):
    created, (player,) = service.started("hbbb")
    answer = opened(service, created["id"], player.token)
    parts = answer.iter_encoded()
    while b"event: record" not in next(parts):
        pass
    service.store.close()
    service.store.bell.ring_all()
    rest = b"".join(parts)
    assert b"event: end" not in rest
    answer.close()
    assert waiting.STREAMS.inside == 0
