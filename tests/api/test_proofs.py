"""Proofs that records are in the public log: of whom, from when on, and what they prove."""

import json

import pytest

from fairdeal.errors import MalformedInput
from fairdeal.tlog.prooffile import parse_proof
from tests.table import OPERATOR, play_out
from tests.tlog.publishing import publish


def proof(service, game, n, token=None):
    return service.call("GET", f"/v1/games/{game}/proofs/{n}", token=token)


def refused(answer):
    return answer.status_code, answer.json["code"]


def test_every_record_but_the_acts_is_proved_by_its_line(service):
    created, players = service.started("hbbb")
    other = service.create()["id"]
    play_out(players)
    publish(service)
    trusted = [service.key.verifying_key]
    places = []
    for game in (created["id"], other):
        for n, line in enumerate(service.store.lines(game)):
            answer = proof(service, game, n)
            if json.loads(line)["type"] == "act":
                assert refused(answer) == (404, "not_public_yet")
                continue
            assert answer.status_code == 200
            assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
            read = parse_proof(answer.text)
            assert read.holds(line, trusted).checkpoint.origin == service.dealer.origin
            places.append(read.index)
            with pytest.raises(MalformedInput):
                read.holds(line + b"\n", trusted)
    assert sorted(places) == list(range(len(places)))
    assert len(places) > 6


def test_a_record_is_proved_from_when_on_it_is_public(service):
    first = service.create()["id"]
    assert refused(proof(service, first, 0)) == (404, "not_public_yet")
    publish(service)
    assert proof(service, first, 0).status_code == 200
    second = service.create()["id"]
    assert refused(proof(service, second, 0)) == (404, "not_public_yet")
    assert refused(proof(service, first, 1)) == (404, "not_public_yet")
    assert refused(proof(service, "gaaaaaaaa", 0)) == (404, "no_such_game")
    older = parse_proof(proof(service, first, 0).text)
    publish(service)
    assert proof(service, second, 0).status_code == 200
    newer = parse_proof(proof(service, first, 0).text)
    assert (older.index, newer.index) == (0, 0)
    assert older.note != newer.note


def test_a_record_that_has_a_place_and_no_public_checkpoint_is_not_proved(service):
    game = service.create()["id"]
    folder = publish(service)
    (folder / "checkpoint").unlink()
    assert refused(proof(service, game, 0)) == (404, "not_public_yet")


def test_the_log_is_everybodys_also_where_watching_is_not(service):
    game = service.create(watch={"open": False})["id"]
    publish(service)
    answers = [proof(service, game, 0, token).data for token in (None, OPERATOR)]
    assert answers[0] == answers[1]
    assert answers[0].startswith(b"c2sp.org/tlog-proof@v1\nindex 0\n")


@pytest.mark.parametrize("n", ["00", "-1", "x", "1e3"])
def test_a_number_is_written_in_one_way(service, n):
    game = service.create()["id"]
    assert refused(proof(service, game, n)) == (404, "no_such_page")
