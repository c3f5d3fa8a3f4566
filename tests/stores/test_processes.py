"""Several processes on one PostgreSQL database: what happens once, and who does what."""

import contextlib
import itertools
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import DBAPIError

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.store.engines import writing_engine
from fairdeal.store.ports import Exchange, Grant, GrantChange, KeptAnswer, RoomState, Seen, Write
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, line, opening
from tests.stores.processes import at_once, comes_true, cut

pytestmark = pytest.mark.suite("postgres")


@pytest.fixture
def two(postgres_url):
    """Two stores on one database, as two processes would be."""
    with (
        contextlib.closing(SqlStore(postgres_url)) as one,
        contextlib.closing(SqlStore(postgres_url)) as other,
    ):
        yield one, other


def test_of_two_processes_one_wins_each_record_and_the_other_is_told_where_the_game_stands(two):
    one, other = two
    one.write(opening())
    for turn in range(30):
        asks = [
            lambda store=store, by=by, turn=turn: store.write(acts(turn, mark=f',"by":{by}'))
            for by, store in enumerate(two)
        ]
        assert at_once(asks) == ["kept", "stale_version"]
    with pytest.raises(StaleVersion) as refused:
        other.write(acts(3))
    assert refused.value.facts == {"expected": 3, "version": 30}
    assert one.lines(GAME) == other.lines(GAME)
    assert len(one.lines(GAME)) == 31


CLAIM = Grant(digest=b"C" * 32, role="claim", game=GAME, seat=0)
RACES = {
    "open": (lambda mark: opening(), "stale_version"),
    "hand": (
        lambda mark: Write(game=GAME, after=0, lines=(line(1, "deal", 1, mark=mark),)),
        "stale_version",
    ),
    "secret": (lambda mark: Write(game="g", secret=mark.encode()), "key_taken"),
    "token": (
        lambda mark: Write(grants=(Grant(digest=b"t" * 32, role="operator", label=mark),)),
        "key_taken",
    ),
    "name": (
        lambda mark: Write(grants=(Grant(digest=mark.encode() * 32, role="operator", id="key_a"),)),
        "key_taken",
    ),
    "claim": (
        lambda mark: Write(exchange=Exchange(claim=CLAIM.digest, token=mark.encode() * 32)),
        "claim_used",
    ),
    "room": (
        lambda mark: Write(room=RoomState(room="r", site="s", version=0, body=mark.encode())),
        "room_moved",
    ),
    "answer": (
        lambda mark: Write(
            answer=KeptAnswer(key=b"k" * 32, request=b"r" * 32, sealed=mark.encode())
        ),
        "answer_kept",
    ),
}


@pytest.mark.parametrize("race", RACES)
def test_what_may_happen_once_happens_once_in_two_processes(two, race):
    write, code = RACES[race]
    first = two[0]
    if race != "open":
        first.write(opening(grants=(CLAIM,)))
    asks = [lambda s=s, m=m: s.write(write(m)) for m, s in zip("abcdefgh", two * 4, strict=True)]
    assert at_once(asks) == sorted(["kept", *[code] * 7])


def test_processes_that_write_the_same_things_in_every_order_never_wait_for_each_other(
    two, postgres_url
):
    """No deadlock: the server would end one of them after a second, and count it."""
    games = [f"g{index}" for index in range(6)]
    for game in games:
        two[0].write(opening(game))
    two[0].write(Write(grants=(CLAIM,)))
    orders = itertools.cycle(itertools.permutations(games))

    def play(store):
        for _ in range(8):
            order = next(orders)
            for game in order:
                newest = store.newest(game)
                seen = tuple(Seen(place=place, seat=0, at=newest) for place in order)
                change = GrantChange(digest=CLAIM.digest, state="open", until=newest)
                lines = acts(newest, game=game).lines
                with contextlib.suppress(StaleVersion):
                    store.write(
                        Write(game=game, after=newest, lines=lines, seen=seen, changes=(change,))
                    )

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(play, two[index % 2]) for index in range(8)]:
            done.result()
    with writing_engine(postgres_url).connect() as connection:
        count = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        assert connection.exec_driver_sql(count).scalar_one() == 0


def test_a_write_ended_for_another_program_s_sake_fails_and_the_next_is_kept(two, postgres_url):
    """Somebody at the server's own prompt meets the writer crosswise; one of them is ended."""
    one, _ = two
    with (
        writing_engine(postgres_url).connect() as stranger,
        writing_engine(postgres_url).connect() as watcher,
        ThreadPoolExecutor(1) as pool,
    ):
        stranger.exec_driver_sql("INSERT INTO seen VALUES ('x', 0, 0)")
        crosswise = Write(seen=tuple(Seen(place=place, seat=0, at=2) for place in "yx"))
        waiting = pool.submit(one.write, crosswise)
        assert comes_true(lambda: is_waiting(watcher))
        ended = []
        try:
            stranger.exec_driver_sql("INSERT INTO seen VALUES ('y', 0, 0)")
        except DBAPIError:
            ended.append("stranger")
        stranger.rollback()
        try:
            waiting.result(30)
        except StorageFailure:
            ended.append("writer")
    assert len(ended) == 1
    one.write(crosswise)
    assert [one.seen(place)[0].at for place in "xy"] == [2, 2]


def is_waiting(connection):
    """Say whether anybody waits for a lock on the server."""
    count = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    found = connection.exec_driver_sql(count).scalar_one()
    connection.rollback()
    return found > 0


def test_processes_that_start_at_once_make_the_tables_once(postgres_url):
    stores = []
    assert (
        at_once([lambda: stores.append(SqlStore(postgres_url)) for _ in range(4)]) == ["kept"] * 4
    )
    for store in stores:
        store.close()


# ------------------------------------------------------------------------------------- posts


def test_one_process_holds_a_post_until_it_resigns_or_ends(two):
    one, other = two
    assert one.lead("upkeep")
    assert one.lead("upkeep")
    assert not other.lead("upkeep")
    assert other.lead("rotation")
    one.resign("upkeep")
    assert other.lead("upkeep")
    assert not one.lead("upkeep")
    other.close()
    assert comes_true(lambda: one.lead("upkeep"))
    assert one.lead("rotation")


def test_a_post_is_free_once_its_holder_s_connection_is_lost(two, postgres_url, postgres_cluster):
    one, other = two
    assert one.lead("upkeep")
    cut(postgres_cluster, postgres_url)
    assert comes_true(lambda: other.lead("upkeep"))
    assert not one.lead("upkeep")
