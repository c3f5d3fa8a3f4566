"""The same request, taken by two processes at once: one of them does it, both find one answer."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.errors import FairdealError, StorageFailure, Unprocessable
from fairdeal.service import NewGame, NewSeat, Once
from fairdeal.store.sql import SqlStore
from tests.table import OPERATOR, Service

PROCESSES = 2
TIMES = 4


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.suite("postgres"))])
def two(request, folder):
    """Two services on one database, as two processes would be."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None

    def maker(path):
        return SqlStore(path if url is None else url)

    opened = [Service(folder, f"process {at}", maker) for at in range(PROCESSES)]
    yield opened
    for service in opened:
        service.close()


def once(key, request="the request"):
    return Once(
        key=hashlib.sha256(key.encode()).digest(),
        request=hashlib.sha256(request.encode()).digest(),
        render=lambda answer: repr(answer).encode(),
    )


def ask(do, service, key):
    """Do it, or find what the other one did; a locked file is asked again."""
    for _ in range(40):
        try:
            do(service, once(key))
        except StorageFailure as failure:
            if failure.code != "store_failed":
                raise
        except FairdealError:
            pass
        kept = service.dealer.repeats.earlier(once(key))
        if kept is not None:
            return kept.content
    raise AssertionError(key)


def at_once(do, services, key):
    """Ask every process several times at once; return the one answer that all of them got."""
    asked = [service for service in services for _ in range(TIMES)]
    with ThreadPoolExecutor(len(asked)) as pool:
        answers = set(pool.map(lambda service: ask(do, service, key), asked))
    (answer,) = answers
    return answer.decode()


def test_of_one_request_in_two_processes_one_is_done_and_both_have_its_answer(two):
    first, second = two
    operator = first.dealer.identify(OPERATOR)
    wanted = NewGame(seats=(NewSeat(kind="human"),) + (NewSeat(kind="bot"),) * 3, overrides={})

    def create(service, how):
        service.dealer.create_game(operator, wanted, once=how)

    told = at_once(create, two, "a game")
    (game,) = first.store.unfinished()
    assert game in told

    second.call("GET", "/healthz")
    created = second.create()
    player = second.seat(created)
    player.share()
    caller = first.dealer.identify(player.token)
    for number in range(6):
        version, act = player.choose()

        def play(service, how, version=version, act=act):
            service.dealer.act(caller, player.game, version, act, once=how)

        before = second.store.newest(player.game)
        told = at_once(play, two, f"act {number}")
        assert json.dumps(act)[1:-1] in told
        acts = [
            line
            for line in second.store.lines(player.game, after=before, limit=1)
            if act.encode() in line
        ]
        assert len(acts) == 1

    def close(service, how):
        service.dealer.hands.close(operator, player.game, "rain", once=how)

    assert "rain" in at_once(close, two, "the end")
    assert len(first.store.lines_of_type(player.game, "close")) == 1


def test_another_request_under_a_key_is_refused_by_every_process(two):
    first, second = two
    first.dealer.repeats.keep(once("mine"), "an answer")
    with pytest.raises(Unprocessable, match="idempotency_mismatch"):
        second.dealer.repeats.earlier(once("mine", "another request"))
    kept = second.dealer.repeats.earlier(once("mine"))
    assert kept is not None
    assert kept.content == b"'an answer'"


def test_an_answer_opens_under_its_own_key_alone(two):
    """Moved to another key's place, it is no answer: it was sealed for one."""
    first, _ = two
    first.dealer.repeats.keep(once("mine"), "an answer")
    kept = first.store.answer(once("mine").key)
    assert b"an answer" not in kept.sealed
    with pytest.raises(StorageFailure, match="vault_shut"):
        first.dealer.repeats._vault.open("answer/" + once("theirs").key.hex(), kept.sealed)
