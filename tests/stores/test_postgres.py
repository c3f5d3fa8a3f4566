"""What only the PostgreSQL store has: guards on the server, settings, lost connections."""

import contextlib
import subprocess
import threading
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.store.engines import reading_engine, writing_engine
from fairdeal.store.sql import SqlStore
from tests.postgres import Cluster
from tests.stores.contract import GAME, acts, line, opening
from tests.stores.processes import cut, name_of
from tests.suites import find_program

pytestmark = pytest.mark.suite("postgres")


@pytest.fixture
def url(postgres_url):
    return postgres_url


@pytest.fixture
def store(url):
    with contextlib.closing(SqlStore(url)) as opened:
        opened.write(opening())
        yield opened


# -------------------------------------------------------------------------- lost connections


def test_connections_that_were_lost_while_nobody_wrote_are_not_noticed(
    store, url, postgres_cluster
):
    assert store.newest(GAME) == 0
    cut(postgres_cluster, url)
    store.write(acts(0))
    assert store.newest(GAME) == 1


class Cutting(SqlStore):
    """Loses its connection before or after its next commit."""

    when = ""
    cluster: Cluster

    def _commit(self, driven):
        wanted, self.when = self.when, ""
        pid = driven._driver.info.backend_pid
        if wanted == "after":
            super()._commit(driven)
        if wanted:
            self.cluster.sql(f"SELECT pg_terminate_backend({pid}, 5000)")
        super()._commit(driven) if wanted != "after" else driven.text("SELECT 1")


@pytest.fixture
def cutting(url, postgres_cluster):
    with contextlib.closing(Cutting(url)) as store:
        store.cluster = postgres_cluster
        store.write(opening())
        yield store


def test_a_connection_lost_before_the_commit_wrote_nothing_and_the_store_goes_on(cutting):
    cutting.when = "before"
    with pytest.raises(StorageFailure) as failure:
        cutting.write(acts(0))
    assert failure.value.code == "store_failed"
    assert cutting.newest(GAME) == 0
    cutting.write(acts(0))
    assert cutting.newest(GAME) == 1


def test_a_connection_lost_after_the_commit_wrote_all_of_it_once(cutting):
    cutting.when = "after"
    with pytest.raises(StorageFailure):
        cutting.write(acts(0))
    assert cutting.newest(GAME) == 1
    with pytest.raises(StaleVersion):
        cutting.write(acts(0))
    cutting.write(acts(1))


def test_a_connection_cut_again_and_again_loses_and_doubles_nothing(store, url, postgres_cluster):
    ended = threading.Event()

    def cutter():
        while not ended.wait(0.02):
            cut(postgres_cluster, url)

    thread = threading.Thread(target=cutter)
    thread.start()
    try:
        for turn in range(60):
            kept = False
            while not kept:
                try:
                    store.write(acts(turn))
                    kept = True
                except StaleVersion:
                    kept = newest(store) == turn + 1
                    assert kept
                except StorageFailure:
                    kept = newest(store) == turn + 1
    finally:
        ended.set()
        thread.join()
    assert store.lines(GAME) == (line(0, "open").text, *(line(n).text for n in range(1, 61)))


def newest(store):
    """Read as whoever gets a failure does: until there is an answer."""
    while True:
        with contextlib.suppress(StorageFailure):
            return store.newest(GAME)


class Restarting(Cluster):
    """A server that can be stopped as a power cut would, and started again."""

    def control(self, *words):
        """Run pg_ctl."""
        server = Path(find_program("postgres") or "").resolve()
        data = self.folder / "data"
        run = subprocess.run(
            [server.with_name("pg_ctl"), "-D", data, "-w", "-s", *words],
            user=self._user, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr

    def begin(self, more=""):
        """Start the server again."""
        given = f"-k {self.folder} -c listen_addresses= {more}"
        self.control("start", "-o", given, "-l", "/dev/null")

    def stop(self):
        """Stop also a server that was started again."""
        with contextlib.suppress(AssertionError):
            self.control("stop", "-m", "immediate")
        super().stop()


@pytest.fixture(scope="module")
def restarting():
    with Restarting() as cluster:
        yield cluster


def test_a_server_away_is_unavailable_and_one_that_is_back_is_used_again(restarting):
    rung = threading.Event()
    with contextlib.closing(SqlStore(restarting.url(restarting.create()))) as store:
        store.write(opening())
        assert store.newest(GAME) == 0
        with store.bell.listen(GAME, rung.set):
            restarting.control("stop", "-m", "immediate")
            for ask in (lambda: store.newest(GAME), lambda: store.write(acts(0))):
                with pytest.raises(StorageFailure) as failure:
                    ask()
                assert failure.value.code == "store_unavailable"
            rung.clear()
            restarting.begin()
            assert store.newest(GAME) == 0
            assert rung.wait(10)  # for whatever was missed meanwhile
            store.write(acts(0))
            assert store.newest(GAME) == 1


def test_a_database_that_is_not_there_is_unavailable(postgres_cluster):
    with pytest.raises(StorageFailure) as failure:
        SqlStore(postgres_cluster.url("no_such_database"))
    assert failure.value.code == "store_unavailable"


# ------------------------------------------------------------------------ guards and settings


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET line = '' WHERE n = 1",
        "DELETE FROM records WHERE n = 1",
        "DELETE FROM records",
        "TRUNCATE records",
        "INSERT INTO records (game, n, type, line) VALUES ('gaaaaaaaaaaaaaaaa', 7, 'act', '')",
        "INSERT INTO records (game, n, type, line) VALUES ('gaaaaaaaaaaaaaaaa', 1, 'act', '')",
        "INSERT INTO records VALUES ('g', 0, '', 0, '') ON CONFLICT (game, n) DO UPDATE SET n = 1",
        "INSERT INTO records (game, n, type, line) VALUES ('g', 1, 'act', '')",
    ],
)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_lines_cannot_be_changed_through_the_database_language(
    url, postgres_cluster, statement, role
):
    with contextlib.closing(SqlStore(url)) as store:
        store.write(opening())
        store.write(acts(0, 2))
        before = store.lines(GAME)
        said = f"SET session_replication_role = {role}; {statement}"
        with pytest.raises(RuntimeError, match="records are"):
            postgres_cluster.sql(said, name_of(url))
        assert store.lines(GAME) == before


def test_several_records_of_one_statement_are_numbered_without_gaps(url):
    SqlStore(url).close()
    with writing_engine(url).connect() as connection, pytest.raises(IntegrityError):
        connection.exec_driver_sql(
            "INSERT INTO records (game, n, type, line) VALUES ('g', 0, 'o', ''), ('g', 2, 'a', '')"
        )


@pytest.mark.parametrize("make", [writing_engine, reading_engine])
def test_every_session_is_durable_and_gives_up_in_time(url, make):
    SqlStore(url).close()
    wanted = {
        "synchronous_commit": "on", "statement_timeout": "15s", "lock_timeout": "10s",
        "idle_in_transaction_session_timeout": "10s", "transaction_isolation": "read committed",
        "application_name": "fairdeal",
    }  # fmt: skip
    engine = make(f"{url}&options=-csynchronous_commit%3Doff")
    with engine.connect() as connection:
        found = {name: connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in wanted}
    assert found == wanted


def test_a_reading_session_cannot_write(url):
    SqlStore(url).close()
    engine = reading_engine(url)
    with engine.connect() as connection, pytest.raises(DBAPIError):
        connection.exec_driver_sql("DELETE FROM secrets")


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_may_lose_what_it_acknowledged_is_refused(restarting, setting):
    restarting.control("stop", "-m", "fast")
    restarting.begin(f"-c {setting}=off")
    with pytest.raises(StorageFailure, match=setting) as refused:
        SqlStore(restarting.url(restarting.create()))
    assert refused.value.code == "store_unsafe"
    restarting.control("stop", "-m", "fast")
    restarting.begin()


def test_an_address_is_never_quoted(url):
    for address in ("mysql://me:hidden@host/db", "hidden", "postgresql://me:hidden@127.0.0.1:1/db"):
        with pytest.raises(StorageFailure) as refused:
            SqlStore(address)
        assert refused.value.code == "store_unavailable"
        assert "hidden" not in f"{refused.value!r} {refused.value.__cause__!r}"
