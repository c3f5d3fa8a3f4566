"""Several processes on one PostgreSQL database: one service, whoever answers."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.service import (
    NewGame,
    NewSeat,
    look,
    onward,
    open_premises,
    read_database,
    recover,
    rotate_vault_key,
)  # fmt: skip
from fairdeal.service import folder as place
from fairdeal.store.opening import open_store
from fairdeal.store.vault import Vault, VaultFile
from tests.table import Clock, Entropy

pytestmark = pytest.mark.suite("postgres")

ORIGIN = "fairdeal.localhost/shared"
HUMANS = NewGame(seats=(NewSeat(kind="human"),) * 4, overrides={})
BOTS = NewGame(seats=(NewSeat(kind="bot"),) * 4, overrides={}, hands=3)
PATIENCE_S = 60


def start(folder, url, seed="shared"):
    return open_premises(
        folder, ORIGIN, database=read_database(url), entropy=Entropy(seed), clock=Clock()
    )


def operator(opened, folder):
    return opened.dealer.identify((folder / "operator.key").read_text().strip())


def comes_true(condition):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(onward, "LOOK_S", 0.1)


@pytest.fixture
def two(folder, postgres_url):
    """Two processes' worth of one service, in one folder."""
    with (
        contextlib.closing(start(folder, postgres_url, "one")) as one,
        contextlib.closing(start(folder, postgres_url, "other")) as other,
    ):
        yield one, other


# ---------------------------------------------------------------------------------- the keys


def test_processes_that_start_at_once_make_the_keys_once(folder, postgres_url):
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(lambda n: start(folder, postgres_url, str(n)), range(4)))
    assert sorted(len(one.made) for one in opened) == [0, 0, 0, 4]
    assert len({one.dealer.vkey for one in opened}) == 1
    assert {type(operator(one, folder)).__name__ for one in opened} == {"Operator"}
    store = open_store(postgres_url, reads_only=True)
    assert store.operators() == 1
    store.close()
    for one in opened:
        one.close()


def test_a_machine_without_the_keys_of_the_service_is_refused_and_makes_none(folder, postgres_url):
    start(folder / "one", postgres_url).close()
    with pytest.raises(StorageFailure) as refused:
        start(folder / "other", postgres_url, "other")
    assert refused.value.code == "key_file"
    assert "receipt.key" in refused.value.sentence
    assert not list((folder / "other").glob("*.key"))


def test_a_machine_with_copies_of_the_keys_serves_the_same_games(folder, postgres_url):
    with contextlib.closing(start(folder / "one", postgres_url, "one")) as one:
        (folder / "other").mkdir()
        for path in (folder / "one").glob("*key"):
            shutil.copy(path, folder / "other")
        made = one.dealer.create_game(operator(one, folder / "one"), HUMANS)
        with contextlib.closing(start(folder / "other", postgres_url, "other")) as other:
            assert other.made == {}
            assert other.dealer.vkey == one.dealer.vkey
            assert other.dealer.looks.public(made.id) == one.dealer.looks.public(made.id)


def test_a_vault_key_of_another_service_is_refused(folder, postgres_url):
    home, own = folder / "one", folder / "one" / "vault.key"
    with contextlib.closing(start(home, postgres_url)) as opened:
        opened.dealer.create_game(operator(opened, home), HUMANS)
    start(folder / "stranger", "", "stranger").close()
    kept = own.read_bytes()
    shutil.copy(folder / "stranger" / "vault.key", own)
    with pytest.raises(StorageFailure) as refused:
        start(home, postgres_url)
    assert refused.value.code == "other_vault"
    own.write_bytes(kept)
    start(home, postgres_url).close()


# ---------------------------------------------------------------------- who looks after games


def test_one_of_several_leads_and_another_takes_over(two):
    one, other = two
    assert comes_true(lambda: one.leads or other.leads)
    leader, follower = (one, other) if one.leads else (other, one)
    assert not follower.leads
    leader.close()
    assert comes_true(lambda: follower.leads)


LEADING = """
import os, sys
from pathlib import Path
from tests.service.test_shared import comes_true, operator, start, BOTS
folder, url = Path(sys.argv[1]), sys.argv[2]
opened = start(folder, url, "the first")
assert comes_true(lambda: opened.leads)
print(opened.dealer.create_game(operator(opened, folder), BOTS).id, flush=True)
sys.stdin.read()
"""


def test_where_the_leader_is_killed_another_goes_on_with_its_games(folder, postgres_url):
    process = subprocess.Popen(
        [sys.executable, "-c", LEADING, str(folder), postgres_url],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    game = process.stdout.readline().strip()
    with contextlib.closing(start(folder, postgres_url, "the second")) as opened:
        assert not opened.leads
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert comes_true(lambda: opened.leads)
        assert comes_true(lambda: opened.dealer.looks.public(game).state == "closed")


# ------------------------------------------------------------------------ a new vault key


def test_a_new_vault_key_comes_while_the_service_runs(folder, postgres_url, two):
    made = [one.dealer.create_game(operator(one, folder), HUMANS).id for one in two]
    old = VaultFile(folder / "vault.key").read()

    def settle(_seconds):
        # Both keys are in the file; whoever seals now takes the new one.
        assert len(VaultFile(folder / "vault.key").read()) == 2
        made.extend(one.dealer.create_game(operator(one, folder), HUMANS).id for one in two)

    done = rotate_vault_key(
        folder, database=read_database(postgres_url), entropy=Entropy("new"), sleep=settle
    )
    assert done.texts == 2
    (new,) = VaultFile(folder / "vault.key").read()
    assert new not in old
    made += [one.dealer.create_game(operator(one, folder), HUMANS).id for one in two]
    with contextlib.closing(start(folder, postgres_url, "a third")) as third:
        for opened in (*two, third):
            assert {opened.dealer.looks.public(game).state for game in made} == {"seeding"}
    store = open_store(postgres_url, reads_only=True)
    vault = Vault(new, Entropy())
    assert all(vault.is_new(sealed.text) for sealed in store.sealed("secret"))
    store.close()


def test_one_change_of_the_vault_key_at_a_time(folder, postgres_url, two):
    store = open_store(postgres_url)
    assert store.lead("rotation")
    with pytest.raises(StorageFailure) as refused:
        rotate_vault_key(folder, database=read_database(postgres_url), entropy=Entropy("new"))
    assert refused.value.code == "in_use"
    store.close()


# -------------------------------------------------------------------------- lost records


def test_a_database_that_was_set_back_is_refused_and_recovered(
    folder, postgres_url, postgres_cluster
):
    database = read_database(postgres_url)
    name = postgres_url.partition("@/")[2].partition("?")[0]
    opened = start(folder, postgres_url, "one")
    kept = opened.dealer.create_game(operator(opened, folder), HUMANS).id
    opened.close()
    postgres_cluster.sql(f"CREATE DATABASE copy OWNER fairdeal TEMPLATE {name}")
    opened = start(folder, postgres_url, "two")
    opened.dealer.create_game(operator(opened, folder), HUMANS)
    opened.close()
    postgres_cluster.drop(name)
    postgres_cluster.sql(f"ALTER DATABASE copy RENAME TO {name}")
    with pytest.raises(StorageFailure) as refused:
        start(folder, postgres_url, "three")
    assert refused.value.code == "database_behind"
    loss = look(folder, database)
    assert loss is not None
    assert loss.unfinished == (kept,)
    done = recover(folder, database=database, entropy=Entropy("recovery"), clock=Clock())
    assert done.closed == (kept,)
    with contextlib.closing(start(folder, postgres_url, "four")) as opened:
        assert opened.dealer.looks.public(kept).state == "closed"


def test_a_database_that_is_served_is_not_recovered(folder, postgres_url, two, monkeypatch):
    monkeypatch.setattr(place, "LOCK_TRIES", 1)
    assert comes_true(lambda: two[0].leads or two[1].leads)
    with pytest.raises(StorageFailure) as refused:
        look(folder, read_database(postgres_url))
    assert refused.value.code == "in_use"
