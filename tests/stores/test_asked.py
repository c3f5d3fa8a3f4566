"""What is asked for beside the acts: kept once, durable, in order, and told by the bell."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from fairdeal.errors import Conflict, MalformedInput, StaleVersion, StorageFailure
from fairdeal.store.askport import Asked, AskedCount
from fairdeal.store.opening import open_store
from fairdeal.store.ports import KeptAnswer, Write
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, opening
from tests.stores.failing import FailingStore, WaitingStore

ONE = Asked(game=GAME, kind="hint", hand=2, seat=1, n=7)
OTHERS = {
    "game": replace(ONE, game="other"),
    "kind": replace(ONE, kind="time"),
    "hand": replace(ONE, hand=1),
    "seat": replace(ONE, seat=0),
    "n": replace(ONE, n=8),
}
LONG_S = 20.0


def of_hand(store, asked=ONE):
    return store.asked(asked.game, asked.kind, asked.hand)


def test_what_is_asked_is_new_once_and_listed_once(store):
    assert of_hand(store) == ()
    assert store.ask(ONE)
    assert not store.ask(ONE)
    assert of_hand(store) == (ONE,)


@pytest.mark.parametrize("field", OTHERS)
def test_what_differs_in_one_field_is_something_else(store, field):
    other = OTHERS[field]
    assert store.ask(ONE)
    assert store.ask(other)
    assert other in of_hand(store, other)
    assert (other in of_hand(store)) == (field in {"seat", "n"})


def test_a_hand_s_are_listed_by_record_then_by_seat(store):
    given = [(3, 9), (0, 12), (1, 9), (2, 4)]
    for seat, n in given:
        store.ask(replace(ONE, seat=seat, n=n))
    assert [(one.seat, one.n) for one in of_hand(store)] == [(2, 4), (1, 9), (3, 9), (0, 12)]


def test_what_was_asked_is_there_after_the_store_is_opened_anew(where):
    first = SqlStore(where)
    first.ask(ONE)
    first.close()
    with contextlib.closing(SqlStore(where)) as second:
        assert of_hand(second) == (ONE,)
        assert not second.ask(ONE)


def test_of_many_who_ask_the_same_at_once_one_is_told_that_it_is_new(store):
    start = threading.Barrier(8)

    def ask(_):
        start.wait()
        return store.ask(ONE)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(ask, range(8))) == [False] * 7 + [True]


def test_of_equal_ones_in_one_commit_the_first_is_kept_and_the_others_take_nothing_along(where):
    with contextlib.closing(WaitingStore(where)) as store:
        store.write(opening())
        fates = store.together(acts(0), Write(asked=ONE), acts(1), Write(asked=ONE), acts(2))
        assert [type(fate) for fate in fates] == [type(None)] * 3 + [Conflict, type(None)]
        assert store.newest(GAME) == 3
        assert of_hand(store) == (ONE,)


def test_an_answer_is_kept_with_what_was_asked_or_not_at_all(store):
    first, second = (
        KeptAnswer(key=key * 32, request=b"r" * 32, sealed=b"s") for key in (b"a", b"b")
    )
    store.write(Write(asked=ONE, answer=first))
    with pytest.raises(Conflict) as refused:
        store.write(Write(asked=ONE, answer=second))
    assert refused.value.code == "key_taken"
    assert store.answer(first.key) == first
    assert store.answer(second.key) is None
    with pytest.raises(Conflict) as repeated:
        store.write(Write(asked=OTHERS["n"], answer=first))
    assert repeated.value.code == "answer_kept"
    assert of_hand(store) == (ONE,)


@pytest.mark.parametrize("fail", ["before", "after"])
def test_after_a_fault_before_or_after_the_commit_asking_again_keeps_it_once(where, fail):
    with contextlib.closing(FailingStore(where)) as store:
        store.fail = fail
        with pytest.raises(StorageFailure):
            store.ask(ONE)
        assert of_hand(store) == (() if fail == "before" else (ONE,))
        assert store.ask(ONE) == (fail == "before")
        assert of_hand(store) == (ONE,)


def test_the_bell_rings_for_the_game_in_this_process_and_in_one_that_only_reads(where):
    with (
        contextlib.closing(SqlStore(where)) as store,
        contextlib.closing(open_store(where, reads_only=True)) as reader,
        store.bell.listen(GAME) as here,
        reader.bell.listen(GAME) as there,
    ):
        there.wait(LONG_S)
        while there.wait(0.1):
            pass
        store.ask(ONE)
        assert here.wait(LONG_S)
        assert there.wait(LONG_S)
        assert of_hand(reader) == (ONE,)


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"], ids=["nul", "half a character"])
def test_a_game_s_name_that_no_database_can_keep_is_malformed_and_finds_nothing(store, bad):
    with pytest.raises(MalformedInput):
        store.ask(replace(ONE, game=bad))
    assert store.asked(bad, "hint", 2) == ()
    with pytest.raises(MalformedInput):
        store.ask(replace(ONE, n=2**63))


def test_a_kind_that_is_none_is_refused_by_the_database_itself(store):
    with pytest.raises(Conflict):
        store.write(Write(asked=replace(ONE, kind="wish")))  # type: ignore[arg-type]  # on purpose
    assert store.asked(GAME, "wish", 2) == ()


def test_what_is_asked_at_the_newest_record_is_refused_once_there_is_a_newer_one(store):
    store.write(opening())
    asked = replace(ONE, n=0)
    assert store.ask(asked, newest=True)
    assert not store.ask(asked, newest=True)
    store.write(acts(0))
    for late in (asked, replace(asked, seat=3)):
        with pytest.raises(StaleVersion):
            store.ask(late, newest=True)
    assert of_hand(store) == (asked,)


@pytest.mark.parametrize("first", ["ask", "write"])
def test_of_asking_and_writing_on_what_was_asked_before_in_one_commit_the_first_wins(where, first):
    asked = replace(ONE, n=0)
    asks = Write(game=GAME, after=0, stands=True, asked=asked)
    ends = replace(acts(0), asked_before=(AskedCount(kind="hint", hand=asked.hand, count=0),))
    with contextlib.closing(WaitingStore(where)) as store:
        store.write(opening())
        pair = (asks, ends) if first == "ask" else (ends, asks)
        fates = store.together(Write(asked=OTHERS["game"]), *pair)[1:]
        assert fates[0] is None
        assert type(fates[1]) is (Conflict if first == "ask" else StaleVersion)
        if first == "ask":
            assert fates[1].code == "asked_meanwhile"
        assert store.newest(GAME) == (0 if first == "ask" else 1)
        assert of_hand(store) == ((asked,) if first == "ask" else ())


def test_what_is_asked_for_elsewhere_does_not_stand_in_the_way_of_a_write(store):
    store.write(opening())
    for other in OTHERS.values():
        if other.hand != ONE.hand or other.kind != ONE.kind or other.game != ONE.game:
            store.ask(other)
    none = AskedCount(kind="hint", hand=ONE.hand, count=0)
    store.write(replace(acts(0), asked_before=(none,)))
    assert store.newest(GAME) == 1
