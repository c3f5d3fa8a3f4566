"""Renew the three locks: versions and hashes, no address of any index.

The runtime lock is resolved under the development lock, so that the two never disagree.
``--upgrade`` takes the newest releases that the ranges of pyproject.toml allow; without it a
version stays as long as it fits.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = Path(sys.executable).parent / "uv"
OPTIONS = (
    *("--universal", "--python-version", "3.11", "--generate-hashes", "--quiet"),
    *("--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "make lock"),
)


def compile_lock(target: str, *selection: str) -> None:
    """Write one lock from pyproject.toml.

    Args:
        target: The lock's file name.
        selection: uv's options that choose the dependencies, and the project if its own belong in.
    """
    upgrade = [argument for argument in sys.argv[1:] if argument == "--upgrade"]
    subprocess.run(
        [UV, "pip", "compile", *OPTIONS, *upgrade, *selection, "-o", target],
        check=True,
        cwd=ROOT,
    )


if __name__ == "__main__":
    compile_lock("requirements-dev.lock", "--group", "dev", "--all-extras", "pyproject.toml")
    compile_lock("requirements.lock", "-c", "requirements-dev.lock", "pyproject.toml")
    compile_lock("requirements-clients.lock", "--group", "clients")
