"""Several writes in one commit: each is kept or refused as if it were alone."""

import contextlib
from dataclasses import replace

import pytest

from fairdeal.errors import Conflict, MalformedInput, StaleVersion, StorageFailure
from fairdeal.store.ports import (
    Exchange,
    Grant,
    KeptAnswer,
    Listing,
    RoomState,
    Seen,
    StoredLine,
    Write,
)
from tests.stores.contract import GAME, acts, line, opening
from tests.stores.failing import WaitingStore

NOTHING = Write(seen=(Seen(place="p", seat=0, at=0),))


@pytest.fixture
def store(where):
    with contextlib.closing(WaitingStore(where)) as opened:
        opened.write(opening(secret=b"sealed"))
        yield opened


def test_writes_of_one_game_in_one_commit_follow_one_another(store):
    before = store.commits
    fates = store.together(NOTHING, acts(0), acts(1, 2), acts(1), acts(3))
    assert store.commits == before + 2
    assert [type(fate) for fate in fates] == [type(None)] * 3 + [StaleVersion, type(None)]
    assert fates[3].facts == {"expected": 1, "version": 3}
    assert store.newest(GAME) == 4


def test_what_a_refused_write_had_appended_is_undone_for_the_next_one_in_its_commit(store):
    refused = Write(game=GAME, after=0, lines=(line(1, mark=',"x":1'),), secret=b"other")
    _, no, yes, late = store.together(NOTHING, refused, acts(0), acts(0))
    assert isinstance(no, Conflict)
    assert no.code == "key_taken"
    assert yes is None
    assert late.facts == {"expected": 0, "version": 1}
    assert store.lines(GAME) == (line(0, "open").text, line(1).text)


def kept(key):
    return KeptAnswer(key=key * 32, request=b"r" * 32, sealed=b"sealed", game=GAME)


def test_of_two_acts_under_one_key_in_one_commit_the_second_appends_nothing(store):
    first, second = replace(acts(0), answer=kept(b"k")), replace(acts(1), answer=kept(b"k"))
    _, yes, no, other = store.together(NOTHING, first, second, acts(1, mark=',"x":1'))
    assert yes is None
    assert isinstance(no, Conflict)
    assert no.code == "answer_kept"
    assert other is None
    assert store.lines(GAME, after=1) == (line(2, mark=',"x":1').text,)


def test_acts_around_another_write_of_their_commit_follow_one_another(store):
    deal = Write(game=GAME, after=2, lines=(line(3, "deal", hand=1),))
    twice = Write(game=GAME, after=4, lines=(line(5, "deal", hand=1),))
    fates = store.together(NOTHING, acts(0), acts(1), deal, acts(3), twice, acts(4))
    assert [type(fate) for fate in fates] == [type(None)] * 5 + [Conflict, type(None)]
    assert len(store.lines(GAME)) == 6


def test_a_broken_write_fails_alone(store):
    no_text = StoredLine(n=2, type="a", hand=None, text=object())  # type: ignore[arg-type]  # on purpose
    broken = Write(game=GAME, after=1, lines=(no_text,))
    _, before, failed, after = store.together(NOTHING, acts(0), broken, acts(1))
    assert (before, after) == (None, None)
    assert isinstance(failed, StorageFailure)
    assert store.newest(GAME) == 2


def test_a_group_of_refused_writes_commits_nothing(store):
    commits = store.commits
    with pytest.raises(StaleVersion):
        store.write(acts(7))
    assert store.commits == commits


NUL, HALF = "a\0b", "a\ud800b"
UNKEEPABLE = {
    "game": lambda bad: Write(game=bad, lines=(StoredLine(n=0, type="a", hand=None, text=b""),)),
    "type": lambda bad: Write(game="g", lines=(StoredLine(n=0, type=bad, hand=None, text=b""),)),
    "listing": lambda bad: Write(game="g", listing=Listing(game="g", site=bad)),
    "grant": lambda bad: Write(grants=(Grant(digest=b"d" * 32, role="operator", label=bad),)),
    "room": lambda bad: Write(room=RoomState(room=bad, site="s", version=0, body=b"")),
    "seen": lambda bad: Write(seen=(Seen(place=bad, seat=0, at=0),)),
    "answer": lambda bad: Write(
        answer=KeptAnswer(key=b"k" * 32, request=b"r" * 32, sealed=b"", game=bad)
    ),
}


@pytest.mark.parametrize("bad", [NUL, HALF], ids=["nul", "half a character"])
@pytest.mark.parametrize("part", UNKEEPABLE)
def test_a_text_that_no_database_can_keep_is_malformed(store, part, bad):
    with pytest.raises(MalformedInput) as refused:
        store.write(UNKEEPABLE[part](bad))
    assert refused.value.code == "malformed"
    assert bad not in refused.value.sentence


@pytest.mark.parametrize("bad", [2**63, -(2**63) - 1])
def test_a_number_that_no_database_can_keep_is_malformed(store, bad):
    for write in (
        Write(seen=(Seen(place="p", seat=0, at=bad),)),
        Write(game="g", listing=Listing(game="g", site="s", made=bad)),
        Write(grants=(Grant(digest=b"d" * 32, role="operator", until=bad),)),
        Write(exchange=Exchange(claim=b"c" * 32, token=b"t" * 32, made=bad)),
        Write(forget=bad),
    ):
        with pytest.raises(MalformedInput):
            store.write(write)


@pytest.mark.parametrize("bad", [NUL, HALF], ids=["nul", "half a character"])
def test_nothing_is_found_under_a_name_that_cannot_be(store, bad):
    assert store.newest(bad) is None
    assert store.lines(bad) == ()
    assert store.lines_of_type(GAME, bad) == ()
    assert store.last_of_type(bad, "open") is None
    assert store.secret(bad) is None
    assert store.listing(bad) is None
    assert store.room(bad) is None
    assert store.seen(bad) == ()
    assert store.grants(role="seat", game=bad) == ()
    assert store.listings(site=bad, limit=1) == ()
    assert store.rooms("s", after=bad, limit=1) == ()
    assert store.signatures(bad) == ()


def test_no_line_is_behind_a_number_that_cannot_be(store):
    assert store.lines(GAME, after=2**70) == ()
