"""What an operator reads where the service cannot start."""

import pytest

from api import wsgi
from api.config import FOLDER


def refused(monkeypatch, capsys, folder):
    monkeypatch.setenv(FOLDER, str(folder))
    with pytest.raises(SystemExit) as end:
        wsgi.app()
    assert end.value.code == wsgi.CANNOT_START
    return capsys.readouterr().err


def test_a_key_file_that_is_none_is_named_in_one_line(folder, monkeypatch, capsys):
    (folder / "receipt.key").write_text("nonsense\n")
    (folder / "receipt.key").chmod(0o600)
    said = refused(monkeypatch, capsys, folder)
    assert said.startswith("fairdeal cannot start: key_file: ")
    assert str(folder / "receipt.key") in said
    assert said.count("\n") == 1


def test_a_folder_that_cannot_be_one_is_named_in_one_line(folder, monkeypatch, capsys):
    (folder / "file").touch()
    said = refused(monkeypatch, capsys, folder / "file" / "service")
    assert str(folder / "file") in said
    assert said.count("\n") == 1
