"""A folder whose database lost records: refused, told, and ended honestly."""

import contextlib
import shutil
import sqlite3
import subprocess
import sys

import pytest

from fairdeal.errors import NotFound, StorageFailure
from fairdeal.game import RECORDS_LOST
from fairdeal.records.chain import read
from fairdeal.service import Anyone, NewGame, NewSeat, look, open_premises, recover, recovery
from fairdeal.service import folder as place
from fairdeal.store.highwater import NO_DATABASE
from tests.table import Clock, Entropy

ORIGIN = "fairdeal.localhost/demo"
LATER = NewGame(seats=(NewSeat(kind="human"),) * 4, overrides={})


def start(folder, seed):
    return open_premises(folder, ORIGIN, entropy=Entropy(seed), clock=Clock())


def operator(opened, folder):
    return opened.dealer.identify((folder / "operator.key").read_text().strip())


def create(folder, seed):
    opened = start(folder, seed)
    created = opened.dealer.create_game(operator(opened, folder), LATER)
    opened.close()
    return created.id


def refused(folder):
    with pytest.raises(StorageFailure) as refusal:
        start(folder, "refused").close()
    return refusal.value.code == "database_behind"


def accept(folder):
    return recover(folder, entropy=Entropy("recovery"), clock=Clock())


@pytest.fixture
def set_back(folder):
    """Give the game that an older copy of the database holds, with that copy in place."""
    kept = create(folder, "one")
    shutil.copy(folder / "games.db", folder / "copy")
    create(folder, "two")
    shutil.copy(folder / "games.db", folder / "right")
    shutil.copy(folder / "copy", folder / "games.db")
    return kept


def test_a_service_set_back_does_not_start_and_nothing_about_it_changes(folder, set_back):
    mark = (folder / "games.high").read_bytes()
    assert refused(folder)
    said = "The database holds 1 of 2 records: 1 are missing."
    assert look(folder) == recovery.Loss(said, (set_back,))
    assert refused(folder)
    assert (folder / "games.high").read_bytes() == mark


def test_the_right_database_put_back_starts(folder, set_back):
    assert refused(folder)
    shutil.copy(folder / "right", folder / "games.db")
    start(folder, "three").close()
    assert look(folder) is None


def test_a_recovery_closes_what_cannot_go_on_and_the_service_starts(folder, set_back):
    assert accept(folder).closed == (set_back,)
    opened = start(folder, "three")
    records = read(opened.dealer.looks.transcript(Anyone(), set_back))
    assert [record.type for record in records] == ["open", "close", "master"]
    assert records[1].body["reason"] == RECORDS_LOST
    opened.close()
    assert look(folder) is None
    assert accept(folder) == recovery.Recovered((), ())


def test_no_record_of_a_recovered_game_is_signed_a_second_time(folder):
    opened = start(folder, "one")
    created = opened.dealer.create_game(operator(opened, folder), LATER)
    opened.close()
    shutil.copy(folder / "games.db", folder / "copy")
    create(folder, "two")
    shutil.copy(folder / "copy", folder / "games.db")
    accept(folder)
    opened = start(folder, "three")
    seat = opened.dealer.claim(created.claims[0].claim)
    kept = opened.dealer.my_record(opened.dealer.identify(seat.token), created.id)
    opened.close()
    assert kept["receipts"] == []


@pytest.mark.parametrize("name", ["copy", "right"])
def test_after_a_recovery_every_earlier_copy_is_refused(folder, set_back, name):
    accept(folder)
    shutil.copy(folder / name, folder / "games.db")
    assert refused(folder)


def test_a_missing_database_is_recovered_as_an_empty_one(folder):
    game = create(folder, "one")
    (folder / "games.db").unlink()
    assert refused(folder)
    assert look(folder) == recovery.Loss("The database is missing, and 1 records with it.", ())
    assert accept(folder) == recovery.Recovered((), ())
    opened = start(folder, "two")
    assert type(operator(opened, folder)).__name__ == "Operator"
    with pytest.raises(NotFound):
        opened.dealer.looks.public(game)
    opened.close()


def test_a_game_whose_secret_is_gone_is_left_and_named(folder, set_back):
    with contextlib.closing(sqlite3.connect(folder / "games.db")) as connection, connection:
        connection.execute("DELETE FROM secrets")
    assert accept(folder) == recovery.Recovered((), (set_back,))
    start(folder, "three").close()


@pytest.mark.parametrize("step", ["_close_all", "rename", "standing_of"])
def test_a_recovery_that_was_cut_off_serves_nothing_until_it_is_run_again(
    folder, set_back, monkeypatch, step
):
    act = getattr(recovery, step)

    def dying(*given):
        begun = NO_DATABASE in (folder / "games.high").read_text("ascii")
        done = act(*given) if step == "_close_all" or not begun else None
        if begun:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(recovery, step, dying)
    with pytest.raises(KeyboardInterrupt):
        accept(folder)
    monkeypatch.undo()
    assert refused(folder)
    accept(folder)
    start(folder, "three").close()


def test_a_damaged_mark_is_recovered_from(folder):
    create(folder, "one")
    (folder / "games.high").write_text("")
    assert refused(folder)
    assert len(accept(folder).closed) == 1
    start(folder, "two").close()


def test_a_running_service_is_not_recovered(folder, monkeypatch):
    monkeypatch.setattr(place, "LOCK_TRIES", 1)
    opened = start(folder, "one")
    for asked in (look, accept):
        with pytest.raises(StorageFailure) as refusal:
            asked(folder)
        assert refusal.value.code == "in_use"
    opened.close()


def test_the_command_tells_the_loss_and_changes_nothing_until_it_is_told_yes(folder, set_back):
    program = "from fairdeal.cli.main import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "recover", "--folder", str(folder)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "1 of 2 records: 1 are missing." in told.stdout
    assert "1 unfinished games cannot go on." in told.stdout
    assert refused(folder)
    done = subprocess.run([*command, "--yes"], capture_output=True, text=True, check=True)
    assert "1 games were closed" in done.stdout
    start(folder, "three").close()
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout == "Nothing is missing.\n"
