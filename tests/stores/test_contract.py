"""The contract of ports.Store, number by number; every store is put through all of it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.errors import Conflict, StaleVersion, StorageFailure
from fairdeal.store.ports import Exchange, Grant, KeptAnswer, Reseal, Sealed, Write
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, line, opening


def test_lines_come_back_in_order_with_the_bytes_they_were_given(store):
    store.write(opening())
    store.write(acts(0, 3))
    assert store.lines(GAME) == tuple(
        part.text for part in (line(0, "open"), line(1), line(2), line(3))
    )
    assert store.lines(GAME, after=1, limit=1) == (line(2).text,)
    assert store.newest(GAME) == 3


def test_an_unknown_game_has_no_newest_record_and_no_lines(store):
    assert store.newest(GAME) is None
    assert store.lines(GAME) == ()
    assert store.secret(GAME) is None
    assert store.grant(bytes(32)) is None
    assert store.answer(bytes(32)) is None


@pytest.mark.parametrize("after", [-1, 0, 2, 7])
def test_a_write_after_another_record_than_the_newest_is_stale_and_writes_nothing(store, after):
    store.write(opening())
    store.write(acts(0))
    with pytest.raises(StaleVersion) as refused:
        store.write(acts(after))
    assert refused.value.facts == {"expected": after, "version": 1}
    assert store.newest(GAME) == 1


def test_a_game_is_opened_once(store):
    store.write(opening())
    with pytest.raises(StaleVersion):
        store.write(opening())


@pytest.mark.parametrize("type_", ["deal", "reveal"])
def test_a_hand_is_dealt_once_and_opened_once(store, type_):
    store.write(opening())
    store.write(Write(game=GAME, after=0, lines=(line(1, type_, hand=1),)))
    with pytest.raises(Conflict) as refused:
        store.write(Write(game=GAME, after=1, lines=(line(2), line(3, type_, hand=1))))
    assert refused.value.code == "key_taken"
    assert store.newest(GAME) == 1
    store.write(Write(game=GAME, after=1, lines=(line(2, type_, hand=2),)))


def test_the_master_secret_is_published_once(store):
    store.write(opening())
    store.write(Write(game=GAME, after=0, lines=(line(1, "master"),)))
    with pytest.raises(Conflict):
        store.write(Write(game=GAME, after=1, lines=(line(2, "master"),)))


def test_a_refused_write_leaves_nothing_of_itself_behind(store):
    store.write(opening(secret=b"sealed"))
    grant = Grant(digest=b"c" * 32, role="claim", game=GAME, seat=0)
    answer = KeptAnswer(key=b"k" * 32, request=b"r" * 32, sealed=b"s")
    with pytest.raises(Conflict):
        # The last of its parts is refused: the secret of this game is there already.
        store.write(
            Write(
                game=GAME,
                after=0,
                lines=(line(1),),
                secret=b"other",
                grants=(grant,),
                answer=answer,
            )
        )
    assert store.newest(GAME) == 0
    assert store.secret(GAME) == b"sealed"
    assert store.grant(grant.digest) is None
    assert store.answer(answer.key) is None


def test_one_write_of_a_group_that_is_refused_takes_no_other_with_it(store):
    """Many threads at once share commits; exactly the stale ones among them are refused."""
    games = [f"g{index:016d}" for index in range(24)]
    for game in games:
        store.write(opening(game))
    start = threading.Barrier(len(games))

    def play(index):
        start.wait()
        stale = index % 3 == 0
        try:
            store.write(acts(5 if stale else 0, game=games[index]))
        except StaleVersion:
            return "stale"
        return "kept"

    with ThreadPoolExecutor(len(games)) as pool:
        fates = list(pool.map(play, range(len(games))))
    assert fates == ["stale" if index % 3 == 0 else "kept" for index in range(len(games))]
    assert [store.newest(game) for game in games] == [0 if i % 3 == 0 else 1 for i in range(24)]
    assert store.commits <= len(games) + 16


def test_of_two_writers_that_race_one_wins_and_one_gets_a_conflict(store):
    store.write(opening())
    for turn in range(20):
        start = threading.Barrier(2)

        def race(mark, turn=turn, start=start):
            start.wait()
            try:
                store.write(acts(turn, mark=f',"by":{mark}'))
            except StaleVersion:
                return "stale"
            return "kept"

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(race, (1, 2))) == ["kept", "stale"]
    assert store.newest(GAME) == 20


def test_what_was_acknowledged_is_there_after_the_store_is_opened_anew(where):
    first = SqlStore(where)
    first.write(opening(secret=b"sealed"))
    first.write(acts(0, 2))
    first.close()
    second = SqlStore(where)
    assert second.newest(GAME) == 2
    assert second.secret(GAME) == b"sealed"
    second.close()


def test_a_wiped_secret_is_gone_with_the_write_that_wiped_it(store):
    store.write(opening(secret=b"sealed"))
    store.write(Write(game=GAME, after=0, lines=(line(1, "master"),), wipe=True))
    assert store.secret(GAME) is None


def test_a_refused_wipe_keeps_the_secret(store):
    store.write(opening(secret=b"sealed"))
    with pytest.raises(StaleVersion):
        store.write(Write(game=GAME, after=4, lines=(line(5, "master"),), wipe=True))
    assert store.secret(GAME) == b"sealed"


def test_a_claim_is_exchanged_once(store):
    claim, token, other = b"c" * 32, b"t" * 32, b"o" * 32
    store.write(opening(grants=(Grant(digest=claim, role="claim", game=GAME, seat=2),)))
    store.write(Write(game=GAME, exchange=Exchange(claim=claim, token=token)))
    assert store.grant(token) == Grant(digest=token, role="seat", game=GAME, seat=2)
    used = store.grant(claim)
    assert used is not None
    assert (used.state, used.successor) == ("used", token)
    with pytest.raises(Conflict) as refused:
        store.write(Write(game=GAME, exchange=Exchange(claim=claim, token=other)))
    assert refused.value.code == "claim_used"
    assert store.grant(other) is None


def test_only_a_claim_can_be_exchanged(store):
    token = b"t" * 32
    store.write(opening(grants=(Grant(digest=token, role="seat", game=GAME, seat=1),)))
    for digest in (token, b"n" * 32):
        with pytest.raises(Conflict) as refused:
            store.write(Write(game=GAME, exchange=Exchange(claim=digest, token=b"x" * 32)))
        assert refused.value.code == "no_such_claim"


def test_an_answer_is_kept_once_under_its_key(store):
    kept = KeptAnswer(key=b"k" * 32, request=b"r" * 32, sealed=b"first")
    store.write(Write(answer=kept))
    with pytest.raises(Conflict):
        store.write(Write(answer=KeptAnswer(key=kept.key, request=kept.request, sealed=b"second")))
    assert store.answer(kept.key) == kept


def test_operators_are_counted(store):
    assert store.operators() == 0
    store.write(Write(grants=(Grant(digest=b"o" * 32, role="operator"),)))
    assert store.operators() == 1


def test_records_are_found_by_type(store):
    store.write(opening())
    lines = (line(1, "deal", 1), line(2), line(3, "reveal", 1), line(4, "deal", 2), line(5))
    store.write(Write(game=GAME, after=0, lines=lines))
    assert store.first_of_type(GAME, "deal") == 1
    assert store.last_of_type(GAME, "deal") == 4
    assert store.last_of_type(GAME, "reveal") == 3
    assert store.last_of_type(GAME, "master") is None
    assert store.lines_of_type(GAME, "deal") == (lines[0].text, lines[3].text)


def test_a_game_is_unfinished_until_its_master_secret_is_published(store):
    store.write(opening("gb"))
    store.write(opening("ga"))
    assert store.unfinished() == ("ga", "gb")
    store.write(Write(game="ga", after=0, lines=(line(1, "master"),)))
    assert store.unfinished() == ("gb",)


def test_a_shut_store_refuses_instead_of_waiting(store):
    store.write(opening())
    store.close()
    store.close()
    with pytest.raises(StorageFailure):
        store.write(acts(0))


# ------------------------------------------------------------------------ what is sealed


def sealed_things(store):
    for at in range(3):
        kept = KeptAnswer(key=bytes([at]) * 32, request=bytes(32), sealed=b"answer %d" % at)
        store.write(opening(game=f"g{at}", secret=b"secret %d" % at, answer=kept))


@pytest.mark.parametrize("kind", ["secret", "answer"])
def test_what_is_sealed_is_walked_through_by_name(store, kind):
    assert store.sealed(kind) == ()
    sealed_things(store)
    names = [b"g%d" % at if kind == "secret" else bytes([at]) * 32 for at in range(3)]
    every = store.sealed(kind)
    assert every == tuple(
        Sealed(kind=kind, name=name, text=b"%s %d" % (kind.encode(), at))
        for at, name in enumerate(names)
    )
    assert store.sealed(kind, limit=2) == every[:2]
    assert store.sealed(kind, after=names[1]) == every[2:]
    assert store.sealed(kind, after=names[2]) == ()


def test_sealed_texts_are_replaced_in_one_write(store):
    sealed_things(store)
    every = store.sealed("secret") + store.sealed("answer")
    store.write(Write(reseals=tuple(Reseal(was=was, text=b"new " + was.text) for was in every)))
    assert store.secret("g1") == b"new secret 1"
    kept = store.answer(bytes([2]) * 32)
    assert kept is not None
    assert kept.sealed == b"new answer 2"
    assert store.newest("g1") == 0


@pytest.mark.parametrize("kind", ["secret", "answer"])
def test_a_sealed_text_that_is_another_or_gone_is_not_replaced(store, kind):
    sealed_things(store)
    was = store.sealed(kind)[0]
    other = Sealed(kind=kind, name=was.name, text=b"an earlier one")
    gone = Sealed(kind=kind, name=b"g9" if kind == "secret" else bytes(31) + b"9", text=was.text)
    wrong = tuple(Reseal(was=one, text=b"wrong") for one in (other, gone))
    before = store.sealed(kind)
    store.write(Write(reseals=wrong))
    assert store.sealed(kind) == before


def test_a_store_of_one_process_holds_every_post(store):
    assert store.lead("upkeep")
    assert store.lead("upkeep")
    store.resign("upkeep")
    assert store.lead("upkeep")
