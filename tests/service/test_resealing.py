"""A new key for the vault: everything sealed anew, whatever moment the process dies at."""

import itertools
import stat
import subprocess
import sys

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.service import folder as place
from fairdeal.service import open_premises, resealing, rotate_vault_key
from fairdeal.service.repeats import Once, purpose
from fairdeal.store.ports import KeptAnswer, Write
from fairdeal.store.sql import SqlStore
from fairdeal.store.vault import Vault, VaultFile
from tests.service.test_recovery import LATER, operator
from tests.table import Clock, Entropy

ORIGIN = "fairdeal.localhost/demo"
GAMES = 5
STARTS = itertools.count()


def start(folder, seed):
    return open_premises(folder, ORIGIN, entropy=Entropy(seed), clock=Clock())


def once(number):
    return Once(key=bytes([number]) * 32, request=bytes(32), render=lambda _: b"the answer")


@pytest.fixture
def games(folder, monkeypatch):
    """The games of a stopped service, each with a kept answer; a write holds two texts."""
    monkeypatch.setattr(resealing, "BATCH", 2)
    opened = start(folder, "games")
    caller = operator(opened, folder)
    made = [opened.dealer.create_game(caller, LATER, once=once(at)).id for at in range(GAMES)]
    opened.close()
    return made


def rotate(folder, seed="rotation"):
    return rotate_vault_key(folder, entropy=Entropy(seed))


def keys(folder):
    return VaultFile(folder / "vault.key").read()


def check_opens(folder, games):
    """Everything opens, and the service goes on."""
    opened = start(folder, f"start {next(STARTS)}")
    for game in games:
        assert opened.dealer.looks.public(game).state
    caller = operator(opened, folder)
    created = opened.dealer.create_game(caller, LATER)
    assert opened.dealer.looks.public(created.id).state
    for number in range(GAMES):
        kept = opened.dealer.repeats.find(caller, bytes([number]) * 32)
        assert kept is not None
        assert kept.content == b"the answer"
    opened.close()


def test_everything_is_sealed_anew_and_the_old_key_goes(folder, games):
    (old,) = keys(folder)
    done = rotate(folder)
    assert done == resealing.Resealed(2 * GAMES, ())
    (new,) = keys(folder)
    assert new != old
    store = SqlStore(folder / "games.db")
    every = [*store.sealed("secret"), *store.sealed("answer")]
    store.close()
    assert len(every) == 2 * GAMES
    assert all(Vault(new, Entropy()).is_new(sealed.text) for sealed in every)
    assert stat.S_IMODE((folder / "vault.key").stat().st_mode) == 0o600
    check_opens(folder, games)


def test_every_time_there_is_another_key(folder, games):
    seen = {keys(folder)}
    for seed in ("one", "two"):
        rotate(folder, seed)
        seen.add(keys(folder))
    assert len(seen) == 3
    check_opens(folder, games)


def dying(act, at):
    count = itertools.count()

    def acting(*given, **named):
        if next(count) == at:
            raise KeyboardInterrupt
        return act(*given, **named)

    return acting


CUTS = [(VaultFile, "add", 0), *((SqlStore, "write", at) for at in range(5)),
        (VaultFile, "drop_earlier", 0)]  # fmt: skip


@pytest.mark.parametrize(("owner", "step", "at"), CUTS)
def test_a_change_of_key_that_was_cut_off_leaves_a_service_that_starts_and_is_run_again(
    folder, games, monkeypatch, owner, step, at
):
    with monkeypatch.context() as patch:
        patch.setattr(owner, step, dying(getattr(owner, step), at))
        with pytest.raises(KeyboardInterrupt):
            rotate(folder)
    left = len(keys(folder))
    assert left == (1 if step == "add" else 2)
    check_opens(folder, games)
    newest = keys(folder)[0]
    rotate(folder, "again")
    assert len(keys(folder)) == 1
    # One that was cut off is finished, not begun anew.
    assert (keys(folder) == (newest,)) == (left == 2)
    check_opens(folder, games)


def test_a_running_service_on_a_file_keeps_its_key(folder, monkeypatch):
    monkeypatch.setattr(place, "LOCK_TRIES", 1)
    opened = start(folder, "one")
    before = keys(folder)
    with pytest.raises(StorageFailure) as refused:
        rotate(folder)
    assert refused.value.code == "in_use"
    assert keys(folder) == before
    opened.close()


def test_a_database_that_lost_records_keeps_the_key_that_the_right_one_needs(folder, games):
    before = keys(folder)
    copy = (folder / "games.db").read_bytes()
    opened = start(folder, "more")
    opened.dealer.create_game(operator(opened, folder), LATER)
    opened.close()
    (folder / "games.db").write_bytes(copy)
    with pytest.raises(StorageFailure) as refused:
        rotate(folder)
    assert refused.value.code == "database_behind"
    assert keys(folder) == before


def test_a_folder_without_a_service_gets_no_key(folder):
    with pytest.raises(StorageFailure) as refused:
        rotate(folder)
    assert refused.value.code == "key_file"
    assert not (folder / "vault.key").exists()


def test_what_no_key_opens_is_named_and_left_as_it_is(folder, games):
    store = SqlStore(folder / "games.db")
    store.write(Write(game=games[0], wipe=True))
    store.write(Write(game=games[0], secret=b"damaged"))
    store.write(Write(answer=KeptAnswer(key=b"k" * 32, request=bytes(32), sealed=b"\x01damaged")))
    store.close()
    assert rotate(folder) == resealing.Resealed(2 * GAMES - 1, (games[0],))
    check = SqlStore(folder / "games.db")
    assert check.secret(games[0]) == b"damaged"
    check.close()
    check_opens(folder, games[1:])


def test_while_somebody_still_seals_under_an_earlier_key_it_stays(folder, games):
    """As a process does that cannot see the new key file."""
    (old,) = keys(folder)
    stranger = Vault(old, Entropy("stranger"))
    store = SqlStore(folder / "games.db")
    numbers = itertools.count(200)

    def sealing():
        key = bytes([next(numbers)]) * 32
        kept = KeptAnswer(key=key, request=bytes(32), sealed=stranger.seal(purpose(key), b"late"))
        store.write(Write(answer=kept))

    writes = SqlStore.write

    class Busy(SqlStore):
        def write(self, write):
            writes(self, write)
            if write.reseals:
                sealing()

    busy = Busy(folder / "games.db")
    with pytest.raises(StorageFailure) as refused:
        resealing.reseal(
            busy, VaultFile(folder / "vault.key"), entropy=Entropy("r"), settle=lambda: None
        )
    assert refused.value.code == "key_in_use"
    assert len(keys(folder)) == 2
    busy.close()
    store.close()
    rotate(folder)
    check_opens(folder, games)


def test_what_was_sealed_under_an_earlier_key_while_it_settled_is_sealed_anew(folder, games):
    (old,) = keys(folder)
    store = SqlStore(folder / "games.db")
    key = bytes([200]) * 32

    def settle():
        sealed = Vault(old, Entropy("slow")).seal(purpose(key), b"late")
        store.write(Write(answer=KeptAnswer(key=key, request=bytes(32), sealed=sealed)))

    file = VaultFile(folder / "vault.key")
    done = resealing.reseal(store, file, entropy=Entropy("r"), settle=settle)
    assert done.texts == 2 * GAMES + 1
    kept = store.answer(key)
    assert kept is not None
    assert file.vault(Entropy()).open(purpose(key), kept.sealed) == b"late"
    store.close()


def test_the_command_says_what_it_did(folder, games):
    program = "from fairdeal.cli.main import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "key", "rotate", "--vault", "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{2 * GAMES} texts were sealed anew; the earlier key is gone.\n"
    check_opens(folder, games)
