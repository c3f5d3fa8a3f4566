"""Check, without any network, that the locks fit pyproject.toml and each other.

Wanted: every dependency is locked at a version within its range; the development lock holds the
runtime lock, version for version, while that of the clients stands alone; every package has
hashes; no address stands in a lock; and the runtime lock is closed: what a locked package needs on
this machine is locked as well, so that ``make demo`` never finds out too late.
"""

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
FILES = ("requirements.lock", "requirements-dev.lock", "requirements-clients.lock")
ENTRY = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>[^\s;\\]+)", re.MULTILINE)
ADDRESS = re.compile(r"https?:|file:|--index-url|--extra-index-url|--find-links")


def locked(text: str) -> dict[str, str]:
    """Return version by canonical name of one lock's text."""
    return {canonicalize_name(m["name"]): m["version"] for m in ENTRY.finditer(text)}


def unhashed(text: str) -> list[str]:
    """Return the names of a lock's packages that carry no hash."""
    starts = [*ENTRY.finditer(text)]
    ends = [m.start() for m in starts[1:]] + [len(text)]
    return [
        m["name"]
        for m, end in zip(starts, ends, strict=True)
        if "--hash=sha256:" not in text[m.start() : end]
    ]


def unmet(wanted: list[str], lock: dict[str, str]) -> list[str]:
    """Return the requirements that a lock does not hold at a version within their range."""
    needs = [Requirement(line) for line in wanted]
    return [
        str(need)
        for need in needs
        if (version := lock.get(canonicalize_name(need.name))) is None
        or not need.specifier.contains(version, prereleases=True)
    ]


def missing_below(lock: dict[str, str]) -> list[str]:
    """Return ``package needs other`` for what a lock's installed packages need and it lacks."""
    lacks = []
    for name in lock:
        try:
            needs = [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:
            continue  # locked for another kind of machine
        lacks += [
            f"{name} needs {need.name}"
            for need in needs
            if (need.marker is None or need.marker.evaluate({"extra": ""}))
            and canonicalize_name(need.name) not in lock
        ]
    return lacks


def faults(pyproject: str, run: str, dev: str, clients: str) -> list[str]:
    """Return every fault as a sentence, none if the locks fit.

    Args:
        pyproject: The text of pyproject.toml.
        run: The text of requirements.lock.
        dev: The text of requirements-dev.lock.
        clients: The text of requirements-clients.lock.
    """
    project = tomllib.loads(pyproject)
    run_lock, dev_lock = locked(run), locked(dev)
    wanted_run = project["project"]["dependencies"]
    extras = [
        need for needs in project["project"]["optional-dependencies"].values() for need in needs
    ]
    wanted_dev = wanted_run + extras + project["dependency-groups"]["dev"]
    found = [f"requirements.lock lacks {need}" for need in unmet(wanted_run, run_lock)]
    found += [f"requirements-dev.lock lacks {need}" for need in unmet(wanted_dev, dev_lock)]
    wanted_clients = project["dependency-groups"]["clients"]
    found += [
        f"requirements-clients.lock lacks {need}" for need in unmet(wanted_clients, locked(clients))
    ]
    found += [
        f"the locks disagree on {name}: {version} and {dev_lock.get(name)}"
        for name, version in run_lock.items()
        if dev_lock.get(name) != version
    ]
    found += [f"requirements.lock: {lack}" for lack in missing_below(run_lock)]
    for file, text in zip(FILES, (run, dev, clients), strict=True):
        found += [f"{file}: {name} has no hash" for name in unhashed(text)]
        found += [f"{file}: holds {hit.group()!r}" for hit in ADDRESS.finditer(text)]
    return found


def main() -> int:
    """Print the faults of the checked-in locks; return 1 if there is one."""
    found = faults(*((ROOT / file).read_text("utf-8") for file in ("pyproject.toml", *FILES)))
    for fault in found:
        print(fault)
    print("locks: " + (f"{len(found)} faults; `make lock` renews them" if found else "fit"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
