"""`fairdeal serve`: one process on a file, several on PostgreSQL, and no password anywhere."""

import contextlib
import os
import re
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest

from api import wsgi
from api.config import DATABASE, FOLDER, ORIGIN, read_config
from fairdeal.cli.server import LOOPBACK
from fairdeal.errors import StorageFailure
from fairdeal.service import read_database
from tests.table import quick_folder

PROGRAM = "from fairdeal.cli.main import main; raise SystemExit(main())"
PASSWORD = "hunter2-and-a-half"
AWAY = f"postgresql://fairdeal:{PASSWORD}@127.0.0.1:1/fairdeal"


def command(*words):
    return [sys.executable, "-c", PROGRAM, *words]


def run(*words, **environment):
    done = subprocess.run(
        command(*words), capture_output=True, text=True, timeout=60, env=os.environ | environment
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def folder():
    with quick_folder() as path:
        yield path


def test_several_workers_on_a_file_are_refused_with_the_reason(folder):
    status, said = run("serve", "--folder", str(folder / "home"), "--workers", "2")
    assert status == 2
    assert "A database in the folder belongs to one process" in said
    assert not (folder / "home").exists()


def test_a_name_without_a_path_is_refused_before_anything_is_made(folder):
    status, said = run("serve", "--folder", str(folder / "home"), "--origin", "cards.example")
    assert status == 2
    assert "name it like cards.example/log/1" in " ".join(said.split())
    assert not (folder / "home").exists()


@pytest.mark.parametrize("words", [["serve"], ["recover"], ["key", "rotate", "--vault"]])
def test_a_password_on_the_command_line_is_refused_and_not_repeated(folder, words):
    status, said = run(*words, "--folder", str(folder), "--database", AWAY)
    assert status == 2
    assert "Everybody on this machine can read a command line" in said
    assert PASSWORD not in said


@pytest.mark.parametrize(
    "address",
    [f"mysql://u:{PASSWORD}@h/d", f"postgresql://u:{PASSWORD}@b@h/d", f"postgresql:/{PASSWORD}",
     f"{PASSWORD}", "postgresql://"],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_not_repeated(folder, address):
    with pytest.raises(StorageFailure) as refused:
        read_database(address)
    assert refused.value.code == "bad_database"
    assert PASSWORD not in str(refused.value)
    status, said = run("serve", "--folder", str(folder), **{DATABASE: address})
    assert status == 1
    assert PASSWORD not in said


@pytest.mark.parametrize(
    ("address", "told"),
    [("", False), ("postgresql://u@h/d", False), (AWAY, True), ("postgres://h:5432/d", False),
     ("postgresql://u@h/d?password=p", True), ("postgresql:///d?host=/run", False)],
)  # fmt: skip
def test_an_address_is_known_to_hold_a_password(address, told):
    assert read_database(address).has_password is told


def test_a_configuration_shows_no_password():
    config = read_config({DATABASE: AWAY})
    assert config.database.is_shared
    assert PASSWORD in config.database.url
    assert PASSWORD not in repr(config) + str(config.database)


def test_a_database_that_is_away_is_waited_for_and_then_told_without_its_password(
    folder, monkeypatch, capsys
):
    monkeypatch.setattr(wsgi, "WAITS_S", (0.0, 0.0))
    for name, value in ((FOLDER, str(folder)), (ORIGIN, "x.example/live"), (DATABASE, AWAY)):
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        wsgi.app()
    assert ended.value.code == wsgi.CANNOT_START
    said = capsys.readouterr().err
    assert said.count("fairdeal waits: store_unavailable") == 2
    assert said.count("fairdeal cannot start: store_unavailable") == 1
    assert PASSWORD not in said
    assert not list(folder.glob("*.key"))


@pytest.mark.slow
@pytest.mark.suite("postgres")
def test_workers_on_postgresql_serve_and_no_process_shows_the_password(folder, postgres_url):
    address = postgres_url.replace("fairdeal@", f"fairdeal:{PASSWORD}@")
    process = subprocess.Popen(
        command("serve", "--port", "0", "--folder", str(folder / "home"), "--workers", "2"),
        env=os.environ | {DATABASE: address}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(r"Listening at: http://[0-9.]+:([0-9]+)", line):
            break
    assert found
    with contextlib.closing(HTTPConnection(LOOPBACK, int(found[1]), timeout=60)) as connection:
        connection.request("GET", "/readyz")
        assert connection.getresponse().status == 200
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 2
    lines = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in (process.pid, *children)]
    assert all(b"gunicorn" in line and PASSWORD.encode() not in line for line in lines)
    process.terminate()
    said.append(process.communicate(timeout=60)[1])
    assert process.returncode == 0
    assert PASSWORD not in "".join(said)
