"""The vault and its key files."""

import itertools
import os
import stat

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.store.vault import (
    VAULT_PREFIX,
    Vault,
    make_vault_file,
    read_key_file,
    vault_from_file,
    write_key_file,
)

KEY = bytes(range(32))
SECRET = b"sixty-four bytes that nobody may see before the game has ended.."


def counting():
    numbers = itertools.count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


def test_what_is_sealed_opens_for_its_purpose():
    vault = Vault(KEY, counting())
    sealed = vault.seal("master/g1", SECRET)
    assert vault.open("master/g1", sealed) == SECRET
    assert len(sealed) == len(SECRET) + 29


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
        make_vault_file(tmp_path / "vault.key", counting())
    finally:
        os.umask(old)
    path = tmp_path / "vault.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().startswith("fairdeal-SECRET-vault-key-1:")


def test_a_vault_comes_back_from_its_key_file(tmp_path):
    path = tmp_path / "vault.key"
    make_vault_file(path, counting())
    sealed = vault_from_file(path, counting()).seal("p", SECRET)
    assert vault_from_file(path, counting()).open("p", sealed) == SECRET


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o601])
def test_a_key_file_that_others_may_touch_is_refused(tmp_path, mode):
    path = tmp_path / "vault.key"
    make_vault_file(path, counting())
    path.chmod(mode)
    with pytest.raises(StorageFailure) as refused:
        vault_from_file(path, counting())
    assert str(path) in refused.value.sentence
    path.chmod(0o600)
    assert isinstance(vault_from_file(path, counting()), Vault)


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
        vault_from_file(path, counting())
    assert "0000" not in str(refused.value)


def test_a_missing_key_file_and_a_link_to_one_are_refused(tmp_path):
    make_vault_file(tmp_path / "vault.key", counting())
    (tmp_path / "link.key").symlink_to(tmp_path / "vault.key")
    for name in ("none.key", "link.key"):
        with pytest.raises(StorageFailure):
            vault_from_file(tmp_path / name, counting())


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
