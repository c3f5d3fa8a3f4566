"""What may not be in the repository at all."""

import json
import subprocess
from pathlib import Path

import pytest

from scripts.check_locks import FILES

ROOT = Path(__file__).resolve().parents[2]

# Written in two halves, so that this file does not name them either.
INDEX_HOSTS = tuple(
    left + right
    for left, right in (
        ("pypi", ".org"),
        ("pypi", ".python.org"),
        ("pythonhosted", ".org"),
        ("registry.npm", "js.org"),
        ("npm", "mirror.com"),
        ("registry.yarn", "pkg.com"),
        ("deb.", "debian.org"),
        ("archive.", "ubuntu.com"),
        ("static.", "crates.io"),
        ("proxy.go", "lang.org"),
    )
)

pytestmark = pytest.mark.suite("tracked-files")


@pytest.fixture(scope="module")
def tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def named_hosts(content: bytes) -> list[str]:
    lowered = content.lower()
    return [host for host in INDEX_HOSTS if host.encode() in lowered]


def test_no_tracked_file_names_a_package_index(tracked):
    found = {str(path.relative_to(ROOT)): named_hosts(path.read_bytes()) for path in tracked}
    assert {name: hosts for name, hosts in found.items() if hosts} == {}


def test_a_named_package_index_is_seen():
    assert named_hosts(f"--index-url https://{INDEX_HOSTS[0]}/simple".encode()) == [INDEX_HOSTS[0]]


def test_no_lock_that_records_addresses_is_tracked(tracked):
    names = {path.name for path in tracked}
    assert names & {"uv.lock", "poetry.lock", "Pipfile.lock", "yarn.lock"} == set()
    for path in tracked:
        if path.name == "package-lock.json":
            packages = json.loads(path.read_bytes())["packages"]
            assert [name for name, one in packages.items() if "resolved" in one] == []
            assert [name for name, one in packages.items() if name and "integrity" not in one] == []


def test_every_lock_is_tracked(tracked):
    assert {*FILES, "package-lock.json"} <= {path.name for path in tracked}


def test_no_secret_file_or_database_is_tracked(tracked):
    endings = {".key", ".pem", ".sqlite", ".sqlite3", ".db", ".p12"}
    assert [path for path in tracked if path.suffix in endings] == []
