"""The log's side of a store, on both databases: places, heads, what is public (logport.LogBook)."""

import threading
from hashlib import sha256

import pytest

from fairdeal.errors import Conflict, StorageFailure
from fairdeal.store.logbook import SqlLogBook
from fairdeal.store.logport import LogHead, SignedHead
from fairdeal.store.opening import open_store
from fairdeal.tlog.merkle import EMPTY_ROOT, leaf_hash, root_of
from tests.stores.contract import GAME
from tests.stores.logs import line, sign, write


@pytest.fixture
def store(where):
    with_store = open_store(where)
    yield with_store
    with_store.close()


@pytest.fixture
def book(where, store):
    opened = SqlLogBook(where)
    yield opened
    opened.close()


def test_a_log_begins_empty(store, book):
    assert book.head() == LogHead(0, EMPTY_ROOT, b"", 0)
    assert book.advance(100, sign) is None
    assert store.log_standing().waiting is None


def test_leaves_get_their_places_in_the_order_in_which_they_came(store, book):
    store.write(write(line(0), line(1, "act"), line(2)))
    assert store.log_standing().waiting == 0
    assert store.log_place(GAME, 0) is None
    new = book.advance(100, sign)
    assert new is not None
    assert new.size == 2
    assert [store.log_place(GAME, n) for n in range(3)] == [0, None, 1]
    assert [one.entry for one in book.entries(0, 9)] == [line(0).text, line(2).text]
    assert book.head().root == root_of([leaf_hash(line(0).text), leaf_hash(line(2).text)])
    assert book.note(2) == "note of 2\n"
    assert store.log_standing().waiting == 0
    book.publish(2, "note of 2, seen\n")
    assert (store.log_standing().published, store.log_standing().waiting) == (2, None)
    assert book.note(2) == "note of 2, seen\n"


def test_what_is_public_never_shrinks(store, book):
    store.write(write(line(0)))
    book.advance(1, sign)
    store.write(write(line(1)))
    book.advance(1, sign)
    book.publish(2, "two\n")
    book.publish(1, "one, with more signatures\n")
    assert book.head().published == 2
    assert book.note(1) == "one, with more signatures\n"
    with pytest.raises(Conflict):
        book.publish(3, "three\n")


def test_a_refused_write_leaves_no_leaf(store, book):
    store.write(write(line(0)))
    with pytest.raises(Conflict):
        store.write(write(line(0)))
    with pytest.raises(Conflict):
        store.write(write(line(5)))
    book.advance(100, sign)
    assert book.head().size == 1


def test_no_more_are_taken_than_are_wanted(store, book):
    store.write(write(*(line(n) for n in range(7))))
    sizes = []
    while (new := book.advance(3, sign)) is not None:
        sizes.append(new.size)
    assert sizes == [3, 6, 7]


def test_a_leaf_of_the_service_waits_once(store, book):
    for _ in range(2):
        book.add(b"{}\n", leaf_hash(b"{}\n"))
    book.advance(100, sign)
    book.add(b"{}\n", leaf_hash(b"{}\n"))
    assert book.advance(100, sign) is None
    assert book.head().size == 1


def test_masters_and_transcripts_are_found_once_they_are_public(store, book):
    store.write(write(line(0), line(1, "master")))
    book.advance(100, sign)
    assert book.masters(0, 10) == ()
    book.publish(2, "two\n")
    assert book.masters(0, 10) == ((1, GAME),)
    assert book.masters(2, 10) == ()
    assert book.lines(GAME) == (line(0).text, line(1, "master").text)


def test_an_error_while_signing_leaves_everything_as_it_was(store, book):
    store.write(write(line(0)))

    def fail(_head: LogHead, _leaves: tuple[bytes, ...]) -> SignedHead:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        book.advance(100, fail)
    assert book.head().size == 0
    assert book.advance(100, sign) is not None


def test_two_sequencers_never_give_two_places_or_two_roots(where, store):
    games = [f"g{at:016d}" for at in range(40)]
    stop = threading.Event()
    faults: list[BaseException] = []

    def run() -> None:
        book = SqlLogBook(where)
        try:
            while not (stop.is_set() and book.advance(7, sign) is None):
                try:
                    book.advance(7, sign)
                except Conflict:
                    continue
        except BaseException as fault:  # noqa: BLE001  told below
            faults.append(fault)
        finally:
            book.close()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for game in games:
        store.write(write(line(0, game=game), line(1, game=game), game=game))
    stop.set()
    for thread in threads:
        thread.join(60)
    assert not faults
    book = SqlLogBook(where)
    entries = book.entries(0, 1000)
    assert [one.index for one in entries] == list(range(80))
    assert len({one.entry for one in entries}) == 80
    assert book.head().root == root_of([one.leaf for one in entries])
    for one in range(1, 81):
        signed = book.latest(one)
        if signed is not None:
            assert signed.root == root_of([entry.leaf for entry in entries[: signed.size]])
    book.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log_entries SET idx = idx + 1",
        "DELETE FROM log_entries",
        "UPDATE log_checkpoints SET root = leaf FROM log_entries",
        "DELETE FROM log_checkpoints",
    ],
)
def test_the_log_is_only_appended_to_also_by_hand(where, store, book, statement):
    store.write(write(line(0)))
    book.advance(1, sign)
    driven = book._connected()
    with pytest.raises(driven.broken_constraint):
        driven.text(statement)


def test_a_commit_that_fails_may_be_tried_again(where, store, book, monkeypatch):
    store.write(write(line(0)))
    fault = book._connected().fault

    def lost(driven) -> None:
        driven.commit()
        raise fault("the answer was lost")

    with monkeypatch.context() as patch:
        patch.setattr(book, "_commit", lost)
        with pytest.raises(StorageFailure):
            book.advance(1, sign)
    assert book.head().size == 1
    assert book.advance(1, sign) is None
    assert sha256(b"\x00" + book.entries(0, 1)[0].entry).digest() == book.entries(0, 1)[0].leaf
