"""The locks fit pyproject.toml, and a lock that does not is named."""

from pathlib import Path

import pytest

from scripts.check_locks import FILES, faults
from scripts.environment import lock_entry

ROOT = Path(__file__).resolve().parents[2]
PROJECT, RUN, DEV, CLIENTS = (
    (ROOT / name).read_text("utf-8") for name in ("pyproject.toml", *FILES)
)


def without_entry(lock: str, name: str) -> str:
    return lock.replace(lock_entry(lock, name), "")


def test_the_locks_fit():
    assert faults(PROJECT, RUN, DEV, CLIENTS) == []


def test_a_dependency_that_is_not_locked_is_named():
    project = PROJECT.replace('"click>=8.2,<9",', '"click>=8.2,<9", "brand-new>=1",')
    assert "requirements.lock lacks brand-new>=1" in faults(project, RUN, DEV, CLIENTS)


def test_a_version_outside_its_range_is_named():
    project = PROJECT.replace('"click>=8.2,<9"', '"click<8"')
    assert "requirements.lock lacks click<8" in faults(project, RUN, DEV, CLIENTS)


def test_a_locked_package_whose_own_need_is_not_locked_is_named():
    found = faults(PROJECT, without_entry(RUN, "itsdangerous"), DEV, CLIENTS)
    assert "requirements.lock: flask needs itsdangerous" in found


def test_a_client_generator_that_is_not_locked_is_named():
    bare = without_entry(CLIENTS, "openapi-python-client")
    (found,) = faults(PROJECT, RUN, DEV, bare)
    assert found.startswith("requirements-clients.lock lacks openapi-python-client")


def test_locks_that_disagree_are_named():
    entry = lock_entry(RUN, "blinker").splitlines()[0]
    found = faults(PROJECT, RUN.replace(entry, "blinker==0.1 \\"), DEV, CLIENTS)
    assert any(fault.startswith("the locks disagree on blinker: 0.1 and ") for fault in found)


def test_a_package_without_a_hash_is_named():
    bare = RUN.replace(lock_entry(RUN, "blinker"), "blinker==1.9.0\n")
    assert "requirements.lock: blinker has no hash" in faults(PROJECT, bare, DEV, CLIENTS)


@pytest.mark.parametrize("line", ["--index-url https://example.org/simple", "--find-links /x"])
def test_an_address_in_a_lock_is_named(line):
    assert any("holds" in fault for fault in faults(PROJECT, f"{line}\n{RUN}", DEV, CLIENTS))


def test_the_installer_is_locked_with_its_hashes():
    entry = lock_entry(DEV, "uv")
    assert entry.startswith("uv==")
    assert "--hash=sha256:" in entry
    assert "\n    # via" in entry


def test_a_name_that_is_the_start_of_another_finds_its_own_entry_only():
    assert lock_entry(DEV, "pytest").count("==") == 1
    with pytest.raises(LookupError, match="'pyte'"):
        lock_entry(DEV, "pyte")
