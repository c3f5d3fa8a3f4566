"""Make the virtual environment that the Makefile works in. Standard library only.

``python3 scripts/environment.py run`` installs ``requirements.lock``, ``dev`` installs
``requirements-dev.lock``; both check every hash. uv does it where uv installs (its own hash is
in the development lock too), pip otherwise: slower, the same packages.

The project itself is linked, not installed (docs/decisions/0006): a ``.pth`` file names the
checkout, and one launcher is written for each entry of ``[project.scripts]``.
"""

import re
import shlex
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
PYTHON = HOME / "bin" / "python"
LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock"}

# Read by sh, then by Python: a shebang cannot name a path that is long or holds a space.
LAUNCHER = """\
#!/bin/sh
'''exec' {python} "$0" "$@"
' '''
import sys

from {module} import {function}

sys.exit({function}())
"""


def lock_entry(lock: str, name: str) -> str:
    """Return the lines of one package in a lock, hashes included.

    Args:
        lock: The text of a lock file.
        name: The package's name as the lock spells it.

    Raises:
        LookupError: The lock does not name the package.
    """
    found = re.search(rf"^{re.escape(name)}==.*\n(?:[ ].*\n)*", lock, re.MULTILINE)
    if found is None:
        message = f"the lock does not name {name!r}"
        raise LookupError(message)
    return found.group()


def make_home() -> None:
    """Create ``.venv`` if it is absent or its interpreter no longer runs."""
    if PYTHON.exists() and subprocess.run([PYTHON, "-c", ""], check=False).returncode == 0:
        return
    venv.create(HOME, clear=True, with_pip=True, symlinks=True)


def has_uv() -> bool:
    """Return whether uv runs in ``.venv``, after trying to install the locked one."""
    uv = HOME / "bin" / "uv"
    if not uv.exists():
        wanted = HOME / "uv.lock.txt"
        wanted.write_text(lock_entry((ROOT / LOCKS["dev"]).read_text("utf-8"), "uv"), "utf-8")
        pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [*pip, "--require-hashes", "--only-binary=:all:", "-r", str(wanted)],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return (
        uv.exists()
        and subprocess.run([uv, "--version"], check=False, stdout=subprocess.DEVNULL).returncode
        == 0
    )


def install(kind: str) -> None:
    """Install one lock into ``.venv``; ``dev`` also removes what the lock does not name."""
    lock = ROOT / LOCKS[kind]
    if has_uv():
        verb = ["sync"] if kind == "dev" else ["install", "-r"]
        # Copies, since a cache on another file system cannot be hard-linked.
        options = ["--quiet", "--require-hashes", "--link-mode=copy", "--python", str(PYTHON)]
        command = [str(HOME / "bin" / "uv"), "pip", *verb, str(lock), *options]
    else:
        print("uv does not install here; pip takes longer")
        command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--require-hashes", "-r", str(lock)]
    subprocess.run(command, check=True)


def link_project() -> None:
    """Put the checkout on the environment's path and write the launchers."""
    ask = [str(PYTHON), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip())
    (packages / "fairdeal.pth").write_text(f"{ROOT}\n", "utf-8")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    for name, target in scripts.items():
        module, function = target.split(":")
        launcher = HOME / "bin" / name
        text = LAUNCHER.format(python=shlex.quote(str(PYTHON)), module=module, function=function)
        launcher.write_text(text, "utf-8")
        launcher.chmod(0o755)


def main(kind: str) -> None:
    """Make or renew the environment and stamp it.

    Args:
        kind: ``run`` or ``dev``; ``dev`` holds all that ``run`` needs.
    """
    make_home()
    install(kind)
    link_project()
    for stamp in LOCKS if kind == "dev" else (kind,):
        (HOME / f".stamp-{stamp}").touch()


if __name__ == "__main__":
    if sys.argv[1:] not in (["run"], ["dev"]):
        sys.exit("usage: environment.py run|dev")
    main(sys.argv[1])
