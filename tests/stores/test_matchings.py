"""The rooms that quick match fills: one of a number, in order, written with the room."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from fairdeal.errors import Conflict, MalformedInput, StorageFailure
from fairdeal.store.matchport import KEPT_MS, Matching
from fairdeal.store.ports import RoomState, Write
from fairdeal.store.sql import SqlStore
from tests.stores.failing import FailingStore

DAY = 7 * KEPT_MS
FIRST = Matching(site="site_main", wishes="w" * 64, number=0, room="r1", made=DAY, due=DAY + 9)
SECOND = replace(FIRST, number=1, room="r2")


def kept(matching, version=0):
    room = RoomState(room=matching.room, site=matching.site, version=version, body=b"{}")
    return Write(room=room, matching=matching)


def of_kind(store, matching=FIRST):
    return store.matchings(matching.site, matching.wishes)


def test_a_room_is_found_by_its_site_and_wishes_and_in_the_order_in_which_it_is_due(store):
    others = (
        replace(FIRST, site="site_other", room="r3", due=DAY + 3),
        replace(FIRST, wishes="x" * 64, room="r4", due=DAY + 9),
    )
    for one in (SECOND, FIRST, *others):
        store.write(kept(one))
    assert of_kind(store) == (FIRST, SECOND)
    assert of_kind(store, others[0]) == others[:1]
    assert of_kind(store, replace(FIRST, wishes="none")) == ()
    found, behind = [], (-1, "")
    while (one := store.next_matching(behind)) is not None:
        assert one.due is not None
        found.append(one.room)
        behind = (one.due, one.room)
    assert found == ["r3", "r1", "r2", "r4"]


def test_a_room_that_is_filled_is_due_no_more_and_only_the_last_one_is_still_told(store):
    store.write(kept(FIRST))
    store.write(kept(replace(FIRST, due=DAY + 4), 1))
    assert store.next_matching((0, "")).due == DAY + 4
    store.write(kept(replace(FIRST, due=None), 2))
    assert store.next_matching((0, "")) is None
    assert of_kind(store) == (replace(FIRST, due=None),)
    store.write(kept(SECOND))
    assert of_kind(store) == (SECOND,)


def test_of_two_who_open_the_room_of_a_number_one_is_refused_with_all_that_it_brought(store):
    store.write(kept(FIRST))
    with pytest.raises(Conflict) as caught:
        store.write(kept(replace(FIRST, room="r9")))
    assert caught.value.code == "key_taken"
    assert store.room("r9") is None
    assert of_kind(store) == (FIRST,)


def test_of_many_who_open_the_same_room_at_once_one_does(store):
    def opens(at):
        try:
            store.write(kept(replace(FIRST, room=f"r{at}")))
        except Conflict:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(opens, range(8))) == 1
    assert len(of_kind(store)) == 1


def test_a_state_of_a_room_that_was_outrun_changes_nothing(store):
    store.write(kept(FIRST))
    with pytest.raises(Conflict):
        store.write(kept(replace(FIRST, due=None), 2))
    assert of_kind(store) == (FIRST,)


def test_what_is_filled_is_forgotten_a_day_later_when_a_room_is_opened(store):
    store.write(kept(replace(FIRST, due=None)))
    store.write(kept(SECOND))
    later = replace(FIRST, wishes="y" * 64, room="r5", made=DAY + KEPT_MS)
    store.write(kept(later))
    assert len(of_kind(store)) == 1
    store.write(kept(replace(SECOND, due=None), 1))
    store.write(kept(replace(later, number=1, room="r6", made=DAY + KEPT_MS + 1)))
    assert of_kind(store) == ()


@pytest.mark.parametrize("fail", ["before", "after"])
def test_a_fault_keeps_room_and_place_or_neither(where, fail):
    with contextlib.closing(FailingStore(where)) as store:
        store.fail = fail
        with pytest.raises(StorageFailure):
            store.write(kept(FIRST))
        there = fail == "after"
        assert (store.room("r1") is not None, bool(of_kind(store))) == (there, there)


def test_a_place_is_there_after_the_store_is_opened_anew(where):
    with contextlib.closing(SqlStore(where)) as store:
        store.write(kept(FIRST))
    with contextlib.closing(SqlStore(where)) as store:
        assert of_kind(store) == (FIRST,)


@pytest.mark.parametrize(
    "bad", [replace(FIRST, site="a\0"), replace(FIRST, wishes="\0"), replace(FIRST, number=2**64)]
)
def test_what_no_database_can_hold_is_refused_and_finds_nothing(store, bad):
    with pytest.raises(MalformedInput):
        store.write(Write(room=kept(FIRST).room, matching=bad))
    assert of_kind(store, replace(FIRST, site="a\0")) == ()
