"""The folder of a service: first start, later starts, and what it refuses."""

import itertools
import os
import stat
import subprocess
import sys

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.service import folder as place
from fairdeal.service import open_premises, rotate_receipt_key, signing
from fairdeal.store import keyfiles
from tests.table import Clock, Entropy

ORIGIN = "fairdeal.localhost/demo"


def start(folder, origin=ORIGIN, seed="premises"):
    return open_premises(folder, origin, entropy=Entropy(seed), clock=Clock())


def test_the_first_start_makes_the_keys_for_its_owner_alone(folder):
    home = folder / "a" / "service"
    old = os.umask(0)
    try:
        opened = start(home)
    finally:
        os.umask(old)
    assert sorted(path.name for path in opened.made.values()) == [
        "operator.key", "receipt.key", "receipt.vkey", "vault.key",
    ]  # fmt: skip
    for name in ("operator.key", "receipt.key", "vault.key"):
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    token = (home / "operator.key").read_text().strip()
    assert token.startswith("cd_live_op_")
    assert type(opened.dealer.identify(token)).__name__ == "Operator"
    assert (home / "receipt.vkey").read_text().strip() == opened.dealer.vkey
    opened.close()


def test_a_later_start_makes_nothing_and_knows_the_operator(folder):
    start(folder).close()
    before = {path.name: path.read_bytes() for path in folder.glob("*key")}
    token = (folder / "operator.key").read_text().strip()
    opened = start(folder, seed="another start")
    assert opened.made == {}
    assert {path.name: path.read_bytes() for path in folder.glob("*key")} == before
    assert type(opened.dealer.identify(token)).__name__ == "Operator"
    opened.close()


def test_an_operator_who_took_the_key_file_away_stays_the_operator(folder):
    start(folder).close()
    token = (folder / "operator.key").read_text().strip()
    (folder / "operator.key").unlink()
    opened = start(folder)
    assert not (folder / "operator.key").exists()
    assert type(opened.dealer.identify(token)).__name__ == "Operator"
    opened.close()


def test_no_file_beside_the_keys_holds_a_key(folder):
    start(folder).close()
    keys = [(folder / name).read_bytes().strip().split(b":")[-1].split(b"+")[-1][-32:]
            for name in ("operator.key", "receipt.key", "vault.key")]  # fmt: skip
    others = [path for path in folder.iterdir() if not path.name.endswith(".key")]
    assert others
    for path, key in itertools.product(others, keys):
        assert key not in path.read_bytes()


def test_a_second_process_is_kept_out(folder, monkeypatch):
    monkeypatch.setattr(place, "LOCK_PAUSE_S", 0.0)
    opened = start(folder)
    with pytest.raises(StorageFailure) as refused:
        start(folder)
    assert refused.value.code == "in_use"
    opened.close()
    start(folder).close()


def test_a_killed_process_leaves_no_lock_behind(folder):
    script = (
        "import os, sys; from pathlib import Path; from tests.service.test_premises import start;"
        "start(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(folder)], check=False)
    assert ended.returncode == -9
    start(folder).close()


def test_a_folder_keeps_its_name(folder):
    start(folder).close()
    with pytest.raises(StorageFailure) as refused:
        start(folder, origin="somebody.else/live")
    assert refused.value.code == "other_origin"
    start(folder).close()


@pytest.mark.parametrize("name", ["receipt.key", "vault.key"])
def test_a_key_file_that_others_may_read_is_refused(folder, name):
    start(folder).close()
    (folder / name).chmod(0o644)
    with pytest.raises(StorageFailure) as refused:
        start(folder)
    assert refused.value.code == "key_file"


def test_a_lost_vault_key_is_not_replaced_where_there_are_secrets(folder):
    start(folder).close()
    (folder / "vault.key").unlink()
    with pytest.raises(StorageFailure) as refused:
        start(folder)
    assert refused.value.code == "key_file"
    assert not (folder / "vault.key").exists()


def test_a_lost_receipt_key_is_not_replaced_where_its_public_key_was_told(folder):
    start(folder).close()
    (folder / "receipt.key").unlink()
    with pytest.raises(StorageFailure) as refused:
        start(folder, seed="another key")
    assert refused.value.code == "key_file"
    assert not (folder / "receipt.key").exists()


def test_a_public_key_that_is_not_that_of_the_receipts_is_refused(folder):
    start(folder).close()
    vkey = (folder / "receipt.vkey").read_text()
    (folder / "receipt.vkey").write_text(vkey.replace("+", "+0", 1))
    with pytest.raises(StorageFailure) as refused:
        start(folder)
    assert refused.value.code == "other_key"
    (folder / "receipt.vkey").write_text(vkey)
    start(folder).close()


def test_a_public_key_file_that_a_killed_start_left_empty_is_filled(folder):
    start(folder).close()
    vkey = (folder / "receipt.vkey").read_text()
    (folder / "receipt.vkey").write_text("")
    start(folder).close()
    assert (folder / "receipt.vkey").read_text() == vkey


def test_a_bad_name_leaves_no_key_behind(folder):
    with pytest.raises(Exception, match="name"):
        start(folder, origin="with a blank")
    assert not list(folder.glob("*.key"))


# ---------------------------------------------------------------------------- a new receipt key


def rotate(folder, seed="rotation"):
    return rotate_receipt_key(folder, entropy=Entropy(seed))


def test_a_new_receipt_key_signs_from_the_next_start_and_the_old_one_stays_told(folder):
    opened = start(folder)
    old = opened.dealer.vkey
    opened.close()
    new = rotate(folder)
    opened = start(folder)
    assert opened.dealer.vkey == new != old
    assert opened.dealer.earlier_vkeys == (old,)
    assert opened.made == {}
    opened.close()
    third = rotate(folder, "another")
    opened = start(folder)
    assert (opened.dealer.vkey, opened.dealer.earlier_vkeys) == (third, (new, old))
    opened.close()
    for path in folder.glob("receipt*.key"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_running_service_keeps_its_key(folder, monkeypatch):
    monkeypatch.setattr(place, "LOCK_TRIES", 1)
    opened = start(folder)
    with pytest.raises(StorageFailure) as refused:
        rotate(folder)
    assert refused.value.code == "in_use"
    opened.close()
    with pytest.raises(StorageFailure):
        rotate(folder / "elsewhere")


@pytest.mark.parametrize("step", range(4))
def test_a_rotation_killed_at_any_step_leaves_a_folder_that_starts(folder, monkeypatch, step):
    """Each step is one change of a file's name; the process dies before it."""
    start(folder).close()
    old = (folder / "receipt.vkey").read_text().split()
    count = itertools.count()

    def dying(act):
        def acting(*arguments, **named):
            if next(count) == step:
                raise KeyboardInterrupt
            return act(*arguments, **named)

        return acting

    monkeypatch.setattr(signing, "write_key_file", dying(keyfiles.write_key_file))
    monkeypatch.setattr(os, "link", dying(os.link))
    monkeypatch.setattr(type(folder), "replace", dying(type(folder).replace))
    with pytest.raises(KeyboardInterrupt):
        rotate(folder)
    monkeypatch.undo()
    opened = start(folder)
    told = (folder / "receipt.vkey").read_text().split()
    assert opened.dealer.vkey in told
    assert set(old) <= set(told)
    opened.close()
    new = rotate(folder, "again")
    opened = start(folder)
    assert opened.dealer.vkey == new
    assert set(old) <= {new, *opened.dealer.earlier_vkeys}
    opened.close()


def test_the_command_prints_the_new_public_key(folder):
    start(folder).close()
    program = "from fairdeal.cli.main import main; raise SystemExit(main())"
    shown = subprocess.run(
        [sys.executable, "-c", program, "key", "rotate", "--folder", str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    opened = start(folder)
    assert shown.stdout.split() == [opened.dealer.vkey]
    opened.close()
