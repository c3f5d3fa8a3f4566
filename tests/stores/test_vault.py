"""The vault and its key files."""

import itertools
import os
import stat

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.store.keyfiles import read_key_file, write_key_file
from fairdeal.store.vault import VAULT_PREFIX, Vault, VaultFile

KEY = bytes(range(32))
SECRET = b"sixty-four bytes that nobody may see before the game has ended.."


def counting():
    numbers = itertools.count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


def test_what_is_sealed_opens_for_its_purpose():
    vault = Vault(KEY, counting())
    sealed = vault.seal("master/g1", SECRET)
    assert vault.open("master/g1", sealed) == SECRET
    assert len(sealed) == len(SECRET) + 37


def test_a_sealed_secret_shows_no_piece_of_the_secret():
    sealed = Vault(KEY, counting()).seal("master/g1", SECRET)
    assert all(SECRET[i : i + 4] not in sealed for i in range(len(SECRET) - 3))


def test_equal_secrets_are_sealed_differently():
    vault = Vault(KEY, counting())
    assert vault.seal("master/g1", SECRET) != vault.seal("master/g1", SECRET)


def test_a_sealed_secret_opens_for_no_other_purpose_and_under_no_other_key():
    vault = Vault(KEY, counting())
    sealed = vault.seal("master/g1", SECRET)
    for stranger, purpose in ((vault, "master/g2"), (Vault(bytes(32), counting()), "master/g1")):
        with pytest.raises(StorageFailure) as refused:
            stranger.open(purpose, sealed)
        assert refused.value.code == "vault_shut"


def test_every_altered_byte_and_every_cut_is_noticed():
    vault = Vault(KEY, counting())
    sealed = vault.seal("master/g1", SECRET)
    altered = [sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :] for i in range(len(sealed))]
    cut = [sealed[:i] for i in range(len(sealed))]
    for wrong in altered + cut:
        with pytest.raises(StorageFailure):
            vault.open("master/g1", wrong)


def test_a_vault_shows_nothing_of_its_key():
    vault = Vault(KEY, counting())
    assert KEY.hex()[:8] not in repr(vault) + str(vault)
    with pytest.raises(StorageFailure) as refused:
        vault.open("x", b"\x01" + bytes(40))
    assert KEY.hex()[:8] not in repr(refused.value)


def test_a_key_file_belongs_to_its_owner_alone_whatever_the_umask(tmp_path):
    old = os.umask(0)
    try:
        VaultFile(tmp_path / "vault.key").make(counting())
    finally:
        os.umask(old)
    path = tmp_path / "vault.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().startswith("fairdeal-SECRET-vault-key-1:")


def test_a_vault_comes_back_from_its_key_file(tmp_path):
    path = tmp_path / "vault.key"
    VaultFile(path).make(counting())
    sealed = VaultFile(path).vault(counting()).seal("p", SECRET)
    assert VaultFile(path).vault(counting()).open("p", sealed) == SECRET


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o601])
def test_a_key_file_that_others_may_touch_is_refused(tmp_path, mode):
    path = tmp_path / "vault.key"
    VaultFile(path).make(counting())
    path.chmod(mode)
    with pytest.raises(StorageFailure) as refused:
        VaultFile(path).vault(counting())
    assert str(path) in refused.value.sentence
    path.chmod(0o600)
    assert isinstance(VaultFile(path).vault(counting()), Vault)


@pytest.mark.parametrize(
    "content",
    [
        "", "\n", VAULT_PREFIX, VAULT_PREFIX + "\n", VAULT_PREFIX + "0" * 63 + "\n",
        VAULT_PREFIX + "0" * 64, VAULT_PREFIX + "A" * 64 + "\n", VAULT_PREFIX + "0" * 66 + "\n",
        "0" * 64 + "\n", VAULT_PREFIX + "0" * 62 + " 0\n", VAULT_PREFIX + "é" * 64 + "\n",
    ],
)  # fmt: skip
def test_a_file_that_is_no_vault_key_is_refused_without_quoting_it(tmp_path, content):
    path = tmp_path / "vault.key"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(StorageFailure) as refused:
        VaultFile(path).vault(counting())
    assert "0000" not in str(refused.value)


def test_a_missing_key_file_and_a_link_to_one_are_refused(tmp_path):
    VaultFile(tmp_path / "vault.key").make(counting())
    (tmp_path / "link.key").symlink_to(tmp_path / "vault.key")
    for name in ("none.key", "link.key"):
        with pytest.raises(StorageFailure):
            VaultFile(tmp_path / name).vault(counting())


def test_a_key_file_is_never_written_over(tmp_path):
    write_key_file(tmp_path / "a.key", "prefix:first")
    with pytest.raises(FileExistsError):
        write_key_file(tmp_path / "a.key", "prefix:second")
    assert read_key_file(tmp_path / "a.key", "prefix:") == "first"


def test_half_a_key_that_a_killed_process_left_is_no_key_file(tmp_path, monkeypatch):
    def killed(descriptor):
        raise KeyboardInterrupt

    path = tmp_path / "a.key"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", killed)
        with pytest.raises(KeyboardInterrupt):
            write_key_file(path, "prefix:first")
    assert not path.exists()
    write_key_file(path, "prefix:second")
    assert read_key_file(path, "prefix:") == "second"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.key"]


# --------------------------------------------------------------------------------- several keys

OTHER = bytes(range(32, 64))
VERSION_1 = (
    # KEY, "master/g1", SECRET and a nonce of 11 zeros and a 1, before texts named their key.
    "0100000000000000000000000166bfc7883dd956717b5c715b95d25f8435eb743510923aeb116f67"
    "a0065d12271ae50294084ee15a36ada621188c621349773ef7dd867c349e7073013dd1b5261dc33b"
    "38bd9c9e078cf9a64b8e71ed25"
)


def test_a_vault_opens_with_any_of_its_keys_and_seals_with_the_newest():
    old, new = Vault(KEY, counting()), Vault(OTHER, counting())
    both = Vault(OTHER, counting(), earlier=[KEY])
    for one in (old, new):
        assert both.open("p", one.seal("p", SECRET)) == SECRET
    sealed = both.seal("p", SECRET)
    assert new.open("p", sealed) == SECRET
    with pytest.raises(StorageFailure):
        old.open("p", sealed)


def test_a_vault_knows_what_needs_no_key_but_the_newest():
    both = Vault(OTHER, counting(), earlier=[KEY])
    assert both.is_new(both.seal("p", SECRET))
    assert not both.is_new(Vault(KEY, counting()).seal("p", SECRET))
    assert not both.is_new(bytes.fromhex(VERSION_1))


@pytest.mark.parametrize("keys", [(KEY,), (OTHER, KEY), (KEY, OTHER)])
def test_a_text_that_names_no_key_opens_with_each(keys):
    vault = Vault(keys[0], counting(), earlier=keys[1:])
    assert vault.open("master/g1", bytes.fromhex(VERSION_1)) == SECRET
    with pytest.raises(StorageFailure):
        vault.open("master/g2", bytes.fromhex(VERSION_1))


def test_a_text_that_names_no_key_cannot_be_passed_off_as_one_that_does():
    vault = Vault(KEY, counting())
    sealed = vault.seal("p", SECRET)
    with pytest.raises(StorageFailure):
        vault.open("p", b"\x01" + sealed[9:])


def test_a_running_vault_takes_a_key_that_was_added_and_misses_none_that_was_dropped(tmp_path):
    file = VaultFile(tmp_path / "vault.key")
    file.make(lambda _: KEY)
    running, other = file.vault(counting()), VaultFile(tmp_path / "vault.key")
    before = running.seal("p", SECRET)
    other.add(lambda _: OTHER)
    assert other.read() == (OTHER, KEY)
    later = Vault(OTHER, counting()).seal("p", SECRET)
    assert running.open("p", later) == SECRET
    assert running.open("p", before) == SECRET
    assert running.is_new(running.seal("p", SECRET))
    other.drop_earlier()
    assert running.is_new(running.seal("p", SECRET))
    with pytest.raises(StorageFailure):
        running.open("p", before)
    assert stat.S_IMODE((tmp_path / "vault.key").stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["vault.key"]


def test_a_key_that_was_added_seals_at_once(tmp_path):
    file = VaultFile(tmp_path / "vault.key")
    file.make(lambda _: KEY)
    running = file.vault(counting())
    VaultFile(tmp_path / "vault.key").add(lambda _: OTHER)
    assert Vault(OTHER, counting()).open("p", running.seal("p", SECRET)) == SECRET


def test_a_key_file_that_was_taken_away_leaves_a_running_vault_as_it_is(tmp_path):
    file = VaultFile(tmp_path / "vault.key")
    file.make(lambda _: KEY)
    running = file.vault(counting())
    (tmp_path / "vault.key").unlink()
    assert running.open("p", running.seal("p", SECRET)) == SECRET


def test_a_running_vault_seals_nothing_while_its_new_key_file_cannot_be_read(tmp_path):
    file = VaultFile(tmp_path / "vault.key")
    file.make(lambda _: KEY)
    running = file.vault(counting())
    VaultFile(tmp_path / "vault.key").add(lambda _: OTHER)
    (tmp_path / "vault.key").chmod(0o644)
    for _ in range(2):
        with pytest.raises(StorageFailure) as refused:
            running.seal("p", SECRET)
        assert refused.value.code == "key_file"
    (tmp_path / "vault.key").chmod(0o600)
    assert running.is_new(running.seal("p", SECRET))


def test_a_key_twice_in_a_file_and_a_file_too_long_are_refused(tmp_path):
    path = tmp_path / "vault.key"
    for lines in (2 * [KEY], [number.to_bytes(32, "big") for number in range(50)]):
        path.write_text("".join(f"{VAULT_PREFIX}{key.hex()}\n" for key in lines))
        path.chmod(0o600)
        with pytest.raises(StorageFailure) as refused:
            VaultFile(path).vault(counting())
        assert refused.value.code == "key_file"
