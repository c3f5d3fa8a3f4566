"""A program on golang.org/x/mod/sumdb audits our logs: from a folder, and from a real server."""

import shutil
import subprocess

import pytest

from tests.third_party.conftest import ENTRIES, KEY, SEEDS, SIZES, WITNESSES
from tests.tlog.logmaker import make_log

pytestmark = [pytest.mark.suite("go"), pytest.mark.slow]
KEYS = [KEY.vkey, *(key.text for key in WITNESSES)]


@pytest.fixture
def check(gocheck):
    def run(location, *keys):
        command = [str(gocheck), str(location), *(keys or KEYS)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    return run


def found(size):
    """Return what the program says of a log of this size."""
    if not size:
        return "gocheck: empty\n"
    tried = [at for at in (0, 1, 254, 255, 256, 511, size // 2, size - 1) if at < size]
    older = sum(old <= size for old in (1, 2, 255, 256, 257, 511, 65_536)) + 1
    return f"gocheck: {size} entries, {len(tried)} records proved, {older} older checkpoints\n"


@pytest.mark.parametrize("size", SIZES)
def test_it_accepts_a_folder_of_ours(check, logs, size):
    run = check(logs(size))
    assert (run.stdout, run.stderr, run.returncode) == (found(size), "", 0)


@pytest.mark.parametrize("size", SIZES)
def test_it_accepts_what_a_server_of_ours_serves(check, logs, serve, size):
    run = check(serve(logs(size)))
    assert (run.stdout, run.stderr, run.returncode) == (found(size), "", 0)


@pytest.fixture
def copy(logs, tmp_path):
    return shutil.copytree(logs(511), tmp_path / "log")


@pytest.mark.parametrize(
    "path", ["checkpoint", "tile/0/000", "tile/0/001.p/255", "tile/1/000.p/1", "tile/entries/000",
             "checkpoints/256"],
)  # fmt: skip
def test_it_refuses_a_log_in_which_a_byte_is_another(check, copy, path):
    data = bytearray((copy / path).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / path).write_bytes(data)
    run = check(copy)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("gocheck: ")


def test_it_refuses_a_log_whose_history_is_another(check, copy, tmp_path):
    make_log(tmp_path / "other", [b"x", *ENTRIES[1:256]], key=KEY, witnesses=SEEDS)
    shutil.copy(tmp_path / "other" / "checkpoint", copy / "checkpoints" / "256")
    run = check(copy)
    assert run.returncode == 1
    assert "checkpoints/256" in run.stderr


@pytest.mark.parametrize("missing", ["tile/0/000", "tile/entries/001.p/255", "checkpoint"])
def test_it_refuses_a_log_in_which_a_file_is_missing(check, copy, missing):
    (copy / missing).unlink()
    assert check(copy).returncode == 1


def test_it_refuses_another_log_key_and_another_witness(check, logs):
    other = "fairdeal.localhost/live+d5a9c0ba+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG5"
    assert check(logs(2), other).returncode == 1
    assert check(logs(2), KEY.vkey, KEYS[1].replace("w1", "w3")).returncode == 1
    assert check(logs(2), KEY.vkey).returncode == 0
