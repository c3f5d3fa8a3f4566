"""Set up what generates clients in the tests, where it is absent or its lock was changed.

``python -m scripts.clients`` makes ``.venv-clients`` from ``requirements-clients.lock``, and, where
npm is, ``tests/clients/typescript/node_modules`` from the lock there. `make test` does it before
any test runs; the tests do it themselves where they are started without make.
"""

import fcntl
import shutil
import subprocess
from pathlib import Path
from typing import Final

from scripts import environment

PYTHON: Final = environment.CLIENTS / "bin"
"""Where the programs of the Python generator are."""

TYPESCRIPT: Final = environment.ROOT / "tests" / "clients" / "typescript"
MODULES: Final = TYPESCRIPT / "node_modules"


def python_client() -> None:
    """Make `.venv-clients` (raises `CalledProcessError`)."""
    lock = environment.ROOT / environment.LOCKS["clients"]
    if _is_newer(environment.CLIENTS / ".stamp-clients", lock):
        return
    print("setting up .venv-clients (once)", flush=True)
    environment.main("clients")


def typescript_client() -> None:
    """Install npm's modules as they are locked (raises `CalledProcessError`)."""
    stamp = MODULES / ".stamp"
    if _is_newer(stamp, TYPESCRIPT / "package-lock.json"):
        return
    print("setting up the modules of npm (once)", flush=True)
    subprocess.run(["npm", "ci", "--silent"], check=True, cwd=TYPESCRIPT)
    stamp.touch()


def prepare() -> None:
    """Set up both; npm's modules where there is npm. Whoever comes second waits for the first."""
    with (environment.ROOT / ".venv" / ".stamp-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python_client()
        if shutil.which("npm") is None:
            print("npm is absent: the suite typescript-client cannot run")
        else:
            typescript_client()


def _is_newer(made: Path, source: Path) -> bool:
    return made.exists() and made.stat().st_mtime >= source.stat().st_mtime


if __name__ == "__main__":
    prepare()
